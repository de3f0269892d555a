// How a response is quoted that is not UTF-8, is too large, or contains the request.

import { describe, expect, test } from "vitest";
import { API_KEY, connect, failure, JUST_READ, type Reply, startReplying, startServer } from "./server.ts";

const FORM = new URLSearchParams({ alias: "spring", password: "s3cret-password" }).toString();
const JSON_TYPE = { "content-type": "application/json" };

test("bytes that are not UTF-8: the readable ones are quoted", async () => {
  const { url } = await startReplying({ headers: JSON_TYPE, body: Buffer.from('{"title":"Caf\xe9"}', "latin1") });
  const error = await failure(connect(url).client.show("link", 5));
  expect(error.message).toContain('is not JSON: "{"title":"Caf\ufffd"}"');
});

// Fails if a response is collected without a limit, looks like a broken one, or is quoted with the API key.
test("a response that is too large: its start, without key or secrets", async () => {
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
  const error = await failure(connect(url).client.update("link", 5, FORM, ...JUST_READ));
  expect(error).toMatchObject({ code: "shape", status: 200, mayHaveActed: true });
  expect(error.message).toContain('is larger than 64 MiB. It starts with: "{"said":"(hidden) (hidden)","data":"xxx');
  expect(error.hint).toContain("No list of links is that long");
  expect(asked).toHaveLength(1);
});

/** A password that each form encodes, and the parts that would remain. */
const SECRET = `zeb"ra/pâté <kiwi> & 'plum'\\fig\t+%41😀`;
const LETTERS = /zeb|kiwi|plum|fig/;

// Fails if a debug page, an echo service or a proxy gets a secret into a message, or into the name of a field. All encodings: test/http.
describe.each<[string, (text: string) => string]>([
  ["as it is", (text) => text],
  ["in a form", (text) => new URLSearchParams({ password: text }).toString()],
  ["in base64", (text) => Buffer.from(`x:${text}`).toString("base64")],
])("a secret %s", (_form, spell) => {
  /** What the user sees of such a response. */
  const seen = async (reply: (said: string) => Reply): Promise<string> => {
    const { url } = await startServer(({ headers }) =>
      reply(`Before ${headers.authorization} ${spell(SECRET)} behind`),
    );
    const form = new URLSearchParams({ password: SECRET }).toString();
    // `failure` looks for the key.
    const { message, hint, refusals } = await failure(connect(url).client.store("link", form));
    return JSON.stringify([message, hint, refusals]).toLowerCase();
  };

  test.each<[string, (said: string) => Reply]>([
    ["on a page", (said) => ({ status: 500, body: `<p>${said}</p>` })],
    ["in broken JSON", (said) => ({ body: JSON.stringify({ before: said }).slice(0, -1) })],
    ["in a message", (said) => ({ status: 422, json: { message: said } })],
    ["across the cut", (said) => ({ status: 422, json: { message: `Before ${" ".repeat(3990)}${said}` } })],
    ["as the name of a field", (said) => ({ status: 422, json: { message: { [said]: ["before", said] } } })],
  ])("%s is hidden", async (_where, reply) => {
    const text = await seen(reply);
    expect(text).toMatch(/before.*\(hidden\)/);
    expect(text).not.toMatch(LETTERS);
  });

  test.each<[string, (said: string) => Reply]>([
    ["in JSON of another form", (said) => ({ json: { [said]: said } })],
    ["as JSON", (said) => ({ json: said })],
    [
      "in the address of a redirect",
      (said) => ({ status: 302, headers: { location: `/${encodeURIComponent(said)}` } }),
    ],
  ])("%s is not shown", async (_where, reply) => {
    expect(await seen(reply)).not.toMatch(LETTERS);
  });
});

// Fails if a short password is shown, or if its letters are removed from other words.
test("a short password is hidden as a word", async () => {
  const message = { url: ["The password a is too weak."], password: ["a"] };
  const { url } = await startReplying({ status: 422, json: { message } });
  const error = await failure(connect(url).client.store("link", "url=b&password=a"));
  expect(error.refusals).toMatchObject([
    { wire: "url", messages: ["The password (hidden) is too weak."] },
    { wire: "password", messages: ["(hidden)"] },
  ]);
});

// Fails if a large refusal takes minutes, because all of it is searched for secrets.
test.each<[string, unknown]>([
  ["100,000 fields", Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`field${at}`, ["is wrong."]]))],
  ["a million messages", { url: Array.from({ length: 1_000_000 }, () => "is wrong.") }],
  ["a message of 30 MB", `is wrong. ${"\\u0041%25&amp;".repeat(2_000_000)}`],
  ["a name of 30 MB", { [`url${"\\u0041%25&amp;".repeat(2_000_000)}`]: "is wrong." }],
])("a refusal with %s is shortened", async (_what, message) => {
  const { url } = await startReplying({ status: 422, json: { message } });
  const error = await failure(connect(url).client.store("link", FORM));
  expect(error.message).toContain("(422): is wrong.");
  expect(JSON.stringify(error.refusals).length).toBeLessThan(10_000);
});

// Fails if a response can put invisible text into a report, or reverse its direction.
test("invisible characters are not quoted", async () => {
  const body = JSON.stringify({ message: "no\u200b\u202e\u00ad\ufe0f\u{e0041}\u3164\u001b[31m key" });
  const { url } = await startReplying({ status: 403, headers: JSON_TYPE, body });
  const { message } = await failure(connect(url).client.store("link", FORM));
  expect(message).toMatch(/no \[31m key$/);
});
