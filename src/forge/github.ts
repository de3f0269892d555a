// GitHub: the comments of a pull request, and the issues and pull requests of a repository, over its REST API.

import * as z from "zod";
import type { Api } from "./api.ts";
import type { Board, Explain, Forge } from "./publish.ts";

const entry = z
  .object({
    id: z.number(),
    number: z.number().optional(),
    body: z.string().nullish(),
    html_url: z.string().optional(),
    user: z.object({ login: z.string() }).nullish(),
    /** Of an issue that is a pull request. */
    pull_request: z.unknown().optional(),
  })
  .transform(({ id, number, body, html_url: url, user, pull_request: isPull }) => ({
    // A comment has no number.
    id: number ?? id,
    body: body ?? "",
    url: url ?? null,
    author: isPull === undefined ? (user?.login ?? null) : null,
  }));

const pull = z.object({ number: z.number(), merged_at: z.string().nullish(), base: z.object({ ref: z.string() }) });

/** The token's user. A job's token cannot read it over REST, but with `viewer` in GraphQL: `github-actions[bot]`. */
const viewer = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) });

/** A repository, `owner/name`. `isFromFork`: the pull request of the job comes from a fork, for which the token is read-only. */
export function gitHub(api: Api, repository: string, isFromFork: boolean): Forge {
  const repo = `/repos/${repository}`;
  const me = async (): Promise<string> => (await api.graphql(viewer, "query { viewer { login } }")).data.viewer.login;
  /** The open entries that a query lists. A new one gets `fields`, too. */
  const entries = (kind: "issues" | "pulls", rights: string, query: Record<string, string>, fields: object): Board => ({
    me,
    explain: explained(isFromFork, rights, `Repository ${repository} does not exist`),
    list: async () => api.list(entry, `${repo}/${kind}`, { state: "open", ...query }),
    add: async ({ title, body }) => api.send(entry, "POST", `${repo}/${kind}`, { title, body, ...fields }),
    change: async ({ id }, { body, isClosed }) =>
      api.send(entry, "PATCH", `${repo}/${kind}/${id}`, { body, ...(isClosed && { state: "closed" }) }),
  });
  return {
    comments: (number) => ({
      me,
      explain: explained(isFromFork, "pull-requests: write", `Pull request ${number} does not exist in ${repository}`),
      list: async () => api.list(entry, `${repo}/issues/${number}/comments`, {}),
      add: async ({ body }) => api.send(entry, "POST", `${repo}/issues/${number}/comments`, { body }),
      change: async ({ id }, { body }) => api.send(entry, "PATCH", `${repo}/issues/comments/${id}`, { body }),
    }),
    issues: () => entries("issues", "issues: write", { sort: "created", direction: "asc" }, {}),
    branch: (head, base) => {
      const from = `${repository.split("/")[0]}:${head}`;
      return entries("pulls", "pull-requests: write", { head: from }, { head, base });
    },
    mergedWith: async (commit, into) => {
      const pulls = await api.list(pull, `${repo}/commits/${commit}/pulls`, {});
      return pulls.flatMap((one) => (one.merged_at && one.base.ref === into ? one.number : []));
    },
  };
}

const CHECK_TOKEN = "Check GITHUB_TOKEN. It may be mistyped, expired, or for another GitHub server.";
const CHECK_NAMES = "Check GITHUB_REPOSITORY, --pull-request and the token's permissions.";
const SKIP_FORKS = "Skip the comment for forks. The report is in the job's log and artifacts.";
const ALLOW_PULLS = "Allow it in Settings, Actions, General, or use the token of an app. See docs/ci.md.";

/** `rights`: what a job's token needs. `named`: what may not exist. */
function explained(isFromFork: boolean, rights: string, named: string): Explain {
  const addRights = `If the token has no write permission, add \`${rights}\` to the job's \`permissions\`. Pull requests from forks and from Dependabot never have it.`;
  return (status, says) => {
    if (status === 401) return ["forge-token", `GitHub does not accept the token${says}.`, CHECK_TOKEN];
    if (status === 404) return ["forge-missing", `${named}, or the token has no access to it.`, CHECK_NAMES];
    if (status !== 403) return null;
    const [what, hint] = isFromFork
      ? ["The token is read-only, because the pull request comes from a fork", SKIP_FORKS]
      : /not permitted to create/i.test(says)
        ? ["GitHub does not let workflows open pull requests", ALLOW_PULLS]
        : ["GitHub does not allow this", addRights];
    return ["forge-rights", `${what}${says}.`, hint];
  };
}
