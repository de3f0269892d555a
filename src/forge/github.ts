// GitHub: the comments of a pull request and the issues of a repository, over its REST API.

import * as z from "zod";
import { type Api, ForgeFailure } from "./api.ts";
import { boardFrom, type BoardSource, type Board } from "./publish.ts";

export interface GitHubRepository {
  /** `owner/name`. */
  readonly name: string;
  /** Whether the pull request comes from a fork, for which GitHub provides a read-only token. */
  readonly isFromFork: boolean;
}

const entry = z.object({
  id: z.number(),
  number: z.number().optional(),
  body: z.string().nullish(),
  html_url: z.string().optional(),
  user: z.object({ login: z.string() }).nullish(),
  /** Of an issue that is a pull request. */
  pull_request: z.unknown().optional(),
});
type GitHubRow = z.infer<typeof entry>;

/** The comments of a pull request. */
export function pullRequestComments(api: Api, repository: GitHubRepository, number: number): Board {
  const repo = `/repos/${repository.name}`;
  const isMissing = `Pull request ${number} does not exist in ${repository.name}, or the token has no access to it.`;
  return boardFrom(api, {
    ...shared(api, repository, "pull-requests: write", isMissing),
    list: async () => api.list(`${repo}/issues/${number}/comments`, {}),
    add: async ({ body }) => api.change("POST", `${repo}/issues/${number}/comments`, { body }),
    change: async ({ id }, { body }) => api.change("PATCH", `${repo}/issues/comments/${id}`, { body }),
    toEntry: ({ id, body, html_url: url }) => ({ id, body: body ?? "", url: url ?? null }),
  });
}

/** The open issues of a repository. Their ids are their numbers. */
export function repositoryIssues(api: Api, repository: GitHubRepository): Board {
  const repo = `/repos/${repository.name}`;
  const isMissing = `Repository ${repository.name} does not exist, or the token has no access to it.`;
  return boardFrom(api, {
    ...shared(api, repository, "issues: write", isMissing),
    list: async () => api.list(`${repo}/issues`, { state: "open", sort: "created", direction: "asc" }),
    add: async ({ title, body }) => api.change("POST", `${repo}/issues`, { title, body }),
    change: async ({ id }, { body, isClosed }) =>
      api.change("PATCH", `${repo}/issues/${id}`, {
        body,
        ...(isClosed ? { state: "closed", state_reason: "completed" } : {}),
      }),
    toEntry: ({ id, number, body, html_url: url }) => ({ id: number ?? id, body: body ?? "", url: url ?? null }),
  });
}

/** The open pull requests from a branch of this repository into another one. Their ids are their numbers. */
export function branchPullRequests(api: Api, repository: GitHubRepository, head: string, base: string): Board {
  const pulls = `/repos/${repository.name}/pulls`;
  const isMissing = `Repository ${repository.name} does not exist, or the token has no access to it.`;
  const [owner] = repository.name.split("/");
  return boardFrom(api, {
    ...shared(api, repository, "pull-requests: write", isMissing),
    list: async () => api.list(pulls, { state: "open", head: `${owner}:${head}` }),
    add: async ({ title, body }) => api.change("POST", pulls, { title, body, head, base }),
    change: async ({ id }, { body, isClosed }) =>
      api.change("PATCH", `${pulls}/${id}`, { body, ...(isClosed ? { state: "closed" } : {}) }),
    toEntry: ({ id, number, body, html_url: url }) => ({ id: number ?? id, body: body ?? "", url: url ?? null }),
  });
}

/** What comments and issues have in common. `rights` are the permissions that a job's token needs. */
function shared(api: Api, repository: GitHubRepository, rights: string, isMissing: string): SharedComments {
  return {
    row: entry,
    me: () => viewer(api),
    isOurs: ({ user, pull_request: pull }, me) => user?.login === me && pull === undefined,
    explain: (cause) => explained(cause, repository, rights, isMissing),
  };
}

type SharedComments = Pick<BoardSource<GitHubRow, string>, "row" | "me" | "isOurs" | "explain">;

const viewerAnswer = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) });

/** The name of the token's user. A job's token cannot read it over REST, but with `viewer` in GraphQL: `github-actions[bot]`. */
async function viewer(api: Api): Promise<string> {
  const answer = viewerAnswer.safeParse(await api.graphql("query { viewer { login } }"));
  if (!answer.success) throw api.unexpected("the query for the token's user");
  return answer.data.data.viewer.login;
}

/** Turns a rejection into an error that says what to do. */
function explained(cause: unknown, { isFromFork }: GitHubRepository, rights: string, isMissing: string): unknown {
  if (!(cause instanceof ForgeFailure)) return cause;
  const { status, words } = cause;
  const says = words === "" ? "" : ` (${words})`;
  const as = (code: string, message: string, hint: string): ForgeFailure =>
    new ForgeFailure(code, message, { hint, cause, ...(status === null ? {} : { status }) });
  switch (status ?? 0) {
    case 401:
      return as(
        "forge-token",
        `GitHub does not accept the token${says}.`,
        "Check GITHUB_TOKEN. It may be mistyped, expired, or for another GitHub server.",
      );
    case 403:
      if (/locked/i.test(words))
        return as(
          "forge-locked",
          `GitHub does not allow comments there${says}.`,
          "Unlock the conversation and run the command again.",
        );
      return isFromFork
        ? as(
            "forge-rights",
            `The token is read-only, because the pull request comes from a fork${says}.`,
            "Skip the comment for forks. The report is in the job's log and artifacts.",
          )
        : /not permitted to create/i.test(words)
          ? as(
              "forge-rights",
              `GitHub does not let workflows open pull requests${says}.`,
              "Allow it in Settings, Actions, General, or use the token of an app. See docs/ci.md.",
            )
          : as(
              "forge-rights",
              `The token has no write permission${says}.`,
              `Add \`${rights}\` to the job's \`permissions\`. Pull requests from forks and from Dependabot never have this permission.`,
            );
    case 404:
      return as("forge-missing", isMissing, "Check GITHUB_REPOSITORY, --pull-request and the token's permissions.");
    case 410:
      return as(
        "forge-missing",
        `GitHub reports that this no longer exists${says}.`,
        "Check whether issues are disabled in the repository's settings.",
      );
    case 422:
      return /too long/i.test(words)
        ? as(
            "report-too-long",
            `The report is too long for GitHub${says}.`,
            "Write the report with `--max-length 65536` or less.",
          )
        : cause;
    default:
      return cause;
  }
}
