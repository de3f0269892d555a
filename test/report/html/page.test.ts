// What a report's page may do. Fails when the policy lets anything but its style sheet through.

import { expect, test } from "vitest";
import { POLICY } from "../../../src/report/html/index.ts";
import { STYLE } from "../../../src/report/html/style.ts";

test("the policy allows the style sheet and nothing else", () => {
  expect(POLICY.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "img-src data:",
    expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
  ]);
});

test("the style sheet does not end its own element, or fetch anything", () => {
  expect(STYLE).not.toMatch(/<\/?(style|script)|<!--|url\(|@import|https?:/i);
});
