// Reading a list to its end, and refusing to believe one that is not whole (promise 5).

import pLimit from "p-limit";
import { ServiceError } from "../errors.ts";
import type { Transport } from "./transport.ts";
import { decodePage, type Page } from "./wire.ts";

/** The most that interface.md 8 allows. */
const PER_PAGE = 100;
/** Pages that are asked for side by side. */
const SIDE_BY_SIDE = 4;

export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly pages: number;
}

/**
 * All rows of a list, ascending by id, so that rows others add meanwhile come last. `decode` reads one row and throws
 * where it has no meaning. A list whose rows are not as many as its total, or that repeats an id, is an error.
 */
export async function readList<Row extends { readonly id: number }>(
  transport: Transport,
  path: string,
  decode: (json: unknown) => Row,
): Promise<Listed<Row>> {
  const readPage = async (number: number): Promise<Page> =>
    decodePage(
      path,
      await transport.send({ method: "GET", path, query: { sort: "asc", per_page: PER_PAGE, page: number } }),
    );
  const first = await readPage(1);
  const limit = pLimit(SIDE_BY_SIDE);
  const others = Array.from({ length: Math.max(first.last - 1, 0) }, (_, index) => limit(() => readPage(index + 2)));
  const pages = [first, ...(await Promise.all(others))];
  const rows = pages.flatMap((page) => page.rows.map(decode));
  const total = pages.at(-1)?.total ?? 0;
  const misnumbered = pages.findIndex((page, index) => page.current !== index + 1);
  if (misnumbered >= 0)
    throw incomplete(path, `page ${misnumbered + 1} came back as page ${pages[misnumbered]?.current}`);
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) throw incomplete(path, "a row came twice");
  if (rows.length !== total) throw incomplete(path, `${rows.length} rows came, the total says ${total}`);
  return { rows, pages: pages.length };
}

function incomplete(path: string, seen: string): ServiceError {
  return new ServiceError("incomplete-list", `The list ${path} is not whole: ${seen}.`, {
    hint: "The account changed while it was read: run again.",
  });
}
