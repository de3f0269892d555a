// `linkform explain` on real files and the sandbox. Fails if a declared link needs a request or a key, if the output does not
// name its side, guesses a value that neither side has, sends too many requests, or if the declared side differs from the result
// of an apply; or if a wrong argument ends in anything but a message with a fix.

import { describe, expect, it } from "vitest";
import { explain, type ExplainFlags } from "../../src/explain/command.ts";
import { HOSTILE, obeyed } from "../support/log.ts";
import { runIn, startScenario, startWith, writeFiles } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";
import { document, run, side } from "./explaining.ts";

const FILES = `
timezone: Europe/Berlin
defaults: { link: { domain: go.example.com } }
pixels:
  Meta main: { type: facebook, value: "1234567890123456" }
links:
  spring:
    url: https://example.com/spring?a=1
    pixels: [Meta main]
    disabled: false
    password: none
    expiration: { date: 2027-03-31, clicks: 5000, url: "https://example.com/over" }
    targeting:
      country:
        DE: https://example.com/de
        FR: https://example.com/fr
  silent: { url: https://example.com/silent }
  kept: { url: https://example.com/kept, unspecified: keep }
  turns:
    url: https://example.com/own
    password: { env: LINKFORM_SECRET_A }
    targeting: { rotation: ["https://example.com/a", "https://example.com/b"] }
  moved: { url: https://example.com/moved, renamed_from: before }
  promo.example.com/both: { url: https://example.com/one }
  both: { url: https://example.com/two }
absent:
  links: [gone]
`;

describe("the files", () => {
  it("need neither a key nor a request, and the output names them as its source", async () => {
    const scenario = await startWith(FILES);
    const flags = { country: "de", clicks: 10 };
    const { exit, out, err } = await runIn(scenario.folder, {}, (world) =>
      explain(world, "https://go.example.com/spring", flags),
    );
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("According to the files: linkform.yaml:11:3");
    expect(out).toContain(
      "Visitors are asked whether they accept tracking by Meta main. If they accept, they go to https://example.com/spring?a=1, and if they refuse, they go to https://example.com/de\n",
    );
    expect(out).toMatch(/Where to\? .*DE is in the group\. \(linkform\.yaml:\d+:5\)\n/);
    expect(scenario.sandbox.requests).toEqual([]);
  });

  it("show every destination if nothing is known about the visitor, each with its line", async () => {
    const scenario = await startWith(FILES);
    const { goes_to: ways, ...spring } = await side(scenario, "SPRING");
    const after = { url: "https://example.com/spring?a=1" };
    expect(spring).toMatchObject({ status: 200, pages: ["pixels"], pixels: ["Meta main"], after_consent: after });
    expect(ways).toMatchObject([
      { who: { by: "key", key: "DE" }, url: "https://example.com/de", source: { line: 19 } },
      { who: { by: "key", key: "FR" }, url: "https://example.com/fr", source: { line: 20 } },
      { who: { by: "others" }, url: "https://example.com/spring?a=1", source: { line: 12 } },
    ]);
    const turns = await side(scenario, "turns");
    expect(turns.pages).toEqual(["password"]);
    expect(turns.goes_to.map(({ who, url }) => [who, url])).toEqual([
      [{ by: "turn", turn: 1, turns: 3 }, "https://example.com/a"],
      [{ by: "turn", turn: 2, turns: 3 }, "https://example.com/b"],
      [{ by: "turn", turn: 3, turns: 3 }, "https://example.com/own"],
    ]);
    expect(turns.notes.find(({ code }) => code === "whose-turn")?.basis).toBe("unknown");
  });

  // 23:59 in Berlin is 21:59 in UTC: summer time has begun.
  it.each<[ExplainFlags, "on" | "over"]>([
    [{ at: "2027-03-31T23:58" }, "on"],
    [{ at: "2027-03-31 23:59" }, "over"],
    [{ at: "2027-03-31T21:58Z" }, "on"],
    [{ at: "2027-03-31T21:59Z" }, "over"],
    [{ at: "2027-03-31T23:59+03:00" }, "on"],
    [{ at: "2027-04-01" }, "over"],
    [{ clicks: 4999 }, "on"],
    [{ clicks: 5000 }, "over"],
  ])("is expired or not with %j", async (flags, then) => {
    const scenario = await startWith(FILES);
    const { status, goes_to: ways, steps } = await side(scenario, "spring", flags);
    expect({ status, to: ways[0]?.url }).toEqual(
      then === "over" ? { status: 301, to: "https://example.com/over" } : { status: 200, to: "https://example.com/de" },
    );
    expect(steps.map(({ reached }) => reached)).toEqual([true, ...[1, 2, 3, 4].map(() => then === "on")]);
  });

  it("show values that the files do not determine as unknown", async () => {
    const scenario = await startWith(FILES);
    const unknown = async (link: string): Promise<[string, string][]> =>
      (await side(scenario, link)).unknown.map(({ path, why }) => [path, why]);
    expect(await unknown("silent")).toEqual([
      ["expiration.date", "silent"],
      ["expiration.clicks", "silent"],
      ["password", "silent"],
      ["disabled", "silent"],
    ]);
    expect(await unknown("kept")).toEqual([
      ["expiration.date", "kept"],
      ["expiration.clicks", "kept"],
      ["password", "kept"],
      ["disabled", "kept"],
      ["targeting.active", "kept"],
      ["pixels", "kept"],
    ]);
    expect(await unknown("spring")).toEqual([]);
    const { out } = await run(scenario, "silent");
    expect(out).toContain("Password?  Unknown, assumed: no.\n");
    expect(out).toContain(
      "?  This answer assumes the default of `expiration.date`, `expiration.clicks`, `password`, `disabled`. Where the files set no value,",
    );
  });

  it("show a deletion and a rename", async () => {
    const scenario = await startWith(FILES);
    expect(await side(scenario, "gone")).toMatchObject({ found: "deleted", status: 404, source: { line: 31 } });
    expect(await side(scenario, "before")).toMatchObject({
      found: "renamed",
      renamed_to: "go.example.com/moved",
      status: 404,
    });
  });
});

const LIVE = {
  account: { timezone: "Europe/Berlin" },
  pixels: [{ name: "Other", type: "bing", value: "12345678" }],
  links: [
    { domain: 2, alias: "spring", url: "https://example.com/old", password: "x" },
    { domain: 2, alias: "silent", url: "https://example.com/old", password: "x", clicks: 7 },
    {
      domain: 2,
      alias: "kept",
      url: "https://example.com/old",
      pixels: [1],
      target_type: 1,
      country: [{ key: "DE", value: "https://example.com/de" }],
    },
    { domain: 2, alias: "before", url: "https://example.com/old", disabled: 1 },
    {
      domain: 3,
      alias: "both",
      url: "https://example.com/1",
      ends_at: "2020-01-01T00:00:00Z",
      expiration_url: "https://example.com/over",
    },
    { domain: 2, alias: "Straße-1", url: "https://example.com/street" },
    { domain: 2, alias: "dot.ted", url: "https://example.com/dot" },
    ...Array.from({ length: 150 }, (_, at) => ({ domain: 3, alias: `other-${at}`, url: "https://example.com/o" })),
  ],
};

describe("the account", () => {
  it.each(["4.1", "4.9"] as const)(
    "is searched with one request on %s, and the output says if no file declares the link",
    async (software) => {
      const scenario = await startWith(FILES, LIVE, { software });
      const { out, err } = await run(scenario, "promo.example.com/other-77");
      expect(err).toBe("No file declares promo.example.com/other-77. Looking in the account.\n");
      expect(out).toContain("promo.example.com/other-77\nAccording to the account: id 85\n");
      expect(scenario.sandbox.requests).toHaveLength(1);
      expect((await side(scenario, "go.example.com/spring", { live: true })).pages).toEqual(["password"]);
      expect(scenario.sandbox.requests).toHaveLength(2);
    },
  );

  it("finds a link in any spelling, and by every name of its domain in the files", async () => {
    const scenario = await startWith("links: { promo.example.com/x: { url: https://example.com/ } }", LIVE);
    for (const link of ["GO.example.com/STRASSE-1", "https://go.example.com:443/stra%C3%9Fe-1/", "2/strásse-1"]) {
      const found = await side(scenario, link, { live: true });
      expect([found.key, found.goes_to[0]?.url]).toEqual(["go.example.com/Straße-1", "https://example.com/street"]);
    }
    expect((await side(scenario, "go.example.com/dot.ted", { live: true })).found).toBe("link");
  });

  it("reports a link as missing only after all possible spellings are read", async () => {
    const scenario = await startWith(FILES, LIVE);
    const read = await document(scenario, "go.example.com/nothing", { live: true });
    expect(read).toMatchObject({ sides: [{ found: "missing", status: 404, pages: ["not-found"] }], diagnostics: [] });
    expect(scenario.sandbox.requests.length).toBeLessThanOrEqual(4);
  });

  it("has two links with one key: the output says that either may answer", async () => {
    const twins = ["twin", "TWIN"].map((alias, at) => ({ domain: 2, alias, url: `https://example.com/${at}` }));
    const scenario = await startScenario({ seed: { links: twins } });
    const { notes } = await side(scenario, "twin", { live: true, baseUrl: scenario.sandbox.url });
    expect(notes).toContainEqual(expect.objectContaining({ code: "two-rows", basis: "unknown" }));
  });

  it("is asked for its time zone only if a date depends on it", async () => {
    const seed = {
      ...LIVE,
      links: [
        {
          domain: 2,
          alias: "ends",
          url: "https://example.com/",
          starts_at: "2020-01-01T00:00:00Z",
          ends_at: "2027-03-31T21:59:00Z",
        },
        { domain: 2, alias: "plain", url: "https://example.com/" },
      ],
    };
    const scenario = await startScenario({ seed });
    const flags = { live: true, baseUrl: scenario.sandbox.url };
    const pagesAt = async (link: string, at: string): Promise<readonly string[]> =>
      (await side(scenario, link, { ...flags, at })).pages;
    expect(await pagesAt("plain", "2027-03-31T23:59")).toEqual([]);
    expect(await pagesAt("ends", "2027-03-31T21:59Z")).toEqual(["expired"]);
    expect(scenario.sandbox.requests).toHaveLength(2);
    // The account is in Berlin, two hours ahead of UTC on that day.
    expect(await pagesAt("ends", "2027-03-31T23:58")).toEqual([]);
    expect(await pagesAt("ends", "2027-03-31T23:59")).toEqual(["expired"]);
    expect(scenario.sandbox.requests).toHaveLength(6);
  });

  it("needs no project", async () => {
    const scenario = await startScenario({ seed: LIVE });
    const { out, exit } = await run(scenario, "go.example.com/spring", { baseUrl: scenario.sandbox.url });
    expect({ exit, isLive: out.includes("According to the account: id 1\n") }).toEqual({ exit: 0, isLive: true });
  });
});

describe("hostile text", () => {
  it("of the account does not control a terminal, a page or a pipeline", async () => {
    const scenario = await startScenario({
      seed: {
        pixels: HOSTILE.map((text, at) => ({ name: `${text.slice(0, 22)} ${at}`, type: "bing", value: "1" })),
        links: HOSTILE.flatMap((text, at) => {
          const url = `https://example.com/${text}`;
          const link = { domain: 2, url, pixels: [at + 1], expiration_url: url, ends_at: "2030-01-01T00:00:00Z" };
          const key = [{ key: text, value: url }];
          return [
            { ...link, alias: `key-${at}`, target_type: 1, country: key },
            { ...link, alias: `turn-${at}`, target_type: 4, rotation: key },
            { ...link, alias: `over-${at}`, ends_at: "2020-01-01T00:00:00Z" },
          ];
        }),
      },
    });
    for (const { alias } of scenario.sandbox.state().links) {
      const ran = await run(scenario, `go.example.com/${alias}`, {
        live: true,
        baseUrl: scenario.sandbox.url,
      });
      expect([alias, ran.exit, obeyed(ran.out), obeyed(ran.err)]).toEqual([alias, 0, null, null]);
    }
  });
});

describe("an argument that cannot be explained", () => {
  it.each<[string, ExplainFlags, string, string]>([
    ["", {}, "wrong-key", "An empty text is not a short link."],
    ["https://go.example.com/", {}, "wrong-key", "is not a short link"],
    ["go.example.com/a/b", {}, "wrong-key", "is not a short link"],
    ["go.example.com/spring sale", {}, "wrong-key", "cannot be an alias"],
    ["\u001b[2Jx", {}, "wrong-key", "\\u{1b}[2Jx"],
    ["spring", { country: "UK" }, "unknown-visitor", "Did you mean `GB`?"],
    ["spring", { country: "EU" }, "unknown-visitor", "is not a known country in ISO 3166-1"],
    ["spring", { platform: "ios" }, "unknown-visitor", "Did you mean `iOS`?"],
    ["spring", { platform: "macOS" }, "unknown-visitor", "it must be one of: iOS, Android"],
    ["spring", { platform: "constructor" }, "unknown-visitor", "Pass `--platform other`"],
    ["spring", { country: "Germany" }, "unknown-visitor", "Did you mean `DE`?"],
    ["spring", { language: "de_AT" }, "unknown-visitor", "Did you mean `de`?"],
    ["spring", { language: "jp" }, "unknown-visitor", "Did you mean `ja`?"],
    ["spring", { at: "2027-02-30T12:00" }, "wrong-time", "is not a date and time that exists"],
    ["spring", { at: "tomorrow" }, "wrong-time", "is not a date and time"],
  ])("%s with %j", async (link, flags, code, says) => {
    const scenario = await startWith(FILES);
    const { exit, out, err } = await run(scenario, link, flags);
    expect({ exit, out }).toEqual({ exit: 64, out: "" });
    expect(err).toContain(`error[${code}]`);
    expect(err.replaceAll(/\n\s*(= )?/g, " ")).toContain(says);
    const json = await run(scenario, link, { ...flags, format: ["json"] });
    expect(JSON.parse(json.out).diagnostics).toMatchObject([{ code, severity: "error" }]);
    expect(await schemaErrors("explain", JSON.parse(json.out))).toBeNull();
    expect(scenario.sandbox.requests).toEqual([]);
  });

  it.each<[string, ExplainFlags, string, string]>([
    ["both", {}, "ambiguous-key", "`promo.example.com/both`"],
    ["sprng", { declared: true }, "not-declared", "Did you mean `go.example.com/spring`?"],
    ["go.exmaple.com/spring", { declared: true }, "not-declared", "Did you mean `go.example.com/spring`?"],
  ])("%s, which the files can't tell", async (link, flags, code, says) => {
    const scenario = await startWith(FILES);
    const { exit, err } = await run(scenario, link, flags);
    expect(exit).toBe(1);
    expect(err).toContain(`error[${code}]`);
    expect(err).toContain(says);
    expect(scenario.sandbox.requests).toEqual([]);
  });

  it("files with errors, while the live link is explained", async () => {
    const scenario = await startWith("links: { go.example.com/spring: { ulr: https://example.com/ } }", LIVE);
    expect((await run(scenario, "spring")).exit).toBe(1);
    expect((await run(scenario, "spring", { live: true, baseUrl: scenario.sandbox.url })).exit).toBe(0);
    await writeFiles(scenario.folder, { "linkform.yaml": "" });
    expect((await run(scenario, "spring", { declared: true })).err).toContain("error[empty-project]");
  });
});
