// What is marked in a plan is what differs. Fails when a mark is missing where two texts differ, stands where they are the
// same, or when something of a text is lost or added in between.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Piece } from "../../src/report/blocks.ts";
import { compareTexts } from "../../src/report/text-diff.ts";

const word = fc.constantFrom("spring", "sale", "2026", "de", "ü", "日本", "-", "/", "?", "=", "&", "#", " ", "", "a");
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
const joined = (pieces: readonly Piece[], which: (piece: Piece) => boolean): string =>
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
      const isSame = ({ differs }: Piece): boolean => !differs;
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
