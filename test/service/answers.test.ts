// Unexpected responses: each is an error that shows what came, and never data or a secret.

import { describe, expect, test } from "vitest";
import type { Writer } from "../../src/service/service.ts";
import {
  API_KEY,
  connect,
  failure,
  JUST_READ,
  linkRow,
  page,
  type Reply,
  shown,
  startReplying,
  startServer,
} from "./server.ts";

const HTML = `<!DOCTYPE html><html><head><title>Sign in</title><style>body { color: red }</style></head>
  <body><h1>Welcome   back</h1><script>track("x")</script></body></html>`;
const JSON_TYPE = { "content-type": "application/json" };

const OPERATIONS: readonly [string, (client: Writer) => Promise<unknown>][] = [
  ["list", (client) => client.list("link")],
  ["show", (client) => client.show("link", 5)],
  ["store", (client) => client.store("link", "url=a")],
  ["update", (client) => client.update("link", 5, "url=a", ...JUST_READ)],
  ["delete", (client) => client.delete("link", 5, () => undefined)],
  ["names", (client) => client.names("domains")],
  ["account", (client) => client.account()],
];

/** A record is read before its delete. If that fails, nothing was deleted. */
const READ_FIRST = "delete";

describe.each(OPERATIONS)("%s", (name, operate) => {
  // Fails if anything but the expected JSON is accepted as a record, an id, a name, a zone, or as success.
  test.each<[string, unknown]>([
    ["null", null],
    ["a string", "ok"],
    ["an empty object", {}],
    ["an echo of the request", { headers: { Authorization: `Bearer ${API_KEY}` }, form: { password: "s3cret" } }],
    ["data that is null", { data: null, meta: { current_page: 1, last_page: 1, total: 0 } }],
    ["a row without an id", { data: { alias: "a", timezone: 5 } }],
    ["an id of 0", { data: { id: 0, timezone: 5 }, id: 0, deleted: false }],
    ["an id that is a text", { data: { id: "five", timezone: [] }, deleted: "true" }],
  ])("JSON that is %s is an error", async (_what, json) => {
    const { url } = await startReplying({ json });
    const error = await failure(operate(connect(url).client));
    expect(error).toMatchObject({ code: "shape", mayHaveActed: name !== READ_FIRST });
    expect(`${error.message}${error.hint}`).not.toContain("s3cret");
  });
});

// Fails if a delete that may have worked is reported as one without an effect.
test.each<[string, Reply]>([
  ["shape", { json: {} }],
  ["server-error", { status: 500, json: { message: "Server Error" } }],
])("a delete that fails after its row was read may have acted: %s", async (code, reply) => {
  const { url } = await startServer(({ method }) => (method === "GET" ? shown(linkRow(5)) : reply));
  const { client } = connect(url);
  expect(await failure(client.delete("link", 5, () => undefined))).toMatchObject({ code, mayHaveActed: true });
});

const CHECK = "Check the service address (`service.base_url` or `--base-url`).";
const ELSEWHERE = `${CHECK} The response seems to come from another server, or from a proxy.`;
const FAILED =
  "The service failed. Run the command again later. Applied changes are kept. If the error persists, report the message to the operator of the service.";

// Fails if the message does not show what came, from where, and what to do.
test.each<[string, Reply, string, string]>([
  ["a login page", { body: HTML }, '(200) is not JSON: "Sign in Welcome back"', ELSEWHERE],
  ["nothing", { body: "" }, "(200) is not JSON: it is empty.", ELSEWHERE],
  [
    "JSON that is cut without an error of the connection",
    { headers: JSON_TYPE, body: '{"data":{"i' },
    '(200) is not JSON: "{"data":{"i"',
    "The response is incomplete or damaged. Run the command again.",
  ],
  [
    "a proxy that fails",
    { status: 502, body: "<html><h1>502 Bad Gateway</h1>nginx</html>" },
    '(502) is not JSON: "502 Bad Gateway nginx"',
    "The service, or a proxy in front of it, failed. Run the command again.",
  ],
  [
    "a bad key",
    { status: 401, json: { message: "Unauthenticated." } },
    "The service rejected GET /api/v1/links (401): Unauthenticated.",
    "Check LINKFORM_API_KEY. The API key may be mistyped, revoked, or for another service.",
  ],
  ["another service", { status: 404, json: { message: "" } }, "The service rejected GET /api/v1/links (404).", CHECK],
  [
    "an error in another form",
    { status: 500, json: { message: ["a", { b: 1 }], error: 5 } },
    "The service rejected GET /api/v1/links (500).",
    FAILED,
  ],
  [
    "an object in another form",
    { json: { args: {}, form: { x: 1 } } },
    "The service returned a page of /api/v1/links in an unknown form: an object with `args`, `form`.",
    `${CHECK} If it is right, linkform does not know this version of the service.`,
  ],
])("%s: the message", async (_what, reply, said, hint) => {
  const { url } = await startReplying(reply);
  const message = said.startsWith("(") ? `The response to GET /api/v1/links ${said}` : said;
  expect(await failure(connect(url).client.list("link"))).toMatchObject({ message, hint });
});

test("a refusal of fields keeps the service's names and texts", async () => {
  const message = { alias: ["Taken.", "Too long."], "country.0.key": "Invalid country.", odd: [] };
  const { url } = await startReplying({ status: 422, json: { message, status: 422 } });
  expect(await failure(connect(url).client.store("link", "alias=a"))).toMatchObject({
    code: "refused",
    message: "The service rejected POST /api/v1/links (422): Taken. Too long. Invalid country.",
    refusals: [
      { wire: "alias", messages: ["Taken.", "Too long."] },
      { wire: "country.0.key", messages: ["Invalid country."] },
      { wire: "odd", messages: [] },
    ],
    mayHaveActed: false,
  });
});

// Fails if foreign text reaches the terminal unescaped: it could change colors, move the cursor, set the title, start a CI command, reverse
// the direction of the text, or hide the message.
test.each<[string, (words: string) => Reply]>([
  ["an error's message", (words) => ({ status: 422, json: { message: words } })],
  ["a field's message", (words) => ({ status: 422, json: { message: { alias: [words] } } })],
  ["a page", (words) => ({ body: `<p>${words}</p>` })],
  ["a key", (words) => ({ json: { [words.slice(0, 25)]: 1, [words]: 1 } })],
])("%s is quoted shortened and without control characters", async (_where, reply) => {
  const words = `\u001B[31mred\u009B2J\u0007\r\n::error::x\u2028\u202Egnp\u2066\uD800 ${"long ".repeat(400)}\u{1F600}`;
  const { url } = await startReplying(reply(words));
  const error = await failure(connect(url).client.show("link", 5));
  const said = [error.message, ...error.refusals.flatMap(({ messages }) => messages)].join("");
  expect(said).toContain("red");
  expect(said).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u202E\u2066]/u);
  expect(error.message.length).toBeLessThan(500);
});

// Fails if "not found" and "forbidden" are confused, or if a page that is not the service's counts as "not found".
test("show: only a 404 of the service is null", async () => {
  const show = async (reply: Reply): Promise<unknown> =>
    connect((await startReplying(reply)).url).client.show("link", 5);
  expect(await show({ status: 404, json: { message: "Resource not found.", status: 404 } })).toBeNull();
  const forbidden = await failure(show({ status: 403, json: { message: "No access." } }));
  expect(forbidden).toMatchObject({ code: "forbidden", status: 403, mayHaveActed: false });
  const elsewhere = await failure(show({ status: 404, body: HTML }));
  expect(elsewhere).toMatchObject({ code: "not-json", status: 404, mayHaveActed: false });
});

test("a response about another row is an error", async () => {
  const { url } = await startServer(({ method }) =>
    method === "GET" ? shown(linkRow(6)) : { json: { data: { id: 6 } } },
  );
  const { client } = connect(url);
  const message = "The service returned link 5 in an unknown form: it is link 6.";
  expect(await failure(client.show("link", 5))).toMatchObject({ code: "shape", message });
  expect(await failure(client.update("link", 5, "url=a", ...JUST_READ))).toMatchObject({ code: "shape", message });
});

// Fails if an instance without the undocumented lists cannot be used, although the files could have the names.
test.each([403, 404, 405])(
  "undocumented lists: %i, as JSON or a page, is 'the service does not say'",
  async (status) => {
    for (const body of ['{"message":""}', HTML]) {
      const { client } = connect((await startReplying({ status, body })).url);
      expect([await client.names("domains"), await client.account()]).toEqual([null, { id: null, zone: null }]);
    }
  },
);

test("an account without a zone or an id is accepted; one in an unknown zone is an error", async () => {
  const account = async (data: unknown): Promise<unknown> =>
    connect((await startReplying({ json: { data } })).url).client.account();
  expect(await account({ id: 2 })).toEqual({ id: "2", zone: null });
  expect(await account({ id: "a1", timezone: null })).toEqual({ id: "a1", zone: null });
  expect(await account({ timezone: "America/New_York" })).toEqual({ id: null, zone: "America/New_York" });
  expect((await failure(account({ id: 2, timezone: "Mars/Base" }))).message).toContain('"Mars/Base"');
});

test("domains: the rows by id, and an error for one without a name", async () => {
  const go = { id: 2, name: "go.example.test" };
  const promo = { id: 3, name: "promo.example.test" };
  const { client } = connect((await startReplying(page([{ ...promo, extra: 1 }, go], 1, 1, 2))).url);
  expect(await client.names("domains")).toEqual([go, promo]);
  const odd = connect((await startReplying(page([{ id: 3 }], 1, 1, 1))).url).client;
  expect((await failure(odd.names("domains"))).message).toContain("a row in the list of domains");
});
