// The path for deletes: the documented one, or the one under api/v1 if it is refused (docs/service.md, "Delete paths").

import { expect, test } from "vitest";
import type { ResourceKind } from "../../src/domain/table.ts";
import {
  connect,
  failure,
  linkRow,
  page,
  shown,
  startServer,
  type Answering,
  type Asked,
  type Reply,
  type Running,
} from "./server.ts";

const DOCUMENTED = { link: /^\/links\/(\d+)\/destroy$/, pixel: /^\/index\.php\/pixels\/(\d+)\/destroy$/ };
const UNDER_API = { link: /^\/api\/v1\/links\/(\d+)$/, pixel: /^\/index\.php\/api\/v1\/pixels\/(\d+)$/ };
const NO_ROW: Reply = { status: 404, json: { message: "Resource not found.", status: 404 } };
const KINDS: readonly ResourceKind[] = ["link", "pixel"];

function deleted(id: number): Reply {
  return { json: { id, object: "link", deleted: true, status: 200 } };
}

const ANY = (): void => undefined;

/** A service that finds every record, unless `has` decides otherwise, and no users of pixels. `answer` is for other requests. */
async function startDeleting(answer: Answering, has: (id: number) => boolean = () => true): Promise<Running> {
  return startServer((asked, response) => {
    if (asked.method !== "GET") return answer(asked, response);
    const id = Number(/\d+$/.exec(asked.path.replace(/\?.*$/, ""))?.[0] ?? Number.NaN);
    if (asked.path.includes("?")) return page([], 1, 1, 0);
    return has(id)
      ? shown(asked.path.includes("pixels") ? { id, name: "P", type: "bing", value: "1" } : linkRow(id))
      : NO_ROW;
  });
}

/** The paths of all deletes, in order. */
function deletesOf(asked: readonly Asked[]): string[] {
  return asked.flatMap(({ method, path }) => (method === "DELETE" ? [path] : []));
}

/** A service that deletes `rows` under api/v1, and responds with `refusal` on the documented path. */
async function startRefusing(rows: Set<number>, refusal: (asked: Asked) => Reply): Promise<Running> {
  return startDeleting(
    (asked) => {
      const id = Number((UNDER_API.link.exec(asked.path) ?? UNDER_API.pixel.exec(asked.path))?.[1] ?? Number.NaN);
      if (Number.isNaN(id)) return refusal(asked);
      return rows.delete(id) ? deleted(id) : NO_ROW;
    },
    (id) => rows.has(id),
  );
}

/** The number of requests for each path. */
function countOf(asked: readonly Asked[], pattern: RegExp): number {
  return asked.filter(({ method, path }) => method === "DELETE" && pattern.test(path)).length;
}

// Fails if another path is used although the documented one works.
test.each(KINDS)("%s: the documented path works and is always used", async (kind) => {
  const { url, asked } = await startDeleting(() => deleted(1));
  const { client } = connect(url);
  expect(await Promise.all([1, 2, 3].map((id) => client.delete(kind, id, ANY)))).toEqual([true, true, true]);
  expect(deletesOf(asked)).toHaveLength(3);
  expect(countOf(asked, DOCUMENTED[kind])).toBe(3);
});

// Fails if a refusal is not recognized, if nothing is deleted after it, or if each delete tries the refused path again.
test.each<[string, Reply]>([
  ["405", { status: 405, headers: { allow: "POST" }, json: { message: "The DELETE method is not supported." } }],
  ["405 as a page", { status: 405, body: "<h1>Method Not Allowed</h1>" }],
  ["419", { status: 419, json: { message: "CSRF token mismatch." } }],
  ["404", { status: 404, json: { message: "" } }],
  ["404 as a page", { status: 404, body: "<h1>Not Found</h1>" }],
  ["a redirect", { status: 302, headers: { location: "/login" }, body: "" }],
  ["a page", { body: "<h1>Welcome</h1>" }],
])("refused with %s: twenty parallel deletes of each kind try it once for each kind", async (_how, refusal) => {
  const ids = Array.from({ length: 20 }, (_, at) => at + 1);
  for (const kind of KINDS) {
    const { url, asked } = await startRefusing(new Set(ids), () => refusal);
    const { client } = connect(url);
    expect(await Promise.all(ids.map((id) => client.delete(kind, id, ANY)))).toEqual(ids.map(() => true));
    expect(countOf(asked, DOCUMENTED[kind])).toBe(1);
    expect(countOf(asked, UNDER_API[kind])).toBe(20);
  }
});

// Fails if the path for links is used for pixels, or the reverse.
test("the path is detected separately for each kind", async () => {
  const { url, asked } = await startDeleting(({ path }) =>
    path.includes("pixels") || UNDER_API.link.test(path) ? deleted(1) : { status: 405, json: { message: "No." } },
  );
  const { client } = connect(url);
  await Promise.all([client.delete("link", 1, ANY), client.delete("pixel", 1, ANY)]);
  await Promise.all([client.delete("link", 2, ANY), client.delete("pixel", 2, ANY)]);
  expect(deletesOf(asked).toSorted()).toEqual([
    "/api/v1/links/1",
    "/api/v1/links/2",
    "/index.php/pixels/1/destroy",
    "/index.php/pixels/2/destroy",
    "/links/1/destroy",
  ]);
});

// Fails if deletes are sequential although the path is known: twenty would take twenty round trips.
test("after the path is known, deletes run in parallel", async () => {
  const held: (() => void)[] = [];
  const { url } = await startDeleting(({ path }, response) => {
    if (!UNDER_API.link.test(path)) return { status: 405, json: { message: "No." } };
    if (path === "/api/v1/links/1") return deleted(1);
    // Waits for the other four. A sequential client would never get a response.
    held.push(() => response.end(JSON.stringify(deleted(2).json)));
    if (held.length === 4) for (const answer of held) answer();
    return null;
  });
  const { client } = connect(url);
  expect(await Promise.all([1, 2, 3, 4, 5].map((id) => client.delete("link", id, ANY)))).toEqual(Array(5).fill(true));
});

// Fails if "already deleted" is an error, or counts as deleted.
test("a deleted row: false, and the existing rows are deleted", async () => {
  const { url, asked } = await startRefusing(new Set([2, 3]), () => ({ status: 405, json: { message: "No." } }));
  const { client } = connect(url);
  expect(await Promise.all([1, 2, 3, 4].map((id) => client.delete("link", id, ANY)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(countOf(asked, DOCUMENTED.link)).toBe(1);
});

// Fails if a 404 makes linkform use the api path. Here the documented one works and the first record was gone, so all others would count as
// "already deleted" and stay.
test("a deleted row does not decide the path", async () => {
  const rows = new Set([2, 3]);
  const { url, asked } = await startDeleting(({ path }) => {
    const id = Number(DOCUMENTED.link.exec(path)?.[1] ?? Number.NaN);
    return rows.delete(id) ? deleted(id) : NO_ROW;
  });
  const { client } = connect(url);
  expect(await client.delete("link", 1, ANY)).toBe(false);
  expect(await client.delete("link", 2, ANY)).toBe(true);
  expect(await client.delete("link", 3, ANY)).toBe(true);
  expect(rows.size).toBe(0);
  expect(deletesOf(asked)).toEqual(["/links/1/destroy", "/api/v1/links/1", "/links/2/destroy", "/links/3/destroy"]);
});

// Fails if an unrelated failure decides the path, is hidden, or stops the other deletes.
test.each<[string, Reply]>([
  ["401", { status: 401, json: { message: "Unauthenticated." } }],
  ["another shape", { json: { ok: true } }],
  ["an answer that denies it", { json: { id: 1, deleted: false } }],
])("the first delete fails with %s: an error, and the next one detects the path", async (_how, reply) => {
  const { url, asked } = await startRefusing(new Set([1, 2]), () =>
    deletesOf(asked).length === 1 ? reply : deleted(2),
  );
  const { client } = connect(url);
  const [first, second] = await Promise.allSettled([client.delete("link", 1, ANY), client.delete("link", 2, ANY)]);
  expect(first).toMatchObject({ status: "rejected", reason: { name: "ServiceError" } });
  expect(second).toEqual({ status: "fulfilled", value: true });
  expect(deletesOf(asked)).toEqual(["/links/1/destroy", "/links/2/destroy"]);
});

test("if both paths are refused, the error names the second", async () => {
  const { url } = await startDeleting(() => ({
    status: 405,
    json: { message: "The DELETE method is not supported." },
  }));
  expect(await failure(connect(url).client.delete("link", 1, ANY))).toMatchObject({
    code: "method-refused",
    message: "The service rejected DELETE /api/v1/links/1 (405): The DELETE method is not supported.",
    mayHaveActed: false,
  });
});
