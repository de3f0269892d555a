// GitLab: the notes of a merge request, and the issues and merge requests of a project, over its REST API.

import * as z from "zod";
import type { Api } from "./api.ts";
import type { Board, Explain, Forge } from "./publish.ts";

const user = z.object({ id: z.number() });
const note = z.object({ id: z.number(), body: z.string(), author: user.nullish(), system: z.boolean().optional() });
const issue = z
  .object({
    iid: z.number(),
    description: z.string().nullish(),
    web_url: z.string().optional(),
    author: user.nullish(),
  })
  .transform(({ iid, description, web_url: url, author }) => ({
    id: iid,
    body: description ?? "",
    url: url ?? null,
    author: author?.id ?? null,
  }));
const merge = z.object({ iid: z.number(), state: z.string(), target_branch: z.string() });

/** A project by its number; `page` is its page, for the address of a note, which the API does not return. */
export function gitLab(api: Api, project: string, page: string | null): Forge {
  const root = `/projects/${encodeURIComponent(project)}`;
  const me = async (): Promise<number> => (await api.send(user, "GET", "/user")).id;
  /** The open entries that a query lists. A new one gets `fields`, too. */
  const entries = (kind: "issues" | "merge_requests", query: Record<string, string>, fields: object): Board => ({
    me,
    list: async (author) =>
      api.list(issue, `${root}/${kind}`, {
        state: "opened",
        scope: "all",
        sort: "asc",
        order_by: "created_at",
        author_id: String(author),
        ...query,
      }),
    add: async ({ title, body }) => api.send(issue, "POST", `${root}/${kind}`, { title, description: body, ...fields }),
    change: async ({ id }, { body, isClosed }) =>
      api.send(issue, "PUT", `${root}/${kind}/${id}`, {
        description: body,
        ...(isClosed && { state_event: "close" }),
      }),
    explain: explained(`Project ${project} does not exist`),
  });
  return {
    comments: (iid) => {
      const notes = `${root}/merge_requests/${iid}/notes`;
      const entry = note.transform(({ id, body, author, system }) => ({
        id,
        body,
        url: page && `${page}/-/merge_requests/${iid}#note_${id}`,
        author: system === true ? null : (author?.id ?? null),
      }));
      return {
        me,
        list: async () => api.list(entry, notes, { sort: "asc", order_by: "created_at" }),
        add: async ({ body }) => api.send(entry, "POST", notes, { body }),
        change: async ({ id }, { body }) => api.send(entry, "PUT", `${notes}/${id}`, { body }),
        explain: explained(`Merge request ${iid} does not exist in project ${project}`),
      };
    },
    issues: () => entries("issues", {}, {}),
    branch: (source_branch, target_branch) =>
      entries("merge_requests", { source_branch }, { source_branch, target_branch, remove_source_branch: true }),
    mergedWith: async (commit, into) => {
      const requests = await api.list(merge, `${root}/repository/commits/${commit}/merge_requests`, {});
      return requests.filter((one) => one.state === "merged" && one.target_branch === into).map(({ iid }) => iid);
    },
  };
}

/**
 * The first line that GitLab would obey, such as `/close`; null for none. GitLab drops carriage returns, then takes lines that begin with
 * a slash and a word. Lines in blocks of code count, because not every version knows every form of block.
 */
export function quickAction(text: string): string | null {
  const lines = text.replaceAll("\r", "").split("\n");
  return lines.find((line) => /^\/[a-z_]/i.test(line)) ?? null;
}

const TOKEN =
  "GITLAB_TOKEN must be a project, group or personal access token with the `api` scope and at least the Reporter role. CI_JOB_TOKEN cannot write notes.";

/** `named` is what may not exist. */
function explained(named: string): Explain {
  return (status, says) => {
    if (status === 401) return ["forge-token", `GitLab does not accept the token${says}.`, TOKEN];
    if (status === 403) return ["forge-rights", `GitLab does not allow this${says}.`, TOKEN];
    if (status !== 404) return null;
    const message = `${named}, or the token has no access to it.`;
    return ["forge-missing", message, `Check CI_PROJECT_ID and --pull-request. ${TOKEN}`];
  };
}
