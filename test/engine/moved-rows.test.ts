// Somebody else changes a record after linkform read it. Fails if a record is deleted or its short URL ends although the record differs
// from the plan, if the report calls that verified, if an update is sent although its record was last read more than 10 seconds ago or
// differed from the plan then, or if reading records again takes more requests than necessary.

import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import type { SandboxOptions, SeedState } from "../../src/sandbox/index.ts";
import { runIn, startScenario, type Scenario, startWith } from "../support/scenario.ts";
import { StillClock } from "../support/clock.ts";
import { filterName, itWhere, OFFLINE, returnedName, wireForm, withoutPixels } from "../support/sandbox.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import {
  applyThrough,
  beforeFirst,
  documentThrough,
  once,
  send,
  storeWithoutPixels,
  TOO_MANY,
  type Act,
} from "../support/through.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];

const OLD = { url: "https://example.com/old", domain: 2, alias: "old-one", clicks: 7, title: "Old" };

type Write = readonly [method: string, path: string, form?: string];

const put = (form: string): Write => ["PUT", "/api/v1/links/1", form];

/** Just before the first matching request is answered, somebody else sends these writes. */
const meanwhile = (scenario: Scenario, matches: RegExp, ...writes: readonly Write[]): Act =>
  beforeFirst(matches, async () => {
    for (const [method, path, form] of writes) {
      const wire = path.includes("/links") && form !== undefined ? wireForm(form) : form;
      expect(await send(scenario, method, path, wire)).toBeLessThan(300);
    }
  });

/** Applies, and just before the first matching request is answered, somebody else sends these writes. */
const disturbed = (
  scenario: Scenario,
  matches: RegExp,
  ...writes: readonly Write[]
): ReturnType<typeof documentThrough> => documentThrough(scenario, meanwhile(scenario, matches, ...writes));

const startRows = (links: readonly SeedLink[], text: string, more: SeedState = {}): Promise<Scenario> =>
  startWith(`brake: { deletes: 100%, updates: 100% }\n${text}`, { links, ...more });

const BURIED = "absent: { links: [go.example.com/old-one] }\n";

/** The read before the delete. */
const GUARD = /^GET \/api\/v1\/links\/1$/;

describe("a delete", () => {
  it.each([
    ["a rename", "alias=customer-critical", "`alias` was old-one and is now customer-critical"],
    ["a password", "password=theirs", "`password` was (unset) and is now (set)"],
    ["a date", "expiration_date=2027-01-01&expiration_time=10:00", "`expiration.date` was none and is now 2027-01-01"],
  ])("is skipped after %s, and the report gives both values", async (_what, form, says) => {
    const scenario = await startRows([OLD], BURIED);
    const { exit, document, asked } = await disturbed(scenario, GUARD, put(form));
    expect(asked.filter((request) => request.startsWith("DELETE"))).toEqual([]);
    expect(scenario.sandbox.state().links).toHaveLength(1);
    expect([exit, document.result.skipped, document.record]).toEqual([1, 1, null]);
    expect(document.changes[0]).toMatchObject({ outcome: "skipped", error: { code: "moved" } });
    expect(document.changes[0]?.error?.message).toContain(says);
  });

  it.each([
    [0, /"clicks":7/, '"clicks":8'],
    [0, /"Old"/, '"New"'],
    [1, /"privacy":\d/, '"privacy":3'],
  ])(
    "continues if only clicks or the title are different, and not if the row is unreadable: %i",
    async (exit, ...now) => {
      const scenario = await startRows([OLD], BURIED);
      const read = (body: string, url: string): string => (url.endsWith("/links/1") ? body.replace(...now) : body);
      const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", read);
      expect((await scenario.apply({ baseUrl })).exit).toBe(exit);
      expect(scenario.sandbox.state().links).toHaveLength(exit);
    },
  );

  it("of a row that is already gone is done, and no DELETE is sent", async () => {
    const scenario = await startRows([OLD], BURIED);
    const { exit, document, asked } = await disturbed(scenario, GUARD, ["DELETE", "/api/v1/links/1"]);
    expect([exit, document.result]).toMatchObject([0, { applied: 1, failed: 0, skipped: 0 }]);
    expect(asked.filter((request) => request.startsWith("DELETE"))).toEqual([]);
  });

  it("is compared with the row again when its first path is refused", async () => {
    const scenario = await startRows([OLD], BURIED);
    const { exit } = await disturbed(scenario, /^DELETE .*destroy$/, put("alias=customer-critical"));
    expect([exit, scenario.sandbox.state().links.map(({ alias }) => alias)]).toEqual([1, ["customer-critical"]]);
  });

  it("is compared with the row again after a failure that is retried", async () => {
    const scenario = await startRows([OLD], BURIED);
    let failures = 0;
    const { exit, document } = await documentThrough(scenario, async (request) => {
      if (!request.startsWith("DELETE /api/v1/links/1")) return "forward";
      failures += 1;
      await send(scenario, "PUT", "/api/v1/links/1", "url=https://example.com/theirs");
      return { status: 503, body: '{"message":"Later."}' };
    });
    expect([exit, failures, scenario.sandbox.state().links.length]).toEqual([4, 1, 1]);
    expect(document.changes[0]).toMatchObject({ outcome: "failed", error: { code: "moved" } });
  });
});

describe("a change that breaks a short URL", () => {
  it.each([
    ["a rename", "links: { go.example.com/next: { url: https://example.com/old, renamed_from: old-one } }\n"],
    ["taking it offline", `links: { go.example.com/old-one: { url: https://example.com/old, ${OFFLINE} } }\n`],
  ])("is skipped if the row moved: %s", async (_what, text) => {
    const scenario = await startRows([OLD], text.replace("renamed_from: old", "renamed_from: go.example.com/old"));
    const { exit, document, asked } = await disturbed(scenario, GUARD, put("url=https://example.com/theirs"));
    expect([exit, asked.filter((request) => request.startsWith("PUT"))]).toEqual([1, []]);
    expect(document.changes[0]).toMatchObject({ outcome: "skipped", error: { code: "moved" } });
    expect(scenario.link("old-one")).toMatchObject({ url: "https://example.com/theirs", disabled: 0, ends_at: null });
  });

  itWhere("disabled links")(
    "is skipped if the link was disabled when it was read, and somebody enabled it",
    async () => {
      const scenario = await startRows(
        [{ ...OLD, disabled: 1 }],
        "links: { go.example.com/old-one: { url: https://example.com/old, disabled: true, expiration: { clicks: 5 } } }\n",
      );
      const { exit, document, asked } = await disturbed(scenario, GUARD, put("disabled=0"));
      expect([exit, asked.filter((request) => request.startsWith("PUT"))]).toEqual([1, []]);
      expect(document.changes[0]).toMatchObject({ outcome: "skipped", error: { code: "moved" } });
    },
  );

  it("of a row that is gone is moved, not a failure", async () => {
    const scenario = await startRows(
      [OLD],
      `links: { go.example.com/old-one: { url: https://example.com/old, ${OFFLINE} } }\n`,
    );
    const { exit, document } = await disturbed(scenario, GUARD, ["DELETE", "/api/v1/links/1"]);
    expect(exit).toBe(1);
    expect(document.changes[0]).toMatchObject({ outcome: "skipped", error: { code: "moved" } });
    expect(document.changes[0]?.error?.message).toContain("It no longer exists (id 1)");
  });

  /** These writes happen instead of the first update, and its response is lost. */
  const lost = (scenario: Scenario, writes: (body: string) => readonly string[]): Act =>
    once(/^PUT/, async (body): Promise<Answer> => {
      for (const form of writes(body)) await send(scenario, "PUT", "/api/v1/links/1", form);
      return "drop";
    });
  const startUpdate = (more = OFFLINE): Promise<Scenario> =>
    startRows(
      [OLD],
      `links: { go.example.com/old-one: { url: https://example.com/new, pixels: [Old], ${more} } }\n`,
      PIXELS,
    );

  // A service stores the pixels of a link after the rest (docs/service.md, "Clearing a field").
  it.each<[string, (body: string) => string[]]>([
    ["it", (body) => [body]],
    ["it without its pixels", (body) => [withoutPixels(body)]],
    ["nothing of it", () => []],
  ])("whose response was lost is sent again if the row has %s", async (_what, writes) => {
    const scenario = await startUpdate();
    const { exit, asked } = await documentThrough(scenario, lost(scenario, writes));
    expect([exit, asked.filter((request) => request.startsWith("PUT")).length]).toEqual([0, 2]);
    expect((await scenario.planDocument()).changes).toEqual([]);
  });

  it.each([
    ["one of its fields", OFFLINE],
    ["all of its fields but the pixels", "privacy: public"],
  ])("whose response was lost is not sent again if somebody sets %s back", async (_what, more) => {
    const scenario = await startUpdate(more);
    const { exit, document, asked } = await documentThrough(
      scenario,
      lost(scenario, (body) => [body, `url=${OLD.url}`]),
    );
    expect([exit, asked.filter((request) => request.startsWith("PUT")).length]).toEqual([4, 1]);
    expect(document.changes[0]).toMatchObject({ outcome: "failed", error: { code: "moved" } });
    expect(document.changes[0]?.error?.message).toContain(
      "`url` was https://example.com/new and is now https://example.com/old",
    );
    expect(scenario.link("old-one").url).toBe(OLD.url);
  });
});

it("a replacement does not delete an old link that moved, and reports that the new one exists", async () => {
  const scenario = await startRows(
    [OLD],
    "links: { promo.example.com/old-one: { url: https://example.com/old, renamed_from: go.example.com/old-one } }\n",
  );
  const { exit, document } = await disturbed(scenario, /^POST/, put("alias=customer-critical"));
  expect([exit, scenario.sandbox.state().links.map(({ alias }) => alias)]).toEqual([
    4,
    ["customer-critical", "old-one"],
  ]);
  expect(document.changes[0]).toMatchObject({ outcome: "failed", error: { code: "moved" } });
  expect(document.changes[0]?.error?.message).toContain("`promo.example.com/old-one` was created");
  expect(document.changes[0]?.error?.message).toContain("`alias` was old-one and is now customer-critical");
});

const PIXELS: SeedState = { pixels: [{ name: "Old", type: "bing", value: "1234567" }] };

const KEEP = { url: "https://example.com/keep", domain: 2, alias: "keep" };

it("a pixel is not deleted if somebody attaches it to a link first", async () => {
  const scenario = await startRows([KEEP], "absent: { pixels: [Old] }\n", PIXELS);
  const { exit, document } = await disturbed(scenario, /pixel=1/, put("pixels[]=1"));
  expect([exit, scenario.sandbox.state().pixels.length, scenario.link("keep").pixels]).toEqual([1, 1, [1]]);
  expect(document.changes[0]?.error?.message).toContain("`go.example.com/keep` now uses this pixel");
});

it("a pixel is not deleted if somebody changes it", async () => {
  const scenario = await startRows([KEEP], "absent: { pixels: [Old] }\n", PIXELS);
  const { exit } = await disturbed(scenario, /pixels\/1$/, ["PUT", "/api/v1/pixels/1", "name=Customer"]);
  expect([exit, scenario.sandbox.state().pixels.map(({ name }) => name)]).toEqual([1, ["Customer"]]);
});

describe("a pixel, with a service that ignores the filter of the list", () => {
  const used = `${filterName("pixel")}=1`;
  /** Responds as if there were no filter. The check requests the shortest page. */
  const unfiltered =
    (scenario: Scenario, before: () => Promise<unknown>, damage = (body: string): string => body): Act =>
    async (request) => {
      if (!request.includes(used)) return "forward";
      const isCheck = request.includes("per_page=10&");
      if (isCheck) await before();
      const headers = { accept: "application/json", authorization: `Bearer ${scenario.sandbox.apiKey}` };
      const url = `${scenario.sandbox.url}${request.slice(4).replace(`${used}&`, "")}`;
      const body = await (await fetch(url, { headers })).text();
      return { status: 200, body: isCheck ? damage(body) : body };
    };
  const links = (count: number): SeedLink[] =>
    Array.from({ length: count }, (_, at) => ({ url: "https://example.com/", domain: 2, alias: `link-${at + 1}` }));

  it("is not deleted if a link that uses it may be on another page", async () => {
    const scenario = await startRows(links(12), "absent: { pixels: [Old] }\n", PIXELS);
    const attach = (): Promise<unknown> => send(scenario, "PUT", "/api/v1/links/12", "pixels[]=1");
    const { exit, document } = await documentThrough(scenario, unfiltered(scenario, attach));
    expect([exit, scenario.sandbox.state().pixels.length]).toEqual([1, 1]);
    expect(document.changes[0]?.error?.message).toContain("linkform cannot check whether a link uses pixel 1.");
  });

  it("is not deleted if linkform cannot read which pixels a link uses", async () => {
    const scenario = await startRows(links(9), "absent: { pixels: [Old] }\n", PIXELS);
    const damage = (body: string): string => body.replaceAll(`"${returnedName("pixels")}":[]`, '"pixels":7');
    const { exit, document } = await documentThrough(
      scenario,
      unfiltered(scenario, async () => null, damage),
    );
    expect([exit, scenario.sandbox.state().pixels.length]).toEqual([1, 1]);
    expect(document.changes[0]?.error?.message).toContain("Link 1 may use this pixel");
  });

  it("is deleted if all links are on the page and none uses it", async () => {
    const scenario = await startRows(links(9), "absent: { pixels: [Old] }\n", PIXELS);
    const { exit } = await documentThrough(
      scenario,
      unfiltered(scenario, async () => null),
    );
    expect([exit, scenario.sandbox.state().pixels]).toEqual([0, []]);
  });
});

it("a plan counts the reads before deletes and broken URLs, and an apply sends exactly this number", async () => {
  const links = ["a", "b", "c", "d"].map((alias) => ({ url: "https://example.com/", domain: 2, alias }));
  const scenario = await startRows(
    links,
    `links:\n  go.example.com/b: { url: https://example.com/, ${OFFLINE} }\n  promo.example.com/c: { url: https://example.com/, renamed_from: go.example.com/c }\n  go.example.com/d: { url: https://example.com/d }\nabsent: { links: [go.example.com/a], pixels: [Old] }\n`,
    PIXELS,
  );
  const { requests } = await scenario.planDocument();
  const { exit, asked } = await applyThrough(scenario, () => "forward", {}, { clock: new StillClock() });
  expect([exit, asked.length]).toEqual([0, requests.read + requests.apply + requests.verify]);
});

it("a saved plan of which every change moved while it was applied ends with 3", async () => {
  const scenario = await startRows([OLD], BURIED);
  const act = meanwhile(scenario, GUARD, put("alias=customer-critical"));
  const baseUrl = await startProxy(scenario.sandbox.url, (method, url) => act(`${method} ${url}`, "", () => undefined));
  expect((await scenario.plan({ out: "plan.json", baseUrl })).exit).toBe(0);
  const { exit, out } = await runIn(scenario.folder, scenario.env, (world) => apply(world, { baseUrl }, "plan.json"));
  expect([exit, scenario.sandbox.state().links.length]).toEqual([3, 1]);
  expect(out).not.toMatch(/verified|again/);
});

describe("an update of a row that changed after it was read", () => {
  const CHANGED = "This run changed `url` from https://example.com/old to https://example.com/new.";
  const UPDATED = "links: { go.example.com/old-one: { url: https://example.com/new, unspecified: keep } }\n";
  /** The write is done, and the record was not read again. */
  const VERIFY = /^GET \/api\/v1\/links(\/1|\?.*)$/;
  const afterWrite = (scenario: Scenario, ...write: Write): Act => {
    let isWritten = false;
    const act = meanwhile(scenario, VERIFY, write);
    return (request, body, abort) => {
      isWritten ||= request.startsWith("PUT");
      return isWritten ? act(request, body, abort) : "forward";
    };
  };

  it.each([
    ["another field", "space=1", `\`space\` was none and is now Marketing. This run did not send it. ${CHANGED}`],
    ["the key", "alias=partner", `\`alias\` was old-one and is now partner. This run did not send it. ${CHANGED}`],
    [
      "the same field",
      "url=https://example.com/theirs",
      "`url` was sent as https://example.com/new and is now https://example.com/theirs.",
    ],
  ])("reports that somebody else wrote in between, with both values: %s", async (_what, form, says) => {
    const scenario = await startRows([OLD], UPDATED, { spaces: [{ name: "Marketing" }] });
    const { exit, document } = await documentThrough(scenario, afterWrite(scenario, "PUT", "/api/v1/links/1", form));
    expect([exit, document.result.failed]).toEqual([4, 1]);
    expect(document.changes[0]?.error).toMatchObject({ code: "changed-meanwhile" });
    expect(document.changes[0]?.error?.message).toBe(says);
  });

  it("reports it when the write came before the update, too", async () => {
    const scenario = await startRows([OLD], UPDATED, { spaces: [{ name: "Marketing" }] });
    const { exit, document } = await disturbed(scenario, /^PUT/, put("space=1&alias=theirs"));
    expect(exit).toBe(4);
    const message = document.changes[0]?.error?.message;
    expect(message).toContain("`alias` was old-one and is now theirs.");
    expect(message).toContain("`space` was none and is now Marketing.");
  });

  it("of a row that is deleted meanwhile reports it", async () => {
    const scenario = await startRows([OLD], UPDATED);
    const { document } = await documentThrough(scenario, afterWrite(scenario, "DELETE", "/api/v1/links/1"));
    expect(document.changes[0]?.error).toMatchObject({
      code: "changed-meanwhile",
      message: "`go.example.com/old-one` (id 1) was updated, but no longer exists.",
    });
  });
});

const name = (id: number): string => `link-${String(id).padStart(3, "0")}`;

/** An account with this many links. The files give those with `ids` another destination. */
async function startUpdates(
  count: number,
  ids: readonly number[],
  domainOf = (_id: number): number => 2,
  options: SandboxOptions = {},
): Promise<Scenario> {
  const links = Array.from({ length: count }, (_, at) => ({
    url: "https://example.com/old",
    domain: domainOf(at + 1),
    alias: name(at + 1),
  }));
  const scenario = await startScenario({ ...options, seed: { links } });
  const declared = ids.map((id) => `  go.example.com/${name(id)}: { url: https://example.com/new }\n`);
  await scenario.write(`brake: { updates: 100% }\nlinks:\n${declared.join("")}`);
  return scenario;
}

const all = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const isUpdate = (request: string): boolean => request.startsWith("PUT");
/** The reads after the first write, without the check of the first write and the verification. */
const rereads = (asked: readonly string[]): string[] =>
  asked
    .slice(asked.findIndex(isUpdate), asked.findLastIndex(isUpdate))
    .filter((request) => request.startsWith("GET"))
    .slice(1)
    .map((request) => /links(\/\d+|\?.*)$/.exec(request)?.[0].replace(/\?.*page=(\d+)$/, " page $1") ?? request);

const at = (clock: StillClock, concurrency: number) => [{ concurrency }, { clock }] as const;

/** The service refuses the update with this number for a minute, and `act` runs meanwhile. */
function waitingAt(update: number, clock: StillClock, act: () => Promise<unknown>): Act {
  let updates = 0;
  return (request) => {
    if (!isUpdate(request) || ++updates !== update) return "forward";
    clock.after(1000, act);
    return TOO_MANY;
  };
}

describe("an update that waits for the rate limit", () => {
  it.each([
    ["a rename", "PUT", "alias=partner", "`alias` was link-025 and is now partner"],
    ["a deletion", "DELETE", "", "It no longer exists (id 25)"],
  ])("is skipped after %s, and one page shows the others", async (_what, method, form, says) => {
    const scenario = await startUpdates(30, all(30));
    const clock = new StillClock();
    const theirs = (): Promise<unknown> => send(scenario, method, "/api/v1/links/25", wireForm(form));
    const { exit, document, asked } = await documentThrough(scenario, waitingAt(10, clock, theirs), ...at(clock, 3));
    expect([exit, document.result]).toMatchObject([4, { applied: 29, failed: 0, skipped: 1, complete: false }]);
    const change = document.changes.find(({ id }) => id === 25);
    expect(change).toMatchObject({ outcome: "skipped", error: { code: "moved" } });
    expect(change?.error?.message).toContain(says);
    expect(asked.filter((request) => request === "PUT /api/v1/links/25")).toEqual([]);
    // Row 25 is not on the page, or differs there.
    expect(rereads(asked)).toEqual(["links page 1", "links/25"]);
  });

  it.each([
    ["alone on its page: the row", 230, [5, 150], undefined, ["links/150"]],
    ["with another one: one page", 230, [5, 205, 210], undefined, ["links page 3"]],
    ["on two pages", 230, [5, 105, 110, 205, 210, 220], undefined, ["links page 2", "links page 3"]],
    ["of a domain that is read alone", 400, [4, 304, 308], (id: number) => (id % 4 === 0 ? 2 : 3), ["links page 1"]],
  ])("is read again with the fewest requests: %s", async (_what, count, ids, domainOf, reads) => {
    const scenario = await startUpdates(count, ids, domainOf);
    const clock = new StillClock();
    let updates = 0;
    const { exit, asked } = await documentThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (isUpdate(request) && ++updates === 1) await clock.sleep(11_000);
        return "forward";
      },
      ...at(clock, 1),
    );
    expect([exit, rereads(asked)]).toEqual([0, reads]);
  });

  it.each([
    [9000, 0],
    [11_000, 1],
  ])("is read again only if the last reading is 10 seconds old: %i ms", async (ms, reads) => {
    const scenario = await startUpdates(2, [1, 2]);
    const clock = new StillClock();
    const { exit, asked } = await documentThrough(
      scenario,
      beforeFirst(/^PUT/, () => clock.sleep(ms)),
      ...at(clock, 1),
    );
    expect([exit, rereads(asked).length]).toEqual([0, reads]);
  });

  it("is read alone if a page takes more than 10 seconds", async () => {
    const scenario = await startUpdates(4, [1, 2, 3]);
    const clock = new StillClock();
    const { exit, asked } = await documentThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (isUpdate(request) || request.includes("page=1")) await clock.sleep(11_000);
        return "forward";
      },
      ...at(clock, 3),
    );
    expect(exit).toBe(0);
    expect(rereads(asked).filter((read) => !read.includes("page")).length).toBeGreaterThan(1);
  });

  it("is read alone if rows before it were deleted and its page has others now", async () => {
    const scenario = await startUpdates(120, [1, 102, 103]);
    const clock = new StillClock();
    const { exit, document, asked } = await documentThrough(
      scenario,
      beforeFirst(/^PUT/, async () => {
        for (const id of [90, 91, 92]) await send(scenario, "DELETE", `/api/v1/links/${id}`);
        await clock.sleep(11_000);
      }),
      ...at(clock, 2),
    );
    expect([exit, document.result.applied]).toEqual([0, 3]);
    expect(rereads(asked)).toEqual(["links page 2", "links/102", "links/103"]);
  });
});

const TWO_CALLS =
  "links: { go.example.com/link-001: { url: https://example.com/old, privacy: password, privacy_password: none } }";

it("an update whose first request is done is not continued after somebody else changed its row", async () => {
  const links = [{ url: "https://example.com/old", domain: 2, alias: name(1), privacy: 1, privacy_password: "x" }];
  const scenario = await startWith(TWO_CALLS, { links });
  let updates = 0;
  const { exit, document } = await documentThrough(scenario, async (request): Promise<Answer> => {
    if (updates > 0 && request === "GET /api/v1/links/1")
      await send(scenario, "PUT", "/api/v1/links/1", wireForm("alias=partner"));
    updates += isUpdate(request) ? 1 : 0;
    return "forward";
  });
  expect([exit, updates, scenario.link("partner").privacy]).toEqual([4, 1, 1]);
  expect(document.changes[0]?.error?.message).toContain("Only `privacy_password` was updated.");
  expect(document.changes[0]?.error).toMatchObject({ code: "moved" });
});

it.each([
  ["it is not completed after somebody else changed it", "alias=partner", [4, 0, [], "moved"]],
  ["it is completed, although the rest arrives late", "pixels[]=1", [0, 1, [1], undefined]],
])("a link that was stored in part: %s", async (_what, form, expected) => {
  const scenario = await startWith("links: { go.example.com/one: { url: https://example.com/, pixels: [Main] } }", {
    pixels: [{ name: "Main", type: "bing", value: "1" }],
  });
  const stored = once(/^POST/, (body) => storeWithoutPixels(scenario, body));
  const later = meanwhile(scenario, GUARD, put(form));
  const { exit, document, asked } = await documentThrough(scenario, async (request, body, abort) => {
    const answer = await stored(request, body, abort);
    return answer === "forward" ? later(request, body, abort) : answer;
  });
  const [row] = scenario.sandbox.state().links;
  const code = document.changes[0]?.error?.code;
  expect([exit, asked.filter(isUpdate).length, row?.pixels, code]).toEqual(expected);
});

it("a pixel that somebody else renamed is not updated", async () => {
  const pixels = ["A", "B", "C"].map((one) => ({ name: one, type: "bing", value: "1" }));
  const scenario = await startWith(
    `brake: { updates: 100% }\npixels: { A: { type: bing, value: "2" }, B: { type: bing, value: "2" }, C: { type: bing, value: "2" } }`,
    { pixels },
  );
  const clock = new StillClock();
  const { exit, document } = await documentThrough(
    scenario,
    beforeFirst(/^PUT/, async () => {
      await send(scenario, "PUT", "/api/v1/pixels/3", "name=Theirs");
      await clock.sleep(11_000);
    }),
    ...at(clock, 1),
  );
  expect([exit, scenario.sandbox.state().pixels.map(({ value }) => value)]).toEqual([4, ["2", "2", "1"]]);
  expect(document.changes[2]?.error?.message).toContain("`name` was C and is now Theirs");
});

it.each([
  ["a whole account", 150, all(150)],
  ["some links of it", 300, all(300).filter((id) => id % 4 === 0)],
])("a plan counts the reads of an apply that waits for the limit: %s", async (_what, count, ids) => {
  const clock = new StillClock();
  const scenario = await startUpdates(count, ids, undefined, { rateLimit: 60, now: () => new Date(clock.now()) });
  const { requests } = JSON.parse((await scenario.plan({ format: ["json"] })).out);
  await clock.sleep(60_000);
  const before = scenario.sandbox.requests.length;
  const { exit } = await documentThrough(scenario, () => "forward", {}, { clock });
  const sent = scenario.sandbox.requests.slice(before).filter(({ status }) => status !== 429).length;
  expect([exit, sent]).toEqual([0, requests.read + requests.apply + requests.verify]);
});
