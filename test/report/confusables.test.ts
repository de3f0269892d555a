// Texts that look alike; test/fixtures/plans/differences-alike has them in a plan. Fails when two values that differ look the same, when a letter
// is shown by its code point although nothing is unclear, and when a report shows the user name and password of a destination.

import fc from "fast-check";
import { expect, it, test } from "vitest";
import { shown, itemFormatter, distinguishPair } from "../../src/report/values.ts";
import { runs } from "../support/states.ts";

it("letters of other scripts, accents and emoji stay as they are where nothing is unclear", () => {
  for (const text of ["страница", "Übersicht", "日本", "❤️ Sale", "👨‍👩‍👧", "👍🏽", "عربي"]) {
    expect(shown(text)).toBe(text);
    expect(distinguishPair("before", text)).toEqual(["before", text]);
    expect(itemFormatter([text])(text)).toBe(text);
  }
});

/** A letter of another script, another dash or space, and characters that cannot be seen. */
const ALIKE = [
  ..."a\u0430 a\u03b1 a\uff41 -\u2010 -–".split(" ").map((pair) => [...pair]),
  ["\u00e9", "e\u0301"],
  [" ", "\u00a0"],
  ["\u2764", "\u2764\ufe0f"],
  ...["\u200d", "\u200b", "\u00ad", "\u3164", "\u{e0041}", "\u2800"].map((unseen) => ["", unseen]),
];

test("two texts that differ never look the same, side by side or in a list", () => {
  const text = fc.array(fc.constantFrom(...ALIKE.flat()), { maxLength: 4 }).map((signs) => signs.join(""));
  const pair = fc.tuple(text, fc.constantFrom(...ALIKE), text).map(([start, [one = "", other = ""], end]) => ({
    before: `https://example.com/${start}${one}${end}`,
    after: `https://example.com/${start}${other}${end}`,
  }));
  const looks = (one: string): string =>
    one
      .normalize("NFKC")
      .replaceAll(/[\u0430\u03b1]/g, "a")
      .replaceAll(/[–\u2010]/g, "-")
      .replaceAll(/\u200b|\u200d|\u00ad|\u3164|\u1160|\u{e0041}|\u2800|\ufe0f/gu, "");
  fc.assert(
    fc.property(pair, ({ before, after }) => {
      const [old, next] = distinguishPair(before, after);
      expect(looks(old)).not.toBe(looks(next));
      const [one, other] = [before, after].map((item) => looks(itemFormatter([before, after])(item)));
      expect(one).not.toBe(other);
    }),
    { numRuns: runs(200) },
  );
});

it("the user name and password of a destination are not shown, but it is shown that they differ", () => {
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

it("the user name and password of a destination do not end at an @ after the host", () => {
  expect(shown("https://example.com/@someone?a=b@c")).toBe("https://example.com/@someone?a=b@c");
});
