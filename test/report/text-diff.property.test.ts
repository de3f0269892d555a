// What is marked in a plan is what differs. Fails when a mark is missing where two texts differ, stands where they are the
// same, or when something of a text is lost or added in between.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareAddresses, compareTexts, type TextPiece } from "../../src/report/text-diff.ts";

const word = fc.constantFrom("spring", "sale", "2026", "de", "ü", "日本", "-", "/", "?", "=", "&", "#", " ", "", "a");
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
const joined = (pieces: readonly TextPiece[], which: (piece: TextPiece) => boolean): string =>
  pieces
    .filter(which)
    .map((piece) => piece.text)
    .join("");

test("the parts of two texts are the texts, and what is not marked is the same in both", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const compared = compareTexts(before, after);
      if (compared === null) return;
      expect(joined(compared.before, () => true)).toBe(before);
      expect(joined(compared.after, () => true)).toBe(after);
      const isSame = ({ differs }: TextPiece): boolean => !differs;
      expect(joined(compared.before, isSame)).toBe(joined(compared.after, isSame));
    }),
  );
});

test("a text that becomes a little longer is compared, however long it is; texts with nothing in common are not", () => {
  const long = `https://example.com/${"very/long/".repeat(200)}`;
  expect(compareTexts(long, `${long}end`)?.after.filter(({ differs }) => differs)).toEqual([
    { text: "end", differs: true },
  ]);
  expect(compareTexts("spring", "autumn")).toBeNull();
});

describe("two addresses", () => {
  const name = fc.constantFrom("utm_source", "utm_medium", "ref", "a", "");
  const pair = fc.oneof(
    fc.tuple(name, fc.constantFrom("x", "y", "", "x=y")).map(([key, value]) => `${key}=${value}`),
    name,
  );
  const query = fc.array(pair, { maxLength: 6 }).map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));
  const address = fc
    .tuple(
      fc.constantFrom("https://a.example/x", "https://b.example"),
      query,
      fc.constantFrom("", "#", "#top", "#end?a"),
    )
    .map((parts) => parts.join(""));

  test("differ in the parameters that differ, each said once", () => {
    fc.assert(
      fc.property(address, address, (before, after) => {
        const compared = compareAddresses(before, after);
        if (before === after) expect(compared).toBeNull();
        if (compared === null) return;
        const { page, parameters } = compared;
        expect(before.startsWith(page.before) && after.startsWith(page.after)).toBe(true);
        expect(new Set(parameters.map((part) => part.name)).size).toBe(parameters.length);
        expect(parameters.some((part) => part.before !== part.after)).toBe(true);
      }),
    );
  });

  test.each([
    ["https://a.example/?b=1&c=2", "https://a.example/?c=2&b=1", "the order of parameters"],
    ["https://a.example/?a", "https://a.example/?a=", "an equals sign"],
    ["https://a.example/", "https://a.example/?", "an empty query"],
    ["https://a.example/?a=1&b=2&c=3", "https://a.example/?b=2&a=1&c=4", "the order of those that stay"],
    ["https://a.example/?a&c=3", "https://a.example/?a=&c=4", "the equals sign of one that stays"],
  ])("%s and %s would not be told apart by parameters: they are shown whole", (before, after) => {
    expect(compareAddresses(before, after)).toBeNull();
  });

  test("a name that stands there twice is compared by its place", () => {
    expect(compareAddresses("https://a.example/?t=1&t=2", "https://a.example/?t=1&t=3")?.parameters).toEqual([
      { name: "t", before: "1", after: "1" },
      { name: "t (2)", before: "2", after: "3" },
    ]);
  });
});
