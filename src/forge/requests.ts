// The pull or merge requests that brought a commit to a branch.

import * as z from "zod";
import type { Api } from "./api.ts";

/** The numbers of the requests with this commit that were merged into this branch. */
export type MergedWith = (commit: string, branch: string) => Promise<number[]>;

/** The pull requests of a repository, `owner/name`. */
export function gitHubMerged(api: Api, repository: string): MergedWith {
  const pull = z.object({ number: z.number(), merged_at: z.string().nullish(), base: z.object({ ref: z.string() }) });
  return async (commit, branch) =>
    rows(api, pull, await api.list(`/repos/${repository}/commits/${commit}/pulls`, {}))
      .filter(({ merged_at: merged, base }) => typeof merged === "string" && base.ref === branch)
      .map(({ number }) => number);
}

/** The merge requests of a project. */
export function gitLabMerged(api: Api, project: string): MergedWith {
  const merge = z.object({ iid: z.number(), state: z.string(), target_branch: z.string() });
  const commits = `/projects/${encodeURIComponent(project)}/repository/commits`;
  return async (commit, branch) =>
    rows(api, merge, await api.list(`${commits}/${commit}/merge_requests`, {}))
      .filter(({ state, target_branch: target }) => state === "merged" && target === branch)
      .map(({ iid }) => iid);
}

function rows<Row>(api: Api, schema: z.ZodType<Row>, answers: readonly unknown[]): Row[] {
  const parsed = z.array(schema).safeParse(answers);
  if (!parsed.success) throw api.unexpected("a merged request");
  return parsed.data;
}
