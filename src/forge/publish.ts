// One entry for one report: found by its hidden marker and changed in place, or else created.

import { ForgeFailure } from "./api.ts";

export interface ForgeEntry {
  readonly id: number;
  readonly body: string;
  /** Its page; null where that is not known. */
  readonly url: string | null;
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
  /**
   * The entries of the token's own user, the oldest first. Anybody can write a marker. An entry of another user that linkform changed would
   * look like its own, and its author could change it again.
   */
  ours(): Promise<readonly ForgeEntry[]>;
  add(draft: Draft): Promise<ForgeEntry>;
  change(entry: ForgeEntry, draft: Draft): Promise<ForgeEntry>;
}

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

/** The number of times that the entry is looked for: again if the response to a change was lost, or if the entry was deleted. */
const LOOKS = 4;

/** Milliseconds before the second look. The pause doubles each time. */
const FIRST_PAUSE = 1000;

/**
 * Writes a draft into the entry whose marker, the first line of its body, is the same. If there is none, it adds one with `mayAdd`, and
 * returns null without. `pause` waits for a number of milliseconds. Throws a `ForgeFailure`.
 */
export async function publish(
  board: Board,
  isSame: (marker: string) => boolean,
  draft: Draft,
  { mayAdd, pause }: { readonly mayAdd: boolean; readonly pause: (ms: number) => Promise<void> },
): Promise<Published | null> {
  for (let look = 1; ; look += 1) {
    const first = (await board.ours()).find(({ body }) => isSame(firstLine(body)));
    if (first === undefined && !mayAdd) return null;
    try {
      if (first !== undefined) return { how: "changed", entry: await board.change(first, draft) };
      return { how: "added", entry: await board.add(draft) };
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

/** What differs between the forges, and between comments and issues; `Me` is how a forge names the token's user. */
export interface BoardSource<Row, Me> {
  readonly me: () => Promise<Me>;
  readonly list: (me: Me) => Promise<Row[]>;
  readonly isOurs: (row: Row, me: Me) => boolean;
  readonly add: (draft: Draft) => Promise<Row>;
  readonly change: (entry: ForgeEntry, draft: Draft) => Promise<Row>;
  readonly toEntry: (row: Row) => ForgeEntry;
  readonly explain: Explain;
}

/**
 * The meaning of a refusal as an error with a fix; null if the refusal says it. `says` has the forge's words in parentheses, for the end of
 * a message.
 */
export type Explain = (
  status: number | null,
  words: string,
  says: string,
) => readonly [code: string, message: string, hint: string] | null;

export function boardFrom<Row, Me>(source: BoardSource<Row, Me>): Board {
  const explained = async <Result>(act: Promise<Result>): Promise<Result> => {
    try {
      return await act;
    } catch (cause) {
      if (!(cause instanceof ForgeFailure)) throw cause;
      const { status = null, words = "" } = cause.details;
      const explanation = source.explain(status, words, words === "" ? "" : ` (${words})`);
      if (explanation === null) throw cause;
      const [code, message, hint] = explanation;
      throw new ForgeFailure(code, message, { hint, cause, status });
    }
  };
  return {
    ours: async () => {
      const me = await explained(source.me());
      const rows = await explained(source.list(me));
      return rows
        .filter((row) => source.isOurs(row, me))
        .map(source.toEntry)
        .toSorted((a, b) => a.id - b.id);
    },
    add: async (draft) => source.toEntry(await explained(source.add(draft))),
    change: async (one, draft) => source.toEntry(await explained(source.change(one, draft))),
  };
}
