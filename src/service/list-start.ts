// Reading the beginning of a list, for who wants to see only so many rows: no page more than that takes (promise 8).

import type { Order, DecodedPage } from "./list.ts";

/** Rows in the order in which they were asked for. */
export interface ListStart<Row> {
  readonly rows: readonly Row[];
  /** There are no others. */
  readonly isAll: boolean;
  /** Rows in all, as they were counted when the reading began; null where the service does not say. */
  readonly total: number | null;
}

/**
 * Reads page after page until there is enough. Pages are cut by position: a row that is added before what was read (the newest
 * come first) brings rows that have been read already, and one that is deleted draws another one away. So the ids must go one way,
 * none may come twice unless the list has grown, and the total may not shrink; else null.
 */
export async function readStart<Row extends { readonly id: number }>(
  ask: (number: number) => Promise<DecodedPage<Row>>,
  first: DecodedPage<Row>,
  order: Order,
  isEnough: (rows: readonly Row[]) => boolean,
): Promise<ListStart<Row> | null> {
  const isBehind = (row: Row, last: Row | undefined): boolean =>
    last === undefined || (order === "asc" ? row.id > last.id : row.id < last.id);
  const rows: Row[] = [];
  const { total } = first;
  let most = total;
  for (let number = 1, sheet = first; ; number += 1, sheet = await ask(number)) {
    if (sheet.number !== null && sheet.number !== number) return null;
    if (most !== null && (sheet.total === null || sheet.total < most)) return null;
    most = sheet.total;
    const before = rows.at(-1);
    const fresh = sheet.rows.filter((row) => isBehind(row, before));
    const hasGrown = total !== null && most !== null && most > total;
    if (fresh.length < sheet.rows.length && !hasGrown) return null;
    if (fresh.some((row, at) => !isBehind(row, fresh[at - 1]))) return null;
    rows.push(...fresh);
    const end = sheet.next === "none" ? number : sheet.last;
    // Without a word on how many pages there are, nobody knows where this ends.
    if (end === null && typeof sheet.next !== "number") return null;
    const isLast = end !== null && number >= end;
    if (isLast && total !== null && rows.length < total) return null;
    if (isLast || isEnough(rows)) return { rows, isAll: isLast, total };
    if (sheet.rows.length === 0) return null;
  }
}
