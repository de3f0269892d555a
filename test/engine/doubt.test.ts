// A store whose response was lost or was an error creates the record once, and no other record is treated as it: not while linkform looks
// for it, not after a later refusal, and not in the last check of all uncertain records (promise 6). linkform waits for it only as long as
// the service may still process it, and only changes that need its record wait.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { holdingClock, StillClock } from "../support/clock.ts";
import type { Answer } from "../support/proxy.ts";
import { wireForm } from "../support/sandbox.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import {
  applyThrough,
  documentThrough,
  beforeFirst,
  once,
  send,
  SERVER_ERROR,
  TOO_MANY,
  type Act,
} from "../support/through.ts";

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

  const LOST: readonly [string, Answer][] = [
    ["500", SERVER_ERROR],
    ["a proxy's 502", BAD_GATEWAY],
    ["a lost answer", "drop"],
  ];
  // Fails if a stored record is stored again or counts as somebody else's, or if a store without an effect counts as done.
  it.each<[string, string, Answer]>([
    ...LOST.map(([what, answer]): [string, string, Answer] => ["worked", what, answer]),
    ["worked", "a page", { status: 200, body: "<h1>Welcome</h1>" }],
    ["worked", "JSON cut short", { status: 201, body: '{"data":{"id":1' }],
    ["worked", "an answer in another form", { status: 201, body: '{"ok":true}' }],
    ...LOST.map(([what, answer]): [string, string, Answer] => ["had no effect", what, answer]),
  ])("%s, and %s came: looked for, and sent again only if it is not there", async (effect, _what, answer) => {
    const scenario = await startWith(ONE);
    const { exit, asked } = await documentThrough(
      scenario,
      once(matches, async (body) => {
        if (effect === "worked") expect(await send(scenario, "POST", path, body)).toBe(201);
        return answer;
      }),
    );
    expect([exit, posted(asked), searched(asked)]).toEqual([0, effect === "worked" ? 1 : 2, 1]);
    // Nothing is missing, so nothing is updated.
    expect(asked.filter((request) => request.startsWith("PUT"))).toEqual([]);
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
  it("is refused as taken with certainty: nothing is adopted", async () => {
    const scenario = await startWith(ONE);
    const own =
      kind === "link" ? "url=https%3A%2F%2Fexample.com%2F&domain=2&alias=uses" : "name=Main&type=bing&value=1";
    const { exit, document } = await documentThrough(
      scenario,
      beforeFirst(matches, () => send(scenario, "POST", path, own)),
    );
    expect(exit).toBe(kind === "link" ? 4 : 1);
    expect(document.changes.find((one) => one.kind === kind)).toMatchObject({
      outcome: "failed",
      error: {
        code: "refused",
        message: expect.stringContaining("has already been taken"),
        hint: expect.stringContaining("plan --show-unmanaged"),
      },
    });
    expect(scenario.writes().filter((request) => request.startsWith("PUT"))).toEqual([]);
    await scenario.converge();
  });
});

const URL = "https://example.com/";
const isStore = (request: string): boolean => request === "POST /api/v1/links";
const isLook = (request: string): boolean => request.startsWith("GET /api/v1/links?") && request.includes("search=");
const LINK = `links: { go.example.com/one: { url: ${URL} } }`;
const MAIN = { id: 1, name: "Main", type: "bing", value: "1000001" };

function form(fields: Readonly<Record<string, string>>): string {
  return wireForm(new URLSearchParams({ url: URL, domain: "2", alias: "one", ...fields }).toString());
}

function refusal(field: string, says: string): Answer {
  return { status: 422, body: JSON.stringify({ message: { [field]: [says] }, status: 422 }) };
}

/** Each store gets the next of these; later ones get the last. */
function storesGet(...acts: readonly ((body: string) => Answer | Promise<Answer>)[]): Act {
  let stores = 0;
  return (request, body) => {
    if (!isStore(request)) return "forward";
    const act = acts[Math.min(stores, acts.length - 1)];
    stores += 1;
    return act?.(body) ?? "forward";
  };
}

const ALL = `links: { go.example.com/one: { url: ${URL}, pixels: [Main], password: { env: LINKFORM_SECRET_A } } }`;
const PUBLIC = `links: { go.example.com/one: { url: ${URL}, privacy: public } }`;

// Fails if a row with all sent values counts as somebody else's because of its spelling, if only a part of the missing values is sent,
// or if values that no partial save explains are overwritten because the destination and the alias are the same.
it.each<[string, string, SeedState, Record<string, string>, number, object]>([
  ["our url, another spelling: ours, and respelled", LINK, {}, { alias: "ONE" }, 1, { id: 1, alias: "one" }],
  ["saved in part: ours, and completed", ALL, { pixels: [MAIN] }, {}, 1, { pixels: [1], password: "first secret" }],
  ["our url, other values: somebody else's", PUBLIC, {}, { privacy: "1" }, 0, { privacy: 1 }],
])("a row that is found after an uncertain store: %s", async (_what, text, seed, fields, updates, row) => {
  const scenario = await startWith(text, seed);
  const { exit, document, asked } = await documentThrough(
    scenario,
    once(/^POST/, async () => {
      await send(scenario, "POST", "/api/v1/links", form(fields));
      return SERVER_ERROR;
    }),
  );
  expect([exit, asked.filter((request) => request.startsWith("PUT")).length]).toEqual([1 - updates, updates]);
  expect(document.changes[0]?.error?.code).toBe(updates === 0 ? "taken" : undefined);
  expect(scenario.sandbox.state().links).toMatchObject([row]);
  if (updates > 0) await scenario.converge();
});

// Fails if a record on another domain is treated as the stored one. An alias is only unique in its domain.
it("a row that is found after an uncertain store, on another domain, is another link", async () => {
  const scenario = await startWith(LINK, { links: [{ url: "https://theirs.example/", domain: 3, alias: "one" }] });
  const { exit, asked } = await documentThrough(
    scenario,
    once(/^POST/, () => SERVER_ERROR),
  );
  expect([exit, asked.filter(isStore).length]).toEqual([0, 2]);
  await scenario.converge();
});

// Fails if a record that appeared late counts as somebody else's because its key is refused. Its own store caused the refusal.
it("refused as taken after an uncertain store, by our own row, which appeared late: adopted and completed", async () => {
  const scenario = await startWith("links: { go.example.com/one: { url: https://example.com/, space: Sales } }");
  const { exit, err, asked } = await documentThrough(
    scenario,
    storesGet(
      () => SERVER_ERROR,
      async (): Promise<Answer> => {
        await send(scenario, "POST", "/api/v1/links", form({}));
        return "forward";
      },
    ),
  );
  expect([exit, asked.filter(isStore).length]).toEqual([0, 2]);
  // Not only at the end, when changes that need this record would have been skipped.
  expect(err).not.toContain("✗");
  expect(scenario.link("one")).toMatchObject({ id: 1, space: 2 });
  await scenario.converge();
});

// Fails if a refused request is sent again, or if the message of the service is lost.
it("refused as taken after an uncertain store, by a row that cannot be found: final", async () => {
  const scenario = await startWith(LINK);
  const { document, asked } = await documentThrough(
    scenario,
    storesGet(
      () => SERVER_ERROR,
      () => refusal("alias", "The Alias has already been taken."),
    ),
  );
  expect(asked.filter(isStore)).toHaveLength(2);
  expect(document.changes[0]?.error).toMatchObject({
    code: "refused",
    message: "The service rejected alias: The Alias has already been taken.",
  });
});

// Fails if a refusal makes linkform look for another record with the key: these requests would be wasted.
it.each(["url", "alias"])("refused without an uncertain store, for the %s: nothing is looked up", async (field) => {
  const scenario = await startWith(LINK);
  const { exit, document, asked } = await documentThrough(
    scenario,
    storesGet(() => refusal(field, "No.")),
  );
  expect([exit, asked.filter(isStore).length, asked.filter(isLook)]).toEqual([1, 1, []]);
  expect(document.changes[0]?.error).toMatchObject({
    code: "refused",
    message: `The service rejected ${field}: No.`,
  });
});

// Fails if a wildcard in the search finds another pixel instead of this one, or hides it (docs/service.md, "Search and filters").
it.each(["%", "_", "\\", "100%_\\"])(
  "a pixel in doubt whose name has %s is found, and no other instead",
  async (sign) => {
    const names = [`a${sign}b`, "aXb", "a100b", "ab"];
    const others = names.slice(1).map((name, at) => ({ id: at + 1, name, type: "bing", value: "9" }));
    const scenario = await startWith(`pixels: { ${JSON.stringify(names[0])}: { type: bing, value: "1000001" } }`, {
      pixels: others,
    });
    const { exit, asked } = await documentThrough(
      scenario,
      once(/^POST/, async (body) => {
        expect(await send(scenario, "POST", "/api/v1/pixels", body)).toBe(201);
        return SERVER_ERROR;
      }),
    );
    expect([exit, asked.filter((request) => request.startsWith("POST")).length]).toEqual([0, 1]);
    expect(scenario.sandbox.state().pixels).toHaveLength(4);
    await scenario.converge();
  },
);

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

const TRIES = 3;

/** No store gets a response. Just before the check with this number, counted from 1, `act` runs. */
function unanswered(look: number, act: () => Promise<unknown>): Act {
  let looks = 0;
  return async (request) => {
    if (isStore(request)) return SERVER_ERROR;
    if (isLook(request) && ++looks === look) await act();
    return "forward";
  };
}

const MOVED = `links: { go.example.com/one: { url: ${URL}, renamed_from: promo.example.com/old } }`;
const OLD = { links: [{ url: URL, domain: 3, alias: "old" }] };

// Fails if a record that appeared after the last attempt stays incomplete and is reported as failed.
it("a row that appeared after the last attempt is completed, and counts as applied", async () => {
  const scenario = await startWith(`links: { go.example.com/one: { url: ${URL}, pixels: [Main] } }`, {
    pixels: [MAIN],
  });
  const { exit, err, document, asked } = await documentThrough(
    scenario,
    unanswered(TRIES + 1, () => send(scenario, "POST", "/api/v1/links", form({}))),
  );
  expect([exit, document.result, asked.filter(isStore).length]).toEqual([
    0,
    { applied: 1, failed: 0, skipped: 0, complete: true },
    TRIES,
  ]);
  expect(err).toContain("✗ create link go.example.com/one");
  expect(err).toContain("✓ created link go.example.com/one");
  expect(scenario.link("one").pixels).toEqual([1]);
  await scenario.converge();
});

// Fails if a replacement counts as done although the old link still exists.
it("a replacement whose new row appeared after the last attempt stays failed, and the next run completes it", async () => {
  const scenario = await startWith(MOVED, OLD);
  const { exit, document } = await documentThrough(
    scenario,
    unanswered(TRIES + 1, () => send(scenario, "POST", "/api/v1/links", form({}))),
  );
  expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  // Never reported as applied first and as failed later.
  expect(document.changes[0]?.error).toMatchObject({ code: "server-error" });
  await scenario.converge();
  expect(scenario.sandbox.state().links.map(({ id, alias }) => `${alias} ${id}`)).toEqual(["one 2"]);
});

/** The result of a search after two overlapping stores both succeeded (docs/service.md, "Writing"). */
const TWICE: Answer = {
  status: 200,
  body: JSON.stringify({
    data: [7, 8].map((id) => ({
      id,
      alias: "one",
      url: URL,
      domain: { id: 2, name: "go.example.com" },
    })),
    links: { first: "https://short.example.com/api/v1/links?by=alias" },
    meta: { current_page: 1, last_page: 1, total: 2 },
  }),
};

// Fails if two records are reported only after a store with a response.
it("a link that was created twice after the last attempt is reported as a duplicate", async () => {
  const scenario = await startWith(LINK);
  let looks = 0;
  const { document } = await documentThrough(scenario, (request) => {
    if (isStore(request)) return SERVER_ERROR;
    return isLook(request) && ++looks > TRIES ? TWICE : "forward";
  });
  expect(document.changes[0]).toMatchObject({ outcome: "failed", error: { code: "doubled" } });
});

// Fails if a record that differs from the sent values counts as applied. One of two stores may be somebody else's.
it("a link that somebody else created or changed is reported", async () => {
  const scenario = await startWith(LINK);
  let [stores, looks] = [0, 0];
  const { exit, document } = await documentThrough(scenario, async (request) => {
    // The first store has no effect and no response. The other write comes just before the last check.
    if (isStore(request) && ++stores === 1) return SERVER_ERROR;
    if (isLook(request) && ++looks === 2)
      await send(scenario, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Ftheirs.example%2F");
    return "forward";
  });
  expect(exit).toBe(4);
  expect(document.changes[0]?.error).toMatchObject({
    code: "changed-meanwhile",
    message: "`url` was sent as https://example.com/ and is now https://theirs.example/.",
  });
});

const SLOW = "links: { go.example.com/slow: { url: https://example.com/ } }";

/** The part of the 0.5 s backoff that is not random. */
const FIRST_DELAY = 250;

const isGone = ({ sandbox }: Scenario, alias: string): boolean =>
  sandbox.state().links.every((link) => link.alias !== alias);

// Fails if "not there" counts before 6 s have passed since the response was lost, or only after much more; or if the 6 s start before the
// store is sent.
it.each([
  ["at once", 0, [6000]],
  // Without a Retry-After header, linkform waits a minute.
  ["after a wait for the rate limit", 1, [60_000, 6000]],
])("a store that is sent %s, and takes 5 s after its response was lost, is found", async (_what, refusals, slept) => {
  const scenario = await startWith(SLOW);
  const clock = new StillClock();
  let stores = 0;
  const act: Act = (request, body) => {
    if (!isStore(request)) return "forward";
    stores += 1;
    if (stores <= refusals) return TOO_MANY;
    clock.after(5000, () => send(scenario, "POST", "/api/v1/links", body));
    return "drop";
  };
  const { exit } = await applyThrough(scenario, act, {}, { clock });
  expect([exit, stores, clock.slept]).toEqual([0, refusals + 1, slept]);
  await scenario.converge();
});

// Fails if linkform waits for a store that has ended, or sends it again immediately.
it("after a 500, linkform looks immediately, and sends the store again after a pause", async () => {
  const scenario = await startWith(SLOW);
  const clock = new StillClock();
  const { exit, asked } = await applyThrough(
    scenario,
    once(/^POST/, () => SERVER_ERROR),
    {},
    { clock },
  );
  expect([exit, asked.filter(isStore).length, clock.slept]).toEqual([0, 2, [FIRST_DELAY]]);
});

// Fails if changes that need an uncertain pixel are skipped or sent without it, or if the deletes of the next level wait.
it("a link waits for its uncertain pixel, and deletes do not", async () => {
  const scenario = await startWith(
    "pixels: { Main: { type: bing, value: '1' } }\nlinks: { go.example.com/uses: { url: https://example.com/, pixels: [Main] } }\nabsent: { links: [go.example.com/old] }\n",
    { links: [{ url: URL, domain: 2, alias: "old" }] },
  );
  const { exit, asked } = await applyThrough(
    scenario,
    once(/^POST .*pixels$/, () => "drop"),
    {},
    { clock: holdingClock(() => isGone(scenario, "old")) },
  );
  expect(exit).toBe(0);
  const steps = asked.filter((request) => !request.startsWith("GET") || /search=Main.*sort=asc/.test(request));
  expect(steps.map((request) => request.replace(/\?.*/, ""))).toEqual([
    "POST /index.php/api/v1/pixels",
    "DELETE /links/1/destroy",
    "DELETE /api/v1/links/1",
    "GET /index.php/api/v1/pixels",
    "POST /index.php/api/v1/pixels",
    "POST /api/v1/links",
  ]);
  expect(scenario.link("uses").pixels).toEqual([1]);
  await scenario.converge();
});

/** A clock on which only Ctrl-C ends a wait. The first wait triggers it. */
class EndlessClock extends StillClock {
  onSleep: () => void = () => undefined;

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      this.onSleep();
    });
  }
}

// Fails if Ctrl-C has an effect only after the 6 s, which never pass here.
it("Ctrl-C ends the wait for an uncertain store", async () => {
  const scenario = await startWith(SLOW);
  const clock = new EndlessClock();
  const drop: Act = (request, _body, abort) => {
    clock.onSleep = abort;
    return isStore(request) ? "drop" : "forward";
  };
  const { exit, document } = await documentThrough(scenario, drop, {}, { clock });
  expect([exit, document.result]).toEqual([130, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(document.changes[0]?.error).toMatchObject({ code: "unreachable" });
});
