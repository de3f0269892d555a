// A list is read to its end or it is an error (promise 5).

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ServiceError } from "../../src/errors.ts";
import { cutPage, numberOf, recorded, upTo } from "./lists.ts";
import { connect, failure, linkRow, page, startServer, type Reply, type Running } from "./server.ts";

/** A page without the addresses of other pages. */
const bare = ({ rows, number, last, total }: ReturnType<typeof cutPage>): Reply => page(rows, number, last, total);

function pageOf(total: number, number: number): Reply {
  return recorded(cutPage(upTo(total), number, 100));
}

// Fails if a list ends early, is not in the order of ids, or if a page is requested in vain.
test.each<[string, (number: number, total: number, size: number) => Reply]>([
  ["as recorded", (number, total, size) => recorded(cutPage(upTo(total), number, size))],
  ["in another order", (number, total, size) => recorded(cutPage(upTo(total).toReversed(), number, size))],
  ["without links", (number, total, size) => bare(cutPage(upTo(total), number, size))],
])("every page of a list is requested once: %s", async (_form, answer) => {
  const sizes = { 0: 100, 1: 100, 15: 10, 100: 100, 101: 100, 730: 100 };
  for (const [total, size] of Object.entries(sizes).map(([key, value]) => [Number(key), value] as const)) {
    const { url, asked } = await startServer((one) => answer(numberOf(one), total, size));
    const { records, perPage } = await connect(url).client.list("link");
    expect([records.map(({ id }) => id), perPage]).toEqual([upTo(total), size]);
    expect(asked.map(numberOf).toSorted((a, b) => a - b)).toEqual(upTo(Math.max(1, Math.ceil(total / size))));
  }
});

// Fails if eight parallel pages exceed the rate limit that the first page reported.
test("no more pages are requested in parallel than the rate limit leaves", async () => {
  const held: (() => void)[] = [];
  const seen: number[] = [];
  const headers = { "x-ratelimit-remaining": "3" };
  const { url, asked } = await startServer((one, response) => {
    const reply = { ...pageOf(950, numberOf(one)), headers };
    if (numberOf(one) === 1) return reply;
    held.push(() => response.writeHead(200, headers).end(JSON.stringify(reply.json)));
    // The service reports three requests until the last page, so three always run in parallel.
    if (held.length === 3) void answerAll();
    return null;
  });
  const answerAll = async (): Promise<void> => {
    // Time for other requests to arrive, if there are any.
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    seen.push(held.length);
    for (const send of held.splice(0)) send();
  };
  const { records } = await connect(url).client.list("link");
  expect([records.length, asked.length, seen]).toEqual([950, 10, [3, 3, 3]]);
});

// Fails if a value that is not a number counts as 0: an invalid total without records would mean "the account is empty".
test.each([null, "", " ", true, [], -1, 1.5, "1.5", "1e2", "x"])("a total of %j is not understood", async (total) => {
  const { url } = await startServer(() => ({
    json: { data: [], meta: { current_page: 1, last_page: 1, total } },
  }));
  expect((await failure(connect(url).client.list("link"))).code).toBe("shape");
});

const rowsOf = (number: number): readonly unknown[] => cutPage(upTo(300), number, 100).rows;
const readingOf = async (running: Promise<Running>): Promise<ServiceError> =>
  failure(connect((await running).url).client.list("link"));

const twoRows = [linkRow(1), linkRow(2)];
test.each<[string, (number: number) => Reply, string]>([
  ["a row is missing", () => page([linkRow(1)], 1, 1, 2), "the number of rows was 1, but the total was 2"],
  ["there are more rows than the total", () => page(twoRows, 1, 1, 1), "the number of rows was 2, but the total was 1"],
  ["the last page is empty", (at) => page(at === 2 ? [] : rowsOf(at), at, 2, 100), "page 2 of 2 is empty"],
  ["a row comes twice", (at) => page(rowsOf(1), at, 2, 200), "row 1 appeared twice"],
  ["the last page shrinks", (at) => page(rowsOf(at), at, at === 1 ? 3 : 2, 300), "its last page changed from 3 to 2"],
  // A service that ignores `page` always returns the first one.
  ["a page comes back with another number", () => pageOf(250, 1), "page 2 was returned as page 1"],
  ["the only page has another number", () => page([], 2, 2, 0), "page 1 was returned as page 2"],
  // Record 50 is deleted after page 1 was read, so 101 moves to page 1 unseen. The 200 records that came match the totals of pages 2 and
  // 3.
  [
    "a row is deleted during the reading",
    (at) => (at === 1 ? pageOf(201, 1) : recorded(cutPage(upTo(201).toSpliced(49, 1), at, 100))),
    "its total changed from 201 to 200",
  ],
])("an incomplete list is an error: %s", async (_what, answer, says) => {
  const error = await readingOf(startServer((asked) => answer(numberOf(asked))));
  expect(error.code).toBe("incomplete-list");
  expect(error.message).toContain(`the complete list /api/v1/links in 4 attempts: ${says}`);
});

test("an incomplete list is an error: a row has no usable id", async () => {
  const error = await readingOf(startServer(() => page([linkRow(1), { ...linkRow(2), id: null }], 1, 1, 2)));
  expect(error).toMatchObject({ code: "shape" });
});

// Fails if another name for the domain makes all records of an account unreadable.
test("an incomplete list is an error: no row has a part of its key", async () => {
  const rows = [1, 2].map((id) => linkRow(id, { domain: undefined }));
  const error = await readingOf(startServer(() => page(rows, 1, 1, 2)));
  expect(error).toMatchObject({ code: "shape" });
  expect(error.message).toContain("`domain` of every link");
});

test("a row with an invalid field counts as a row", async () => {
  const { url } = await startServer(() => page([linkRow(1), linkRow(2, { disabled: 2 })], 1, 1, 2));
  const { records } = await connect(url).client.list("link");
  expect(records.map(({ id, unreadable }) => [id, unreadable.map(({ returned }) => returned)])).toEqual([
    [1, []],
    [2, ["disabled"]],
  ]);
});

test("a row that lacks most fields counts as a row", async () => {
  const { url } = await startServer(() => page([{ id: 1, url: "https://example.com/", pixels: [] }], 1, 1, 1));
  expect((await connect(url).client.list("link")).records).toMatchObject([{ id: 1 }]);
});

// Fails if all pages of an endless list are requested, or if memory is reserved for them.
test("a list that promises a billion pages ends at the first empty one", async () => {
  const { url, asked } = await startServer((one) => {
    const number = numberOf(one);
    return page(number === 1 ? [linkRow(1)] : [], number, 1_000_000_000, 5_000_000_000);
  });
  const error = await failure(connect(url).client.list("link"));
  expect(error.message).toMatch(/page \d of 1000000000 is empty/);
  // Four readings, each of page 1 and eight parallel pages.
  expect(asked.length).toBeLessThanOrEqual(36);
});

// Fails if pages after a failed one are still requested (promise 8).
test("the first page that fails ends the reading", async () => {
  const held: (() => void)[] = [];
  const { url, asked } = await startServer((one, response) => {
    const number = numberOf(one);
    if (one.method === "POST") return { status: 404, json: { message: "No." } };
    if (number === 1) return pageOf(5000, 1);
    if (number === 2) return { status: 403, json: { message: "No." } };
    held.push(() => response.end(JSON.stringify(pageOf(5000, number).json)));
    return null;
  });
  const { client } = connect(url);
  expect(await failure(client.list("link"))).toMatchObject({ code: "forbidden" });
  // The other seven parallel requests get their responses only now.
  await expect.poll(() => held.length).toBe(7);
  for (const answer of held) answer();
  // Time for their workers to send more requests: a few other exchanges.
  for (const _ of held) expect((await failure(client.store("link", "url=a"))).code).toBe("not-found");
  const numbers = asked.flatMap((one) => (one.method === "GET" ? numberOf(one) : []));
  expect(numbers.toSorted((x, y) => x - y)).toEqual(upTo(9));
});
