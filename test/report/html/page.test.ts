// What a report's page may do. Fails when the style sheet is not the one whose hash the policy names (then a browser would refuse
// it: write the hash that is expected), or when the policy lets anything else through.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { POLICY, STYLE_HASH } from "../../../src/report/html/page.ts";
import { STYLE } from "../../../src/report/html/style.ts";

test("the policy names the style sheet as it is", () => {
  expect(STYLE_HASH).toBe(`sha256-${createHash("sha256").update(STYLE).digest("base64")}`);
});

test("the policy allows it and nothing else", () => {
  expect(POLICY.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "img-src data:",
    `style-src '${STYLE_HASH}'`,
  ]);
});

test("the style sheet does not end its own element, or fetch anything", () => {
  expect(STYLE).not.toMatch(/<\/?(style|script)|<!--|url\(|@import|https?:/i);
});
