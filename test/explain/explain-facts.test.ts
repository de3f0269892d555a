// `explain` matches the observed behavior of each version: the literal tables that the sandbox is also compared with. Fails if a
// fact is wrong here, even if the sandbox is wrong in the same way.

import { describe, expect, it } from "vitest";
import type { ExplainFlags } from "../../src/explain/command.ts";
import type { SideDocument } from "../../src/report/json/explain.ts";
import { SOFTWARE, type Link, type Software } from "../../src/sandbox/index.ts";
import { startScenario, startWith, writeFiles, type Scenario } from "../support/scenario.ts";
import { decidedOn, LANGUAGES, OVER, TURNS, URL_ITSELF } from "../support/visits.ts";
import { document, side as sideOf, text } from "./explaining.ts";

const PIXELS = [{ name: "Meta main", type: "facebook", value: "1234567890123456" }];

async function start(link: Partial<Link>, software: Software = "4.1"): Promise<Scenario> {
  const links = [{ url: URL_ITSELF, domain: 2, alias: "a", ...link }];
  return startScenario({ software, seed: { pixels: PIXELS, links } });
}

async function live(scenario: Scenario, flags: ExplainFlags = {}): Promise<SideDocument> {
  return sideOf(scenario, "https://go.example.com/a", { live: true, baseUrl: scenario.sandbox.url, ...flags });
}

const PAGES: Readonly<Record<string, string>> = {
  expired: "expired page",
  disabled: "disabled page",
  password: "password page",
  warning: "warning page",
  pixels: "consent page",
};

/** Pages, and the redirect behind them; not the redirect after consent. */
function met({ pages, goes_to: ways }: Pick<SideDocument, "pages" | "goes_to">): string[] {
  const shown = pages.map((page) => PAGES[page] ?? page);
  return pages.includes("pixels") ? shown : [...shown, ...ways.map(({ url }) => url)];
}

describe.each(SOFTWARE)("on %s expiry, disabled, password and warning", (software) => {
  it.each(decidedOn(software))("$name", async ({ link, met: expected }) => {
    const scenario = await start(link, software);
    const read = await document(scenario, "go.example.com/a", { live: true, baseUrl: scenario.sandbox.url });
    expect(read.version).toBe(software);
    expect(read.sides.map(met)).toEqual([expected]);
    expect(read.sides[0]?.by_version).toEqual([]);
  });
});

describe("files alone, which do not show the version", () => {
  const over = `expiration: { date: 2020-01-01, url: "${OVER}" }`;
  const open = "disabled: false, password: none, pixels: []";

  async function explained(links: string): Promise<(link: string, flags?: ExplainFlags) => Promise<SideDocument>> {
    const scenario = await startWith(`links:\n${links}`);
    return async (link, flags = {}) => {
      expect((await document(scenario, link, flags)).version).toBeNull();
      return sideOf(scenario, link, flags);
    };
  }
  const answers = (side: SideDocument): unknown => side.by_version.map((one) => [one.version, met(one)]);

  it("are explained for each version, but only if the versions differ", async () => {
    const declared = await explained(`
  go.example.com/differs: { url: "${URL_ITSELF}", disabled: true, password: none, ${over}, targeting: null }
  go.example.com/same: { url: "${URL_ITSELF}", ${open}, ${over}, targeting: null }
  go.example.com/turns: { url: "${URL_ITSELF}", ${open}, expiration: { date: none, clicks: none }, targeting: { rotation: ["${OVER}"] } }
`);
    const differs = await declared("differs");
    expect(answers(differs)).toEqual([
      ["4.1", [OVER]],
      ["4.9", ["disabled page"]],
      ["44", ["disabled page"]],
    ]);
    expect((await declared("same")).by_version).toEqual([]);
    const turns = await declared("turns");
    // The start is not declared either, but the steps are those of version 4.1, which has no start.
    expect(turns.unknown).toEqual([]);
    expect(answers(turns)).toEqual([
      ["4.1", [OVER, URL_ITSELF]],
      ["4.9", [OVER, URL_ITSELF]],
      ["44", [OVER, URL_ITSELF]],
      ["49", [URL_ITSELF]],
    ]);
  });

  it("say that they assume UTC if the link has dates and the files set no time zone", async () => {
    const link = `{ url: "${URL_ITSELF}", expiration: { date: 2036-01-01 } }`;
    const saying = async (zone: string, key: string): Promise<boolean> => {
      const files = `${zone}links: { go.example.com/dated: ${link}, go.example.com/plain: { url: "${URL_ITSELF}" } }\n`;
      return (await text(await startWith(files), key)).includes(
        "This answer assumes that dates in the files are in UTC.",
      );
    };
    expect(await saying("", "dated")).toBe(true);
    expect(await saying("", "plain")).toBe(false);
    expect(await saying("timezone: Europe/Berlin\n", "dated")).toBe(false);
  });

  it("group versions with the same result, without versions that cannot express the link", async () => {
    const link = `{ url: "${URL_ITSELF}", disabled: true, password: none, ${over} }`;
    const said = await text(await startWith(`links: { go.example.com/differs: ${link} }\n`), "differs");
    expect(said).toContain(
      `The answer depends on the version of the service, which is unknown.

Version 4.1: Visitors go to ${OVER}, because the link has expired.

Versions 4.9 and 44: Visitors see a page that says the link is disabled.
`,
    );
    expect(said).toMatch(/For any visitor, at .*, on version 4\.1:/);
  });

  it("are explained as version 49 if only that version has their fields", async () => {
    const declared = await explained(`
  go.example.com/warned: { url: "${URL_ITSELF}", ${open}, sensitive: true, expiration: { start: 2036-01-01, url: "${OVER}" } }
`);
    const side = await declared("warned", { at: "2027-01-01T00:00Z" });
    expect([met(side), side.says]).toEqual([[OVER], `Visitors go to ${OVER}, because the link is not active yet.`]);
    expect(met(await declared("warned", { at: "2036-01-02T00:00Z" }))).toEqual(["warning page", URL_ITSELF]);
  });

  it("are explained as the version that the project file declares", async () => {
    const scenario = await startScenario();
    const link = `{ url: "${URL_ITSELF}", ${open}, expiration: none, targeting: { rotation: ["${OVER}"] } }`;
    const service = `service: { base_url: "${scenario.sandbox.url}", software: "49" }`;
    await writeFiles(scenario.folder, {
      "linkform.yaml": `version: 1\n${service}\nlinks:\n  go.example.com/a: ${link}\n`,
    });
    const read = await document(scenario, "a");
    expect([read.version, read.sides.map(met)]).toEqual(["49", [[URL_ITSELF]]]);
  });
});

const ENTRIES = ["first", "second", "third"].map((path) => `https://example.com/${path}`);
const THIRD = "https://example.com/third";

/** Three destinations for one key. */
const thrice = (key: string): { key: string; value: string }[] => ENTRIES.map((value) => ({ key, value }));

describe.each(SOFTWARE)("on %s targets", (software) => {
  it.each<[of: string, link: Partial<Link>, flags: ExplainFlags, urls: string[]]>([
    ["of a country the last entry counts", { target_type: 1, country: thrice("DE") }, { country: "DE" }, [THIRD]],
    ["of a platform the last entry counts", { target_type: 2, platform: thrice("iOS") }, { platform: "iOS" }, [THIRD]],
    ["of a language the last entry counts", { target_type: 3, language: thrice("de") }, { language: "de" }, [THIRD]],
    ["without a visitor, each key once", { target_type: 1, country: thrice("DE") }, {}, [THIRD, URL_ITSELF]],
    ...[1, 2, 3, 4].map((target_type): [string, Partial<Link>, ExplainFlags, string[]] => [
      `type ${target_type} without a group`,
      { target_type },
      {},
      [URL_ITSELF],
    ]),
    [
      "a group whose first entry was empty",
      { target_type: 1, country: { 1: { key: "DE", value: OVER } } },
      { country: "DE" },
      [OVER],
    ],
    [
      "a crawler ignores a group",
      { target_type: 1, country: thrice("DE") },
      { crawler: true, country: "DE" },
      [URL_ITSELF],
    ],
    ["a crawler ignores a rotation", { target_type: 4, rotation: [{ value: OVER }] }, { crawler: true }, [URL_ITSELF]],
    [
      "a crawler goes to the expiration URL",
      { expiration_clicks: 1, clicks: 1, expiration_url: OVER },
      { crawler: true },
      [OVER],
    ],
  ])("%s", async (_of, link, flags, urls) => {
    const side = await live(await start(link, software), flags);
    expect(side.goes_to.map(({ url }) => url)).toEqual(urls);
  });

  it.each([
    ["the first", { 1: { value: "https://example.com/r2" } }],
    ["the middle", { 0: { value: "https://example.com/r1" }, 2: { value: "https://example.com/r3" } }],
  ])("a rotation whose entry is empty, %s, is an error for people and `url` for crawlers", async (_, rotation) => {
    const scenario = await start({ target_type: 4, rotation }, software);
    const side = await live(scenario);
    expect([side.status, side.pages, side.goes_to]).toEqual([500, ["error"], []]);
    expect(side.says).toBe("Visitors see an error (500).");
    const crawler = await live(scenario, { crawler: true });
    expect([crawler.status, crawler.goes_to.map(({ url }) => url)]).toEqual([301, [URL_ITSELF]]);
    const where = crawler.steps.find(({ asks }) => asks === "destination");
    expect(where?.says).toBe("The link's `url`, because crawlers are not targeted.");
  });
});

describe.each(SOFTWARE)("on %s a visitor's language", (software) => {
  const language = ["de", "fi", "fr"].map((code) => ({ key: code, value: `https://example.com/${code}` }));

  it.each(LANGUAGES.filter(([header]) => /^[a-z]{2}$|[-,;]/.test(header)))(
    "%s is %j, or in 49 %j",
    async (header, before49, since49) => {
      const key = software === "49" ? since49 : before49;
      const side = await live(await start({ target_type: 3, language }, software), { language: header });
      expect(side.goes_to.map(({ url }) => url)).toEqual([key === null ? URL_ITSELF : `https://example.com/${key}`]);
      const doubtful = side.notes.filter(({ basis }) => basis === "doubtful").map(({ code }) => code);
      expect(doubtful).toEqual(software === "49" ? ["whole-language"] : []);
    },
  );
});

describe.each(SOFTWARE)("on %s a rotation", (software) => {
  it("leads to its entries, or in 49 to `url`, which is doubtful", async () => {
    const rotation = [{ value: "https://example.com/r1" }, { value: "https://example.com/r2" }];
    const side = await live(await start({ target_type: 4, rotation }, software));
    const names = { r1: "https://example.com/r1", r2: "https://example.com/r2", own: URL_ITSELF };
    const visited = TURNS[software === "49" ? "49" : "before 49"].map(([name]) => names[name]);
    expect(new Set(side.goes_to.map(({ url }) => url))).toEqual(new Set(visited));
    const note = side.notes.find(({ code }) => code === "rotation-unused");
    expect(note?.basis).toBe(software === "49" ? "doubtful" : undefined);
  });
});

describe("on 49", () => {
  it.each([
    [5, "continent", "EU"],
    [6, "browser", "Firefox"],
    [7, "device", "tablet"],
  ] as const)(
    "target_type %i, %s: %s leads to its destination, any other to `url`",
    async (target_type, group, key) => {
      const scenario = await start({ target_type, [group]: [{ key, value: OVER }] }, "49");
      const urls = async (flags: ExplainFlags): Promise<string[]> =>
        (await live(scenario, flags)).goes_to.map(({ url }) => url);
      expect([await urls({ [group]: key }), await urls({ [group]: "other" }), await urls({})]).toEqual([
        [OVER],
        [URL_ITSELF],
        [OVER, URL_ITSELF],
      ]);
    },
  );

  it("the text marks a doubtful step once", async () => {
    const language = [{ key: "de", value: OVER }];
    const scenario = await start({ target_type: 3, language, sensitive: 1 }, "49");
    const said = await text(scenario, "go.example.com/a", {
      live: true,
      baseUrl: scenario.sandbox.url,
      language: "de",
    });
    expect(said).toContain(`Visitors must confirm a warning, and go to ${OVER}`);
    expect(said.match(/Doubtful/g)).toHaveLength(1);
    expect(said).toContain("  Warning?   Yes: a page warns of sensitive content first.");
    expect(said).toContain(
      "By the language, from the visitor's whole `Accept-Language`: de is in the group. [doubtful]",
    );
  });
});
