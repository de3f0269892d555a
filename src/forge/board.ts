// Comments or issues as a board: what is read is checked, whose it is asked, and a refusal told in words.

import type * as z from "zod";
import type { Api } from "./api.ts";
import type { Board, Draft, ForgeEntry } from "./publish.ts";

/** What differs between the forges, and between comments and issues; `Me` is how a forge names the token's user. */
export interface Shelf<Row, Me> {
  readonly row: z.ZodType<Row>;
  readonly me: () => Promise<Me>;
  readonly list: (me: Me) => Promise<unknown[]>;
  readonly isOurs: (row: Row, me: Me) => boolean;
  readonly add: (draft: Draft) => Promise<unknown>;
  readonly change: (entry: ForgeEntry, draft: Draft) => Promise<unknown>;
  readonly toEntry: (row: Row) => ForgeEntry;
  /** Puts a refusal in words that say what to do. */
  readonly explain: (cause: unknown) => unknown;
}

/** The board of a shelf. */
export function boardOf<Row, Me>(api: Api, shelf: Shelf<Row, Me>): Board {
  const told = async <Result>(act: Promise<Result>): Promise<Result> => {
    try {
      return await act;
    } catch (cause) {
      throw shelf.explain(cause);
    }
  };
  const read = (row: unknown): Row => {
    const parsed = shelf.row.safeParse(row);
    if (!parsed.success) throw api.unexpected("a list");
    return parsed.data;
  };
  return {
    ours: async () => {
      const me = await told(shelf.me());
      const rows = (await told(shelf.list(me))).map(read);
      return rows
        .filter((row) => shelf.isOurs(row, me))
        .map(shelf.toEntry)
        .toSorted((a, b) => a.id - b.id);
    },
    add: async (draft) => shelf.toEntry(read(await told(shelf.add(draft)))),
    change: async (one, draft) => shelf.toEntry(read(await told(shelf.change(one, draft)))),
  };
}
