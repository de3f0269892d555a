// A list is read to its end or it is an error (promise 5).

import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ServiceError } from "../../src/errors.ts";
import { connect, failure, linkRow, page, startServer, type Asked, type Reply, type Running } from "./server.ts";
import { startSandbox } from "../support/sandbox.ts";

const PER_PAGE = 100;

/** The page that a request asks for. */
function numberOf({ path }: Asked): number {
  return Number(new URL(path, "http://list.test").searchParams.get("page"));
}

/** A list of so many rows as an honest service gives it; `change` makes it another. */
async function startList(
  total: number,
  change: (reply: Reply, number: number) => Reply = (reply) => reply,
): Promise<Running> {
  return startServer((asked) => {
    const number = numberOf(asked);
    return change(pageOf(total, number), number);
  });
}

function pageOf(total: number, number: number, without: readonly number[] = []): Reply {
  const ids = Array.from({ length: total + without.length }, (_, index) => index + 1).filter(
    (id) => !without.includes(id),
  );
  const rows = ids.slice((number - 1) * PER_PAGE, number * PER_PAGE).map((id) => linkRow(id));
  return page(rows, number, Math.max(Math.ceil(total / PER_PAGE), 1), total);
}

// Fails when a page is left out, asked for twice, or the rows lose their order.
test.each([
  [0, 1],
  [1, 1],
  [99, 1],
  [100, 1],
  [101, 2],
  [950, 10],
])("%i rows come whole, in %i requests", async (total, pages) => {
  const { url, asked } = await startList(total);
  const { client } = connect(url);
  const list = await client.list("link");
  expect(list.pages).toBe(pages);
  expect(list.records.map(({ id }) => id)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  expect(asked.map(numberOf).toSorted((a, b) => a - b)).toEqual(Array.from({ length: pages }, (_, index) => index + 1));
});

// Fails when eight pages side by side exceed the rate limit that the first page reported.
test("no more pages are requested side by side than the rate limit leaves", async () => {
  const held: (() => void)[] = [];
  const seen: number[] = [];
  const headers = { "x-ratelimit-remaining": "3" };
  const { url, asked } = await startServer((one, response) => {
    const reply = { ...pageOf(950, numberOf(one)), headers };
    if (numberOf(one) === 1) return reply;
    held.push(() => response.writeHead(200, headers).end(JSON.stringify(reply.json)));
    // The service reports three requests until the last page, so three are always under way together.
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

// Fails when pages come in the order in which they were answered.
test("pages that overtake each other keep their order", async () => {
  const held: (() => void)[] = [];
  const { url } = await startServer((asked, response) => {
    const number = numberOf(asked);
    const send = (): void => void response.end(JSON.stringify(pageOf(350, number).json));
    if (number === 1) send();
    else held.push(send);
    // Two, three and four are under way together: answered last first.
    if (held.length === 3) for (const one of held.toReversed()) one();
    return null;
  });
  const { records } = await connect(url).client.list("link");
  expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 350 }, (_, index) => index + 1));
});

test("numbers that come as texts are read", async () => {
  const { url } = await startServer(() => ({
    json: { data: [linkRow(1)], meta: { current_page: "1", last_page: "1", total: "1" } },
  }));
  expect((await connect(url).client.list("link")).records).toHaveLength(1);
});

// Fails when something that is no number counts as 0: an unreadable total and no rows would be "the account is empty".
test.each([null, "", " ", true, [], -1, 1.5, "1.5", "1e2", "x"])("a total of %j is not understood", async (total) => {
  const { url } = await startServer(() => ({
    json: { data: [], meta: { current_page: 1, last_page: 1, total } },
  }));
  expect((await failure(connect(url).client.list("link"))).code).toBe("shape");
});

describe("a list that is not whole is an error", () => {
  const readingOf = async (running: Promise<Running>): Promise<ServiceError> =>
    failure(connect((await running).url).client.list("link"));

  test("a row comes on two pages", async () => {
    const twice = (reply: Reply, number: number): Reply =>
      number === 2
        ? page([linkRow(100), ...Array.from({ length: 49 }, (_, at) => linkRow(102 + at))], 2, 2, 150)
        : reply;
    expect(await readingOf(startList(150, twice))).toMatchObject({
      code: "incomplete-list",
      message: "linkform could not read the complete list /api/v1/links in 4 attempts: row 100 appeared twice.",
      hint: "Somebody else may be deleting records. Run the command again later.",
    });
  });

  test("a row is missing", async () => {
    const short = (reply: Reply, number: number): Reply => (number === 1 ? page([linkRow(1)], 1, 1, 2) : reply);
    expect((await readingOf(startList(2, short))).message).toBe(
      "linkform could not read the complete list /api/v1/links in 4 attempts: the number of rows was 1, but the total was 2.",
    );
  });

  test("there are more rows than the total", async () => {
    const error = await readingOf(startServer(() => page([linkRow(1), linkRow(2)], 1, 1, 1)));
    expect(error.message).toContain("the number of rows was 2, but the total was 1");
  });

  // A service that ignores `page` gives the first one for ever.
  test("a page comes back with another number", async () => {
    expect((await readingOf(startServer(() => pageOf(250, 1)))).message).toContain("page 2 was returned as page 1");
  });

  test("the only page has another number", async () => {
    expect((await readingOf(startServer(() => page([], 2, 2, 0)))).message).toContain("page 1 was returned as page 2");
  });

  // Row 50 is deleted after page 1 was read: 101 moves to page 1, and nobody sees it. What came, 200 rows, is just as many
  // as the totals of pages 2 and 3 say.
  test("a row is deleted behind the reader's back", async () => {
    const later = (reply: Reply, number: number): Reply => (number === 1 ? reply : pageOf(200, number, [50]));
    const error = await readingOf(startList(201, later));
    expect(error).toMatchObject({ code: "incomplete-list" });
    expect(error.message).toContain("its total changed from 201 to 200");
  });

  test("a row has no usable id", async () => {
    const error = await readingOf(startServer(() => page([linkRow(1), { ...linkRow(2), id: null }], 1, 1, 2)));
    expect(error).toMatchObject({ code: "shape" });
  });

  // Fails when a version that names the domain otherwise looks like an account full of odd rows.
  test("no row has a part of its key", async () => {
    const rows = [1, 2].map((id) => linkRow(id, { domain: undefined }));
    const error = await readingOf(startServer(() => page(rows, 1, 1, 2)));
    expect(error).toMatchObject({ code: "shape" });
    expect(error.message).toContain("`domain` of every link");
  });
});

test("a row of which a field has no meaning counts as a row", async () => {
  const { url } = await startServer(() => page([linkRow(1), linkRow(2, { disabled: 2 })], 1, 1, 2));
  const { records } = await connect(url).client.list("link");
  expect(records.map(({ id, unreadable }) => [id, unreadable.map(({ returned }) => returned)])).toEqual([
    [1, []],
    [2, ["disabled"]],
  ]);
});

// Fails when a service that promises endless pages is asked for all of them, or the memory for them is taken beforehand.
test("a list that promises a billion pages ends at the first empty one", async () => {
  const { url, asked } = await startServer((one) => {
    const number = numberOf(one);
    return page(number === 1 ? [linkRow(1)] : [], number, 1_000_000_000, 5_000_000_000);
  });
  const error = await failure(connect(url).client.list("link"));
  expect(error.message).toMatch(/page \d of 1000000000 is empty/);
  // Four readings of page 1 and of eight others side by side.
  expect(asked.length).toBeLessThanOrEqual(36);
});

// Fails when the pages behind a failed one are still asked for: requests are the currency (promise 8).
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
  // The seven that were under way beside page 2 are answered only now.
  await expect.poll(() => held.length).toBe(7);
  for (const answer of held) answer();
  // Time for their workers to ask on, if they do: a few exchanges of something else.
  for (const _ of held) expect((await failure(client.store("link", "url=a"))).code).toBe("not-found");
  expect(
    asked
      .filter(({ method }) => method === "GET")
      .map(numberOf)
      .toSorted((x, y) => x - y),
  ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test.each(["4.1", "4.9"] as const)("the sandbox as %s: several pages of links and pixels", async (software) => {
  const links = Array.from({ length: 230 }, (_, at) => ({ url: "https://example.com/", domain: 2, alias: `a-${at}` }));
  const pixels = Array.from({ length: 101 }, (_, at) => ({ name: `P ${at}`, type: "bing", value: "1" }));
  const sandbox = await startSandbox({ seed: { links, pixels }, software, rateLimit: 0 });
  const { client } = connect(sandbox.url, {
    apiKey: sandbox.apiKey,
    software: { version: software, from: "the test" },
  });
  const read = { links: await client.list("link"), pixels: await client.list("pixel") };
  await sandbox.close();
  expect(read.links.records.map(({ values }) => values.get("alias"))).toEqual(links.map(({ alias }) => alias));
  expect(read.pixels.records.map(({ values }) => values.get("name"))).toEqual(pixels.map(({ name }) => name));
  expect([read.links.pages, read.pixels.pages, client.requests]).toEqual([3, 2, 5]);
});
