// GitLab: the notes of a merge request and the issues of a project, over its REST API.

import * as z from "zod";
import { type Api, ForgeFailure } from "./api.ts";
import { boardFrom, type Board, type ForgeEntry } from "./publish.ts";

const user = z.object({ id: z.number() });
const note = z.object({ id: z.number(), body: z.string(), author: user.nullish(), system: z.boolean().optional() });
const issue = z.object({
  iid: z.number(),
  description: z.string().nullish(),
  web_url: z.string().optional(),
  author: user.nullish(),
});

/** The notes of a merge request; `page` is the project's, for the address of a note, which the API does not return. */
export function mergeRequestNotes(api: Api, project: string, iid: number, page: string | null): Board {
  const notes = `/projects/${encodeURIComponent(project)}/merge_requests/${iid}/notes`;
  const toEntry = ({ id, body }: z.infer<typeof note>): ForgeEntry => ({
    id,
    body,
    url: page === null ? null : `${page}/-/merge_requests/${iid}#note_${id}`,
  });
  const isMissing = `Merge request ${iid} does not exist in project ${project}, or the token has no access to it.`;
  return boardFrom(api, {
    row: note,
    me: () => userOf(api),
    list: async () => api.list(notes, { sort: "asc", order_by: "created_at" }),
    isOurs: ({ author, system }, me) => author?.id === me && system !== true,
    add: async ({ body }) => api.change("POST", notes, { body }),
    change: async ({ id }, { body }) => api.change("PUT", `${notes}/${id}`, { body }),
    toEntry,
    explain: (cause) => explained(cause, isMissing),
  });
}

/** The open issues of a project. Their ids are their numbers. */
export function projectIssues(api: Api, project: string): Board {
  return projectEntries(api, project, "issues", {}, {});
}

/** The open merge requests from a branch of a project into another one. Their ids are their numbers. */
export function branchMergeRequests(api: Api, project: string, source: string, target: string): Board {
  const from = { source_branch: source };
  return projectEntries(api, project, "merge_requests", from, {
    ...from,
    target_branch: target,
    remove_source_branch: true,
  });
}

/** The open entries of a project that a query lists. A new one gets these fields, too. */
function projectEntries(
  api: Api,
  project: string,
  kind: "issues" | "merge_requests",
  query: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, unknown>>,
): Board {
  const entries = `/projects/${encodeURIComponent(project)}/${kind}`;
  const order = { state: "opened", scope: "all", sort: "asc", order_by: "created_at" };
  const isMissing = `Project ${project} does not exist, or the token has no access to it.`;
  return boardFrom(api, {
    row: issue,
    me: () => userOf(api),
    list: async (me) => api.list(entries, { ...order, author_id: String(me), ...query }),
    isOurs: ({ author }, me) => author?.id === me,
    add: async ({ title, body }) => api.change("POST", entries, { title, description: body, ...fields }),
    change: async ({ id }, { body, isClosed }) =>
      api.change("PUT", `${entries}/${id}`, {
        description: body,
        ...(isClosed ? { state_event: "close" } : {}),
      }),
    explain: (cause) => explained(cause, isMissing),
    toEntry: ({ iid, description, web_url: url }) => ({ id: iid, body: description ?? "", url: url ?? null }),
  });
}

/**
 * The first line that GitLab would obey, such as `/close`; null where there is none. Its extractor drops carriage returns, then
 * takes lines that begin with a slash and a word. Those in blocks of code it leaves alone, but not every version knows every form
 * of block: no line of a report needs to begin like this.
 */
export function quickAction(text: string): string | null {
  const lines = text.replaceAll("\r", "").split("\n");
  return lines.find((line) => /^\/[a-z_]/i.test(line)) ?? null;
}

/** The number of the token's user. */
async function userOf(api: Api): Promise<number> {
  const answer = user.safeParse(await api.read("/user"));
  if (!answer.success) throw api.unexpected("GET /user");
  return answer.data.id;
}

const TOKEN =
  "GITLAB_TOKEN must be a project, group or personal access token with the `api` scope and at least the Reporter role. CI_JOB_TOKEN cannot write notes.";

/** Turns a rejection into an error that says what to do. */
function explained(cause: unknown, isMissing: string): unknown {
  if (!(cause instanceof ForgeFailure)) return cause;
  const { status, words } = cause;
  const says = words === "" ? "" : ` (${words})`;
  const as = (code: string, message: string, hint: string): ForgeFailure =>
    new ForgeFailure(code, message, { hint, cause, ...(status === null ? {} : { status }) });
  switch (status ?? 0) {
    case 401:
      return as("forge-token", `GitLab does not accept the token${says}.`, TOKEN);
    case 403:
      return as("forge-rights", `The token has no write permission${says}.`, TOKEN);
    case 404:
      return as("forge-missing", isMissing, `Check CI_PROJECT_ID and --pull-request. ${TOKEN}`);
    case 400:
    case 413:
      return /too long|too large/i.test(words)
        ? as(
            "report-too-long",
            `The report is too long for GitLab${says}.`,
            "Write the report with `--max-length 1000000` or less.",
          )
        : cause;
    default:
      return cause;
  }
}
