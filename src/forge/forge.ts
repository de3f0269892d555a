// A repository on GitHub or GitLab: the places for reports, and the requests that brought a commit to a branch.

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
