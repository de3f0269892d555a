// Reads the start of a list page by page, in either order. Fails if concurrent changes lose or repeat a record, if an order is trusted that
// the service does not keep, or if too much is read.

import { expect, test } from "vitest";
import { readStart, type ListStart, type Order, type Page } from "../../src/service/list.ts";

interface Row {
  readonly id: number;
}

const row = (id: number): Row => ({ id });

/** A service with two records per page, and changes before a page is read. */
async function read(
  ids: readonly number[],
  order: Order,
  enough: number,
  before: Readonly<Record<number, (all: number[]) => void>> = {},
  alter: (sheet: Page<Row>) => Page<Row> = (sheet) => sheet,
): Promise<{ readonly begun: ListStart<Row> | null; readonly asked: number }> {
  const all = [...ids];
  let asked = 0;
  const ask = async (number: number): Promise<Page<Row>> => {
    asked += 1;
    before[number]?.(all);
    const sorted = all.toSorted((a, b) => (order === "asc" ? a - b : b - a));
    const last = Math.max(1, Math.ceil(sorted.length / 2));
    return alter({
      rows: sorted.slice((number - 1) * 2, number * 2).map(row),
      number,
      last,
      total: sorted.length,
      parameters: null,
    });
  };
  const first = await ask(1);
  return { begun: await readStart(ask, first, order, (rows) => rows.length >= enough), asked };
}

const IDS = [1, 2, 3, 4, 5, 6, 7];
const idsOf = (begun: ListStart<Row> | null): number[] | null => begun && begun.records.map(({ id }) => id);

test.each<[order: Order, enough: number, ids: number[], asked: number, isAll: boolean]>([
  ["asc", 1, [1, 2], 1, false],
  ["asc", 3, [1, 2, 3, 4], 2, false],
  ["desc", 3, [7, 6, 5, 4], 2, false],
  ["desc", 7, [7, 6, 5, 4, 3, 2, 1], 4, true],
  ["asc", 100, [1, 2, 3, 4, 5, 6, 7], 4, true],
])("the requested number of rows: %s %i", async (order, enough, ids, asked, isAll) => {
  const result = await read(IDS, order, enough);
  expect(idsOf(result.begun)).toEqual(ids);
  expect(result.begun).toMatchObject({ total: 7, isAll });
  expect(result.asked).toBe(asked);
});

test("the requested number of rows: of an empty list", async () => {
  expect((await read([], "desc", 3)).begun).toEqual({ records: [], isAll: true, total: 0 });
});

test("during changes by others, a row that is added at the start repeats a known one, which counts once", async () => {
  expect(idsOf((await read(IDS, "desc", 4, { 2: (all) => all.push(8) })).begun)).toEqual([7, 6, 5, 4, 3]);
});

test("during changes by others, a row that is deleted moves another one, which is unknown", async () => {
  expect((await read(IDS, "desc", 4, { 2: (all) => all.splice(6, 1) })).begun).toBeNull();
  expect((await read(IDS, "asc", 4, { 2: (all) => all.splice(0, 1) })).begun).toBeNull();
});

test.each<[name: string, alter: (sheet: Page<Row>) => Page<Row>]>([
  ["another order", (sheet) => ({ ...sheet, rows: sheet.rows.toReversed() })],
  ["the first page again", (sheet) => ({ ...sheet, rows: [row(1), row(2)] })],
  [
    "a row twice, though none was added",
    (sheet) => ({ ...sheet, rows: sheet.number === 1 ? sheet.rows : sheet.rows.map(({ id }) => row(id - 1)) }),
  ],
  ["another page's number", (sheet) => ({ ...sheet, number: 1 })],
  ["a total that shrinks", (sheet) => ({ ...sheet, total: sheet.total - (sheet.number === 1 ? 0 : 1) })],
  ["an empty page in the middle", (sheet) => ({ ...sheet, rows: sheet.number === 2 ? [] : sheet.rows })],
])("unreliable pages: %s", async (_, alter) => {
  expect((await read(IDS, "asc", 4, {}, alter)).begun).toBeNull();
});
