// A check of one account by several jobs: each compares one part of the list of links.

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
  /** A digest of the files of the project. It is equal in all parts if their files are the same. */
  readonly files: string;
  /** The declared keys of this part's links, as `keyText` writes them. */
  readonly seen: readonly string[];
  /** The links that this part is responsible for and does not have. They count only if no other part has them either. */
  readonly missing: readonly MissingLinks[];
}

/** Some declared links that a part does not have. */
export interface MissingLinks {
  readonly keys: readonly string[];
  /** Their creates, in the same order, as `PackCreates` returned them. */
  readonly creates: string;
}

/** Whether a part reports the declared link with this folded alias if no part has it. Exactly one part does. */
export function isResponsible(alias: string, { index, count }: ShardNumber): boolean {
  let hash = 0;
  for (let at = 0; at < alias.length; at += 1) hash = (Math.imul(hash, 31) + alias.charCodeAt(at)) >>> 0;
  return hash % count === index - 1;
}

/** The code of the finding that says that a report covers only a part. Joining the parts removes it. */
export const PART_CODE = "shard";
