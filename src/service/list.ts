// Reading a list to its end, and refusing to believe one that is not whole (promise 5).

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
 * All rows of a list, ascending by id. `decode` reads one row and throws where it has no meaning. A list whose rows are
 * not as many as its total, that repeats an id, or whose total changes while it is read, is an error: pages are cut by
 * position, so a row deleted meanwhile draws another one from a page not yet read to one read already.
 */
export async function readList<Row extends { readonly id: number }>(
  transport: Transport,
  path: string,
  decode: (json: unknown) => Row,
): Promise<Listed<Row>> {
  const readPage = async (number: number): Promise<Page> => {
    const query = { sort: "asc", per_page: PER_PAGE, page: number };
    return decodePage(path, await transport.send({ method: "GET", path, query }));
  };
  const first = await readPage(1);
  checkPage(path, first, 1, first);
  const pages = [first.rows.map(decode)];
  let next = 2;
  // The first page that fails ends the reading of all: the rest would be requests for nothing (promise 8).
  const readOn = async (): Promise<void> => {
    try {
      while (next <= first.last) {
        const number = next++;
        const page = await readPage(number);
        checkPage(path, page, number, first);
        pages[number - 1] = page.rows.map(decode);
      }
    } catch (cause) {
      next = Infinity;
      throw cause;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, readOn));
  const rows = pages.flat();
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) throw incomplete(path, "a row came twice");
  if (rows.length !== first.total) throw incomplete(path, `${rows.length} rows came, the total says ${first.total}`);
  return { rows, pages: pages.length };
}

/** Holds a page against its number and against the first one. */
function checkPage(path: string, page: Page, number: number, first: Page): void {
  if (page.current !== number) throw incomplete(path, `page ${number} came back as page ${page.current}`);
  if (page.total !== first.total) throw incomplete(path, `its total went from ${first.total} to ${page.total}`);
  if (page.last !== first.last) throw incomplete(path, `its pages went from ${first.last} to ${page.last}`);
  if (page.rows.length === 0 && first.last > 1) throw incomplete(path, `page ${number} of ${first.last} is empty`);
}

function incomplete(path: string, seen: string): ServiceError {
  return new ServiceError("incomplete-list", `The list ${path} is not whole: ${seen}.`, {
    hint: "The account may have changed while it was read: run again.",
  });
}
