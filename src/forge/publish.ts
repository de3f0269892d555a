// One entry for one report: found by its hidden marker and changed in place, or else created.

import { ForgeFailure } from "./api.ts";

export interface ForgeEntry {
  readonly id: number;
  readonly body: string;
  readonly url: string | null;
  /** As the forge names users; null for an entry of another kind. */
  readonly author: string | number | null;
}

/** The content of an entry. Comments have no title and cannot be closed. */
export interface Draft {
  /** Only for a new entry: people may have changed it since. */
  readonly title: string;
  readonly body: string;
  readonly isClosed: boolean;
}

/** A place for entries: the comments of a pull or merge request, or the open issues of a repository. */
export interface Board {
  /** The token's user. */
  readonly me: () => Promise<string | number>;
  readonly list: (me: string | number) => Promise<ForgeEntry[]>;
  readonly add: (draft: Draft) => Promise<ForgeEntry>;
  readonly change: (entry: ForgeEntry, draft: Draft) => Promise<ForgeEntry>;
  readonly explain: Explain;
}

/** The meaning of a refusal as an error with a fix; null if the refusal says it. `says` has the forge's words, for the end of a message. */
export type Explain = (status: number | null, says: string) => [code: string, message: string, hint: string] | null;

export interface Forge {
  readonly comments: (number: number) => Board;
  readonly issues: () => Board;
  /** The open requests from a branch into another one. Their ids are their numbers. */
  readonly branch: (from: string, into: string) => Board;
  /** The numbers of the requests with this commit that were merged into this branch. */
  readonly mergedWith: (commit: string, into: string) => Promise<number[]>;
}

export interface Published {
  readonly how: "added" | "changed";
  readonly entry: ForgeEntry;
}

/** The entry is looked for again if the response to a change was lost, or if the entry was deleted. */
const LOOKS = 4;

/** Milliseconds before the second look. The pause doubles each time. */
const FIRST_PAUSE = 1000;

/**
 * Writes a draft into the oldest entry of the token's own user whose marker, the first line of its body, is the same. If there is none, it
 * adds one with `mayAdd`, and returns null without. Anybody can write a marker: an entry of another user would look like linkform's, and its
 * author could change it again.
 * `pause` waits for a number of milliseconds. Throws a `ForgeFailure`.
 */
export async function publish(
  board: Board,
  isSame: (marker: string) => boolean,
  draft: Draft,
  { mayAdd, pause }: { readonly mayAdd: boolean; readonly pause: (ms: number) => Promise<void> },
): Promise<Published | null> {
  for (let look = 1; ; look += 1) {
    const me = await explained(board, board.me());
    const ours = (await explained(board, board.list(me))).filter(({ author }) => author === me);
    const first = ours.toSorted((a, b) => a.id - b.id).find(({ body }) => isSame(firstLine(body)));
    if (first === undefined && !mayAdd) return null;
    try {
      if (first !== undefined) return { how: "changed", entry: await explained(board, board.change(first, draft)) };
      return { how: "added", entry: await explained(board, board.add(draft)) };
    } catch (cause) {
      if (!(cause instanceof ForgeFailure) || look === LOOKS) throw cause;
      // The entry may have been deleted since it was found.
      const mayBeOtherwiseNow =
        first === undefined ? cause.details.mayHaveActed === true : cause.details.status === 404;
      if (!mayBeOtherwiseNow) throw cause;
      await pause(FIRST_PAUSE * 2 ** (look - 1));
    }
  }
}

/** The first line of a text, however its lines end. */
export function firstLine(text: string): string {
  return (/^[^\r\n]*/.exec(text)?.[0] ?? "").trimEnd();
}

async function explained<Result>({ explain }: Board, act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (cause) {
    if (!(cause instanceof ForgeFailure)) throw cause;
    const { status = null, words = "" } = cause.details;
    const explanation = explain(status, words === "" ? "" : ` (${words})`);
    if (explanation === null) throw cause;
    const [code, message, hint] = explanation;
    throw new ForgeFailure(code, message, { hint, cause, status });
  }
}
