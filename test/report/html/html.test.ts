// A page as a parser reads it: its policy, and links only to pages of the CI and to destinations. test/browser opens pages in a browser.

import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { SourceText } from "../../../src/domain/place.ts";
import { html, POLICY } from "../../../src/report/html/index.ts";
import { STYLE } from "../../../src/report/html/style.ts";
import type { Report } from "../../../src/report/format.ts";
import { Rendered } from "../../support/rendered.ts";
import { create, place, planOf } from "../plans.ts";
import { CI_CONTEXT, planReport } from "../reports.ts";

// Fails when a link runs something, or leads to a line of another commit.
test("a page links destinations and lines of this commit's files, and no address that is harmful", () => {
  const lines = (ref?: string): SourceText => new SourceText("\n\n  a: 1\n", "links/a.yaml", ref);
  const reportAt = (source: SourceText): Report => {
    const fields = [{ path: "url", before: undefined, after: "https://www.example.com/" }];
    return planReport(planOf([create("go.example.com/a", { fields, source: { ...place(3), source } })]));
  };
  const linksOf = (report: Report, setting: Partial<typeof CI_CONTEXT> = {}): string[] =>
    new Rendered(html(report, { ...CI_CONTEXT, ...setting }), "html").links();
  const only = "https://www.example.com/";
  const line = "https://ci.example.com/blob/abc/marketing/links/a.yaml#L3";
  expect(linksOf(reportAt(lines()))).toEqual(["https://ci.example.com/run/1", only, line]);
  expect(linksOf(reportAt(lines("origin/main")))).toEqual(["https://ci.example.com/run/1", only]);
  const harmful = { runUrl: "javascript:alert(1)", blobUrl: "javascript:alert(1)//" };
  expect(linksOf(reportAt(lines()), harmful)).toEqual([only]);
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
