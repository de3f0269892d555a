// A check of one account by several jobs: each compares one part of the list of links.

import type { Create } from "./change.ts";

/** Which part, from 1 on, of how many. */
export interface ShardNumber {
  readonly index: number;
  readonly count: number;
}

/** What the report of one part must say so that all of them can be joined. */
export interface Shard extends ShardNumber {
  /** The id of the row before this part; null for the first part and for an account without links. */
  readonly beginsAfter: number | null;
  /** The id of the last row of this part, or of an earlier one if it has none. */
  readonly endsWith: number | null;
  readonly isEnd: boolean;
  /** Equal in all parts if their files declare the same: a digest of all declarations. */
  readonly keys: string;
  /** One bit for each declared key, sorted, in base64: whether this part has a link with the key. */
  readonly seen: string;
  /** Creates for every `count`th of these keys, if this part has no such link. They count only if no other part has it either. */
  readonly missing: readonly MissingLink[];
}

/** A declared link that a part does not have. */
export interface MissingLink {
  /** The place of its key among the sorted keys, from 0 on. */
  readonly at: number;
  readonly change: Create;
}

/** The code of the finding that says that a report covers only a part. Joining the parts removes it. */
export const PART_CODE = "shard";
