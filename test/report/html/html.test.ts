// A page as a parser reads it: lines of files without secrets, and links only to pages of the CI. test/browser/ opens it in a browser.

import { describe, expect, test } from "vitest";
import { SourceText } from "../../../src/domain/place.ts";
import { github } from "../../../src/report/github/index.ts";
import type { Report } from "../../../src/report/report.ts";
import { pageOf, SETTING } from "../pages.ts";
import { BASE, create, liveLink, place, planOf, update } from "../plans.ts";
import { ENDED, planReport, resultOf } from "../reports.ts";

const textOf = (report: Report): string => pageOf(report).elements[0]?.text ?? "";
const linksOf = (report: Report, setting = SETTING): (string | undefined)[] =>
  pageOf(report, setting)
    .elements.filter(({ name }) => name === "a")
    .map(({ attributes }) => attributes.get("href"))
    .filter((href) => href?.startsWith("#") === false);

describe("secrets", () => {
  // Fails when a password that somebody has written into a file, or who logs in at a destination, is shown anywhere.
  test("are in no line, no value and no YAML to paste", () => {
    const lines = `links:\n  a: { url: "https://user:hunter2@example.com/", password: hunter3 }\n`;
    const source = new SourceText(lines, "links/a.yaml");
    const live = liveLink("a", { values: { url: "https://user:hunter4@example.com/", title: "x" } });
    const change = update(live, {
      fields: [
        { path: "url", before: "https://user:hunter4@example.com/", after: "https://user:hunter2@example.com/" },
        {
          path: "targeting.country",
          before: [["DE", "https://u:hunter5@a.example"]],
          after: [["DE", "https://x.example"]],
        },
        { path: "targeting.rotation", before: ["https://u:hunter6@a.example"], after: [] },
        { path: "password", before: true, after: true },
      ],
      source: { ...place(2), source },
    });
    const block = [{ key: "url", value: "https://u:hunter7@a.example/" }];
    const unmanaged = [{ live, key: "b", block, kept: [] }];
    const text = textOf(planReport(planOf([change]), { unmanaged }));
    expect(text).not.toMatch(/hunter/);
    expect(text).toContain("https://•••@a.example/");
    // Such lines, pasted as they stand, would lead visitors elsewhere.
    expect(text).toContain("replaces the user name and password of a destination");
    const plain = { live, key: "b", block: [{ key: "url", value: "https://a.example/@x" }], kept: [] };
    expect(textOf(planReport(planOf([change]), { unmanaged: [plain] }))).not.toContain("replaces the user name");
    expect(text).toContain("(set, sent again)");
  });
});

describe("links", () => {
  const lines = new SourceText("\n\n  a: 1\n", "links/é x/a#.yaml");
  const change = create("go.example.com/a", {
    fields: [{ path: "url", before: undefined, after: "https://www.example.com/" }],
    source: { ...place(3, "links/é x/a#.yaml"), source: lines },
  });
  const report = planReport(planOf([change]));

  // Fails if a place does not lead to its line of this commit, or if a destination is no link.
  test("lead to the run, the destination and the file's line", () => {
    expect(linksOf(report)).toEqual([
      "https://ci.example.com/run/1",
      "https://www.example.com/",
      "https://ci.example.com/blob/abc/marketing/links/%C3%A9%20x/a%23.yaml#L3",
    ]);
  });

  // Fails when a link is made that runs something, or that leads to another commit's line.
  test("are none where they are not known to be right", () => {
    const only = ["https://www.example.com/"];
    expect(linksOf(report, { ...SETTING, runUrl: null, blobUrl: null })).toEqual(only);
    const harmful = { ...SETTING, runUrl: "javascript:alert(1)", blobUrl: "javascript:alert(1)//" };
    expect(linksOf(report, harmful)).toEqual(only);
    const past = { ...place(3), source: new SourceText("\n\n  a: 1\n", "links/a.yaml", "origin/main") };
    expect(linksOf(planReport(planOf([{ ...change, source: past }])))).toEqual([
      "https://ci.example.com/run/1",
      ...only,
    ]);
  });
});

describe("an apply of a saved plan", () => {
  const named = { action: "update", key: "go.example.com/new", previous_key: "go.example.com/old" } as const;
  const saved = { ...named, id: 7, reason: "renamed", breaks_url: true } as const;
  const at = { file: "links/a.yaml", line: 2, column: 3 };
  const error = { code: "moved", message: "Nothing asks for `it`.", hint: null, path: null, ...at };
  const report: Report = {
    of: "apply",
    plan: planOf([]),
    problems: [],
    baseUrl: "https://short.example.com",
    results: [
      resultOf({ ...saved, outcome: "skipped", error }),
      { ...resultOf({ ...saved, key: "go.example.com/b", outcome: "applied", error: null }), already_so: true },
    ],
    not_reviewed: [resultOf({ ...saved, key: "go.example.com/later", outcome: "skipped", error: null })],
    ended: { ...ENDED, again: "linkform apply plan.json" },
  };

  // Fails if a change that only the saved plan has, or its result, is missing.
  test("tells of what has moved, what was so already, and what nobody has reviewed", () => {
    const { elements } = pageOf(report);
    expect(elements.filter(({ name }) => name === "h2").map(({ text }) => text)).toEqual([
      "Outdated: 1 change",
      "1 short URL no longer works",
      "Not reviewed, left for the next plan: 1 change",
    ]);
    const text = textOf(report);
    for (const said of ["Nothing asks for it.", "already done", "go.example.com/later"]) expect(text).toContain(said);
    expect(text).toContain("Run linkform plan to see what would change now.");
    expect(github.render(report, SETTING)).toContain("title=Outdated%3A rename link ");
  });
});

describe("what stands behind the changes", () => {
  // Fails when an orphan, its lines to paste, or what is left out and why is not told.
  test("is told: orphans and what is left out", () => {
    const orphan = { live: liveLink("gone"), place: place(9), successor: null };
    const plan = planOf([], {
      base: BASE,
      orphans: [orphan],
      withheld: [{ change: create("go.example.com/b"), because: "exclude" }],
    });
    const text = textOf(planReport(plan)).replaceAll(/\s+/g, " ");
    expect(text).toContain("link go.example.com/gone id 7 · 12 clicks was declared in links/a.yaml:9");
    expect(text).toContain("To delete them, add: absent: links: go.example.com/gone: { id: 7 }");
    expect(text).toContain("1 excluded by --exclude: create link go.example.com/b");
    expect(text).toContain("All changes are left out");
  });
});
