// What differs is seen. Fails when two values of a plan that differ look the same on the screen, when a letter is written
// by its number though nothing is unclear, and when a report shows who logs in where a link leads.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { distinguish, shown, itemFormatter, distinguishPair } from "../../src/report/confusables.ts";
import { PLAIN } from "../../src/report/text/screen.ts";
import { planText } from "../../src/report/text/log.ts";
import { yamlText } from "../../src/edit/yaml-text.ts";
import { parse } from "yaml";
import { liveLink, planOf, update } from "./plans.ts";

const PAGE = "https://example.com/";

describe("a text and one that looks like it", () => {
  it.each([
    ["a Cyrillic letter", "page", "p\u0430ge", "p\\u{430}ge"],
    ["a Greek letter", "no", "n\u03bf", "n\\u{3bf}"],
    ["a full-width letter", "page", "p\uff41ge", "p\\u{ff41}ge"],
    ["an accent of its own", "caf\u00e9", "cafe\u0301", "cafe\\u{301}"],
    ["another dash", "a-b", "a\u2010b", "a\\u{2010}b"],
    ["a no-break space", "a b", "a\u00a0b", "a\\u{a0}b"],
    ["a joiner", "ab", "a\u200db", "a\\u{200d}b"],
    ["a zero-width space", "ab", "a\u200bb", "a\\u{200b}b"],
    ["a soft hyphen", "ab", "a\u00adb", "a\\u{ad}b"],
    ["a filler", "ab", "a\u3164b", "a\\u{3164}b"],
    ["a tag", "ab", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a blank of Braille", "ab", "a\u2800b", "a\\u{2800}b"],
    ["another look of a heart", "a\u2764", "a\u2764\ufe0f", "a\\u{2764}\\u{fe0f}"],
  ])("are told apart: %s", (_, plain, other, told) => {
    expect(distinguishPair(PAGE + plain, PAGE + other)[1]).toBe(PAGE + told);
    expect(distinguishPair(PAGE + other, PAGE + plain)[0]).toBe(PAGE + told);
    expect(itemFormatter([PAGE + plain, PAGE + other])(PAGE + other)).toBe(PAGE + told);
  });

  it("are told apart in what a reader gets: destinations, their parameters, target groups and new aliases", () => {
    const fields = [
      { path: "url", before: `${PAGE}?utm=page`, after: `${PAGE}?utm=p\u0430ge` },
      { path: "expiration.url", before: `${PAGE}?ref=1`, after: `${PAGE}?r\u0435f=1` },
      { path: "targeting.country", before: [["DE", `${PAGE}page`]], after: [["DE", `${PAGE}p\u0430ge`]] },
      { path: "targeting.rotation", before: [`${PAGE}a`, `${PAGE}b`], after: [`${PAGE}\u0430`, `${PAGE}b`] },
    ] as const;
    const renamed = { key: "go.example.com/p\u0430ge", previousKey: "go.example.com/page" };
    const text = planText(planOf([update(liveLink("page"), { ...renamed, fields })]), PLAIN);
    expect(text).not.toMatch(/\P{ASCII}(?<![→·])/u);
    expect(text.match(/\\u\{4[0-9a-f]{2}\}/g)).toHaveLength(5);
  });
});

it("letters of other scripts, accents and emoji stay as they are where nothing is unclear", () => {
  for (const text of ["страница", "Übersicht", "日本", "❤️ Sale", "👨‍👩‍👧", "👍🏽", "عربي"]) {
    expect(shown(text)).toBe(text);
    expect(distinguishPair("before", text)).toEqual(["before", text]);
    expect(distinguish(text, [text])).toBe(text);
  }
});

test("two texts that differ never look the same", () => {
  const sign = fc.constantFrom(..."a\u0430e\u00e9\u0301\u200d\ufe0f\u2764 \u00a0-–/");
  const text = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join(""));
  const looks = (one: string): string => one.normalize("NFKC").replaceAll("\u0430", "a").replaceAll("–", "-");
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const [old, next] = distinguishPair(before, after);
      expect(looks(old)).not.toBe(looks(next));
    }),
  );
});

describe("who logs in where a link leads", () => {
  it("is not shown, but that it is another is", () => {
    expect(shown("https://user:hunter2@example.com/")).toBe("https://•••@example.com/");
    expect(distinguishPair("https://user:one@example.com/a", "https://user:two@example.com/b")).toEqual([
      "https://•••@example.com/a",
      "https://•••(other)@example.com/b",
    ]);
    expect(distinguishPair("https://user:one@example.com/a", "https://user:one@example.com/b")).toEqual([
      "https://•••@example.com/a",
      "https://•••@example.com/b",
    ]);
    expect(distinguishPair("https://example.com/", "https://user:one@example.com/")).toEqual([
      "https://example.com/",
      "https://•••@example.com/",
    ]);
  });

  it("is not taken for one where the sign stands behind the host", () => {
    expect(shown("https://example.com/@someone?a=b@c")).toBe("https://example.com/@someone?a=b@c");
  });
});

it("lines to paste hold what they show by number", () => {
  const url = `${PAGE}a\u200bb\u{e0041}c\u00a0`;
  const text = yamlText({ entries: [{ key: "url", value: url }] });
  expect(text).toBe('url: "https://example.com/a\\u200bb\\U000e0041c\\u00a0"\n');
  expect(parse(text)).toEqual({ url });
});
