// Globs of keys, compared with regular expressions. Fails if a star stops at a slash, if a special character of regular expressions or path
// globs has a special meaning, if a combining mark or surrogate counts as a separate character, or if backtracking to a star misses a
// match.

import fc from "fast-check";
import { expect, it } from "vitest";
import { keyMatcher } from "../../src/domain/glob.ts";
import { matches } from "../support/globs.ts";
import { runs } from "../support/states.ts";

/** Of few letters, so that stars have to backtrack, and of characters with a meaning elsewhere. */
const characters = fc.constantFrom(..."a¦b¦A¦ä¦e\u0301¦ß¦/¦.¦-¦[¦]¦{¦,¦}¦!¦\\¦🎈¦ ".split("¦"));

const key = fc.array(characters, { maxLength: 12 }).map((all) => all.join(""));
const glob = fc
  .array(fc.oneof({ weight: 2, arbitrary: characters }, fc.constantFrom("*", "**", "?")), { maxLength: 10 })
  .map((all) => all.join(""));

/** A key that probably matches a glob: its stars and question marks are filled in. */
function fill(text: string, fillings: fc.Stream<string>): string {
  return text.replaceAll("*", () => fillings.next().value ?? "").replaceAll("?", "b");
}

const named = fc.tuple(glob, fc.infiniteStream(key)).map(([text, fillings]) => ({
  glob: text,
  key: fill(text, fillings),
}));

/** Long, and almost only one letter, so that it nearly matches at every position. */
const letters = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a".repeat(11), "a".repeat(23)) },
  { weight: 2, arbitrary: fc.constantFrom("?", "b", "🎈") },
);

const long = fc
  .tuple(fc.array(letters, { maxLength: 8 }), fc.nat({ max: 3 }), fc.infiniteStream(key), fc.boolean())
  .map(([parts, stars, fillings, isNamed]) => {
    const step = Math.max(1, Math.ceil(parts.length / (stars + 1)));
    const pattern = parts.map((part, at) => (at % step === 0 ? `*${part}` : part)).join("");
    return { glob: pattern, key: fill(pattern, fillings).slice(isNamed ? 0 : 1) };
  });

it.each([
  ["a", fc.oneof(named, fc.record({ glob, key })), runs(700)],
  ["a long", long, runs(200)],
])("%s glob matches what the regular expression for it matches", (_length, pairs, numRuns) => {
  let matched = 0;
  fc.assert(
    fc.property(pairs, fc.array(glob, { maxLength: 2 }), (pair, others) => {
      const expected = matches(pair.glob, pair.key);
      matched += Number(expected);
      expect(keyMatcher([pair.glob])(pair.key)).toBe(expected);
      expect(keyMatcher([pair.glob, ...others])(pair.key)).toBe(
        expected || others.some((other) => matches(other, pair.key)),
      );
    }),
    { numRuns },
  );
  expect(matched).toBeGreaterThan(numRuns / 4);
});

it("thousands of globs that each name a key are looked up, not compared one by one", () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => `go.example.com/${"campaign-".repeat(20)}${at}`);
  const isMatch = keyMatcher(keys.filter((_, at) => at % 2 === 0));
  expect(keys.filter(isMatch)).toHaveLength(10_000);
});

it("a glob of many stars takes no longer than a plain one", () => {
  // With a regular expression, this would not end.
  expect(keyMatcher([`${"*a".repeat(500)}b`])("a".repeat(5000))).toBe(false);
});
