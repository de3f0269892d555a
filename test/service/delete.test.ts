// The path for deletes: the documented one, or the one under api/v1 if it is refused (docs/service.md, "Delete paths").

import { expect, test } from "vitest";
import type { ResourceKind } from "../../src/domain/table.ts";
import { connect, failure, linkRow, page, shown, startServer, type Answering, type Reply } from "./server.ts";

const KINDS: readonly ResourceKind[] = ["link", "pixel"];
const NO_ROW: Reply = { status: 404, json: { message: "Resource not found.", status: 404 } };
const NO_METHOD: Reply = { status: 405, json: { message: "The DELETE method is not supported." } };
/** `links 5` or `pixels 5`, on the documented path or the one under api/v1. */
const PATH = /(links|pixels)\/(\d+)(\/destroy)?$/;

function deleted(id: number): Reply {
  return { json: { id, object: "link", deleted: true, status: 200 } };
}

interface Deleting {
  /** The paths of all deletes, in order. */
  readonly paths: () => string[];
  readonly remove: (id: number, kind?: ResourceKind) => Promise<boolean>;
}

/** A service that finds these records, and no users of pixels. `answer` is for deletes. */
async function startDeleting(answer: Answering, has: (id: number) => boolean = () => true): Promise<Deleting> {
  const { url, asked } = await startServer((one, response) => {
    if (one.method !== "GET") return answer(one, response);
    if (one.path.includes("?")) return page([], 1, 1, 0);
    const [, kind, id = ""] = PATH.exec(one.path) ?? [];
    if (!has(Number(id))) return NO_ROW;
    return shown(kind === "pixels" ? { id: Number(id), name: "P", type: "bing", value: "1" } : linkRow(Number(id)));
  });
  const { client } = connect(url);
  return {
    paths: () => asked.flatMap(({ method, path }) => (method === "DELETE" ? [path] : [])),
    remove: (id, kind = "link") => client.delete(kind, id, () => undefined),
  };
}

/** A service that deletes `rows` under api/v1, and responds with `refusal` on the documented path. */
async function startRefusing(rows: Set<number>, refusal: () => Reply): Promise<Deleting> {
  const answer: Answering = ({ path }) => {
    const [, , id = "", destroy] = PATH.exec(path) ?? [];
    if (destroy !== undefined) return refusal();
    return rows.delete(Number(id)) ? deleted(Number(id)) : NO_ROW;
  };
  return startDeleting(answer, (id) => rows.has(id));
}

const DOCUMENTED = { link: /^\/links\/\d+\/destroy$/, pixel: /^\/index\.php\/pixels\/\d+\/destroy$/ };
const UNDER_API = { link: /^\/api\/v1\/links\/\d+$/, pixel: /^\/index\.php\/api\/v1\/pixels\/\d+$/ };

// Fails if another path is used although the documented one works.
test.each(KINDS)("%s: the documented path works and is always used", async (kind) => {
  const { remove, paths } = await startDeleting(() => deleted(1));
  expect(await Promise.all([1, 2, 3].map((id) => remove(id, kind)))).toEqual([true, true, true]);
  expect(paths()).toEqual(Array(3).fill(expect.stringMatching(DOCUMENTED[kind])));
});

// Fails if a refusal is not recognized, if nothing is deleted after it, or if each delete tries the refused path again.
test.each<[string, Reply]>([
  ["405", NO_METHOD],
  ["405 as a page", { status: 405, body: "<h1>Method Not Allowed</h1>" }],
  ["419", { status: 419, json: { message: "CSRF token mismatch." } }],
  ["404", { status: 404, json: { message: "" } }],
  ["404 as a page", { status: 404, body: "<h1>Not Found</h1>" }],
  ["a redirect", { status: 302, headers: { location: "/login" }, body: "" }],
  ["a page", { body: "<h1>Welcome</h1>" }],
])("refused with %s: twenty parallel deletes of each kind try it once for each kind", async (_how, refusal) => {
  const ids = Array.from({ length: 20 }, (_, at) => at + 1);
  for (const kind of KINDS) {
    const { remove, paths } = await startRefusing(new Set(ids), () => refusal);
    expect(await Promise.all(ids.map((id) => remove(id, kind)))).toEqual(ids.map(() => true));
    expect(paths().filter((path) => DOCUMENTED[kind].test(path))).toHaveLength(1);
    expect(paths().filter((path) => UNDER_API[kind].test(path))).toHaveLength(20);
  }
});

// Fails if the path for links is used for pixels, or the reverse.
test("the path is detected separately for each kind", async () => {
  const { remove, paths } = await startDeleting(({ path }) =>
    path.includes("pixels") || UNDER_API.link.test(path) ? deleted(1) : NO_METHOD,
  );
  for (const id of [1, 2]) await Promise.all([remove(id), remove(id, "pixel")]);
  expect(paths().toSorted()).toEqual([
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
  const { remove } = await startDeleting(({ path }, response) => {
    if (!UNDER_API.link.test(path)) return NO_METHOD;
    if (path === "/api/v1/links/1") return deleted(1);
    // Waits for the other four. A sequential client would never get a response.
    held.push(() => response.end(JSON.stringify(deleted(2).json)));
    if (held.length === 4) for (const answer of held) answer();
    return null;
  });
  expect(await Promise.all([1, 2, 3, 4, 5].map((id) => remove(id)))).toEqual(Array(5).fill(true));
});

// Fails if "already deleted" is an error, or counts as deleted.
test("a deleted row: false, and the existing rows are deleted", async () => {
  const { remove, paths } = await startRefusing(new Set([2, 3]), () => NO_METHOD);
  expect(await Promise.all([1, 2, 3, 4].map((id) => remove(id)))).toEqual([false, true, true, false]);
  expect(paths().filter((path) => DOCUMENTED.link.test(path))).toHaveLength(1);
});

// Fails if a 404 makes linkform use the api path. Here the documented one works and the first record was gone, so all others would count as
// "already deleted" and stay.
test("a deleted row does not decide the path", async () => {
  const rows = new Set([2, 3]);
  const { remove, paths } = await startDeleting(({ path }) => {
    const [, , id = "", destroy] = PATH.exec(path) ?? [];
    return destroy !== undefined && rows.delete(Number(id)) ? deleted(Number(id)) : NO_ROW;
  });
  for (const id of [1, 2, 3]) expect(await remove(id)).toBe(id > 1);
  expect(rows.size).toBe(0);
  expect(paths()).toEqual(["/links/1/destroy", "/api/v1/links/1", "/links/2/destroy", "/links/3/destroy"]);
});

// Fails if an unrelated failure decides the path, is hidden, or stops the other deletes.
test.each<[string, Reply]>([
  ["401", { status: 401, json: { message: "Unauthenticated." } }],
  ["another shape", { json: { ok: true } }],
  ["an answer that denies it", { json: { id: 1, deleted: false } }],
])("the first delete fails with %s: an error, and the next one detects the path", async (_how, reply) => {
  let isFirst = true;
  const { remove, paths } = await startRefusing(new Set([1, 2]), () => {
    const answer = isFirst ? reply : deleted(2);
    isFirst = false;
    return answer;
  });
  const [first, second] = await Promise.allSettled([remove(1), remove(2)]);
  expect(first).toMatchObject({ status: "rejected", reason: { name: "ServiceError" } });
  expect(second).toEqual({ status: "fulfilled", value: true });
  expect(paths()).toEqual(["/links/1/destroy", "/links/2/destroy"]);
});

test("if both paths are refused, the error names the second", async () => {
  const { remove } = await startDeleting(() => NO_METHOD);
  expect(await failure(remove(1))).toMatchObject({
    code: "method-refused",
    message: "The service rejected DELETE /api/v1/links/1 (405): The DELETE method is not supported.",
    mayHaveActed: false,
  });
});
