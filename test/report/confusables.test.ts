// Texts that look alike; test/fixtures/plans/differences-alike has them in a plan. Fails when two values that differ look the same, when a letter
// is shown by its code point although nothing is unclear, and when a report shows the user name and password of a destination.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { distinguish, shown, itemFormatter, distinguishPair } from "../../src/report/confusables.ts";
import { yamlText } from "../../src/edit/yaml-text.ts";
import { parse } from "yaml";

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
