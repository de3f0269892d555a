// A page as a parser reads it: its policy, and links only to pages of the CI and to destinations. test/browser opens pages in a browser.

import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SourceText } from "../../../src/domain/place.ts";
import { github } from "../../../src/report/github/index.ts";
import { html, POLICY } from "../../../src/report/html/index.ts";
import { STYLE } from "../../../src/report/html/style.ts";
import type { Report } from "../../../src/report/report.ts";
import { Rendered } from "../../support/rendered.ts";
import { create, place, planOf } from "../plans.ts";
import { applyReport } from "../../../src/report/run-document.ts";
import { CI_CONTEXT, ENDED, planReport, resultOf } from "../reports.ts";

const linksOf = (report: Report, context = CI_CONTEXT): string[] => new Rendered(html(report, context), "html").links();

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

  // Fails when a link runs something, or leads to a line of another commit.
  test("are left out if their address is unknown, harmful or of another commit", () => {
    const only = ["https://www.example.com/"];
    expect(linksOf(report, { ...CI_CONTEXT, runUrl: null, blobUrl: null })).toEqual(only);
    const harmful = { ...CI_CONTEXT, runUrl: "javascript:alert(1)", blobUrl: "javascript:alert(1)//" };
    expect(linksOf(report, harmful)).toEqual(only);
    const past = { ...place(3), source: new SourceText("\n\n  a: 1\n", "links/a.yaml", "origin/main") };
    expect(linksOf(planReport(planOf([{ ...change, source: past }])))).toEqual([
      "https://ci.example.com/run/1",
      ...only,
    ]);
  });
});

// Fails if a change that only the saved plan has, or its result, is missing.
test("an apply of a saved plan shows what moved, what was already done, and what nobody has reviewed", () => {
  const named = { action: "update", key: "go.example.com/new", previous_key: "go.example.com/old" } as const;
  const saved = { ...named, id: 7, reason: "renamed", breaks_url: true } as const;
  const at = { file: "links/a.yaml", line: 2, column: 3 };
  const error = { code: "moved", message: "Nothing asks for `it`.", hint: null, path: null, ...at };
  const report = applyReport({
    plan: planOf([]),
    problems: [],
    baseUrl: "https://short.example.com",
    results: [
      resultOf({ ...saved, outcome: "skipped", error }),
      { ...resultOf({ ...saved, key: "go.example.com/b", outcome: "applied", error: null }), already_so: true },
    ],
    not_reviewed: [resultOf({ ...saved, key: "go.example.com/later", outcome: "skipped", error: null })],
    ended: { ...ENDED, again: "linkform apply plan.json" },
  });
  const page = new Rendered(html(report, CI_CONTEXT), "html");
  expect(page.texts("h2")).toEqual([
    "Outdated: 1 change",
    "1 short URL no longer works",
    "Not reviewed, left for the next plan: 1 change",
  ]);
  const text = page.text();
  for (const said of ["Nothing asks for it.", "already done", "go.example.com/later"]) expect(text).toContain(said);
  expect(text).toContain("Run linkform plan to see what would change now.");
  expect(github(report, CI_CONTEXT)).toContain("title=Outdated%3A rename link ");
});

test("the policy allows the style sheet of the page and nothing else", () => {
  const [, style = ""] = /<style>(.*)<\/style>/s.exec(html(planReport(planOf([])), CI_CONTEXT)) ?? [];
  expect(POLICY.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "img-src data:",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  ]);
});

test("the style sheet does not end its own element, or fetch anything", () => {
  expect(STYLE).not.toMatch(/<\/?(style|script)|<!--|url\(|@import|https?:/i);
});
