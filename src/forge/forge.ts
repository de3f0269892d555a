// A repository on GitHub or GitLab: the places for reports, and the requests that brought a commit to a branch.

import * as z from "zod";
import type { Api } from "./api.ts";
import type { Board } from "./publish.ts";

export interface Forge {
  /** The comments of a pull or merge request. */
  readonly comments: (number: number) => Board;
  /** The open issues. Their ids are their numbers. */
  readonly issues: () => Board;
  /** The open requests from a branch into another one. Their ids are their numbers. */
  readonly branch: (from: string, into: string) => Board;
  /** The numbers of the requests with this commit that were merged into this branch. */
  readonly mergedWith: (commit: string, into: string) => Promise<number[]>;
}

/** The merged requests in a list. `toNumber` returns null for a request that was not merged into the branch. */
export function mergedNumbers<Row>(
  api: Api,
  row: z.ZodType<Row>,
  answers: readonly unknown[],
  toNumber: (row: Row) => number | null,
): number[] {
  const parsed = z.array(row).safeParse(answers);
  if (!parsed.success) throw api.unexpected("a merged request");
  return parsed.data.flatMap((one) => toNumber(one) ?? []);
}
