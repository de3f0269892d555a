// What an answer is quoted as: in an encoding that was not asked for, too large, or with the request in it.

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { API_KEY, connect, failure, linkRow, shown, startReplying, startServer, type Reply } from "./server.ts";

const PAGE = `<html><body><h1>Bad gateway</h1><p>Bearer ${API_KEY}, s3cret-password</p></body></html>`;
const FORM = new URLSearchParams({ alias: "spring", password: "s3cret-password" }).toString();
const JSON_TYPE = { "content-type": "application/json" };

// Fails when bytes that nobody can read end as "not JSON", so that nobody finds the proxy that compresses them.
describe("an encoding that was not asked for", () => {
  test.each<[string, Reply]>([
    ["gzip", { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: gzipSync('{"data":{"id":5}}') }],
    ["deflate", { headers: { "content-encoding": "deflate" }, body: deflateSync(PAGE) }],
    ["br", { status: 502, headers: { "content-encoding": "br" }, body: brotliCompressSync(PAGE) }],
    ["gzip, br", { headers: { "content-encoding": ["gzip", "br"] }, body: brotliCompressSync(gzipSync(PAGE)) }],
    ["x".repeat(30), { headers: { "content-encoding": "x".repeat(31) }, body: PAGE }],
  ])("%s: an error that names it", async (named, reply) => {
    const { url, asked } = await startReplying(reply);
    const error = await failure(connect(url).client.store("link", FORM));
    const { status = 200 } = reply;
    expect(error).toMatchObject({
      code: "not-json",
      status,
      hint: "Check the settings of the proxy in front of the service.",
    });
    expect(error.message).toContain(`(${status}) has the encoding "${named}`);
    expect(error.message).not.toContain("s3cret");
    expect(error.message).not.toMatch(/\p{Cc}/u);
    expect(asked[0]?.headers["accept-encoding"]).toBe("identity");
  });

  // Fails when a header that says nothing wrong, or says it wrongly, spoils an answer that can be read.
  test.each(["identity", "IDENTITY", "gzip"])("%s on plain JSON is read", async (encoding) => {
    const { json } = shown(linkRow(5));
    const { url } = await startReplying({ headers: { "content-encoding": encoding }, json });
    expect((await connect(url).client.show("link", 5))?.id).toBe(5);
  });

  test("identity on a page is an error as without it", async () => {
    const { url } = await startReplying({ headers: { "content-encoding": " Identity" }, body: "<h1>Hello</h1>" });
    expect((await failure(connect(url).client.show("link", 5))).message).toContain('(200) is not JSON: "Hello"');
  });
});

test("bytes that are not UTF-8: the readable ones are quoted", async () => {
  const { url } = await startReplying({ headers: JSON_TYPE, body: Buffer.from('{"title":"Caf\xe9"}', "latin1") });
  const error = await failure(connect(url).client.show("link", 5));
  expect(error.message).toContain('is not JSON: "{"title":"Caf\ufffd"}"');
});

// Fails when an answer is gathered without end, when it is not told from one that is broken, or when the key is quoted.
test("an answer that is too large: its beginning, without key or secrets", async () => {
  const { url, asked } = await startServer((_asked, response) => {
    response.writeHead(200, JSON_TYPE).write(`{"said":"${API_KEY} s3cret-password","data":"`);
    const mebibyte = Buffer.alloc(1 << 20, "x");
    const more = (): void => {
      while (!response.destroyed && response.write(mebibyte));
    };
    response.on("drain", more);
    more();
    return null;
  });
  const error = await failure(connect(url).client.update("link", 5, FORM));
  expect(error).toMatchObject({ code: "shape", status: 200, mayHaveActed: true });
  expect(error.message).toContain('is larger than 64 MiB. It starts with: "{"said":"(hidden) (hidden)","data":"xxx');
  expect(error.hint).toContain("No list of links is that long");
  expect(asked).toHaveLength(1);
});

/** Every kind of sign that one of these ways of writing spells otherwise; letters by which a rest of it shows. */
const SECRET = `zeb"ra/pâté <kiwi> & 'plum'\\fig\t+%41😀`;
const LETTERS = /zeb|ra|p.t|kiwi|plum|fig|41/;

const php = (text: string): string =>
  JSON.stringify(text)
    .replaceAll("/", "\\/")
    .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const html = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "&#039;");
const numeric = (text: string): string =>
  text.replaceAll(/[^\w ]/gu, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`);

const SPELLINGS: readonly (readonly [string, (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["in JSON", (text) => JSON.stringify(text)],
  ["in JSON as PHP writes it", php],
  ["in HTML", html],
  ["in HTML with numbers", numeric],
  ["in JSON of PHP on a page", (text) => html(php(text))],
  ["in a form", (text) => new URLSearchParams({ password: text }).toString()],
  ["in an address", encodeURIComponent],
  ["in an address in lower case", (text) => encodeURIComponent(text).replaceAll(/%../g, (byte) => byte.toLowerCase())],
  ["in capitals", (text) => text.toUpperCase()],
];

// Fails when a debug page, an echo service or a proxy brings a password into a message because it writes it otherwise.
describe.each(SPELLINGS)("a secret %s", (_how, spell) => {
  test.each<[string, (said: string) => Reply]>([
    ["on a page", (said) => ({ status: 500, body: `<p>Before ${said} behind</p>` })],
    ["in broken JSON", (said) => ({ headers: JSON_TYPE, body: `{"before":"${said} behind"` })],
    ["in a message", (said) => ({ status: 422, json: { message: `Before ${said} behind` } })],
    ["at the end of what came", (said) => ({ headers: JSON_TYPE, body: `{"before":"${said}` })],
    ["cut in the middle", (said) => ({ headers: JSON_TYPE, body: `{"before":"${said.slice(0, said.length / 2)}` })],
  ])("%s is hidden", async (_where, reply) => {
    const { url } = await startReplying(reply(spell(SECRET)));
    const error = await failure(
      connect(url).client.store("link", new URLSearchParams({ password: SECRET }).toString()),
    );
    expect(error.message).toMatch(/before/i);
    expect(error.message).toContain("(hidden)");
    expect(error.message.toLowerCase()).not.toMatch(LETTERS);
  });
});

// Fails when of a longer secret the rest is left, because a shorter one is its beginning.
test("a secret that begins another", async () => {
  const form = new URLSearchParams({ password: "spring", privacy_password: "spring-kiwi" }).toString();
  const { url } = await startReplying({ status: 422, json: { message: "spring and spring-kiwi" } });
  const error = await failure(connect(url).client.store("link", form));
  expect(error.message).toContain("(422): (hidden) and (hidden)");
});

// Fails (it never ends) when there are many ways to fit a page to a secret, so that a page can be made that stops a run.
test.each<[string, string]>([
  ["a", "a".repeat(127)],
  ['\\"', '"'.repeat(127)],
  ["\\", "\\".repeat(127)],
  ["\\x", "\\x".repeat(60)],
  ["\\u005c", "\\x".repeat(60)],
  ["\\t", "\t".repeat(127)],
  ["&amp;", "&".repeat(127)],
  ["%25", "%".repeat(127)],
])("a page of nothing but %j takes no time to search", async (part, start) => {
  const { url } = await startReplying({ status: 500, body: part.repeat(30_000) });
  const form = new URLSearchParams({ password: `${start}!` }).toString();
  expect((await failure(connect(url).client.store("link", form))).message).toContain("(500) is not JSON");
});

// Fails when an answer can say something in a report that nobody sees, or turn the direction of its text.
test("what can't be seen is not quoted", async () => {
  const body = JSON.stringify({ message: "no\u200b\u202e\u00ad\ufe0f\u{e0041}\u3164\u001b[31m key" });
  const { url } = await startReplying({ status: 403, headers: JSON_TYPE, body });
  const { message } = await failure(connect(url).client.store("link", FORM));
  expect(message).toMatch(/no \[31m key$/);
});
