// Globs of keys against what a regular expression makes of them. Fails if a star stops at a slash, if a sign that is special
// to regular expressions or to globs of paths is taken for more than itself, if a mark or surrogate is taken for a sign of
// its own, or if going back from a star misses a match.

import fc from "fast-check";
import { expect, it } from "vitest";
import { keyMatcher } from "../../src/domain/glob.ts";
import { matches } from "../support/globs.ts";
import { runs } from "../support/states.ts";

/** Of few letters, so that stars have something to go back for; and signs that mean something elsewhere. */
const signs = fc.constantFrom(
  "a",
  "b",
  "A",
  "ä",
  "e\u0301",
  "ß",
  "/",
  ".",
  "-",
  "[",
  "]",
  "{",
  ",",
  "}",
  "!",
  "\\",
  "🎈",
  " ",
);
const key = fc.array(signs, { maxLength: 12 }).map((all) => all.join(""));
const glob = fc
  .array(fc.oneof({ weight: 2, arbitrary: signs }, fc.constantFrom("*", "**", "?")), { maxLength: 10 })
  .map((all) => all.join(""));

/** A key that a glob names, most likely: its stars and question marks filled in. */
const named = fc.tuple(glob, fc.infiniteStream(key)).map(([text, fillings]) => ({
  glob: text,
  key: text.replaceAll("*", () => fillings.next().value ?? "").replaceAll("?", "b"),
}));

it("a glob matches what the regular expression for it matches", () => {
  let matched = 0;
  const pairs = fc.oneof(named, fc.record({ glob, key }));
  fc.assert(
    fc.property(pairs, fc.array(glob, { maxLength: 2 }), (pair, others) => {
      const expected = matches(pair.glob, pair.key);
      matched += Number(expected);
      expect(keyMatcher([pair.glob])(pair.key)).toBe(expected);
      expect(keyMatcher([pair.glob, ...others])(pair.key)).toBe(
        expected || others.some((other) => matches(other, pair.key)),
      );
    }),
    { numRuns: runs(2000) },
  );
  expect(matched).toBeGreaterThan(runs(2000) / 4);
});

it("no glob at all matches nothing, and a star everything", () => {
  fc.assert(
    fc.property(key, (text) => {
      expect([keyMatcher([])(text), keyMatcher(["*"])(text)]).toEqual([false, true]);
    }),
  );
});

it("a glob of many stars takes no longer than the length of glob and key allow", () => {
  // With a regular expression, this would not end.
  expect(keyMatcher([`${"*a".repeat(500)}b`])("a".repeat(5000))).toBe(false);
});
