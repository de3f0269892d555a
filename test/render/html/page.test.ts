// What a report's page may do. Fails when the style sheet or the script is not the one whose hash the policy names (then a
// browser would refuse it: write the hash that is expected), or when the policy lets anything else through.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { POLICY, SCRIPT_HASH, STYLE_HASH } from "../../../src/render/html/page.ts";
import { SCRIPT } from "../../../src/render/html/script.ts";
import { STYLE } from "../../../src/render/html/style.ts";

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

test("the policy names the style sheet and the script as they are", () => {
  expect({ STYLE_HASH, SCRIPT_HASH }).toEqual({ STYLE_HASH: hashOf(STYLE), SCRIPT_HASH: hashOf(SCRIPT) });
});

test("the policy allows these and nothing else", () => {
  expect(POLICY.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "img-src data:",
    "require-trusted-types-for 'script'",
    `script-src '${SCRIPT_HASH}'`,
    `style-src '${STYLE_HASH}'`,
    "trusted-types 'none'",
  ]);
});

test("neither ends its own element, or fetches anything", () => {
  expect(`${STYLE}${SCRIPT}`).not.toMatch(/<\/?(style|script)|<!--|url\(|@import|https?:|\bimport\b|innerHTML|eval/i);
});
