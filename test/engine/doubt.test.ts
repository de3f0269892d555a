// A store whose response was lost or was an error creates the record once, and no other record is treated as it (promise 6).

import { describe, expect, it } from "vitest";
import type { Answer } from "../support/proxy.ts";
import { startScenario, startWith } from "../support/scenario.ts";
import { documentThrough, once, send, SERVER_ERROR, storeWithoutPixels } from "../support/through.ts";

const ONE = `pixels: { Main: { type: bing, value: "1000001" } }
links:
  go.example.com/uses: { url: https://example.com/, pixels: [Main], password: { env: LINKFORM_SECRET_A } }
`;
const BAD_GATEWAY: Answer = { status: 502, body: "<h1>Bad Gateway</h1>" };

const STORES = [
  ["link", /^POST \/api\/v1\/links/, "/api/v1/links"],
  ["pixel", /^POST \/index.php\/api\/v1\/pixels/, "/api/v1/pixels"],
] as const;

describe.each(STORES)("the store of a %s", (kind, matches, path) => {
  /** Look-ups of the uncertain store. The verification lists the newest records first. */
  const searched = (asked: readonly string[]): number =>
    asked.filter((request) => request.startsWith("GET ") && /search=.*sort=asc/.test(request)).length;
  const posted = (asked: readonly string[]): number => asked.filter((request) => matches.test(request)).length;

  // Fails if the record is stored again, or if the existing one counts as somebody else's.
  it.each<[string, Answer]>([
    ["500", SERVER_ERROR],
    ["a proxy's 502", BAD_GATEWAY],
    ["a lost answer", "drop"],
    ["a page", { status: 200, body: "<h1>Welcome</h1>" }],
    ["JSON cut short", { status: 201, body: '{"data":{"id":1' }],
    ["an answer in another form", { status: 201, body: '{"ok":true}' }],
  ])("worked, and %s came: found, and not sent again", async (_what, answer) => {
    const scenario = await startWith(ONE);
    const { exit, asked } = await documentThrough(
      scenario,
      once(matches, async (body) => {
        expect(await send(scenario, "POST", path, body)).toBe(201);
        return answer;
      }),
    );
    // Nothing is missing, so nothing is updated.
    expect([exit, posted(asked), searched(asked)]).toEqual([0, 1, 1]);
    expect(asked.filter((request) => request.startsWith("PUT"))).toEqual([]);
    expect(scenario.sandbox.state()[`${kind}s`]).toHaveLength(1);
    await scenario.converge();
  });

  // Fails if a store without an effect is not sent again, or counts as done.
  it.each<[string, Answer]>([
    ["500", SERVER_ERROR],
    ["a proxy's 502", BAD_GATEWAY],
    ["a lost answer", "drop"],
  ])("had no effect, and %s came: not found, and sent again", async (_what, answer) => {
    const scenario = await startWith(ONE);
    const { exit, asked } = await documentThrough(
      scenario,
      once(matches, () => answer),
    );
    expect([exit, posted(asked), searched(asked)]).toEqual([0, 2, 1]);
    expect(scenario.sandbox.state()[`${kind}s`]).toHaveLength(1);
    await scenario.converge();
  });

  // Fails if a record that somebody else created meanwhile is adopted or changed.
  it("fails if somebody else took the key meanwhile, and their object is not changed", async () => {
    const scenario = await startWith(ONE);
    const theirs =
      kind === "link" ? "url=https%3A%2F%2Ftheirs.example%2F&domain=2&alias=USES" : "name=MAIN&type=facebook&value=2";
    const { exit, document, asked } = await documentThrough(
      scenario,
      once(matches, async () => {
        await send(scenario, "POST", path, theirs);
        return SERVER_ERROR;
      }),
    );
    // The final check does not look for a record of somebody else.
    expect([exit, searched(asked)]).toEqual([kind === "link" ? 4 : 1, 1]);
    const change = document.changes.find((one) => one.kind === kind);
    expect(change).toMatchObject({ outcome: "failed", error: { code: "taken" } });
    expect(change?.error?.message).toContain(
      "but with other values than linkform sent. Somebody else created or changed it.",
    );
    expect(scenario.sandbox.state()[`${kind}s`]).toHaveLength(1);
    expect(scenario.writes().filter((request) => request.startsWith("PUT"))).toEqual([]);
  });

  // Fails if a clear refusal makes linkform adopt a record: it could be anybody's.
  it("is refused as taken with certainty: the account changed, and nothing is adopted", async () => {
    const scenario = await startWith(ONE);
    const own =
      kind === "link" ? "url=https%3A%2F%2Fexample.com%2F&domain=2&alias=uses" : "name=Main&type=bing&value=1";
    const { exit, document } = await documentThrough(
      scenario,
      once(matches, async (): Promise<Answer> => {
        await send(scenario, "POST", path, own);
        return "forward";
      }),
    );
    expect(exit).toBe(kind === "link" ? 4 : 1);
    expect(document.changes.find((one) => one.kind === kind)).toMatchObject({
      outcome: "failed",
      error: { code: "account-changed", hint: expect.stringContaining("linkform did not change it.") },
    });
    expect(scenario.writes().filter((request) => request.startsWith("PUT"))).toEqual([]);
    await scenario.converge();
  });
});

// Fails if missing values of a partially saved record are not sent, or if it counts as somebody else's.
it("a row saved without its pixels and then 500 is completed by an update", async () => {
  const scenario = await startWith(ONE);
  const { exit, asked } = await documentThrough(
    scenario,
    once(/^POST \/api\/v1\/links/, (body) => storeWithoutPixels(scenario, body)),
  );
  expect(exit).toBe(0);
  expect(asked.filter((request) => !request.startsWith("GET"))).toEqual([
    "POST /index.php/api/v1/pixels",
    "POST /api/v1/links",
    "PUT /api/v1/links/1",
  ]);
  expect(scenario.link("uses").pixels).toEqual([1]);
  await scenario.converge();
});

// Fails if a duplicate from two overlapping stores is not reported.
it("a link that exists twice at the end is reported with both ids", async () => {
  const scenario = await startWith("links: { go.example.com/twice: { url: https://example.com/ } }");
  const { exit, err, document } = await documentThrough(scenario, async (request) => {
    if (request === "POST /api/v1/links") return SERVER_ERROR;
    if (!request.includes("search=twice")) return "forward";
    const row = (id: number): object => ({
      id,
      clicks: 0,
      alias: id === 7 ? "twice" : "Twice",
      url: "https://example.com/",
      domain: { id: 2, name: "go.example.com" },
    });
    const meta = { current_page: 1, last_page: 1, total: 2 };
    return { status: 200, body: JSON.stringify({ data: [row(7), row(8)], meta }) };
  });
  expect(exit).toBe(4);
  expect(err.match(/ failed: /g)).toHaveLength(1);
  expect(document.changes[0]?.error).toMatchObject({
    code: "doubled",
    message: "`go.example.com/twice` exists 2 times (ids 7, 8).",
    hint: 'To remove the newest one, which has no clicks, add this tombstone and apply it: `absent: { links: { "go.example.com/twice": { id: 8 } } }`.',
  });
});

// Fails if linkform never stops retrying, or if a failed look-up hides the failure of the store.
it("a store that fails each time ends with its own failure", async () => {
  const scenario = await startWith("links: { go.example.com/a: { url: https://example.com/ } }");
  const { exit, document, asked } = await documentThrough(scenario, (request) =>
    request === "POST /api/v1/links" ? SERVER_ERROR : "forward",
  );
  expect(exit).toBe(4);
  expect(document.changes[0]?.error).toMatchObject({ code: "server-error" });
  expect(asked.filter((request) => request.startsWith("POST"))).toHaveLength(3);
  const blind = await documentThrough(scenario, (request) =>
    request === "POST /api/v1/links" || request.includes("search=") ? SERVER_ERROR : "forward",
  );
  expect(blind.exit).toBe(4);
  expect(blind.document.changes[0]?.error?.message).toMatch(
    /^The service rejected POST .* linkform could not check whether `go\.example\.com\/a` was created: The service rejected GET/,
  );
});

// Fails if only the service's message is shown when somebody else has taken the new key of a rename.
it("a rename to a key that was taken meanwhile: the account changed", async () => {
  const scenario = await startScenario({ seed: { links: [{ url: "https://example.com/", domain: 2, alias: "old" }] } });
  await scenario.write(
    "links: { go.example.com/new: { url: https://example.com/, renamed_from: go.example.com/old } }",
  );
  const { exit, document } = await documentThrough(
    scenario,
    once(/^PUT/, async (): Promise<Answer> => {
      await send(scenario, "POST", "/api/v1/links", "url=https%3A%2F%2Ftheirs.example%2F&domain=2&alias=new");
      return "forward";
    }),
  );
  expect(exit).toBe(1);
  expect(document.changes[0]?.error).toMatchObject({
    code: "account-changed",
    message: "`go.example.com/new` now exists (id 2). The account changed while linkform read it.",
  });
});
