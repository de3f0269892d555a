// `explain` says what running instances of the service were seen to do, in each version: the literal tables that the sandbox
// is compared with, too. Fails if a fact is wrong here, even where the sandbox is wrong in the same way.

import { describe, expect, it } from "vitest";
import { explain } from "../../src/commands/explain.ts";
import type { ExplainFlags } from "../../src/commands/explain-question.ts";
import type { ExplainDocument, SideDocument } from "../../src/report/explain-document.ts";
import type { Link, Software } from "../../src/sandbox/index.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";
import { DECIDED_FIRST, OVER, QUERIES, URL_ITSELF } from "../support/visits.ts";

const VERSIONS = ["4.1", "4.9"] as const;
const PIXELS = [{ name: "Meta main", type: "facebook", value: "1234567890123456" }];

async function start(link: Partial<Link>, software: Software = "4.1"): Promise<Scenario> {
  const links = [{ url: URL_ITSELF, domain: 2, alias: "a", ...link }];
  return startScenario({ software, seed: { pixels: PIXELS, links } });
}

async function text({ folder, env }: Scenario, link: string, flags: ExplainFlags): Promise<string> {
  const { exit, out, err } = await runIn(folder, env, (world) => explain(world, link, flags));
  expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
  return out;
}

async function document(scenario: Scenario, query = "", flags: ExplainFlags = {}): Promise<ExplainDocument> {
  const all = { live: true, baseUrl: scenario.sandbox.url, ...flags, format: ["json"] };
  return JSON.parse(await text(scenario, `https://go.example.com/a${query === "" ? "" : `?${query}`}`, all));
}

async function live(scenario: Scenario, query = "", flags: ExplainFlags = {}): Promise<SideDocument> {
  const { sides } = await document(scenario, query, flags);
  const [side] = sides;
  if (side === undefined) throw new Error("nothing was explained");
  return side;
}

const PAGES: Readonly<Record<string, string>> = {
  expired: "expired page",
  disabled: "disabled page",
  password: "password page",
  pixels: "consent page",
};

/** Pages, and the redirect behind them; not what follows consent. */
function met({ pages, goes_to: ways }: Pick<SideDocument, "pages" | "goes_to">): string[] {
  const shown = pages.map((page) => PAGES[page] ?? page);
  return pages.includes("pixels") ? shown : [...shown, ...ways.map(({ url }) => url)];
}

describe("expiry, disabled and password", () => {
  it.each(
    DECIDED_FIRST.flatMap(([name, link, table]) => VERSIONS.map((software) => ({ name, link, table, software }))),
  )("$name on $software", async ({ link, table, software }) => {
    const scenario = await start(link, software);
    const read = await document(scenario);
    expect(read.version).toBe(software);
    expect(read.sides.map(met)).toEqual([table[software]]);
    expect(read.sides[0]?.by_version).toEqual([]);
  });

  it("are told for both versions where the files alone can't know the version, and only where these differ", async () => {
    const scenario = await startScenario();
    const over = `expiration: { date: 2020-01-01, url: "${OVER}" }`;
    const rest = "pixels: [], targeting: null";
    await scenario.write(`links:
  go.example.com/differs: { url: "${URL_ITSELF}", disabled: true, password: none, ${over}, ${rest} }
  go.example.com/same: { url: "${URL_ITSELF}", disabled: false, password: none, ${over}, ${rest} }
`);
    const sideOf = async (link: string): Promise<SideDocument> => {
      const read: ExplainDocument = JSON.parse(await text(scenario, link, { format: ["json"] }));
      expect(read.version).toBeNull();
      const [side] = read.sides;
      if (side === undefined) throw new Error("nothing was explained");
      return side;
    };
    const differs = await sideOf("differs");
    expect(differs.by_version.map((one) => [one.version, met(one)])).toEqual([
      ["4.1", [OVER]],
      ["4.9", ["disabled page"]],
    ]);
    expect(differs.notes.map(({ code }) => code)).toContain("order");
    expect((await sideOf("same")).by_version).toEqual([]);
    expect(await text(scenario, "differs", {})).toContain(
      `The answer depends on the version of the service, which is not known here.
  Version 4.1: Visitors go to ${OVER}, because the link has expired.
  Version 4.9 and later: Visitors see a page that says the link is disabled.
`,
    );
  });
});

describe("the query of the short URL", () => {
  it.each(QUERIES)("%s with %j", async (url, query, to) => {
    const scenario = await start({ url });
    expect((await live(scenario, query)).goes_to.map((way) => way.url)).toEqual([to]);
  });

  it("is merged into targets, and never into the expiration URL", async () => {
    const country = [{ key: "DE", value: "https://u:p@example.com:1/de?b=2#c" }];
    const scenario = await start({ target_type: 1, country });
    const side = await live(scenario, "a=1&b=", { country: "DE" });
    expect(side.goes_to.map(({ url }) => url)).toEqual(["https://example.com/de?a=1"]);
    expect(side.steps.find(({ asks }) => asks === "query")?.says).toBe(
      "a=1&b= is merged into the destination. It removes b. The destination loses its port and its user info and its fragment.",
    );
    const expired = await start({ ends_at: "2020-01-01T00:00:00Z", expiration_url: OVER });
    expect((await live(expired, "a=1")).goes_to.map(({ url }) => url)).toEqual([OVER]);
  });
});

describe("targets", () => {
  it.each([
    [1, "country", "DE"],
    [2, "platform", "iOS"],
    [3, "language", "de"],
  ] as const)("type %i: of a key that is there twice the last entry counts", async (target_type, group, key) => {
    const entries = ["first", "second", "third"].map((path) => ({ key, value: `https://example.com/${path}` }));
    const scenario = await start({ target_type, [group]: entries });
    const side = await live(scenario, "", { [group]: key });
    expect(side.goes_to.map(({ url }) => url)).toEqual(["https://example.com/third"]);
    expect(side.notes).toContainEqual(expect.objectContaining({ code: "key-twice", basis: "observed" }));
    expect((await live(scenario)).goes_to.map(({ url }) => url)).toEqual(["https://example.com/third", URL_ITSELF]);
  });

  it.each([1, 2, 3, 4])("type %i without a group leads to `url`", async (target_type) => {
    const side = await live(await start({ target_type }));
    expect(side.goes_to.map(({ url }) => url)).toEqual([URL_ITSELF]);
    expect(side.notes.map(({ code }) => code)).toContain("group-empty");
  });

  it.each([
    ["the first", { 1: { value: "https://example.com/r2" } }],
    ["the middle", { 0: { value: "https://example.com/r1" }, 2: { value: "https://example.com/r3" } }],
  ])("a rotation whose entry is empty, %s, is an error for people and `url` for crawlers", async (_, rotation) => {
    const scenario = await start({ target_type: 4, rotation });
    const side = await live(scenario);
    expect([side.status, side.pages, side.goes_to]).toEqual([500, ["error"], []]);
    expect(side.says).toBe("Visitors see an error (500).");
    const crawler = await live(scenario, "", { crawler: true });
    expect([crawler.status, crawler.goes_to.map(({ url }) => url)]).toEqual([301, [URL_ITSELF]]);
  });

  it("a group by country whose first entry was empty works", async () => {
    const country = { 1: { key: "DE", value: "https://example.com/de" } };
    const side = await live(await start({ target_type: 1, country }), "", { country: "DE" });
    expect(side.goes_to.map(({ url }) => url)).toEqual(["https://example.com/de"]);
  });
});

describe("crawlers", () => {
  it("go to `url`, whatever the targets", async () => {
    const groups = {
      country: [{ key: "DE", value: "https://example.com/de" }],
      rotation: [{ value: "https://example.com/r1" }],
    };
    for (const target_type of [1, 4]) {
      const scenario = await start({ target_type, ...groups });
      const side = await live(scenario, "a=1", { crawler: true, country: "DE" });
      expect(side.goes_to.map(({ url }) => url)).toEqual([`${URL_ITSELF}?a=1`]);
      expect(side.notes.map(({ code }) => code)).toContain("crawler");
      expect(
        await text(scenario, "go.example.com/a", { live: true, crawler: true, baseUrl: scenario.sandbox.url }),
      ).toContain("Where to?  The link's own destination: crawlers get no targets.");
    }
  });

  it("get the expiration URL when people have reached the click limit", async () => {
    const scenario = await start({ expiration_clicks: 1, clicks: 1, expiration_url: OVER });
    expect(met(await live(scenario, "", { crawler: true }))).toEqual([OVER]);
  });
});

describe("a link with pixels", () => {
  it("asks first: whoever accepts goes to `url`, past the targets and without the query", async () => {
    const country = [{ key: "DE", value: "https://example.com/de?b=2" }];
    const scenario = await start({ pixels: [1], target_type: 1, country });
    const side = await live(scenario, "a=1", { country: "DE" });
    expect([side.status, side.pages, side.pixels]).toEqual([200, ["pixels"], ["Meta main"]]);
    expect([side.goes_to.map(({ url }) => url), side.after_consent?.url]).toEqual([
      ["https://example.com/de?b=2&a=1"],
      URL_ITSELF,
    ]);
    expect(side.says).toBe(
      `Visitors are asked whether they accept tracking by Meta main. If they accept, they go to ${URL_ITSELF}, and if they refuse, they go to https://example.com/de?b=2&a=1`,
    );
  });
});

it("a redirect is not kept by browsers", async () => {
  const { notes } = await live(await start({}));
  expect(notes.find(({ code }) => code === "redirect")?.says).toContain("Browsers do not keep it");
});
