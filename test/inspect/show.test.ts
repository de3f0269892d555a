// `linkform show`: the object that an argument names, its report, and its comparison with the files. Fails if an argument names
// another object, if too many requests are sent, if a difference is not that of the plan, or if the block that would declare an
// object causes a change for it.

import { describe, expect, test } from "vitest";
import type { Software } from "../../src/sandbox/index.ts";
import { parse } from "yaml";
import type { Scenario } from "../support/scenario.ts";
import { testSoftware } from "../support/sandbox.ts";
import { schemaErrors } from "../support/schemas.ts";
import { TerminalStream } from "../support/terminal.ts";
import { runShow, shown, startLooking } from "./looking.ts";

const LINKS = [
  { alias: "spring", domain: 2, url: "https://example.com/a", space: 1, pixels: [1], clicks: 5, title: "Hello" },
  { alias: "both", domain: 2, url: "https://example.com/b" },
  { alias: "both", domain: 3, url: "https://example.com/c" },
  { alias: "2026", domain: 3, url: "https://example.com/d" },
  { alias: "Straße", domain: 3, url: "https://example.com/e", password: "x" },
  { alias: "Quora", domain: 3, url: "https://me:hunter2@example.com/f", pixels: [1] },
  // A search for the first finds this one as well.
  { alias: "springtime", domain: 2, url: "https://example.com/g" },
];

const PIXELS = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "Quora", type: "quora", value: "0123456789abcdef0123456789abcdef" },
  { name: "Meta / go.example.com/x", type: "bing", value: "1234567" },
];

const start = (software: Software = testSoftware): Promise<Scenario> =>
  startLooking({ software, seed: { links: LINKS, pixels: PIXELS } });

/** The account with files that declare this. */
async function startDeclaring(text: string): Promise<Scenario> {
  const scenario = await start();
  await scenario.write(text);
  return scenario;
}

describe("an argument names", () => {
  test.each<[word: string, found: string]>([
    ["go.example.com/spring", "link 1"],
    ["GO.example.com/SPRING", "link 1"],
    ["2/spring", "link 1"],
    ["ours/spring", "link 1"],
    ["spring", "link 1"],
    ["https://go.example.com/spring", "link 1"],
    ["http://go.example.com/spring/?utm_source=x#y", "link 1"],
    ["https://promo.example.com/Stra%C3%9Fe", "link 5"],
    ["strasse", "link 5"],
    ["link:spring", "link 1"],
    ["#1", "link 1"],
    ["link:#1", "link 1"],
    // No link has this id.
    ["2026", "link 4"],
    ["link:2026", "link 4"],
    ["promo.example.com/both", "link 3"],
    ["Meta main", "pixel 1"],
    ["meta main", "pixel 1"],
    ["pixel:Quora", "pixel 2"],
    ["link:Quora", "link 6"],
    ["pixel:#2", "pixel 2"],
    ["pixel:Meta / go.example.com/x", "pixel 3"],
    // Its name looks like a key.
    ["Meta / go.example.com/x", "pixel 3"],
  ])("%s: %s", async (word, found) => {
    for (const software of ["4.1", "4.9"] as const) {
      const scenario = await start(software);
      await scenario.write("", {
        "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\ndomains: { ours: { id: 2, name: go.example.com } }\n`,
      });
      const { objects, diagnostics } = await shown(scenario, word);
      expect(diagnostics).toEqual([]);
      expect(objects.map(({ kind, id }) => `${kind} ${id}`)).toEqual([found]);
    }
  });

  test.each<[word: string, says: RegExp]>([
    ["both", /`both` matches `link:go\.example\.com\/both` and `link:promo\.example\.com\/both`\./],
    ["Quora", /`Quora` matches `link:promo\.example\.com\/Quora` and `pixel:Quora`\./],
    ["sprng", /Link or pixel `sprng` does not exist\.\s+= Did you mean `go\.example\.com\/spring`\?/],
    [
      "go.example.com/sprign",
      /Link `go\.example\.com\/sprign` does not exist\.\s+= Did you mean `go\.example\.com\/spring`\?/,
    ],
    ["promo.example.com/spring", /Link `promo\.example\.com\/spring` does not exist\./],
    ["pixel:meta", /Pixel `meta` does not exist\.\s+= Did you mean `Meta main`\?/],
    ["pixel:", /Link or pixel `pixel:` does not exist\./],
    ["#99", /No link has the id 99\./],
    ["pixel:#99", /No pixel has the id 99\./],
    ["99", /Link or pixel `99` does not exist\./],
    ["xyz\u001b[2J", /Link or pixel `xyz\\u\{1b\}\[2J` does not exist\./],
    ["%", /Link or pixel `%` does not exist\./],
    ["https://", /Link `https:\/\/` does not exist\./],
    ["/", /Link `\/` does not exist\./],
  ])("nothing that could be shown: %j", async (word, says) => {
    const { exit, out, err } = await runShow(await start(), [word, "go.example.com/spring"]);
    expect(exit).toBe(1);
    expect(err).toMatch(says);
    // The objects that exist are shown anyway.
    expect(out).toContain("link go.example.com/spring #1");
  });

  test("a number is a key, and `#` before it makes it an id", async () => {
    const links = ["x", "1", "y", "z"].map((alias) => ({ alias, domain: 2, url: "https://example.com/" }));
    const pixels = [{ name: "3", type: "bing", value: "1234567" }];
    const scenario = await startLooking({ seed: { links, pixels } });
    const { objects } = await shown(scenario, "1", "#1", "3", "#4");
    expect(objects.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["link 2", "link 1", "pixel 1", "link 4"]);
  });

  test("a declared object that is not live: the error has its place", async () => {
    const scenario = await startDeclaring("links: { go.example.com/soon: { url: https://example.com/ } }\n");
    const { exit, err } = await runShow(scenario, ["soon"]);
    expect(exit).toBe(1);
    expect(err).toMatch(/error\[not-live\] `soon` is declared but not live\.\s+--> linkform\.yaml:5:10/);
  });

  test("a secret is hidden where the line of an error is cut", async () => {
    const cutAfter = (text: string, mark: string): string =>
      `${text.padEnd(text.indexOf(mark) + 155, "x")}first secret${"x".repeat(80)}" }\n`;
    const soon = cutAfter('  go.example.com/soon: { url: https://example.com/, note: "', "go.");
    const spring = cutAfter('  go.example.com/spring: { url: https://example.com/, pixels: [Nope], note: "', "Nope");
    const { diagnostics, objects } = await shown(await startDeclaring(`links:\n${soon}${spring}`), "soon", "spring");
    const found = [...diagnostics, ...objects.flatMap(({ problems }) => problems)];
    expect(found.map(({ excerpt = [] }) => excerpt[0]?.after.slice(-9))).toEqual(["xxx(hidd…", "xxx(hidd…"]);
  });
});

describe("without files", () => {
  test("the report has all fields, and the block that would declare the link", async () => {
    const { objects } = await shown(await start(), "spring", "pixel:Quora");
    expect(objects[0]).toMatchObject({
      key: "go.example.com/spring",
      short_url: "go.example.com/spring",
      status: ["active"],
      clicks: 5,
      title: "Hello",
      created_at: "2026-11-21T12:00:00Z",
      updated_at: "2026-11-21T12:00:00Z",
      declared: null,
      change: null,
      fields: {
        url: "https://example.com/a",
        space: "Marketing",
        pixels: ["Meta main"],
        password: { secret: "unset" },
      },
      used_by: null,
    });
    expect(parse(objects[0]?.declare ?? "")).toEqual({
      links: { "go.example.com/spring": { url: "https://example.com/a", space: "Marketing", pixels: ["Meta main"] } },
    });
    expect(objects[1]).toMatchObject({ kind: "pixel", status: [], short_url: null, used_by: { count: 0, keys: [] } });
  });

  test("the report of a pixel lists its users", async () => {
    const { objects } = await shown(await start(), "Meta main");
    expect(objects[0]?.used_by).toEqual({ count: 2, keys: ["go.example.com/spring", "promo.example.com/Quora"] });
    const links = Array.from({ length: 130 }, (_, at) => ({
      alias: `l${at}`,
      url: "https://example.com/",
      domain: 2,
      pixels: [1],
    }));
    const many = await startLooking({ seed: { links, pixels: PIXELS } });
    const { out } = await runShow(many, ["Meta main"]);
    expect(out).toContain("130 links: go.example.com/l0, go.example.com/l1");
    expect(out).toContain("and 120 more");
  });

  test.each<[word: string, requests: number]>([
    ["#1", 1],
    ["go.example.com/spring", 1],
    ["pixel:Quora", 2],
    // Each half of the alias is searched for similar ones.
    ["link:nowhere", 3],
  ])("%s takes %i requests", async (word, requests) => {
    const scenario = await start();
    await shown(scenario, word);
    expect(scenario.sandbox.requests).toHaveLength(requests);
    expect(scenario.writes()).toEqual([]);
  });
});

describe("compared with the files", () => {
  test("a link that is as declared", async () => {
    const scenario = await startDeclaring("links:\n  go.example.com/both: { url: https://example.com/b }\n");
    const { objects } = await shown(scenario, "go.example.com/both");
    expect(objects[0]).toMatchObject({ change: null, problems: [], declare: null, declared: { line: 6 } });
    expect((await runShow(scenario, ["go.example.com/both"])).out).toContain(
      "Declared at linkform.yaml:6:3. It matches the file.",
    );
  });

  const UNUSED = "links:\n  spring: { domain: go.example.com, url: https://example.com/a, space: Marketing }\n";
  const ABSENT = "absent: { pixels: [Meta main] }\n";

  test.each<[title: string, files: string, words: string[], actions: (string | null)[]]>([
    [
      "a difference",
      "pixels: { Meta main: { type: facebook, value: '1' } }\nlinks:\n  go.example.com/spring: { url: https://example.com/new, space: Sales, pixels: [Meta main, Quora] }\n  go.example.com/other: { url: https://example.com/ }\n",
      ["spring", "Meta main"],
      ["update", "update"],
    ],
    [
      "a rename, by the old key",
      "links:\n  go.example.com/summer: { url: https://example.com/a, space: Marketing, pixels: [Meta main], renamed_from: spring }\n",
      ["spring"],
      ["update"],
    ],
    [
      "a rename whose new key is already live",
      "links:\n  go.example.com/springtime: { url: https://example.com/new, renamed_from: spring }\n",
      ["#1", "#7"],
      [null, "update"],
    ],
    [
      "a finished rename",
      "links:\n  go.example.com/both: { url: https://example.com/b, renamed_from: spring }\n  promo.example.com/2026: { url: https://example.com/d, renamed_from: promo.example.com/gone }\n",
      ["go.example.com/both", "link:2026"],
      [null, null],
    ],
    ["a tombstone", "absent: { links: [go.example.com/both] }\n", ["go.example.com/both"], ["delete"]],
    [
      "a pixel that links no longer use after an apply",
      `${UNUSED}  later: { domain: promo.example.com, url: "https://me:hunter2@example.com/f", renamed_from: Quora }\n${ABSENT}`,
      ["pixel:#1"],
      ["delete"],
    ],
    [
      "a pixel whose new name is already live",
      "pixels: { Meta main: { type: facebook, value: '7654321', renamed_from: Meta / go.example.com/x } }\n",
      ["pixel:#1", "pixel:#3"],
      ["update", null],
    ],
  ])("%s has the change of the plan", async (_, files, words, actions) => {
    const scenario = await startDeclaring(files);
    const { changes } = await scenario.planDocument();
    const { objects } = await shown(scenario, ...words);
    expect(objects.map(({ change }) => change)).toEqual(
      objects.map(({ kind, id }) => changes.find((one) => one.kind === kind && one.id === id) ?? null),
    );
    expect(objects.map(({ change, problems }) => [change?.action ?? null, problems])).toEqual(
      actions.map((action) => [action, []]),
    );
  });

  test("a change that `protect` would refuse is shown anyway", async () => {
    const scenario = await startDeclaring(
      "links:\n  go.example.com/both: { url: https://example.com/b, disabled: true, protect: true }\n",
    );
    const { objects } = await shown(scenario, "go.example.com/both");
    expect(objects[0]).toMatchObject({ problems: [], change: { fields: [{ path: "disabled" }] } });
  });

  test("a tombstone has its place", async () => {
    const scenario = await startDeclaring("absent: { links: [go.example.com/both] }\n");
    const { objects } = await shown(scenario, "go.example.com/both");
    expect(objects[0]).toMatchObject({ declared: null, absent: { line: 5 } });
    const { out } = await runShow(scenario, ["go.example.com/both"]);
    expect(out).toContain("A tombstone at linkform.yaml:5:19 deletes it.");
  });

  test("a link that keeps using a pixel prevents its deletion", async () => {
    const [used] = (await shown(await startDeclaring(`${UNUSED}${ABSENT}`), "pixel:#1")).objects;
    expect(used?.problems.map(({ code }) => code)).toEqual(["pixel-in-use"]);
  });

  test("one of two records whose keys fold together: each has its id, and neither is as declared", async () => {
    const links = ["twin", "Twin"].map((alias) => ({ alias, domain: 2, url: "https://example.com/" }));
    const scenario = await startLooking({ seed: { links } });
    await scenario.write("links: { go.example.com/twin: { url: https://example.com/ } }\n");
    expect((await runShow(scenario, ["go.example.com/twin"])).err).toContain("matches `link:#1` and `link:#2`.");
    const { diagnostics } = await scenario.planDocument();
    const { objects } = await shown(scenario, "link:#1", "link:#2");
    const codes = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    expect(objects.map(({ problems }) => problems.map(({ code }) => code))).toEqual([codes, codes]);
    expect(codes).toHaveLength(1);
  });

  test("errors that prevent a plan", async () => {
    const scenario = await startDeclaring(
      "links: { go.example.com/both: { url: https://example.com/b, pixels: [No such] } }\n",
    );
    const { objects } = await shown(scenario, "go.example.com/both");
    expect(objects[0]?.problems.map(({ code }) => code)).toEqual(["unknown-pixel"]);
    const { out } = await runShow(scenario, ["go.example.com/both"]);
    expect(out).toContain("linkform cannot compare it:");
    expect(out).toContain("error[unknown-pixel]");
  });

  test("a label that contradicts the service", async () => {
    const scenario = await start();
    await scenario.write("", {
      "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\ndomains: { promo.example.com: 2 }\nlinks: { promo.example.com/both: { url: https://example.com/b } }\n`,
    });
    const { objects } = await shown(scenario, "go.example.com/both");
    expect(objects[0]).toMatchObject({ declared: null, problems: [{ code: "wrong-domain" }] });
    expect(objects[0]?.declare).toContain("go.example.com/both:");
    expect((await runShow(scenario, ["go.example.com/both"])).out).toContain(
      "It is unknown whether the files declare it:",
    );
  });

  test("live values that are kept because the files do not mention them", async () => {
    const scenario = await startDeclaring("links: { promo.example.com/Straße: { url: https://example.com/e } }\n");
    const { exit, err } = await runShow(scenario, ["#5"]);
    expect(exit).toBe(0);
    expect(err).toContain("password: none");
  });

  test("an undeclared object that `prune: scope` would delete", async () => {
    const scenario = await startDeclaring(
      "scope: { domains: [go.example.com] }\nprune: scope\nlinks: { go.example.com/spring: { url: https://example.com/a } }\n",
    );
    expect((await shown(scenario, "go.example.com/both", "#3", "spring")).objects.map(({ pruned }) => pruned)).toEqual([
      true,
      false,
      false,
    ]);
    expect((await runShow(scenario, ["go.example.com/both"])).out).toContain("the next apply deletes it");
  });

  test("the block that is shown causes no change when it is added to a file", async () => {
    const scenario = await startDeclaring("");
    const { objects } = await shown(scenario, "#1", "#5", "pixel:Quora");
    const texts = objects.map(({ declare }) => declare ?? "");
    await scenario.write("", Object.fromEntries(texts.map((text, at) => [`links/${at}.yaml`, text])));
    expect((await scenario.planDocument()).changes).toEqual([]);
  });
});

describe("the output", () => {
  test("matches its schema even if nothing could be read", async () => {
    const wrong = await runShow(await start(), ["spring"], { format: ["json"], apiKeyFile: "nowhere" });
    expect(wrong.exit).toBe(1);
    expect(await schemaErrors("show", JSON.parse(wrong.out))).toBeNull();
    expect((await shown(await start(), "nowhere")).objects).toEqual([]);
  });

  test("fits a terminal, and hides credentials", async () => {
    const terminal = new TerminalStream(60);
    await runShow(await start(), ["link:Quora"], {}, terminal);
    const text = (await terminal.emulator.lines()).join("\n");
    expect(text).toContain("https://•••@example.com/f");
    expect(text).toContain("short URL");
  });
});
