// The differences of two texts. Fails when a mark of a plan is missing where they differ, is where they are the same, or loses a part of a
// text; or when the patch of a file, as of dry runs and `fmt --check`, does not lead to the new text, or takes quadratic time.

import { applyPatch, parsePatch } from "diff";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import type { Piece } from "../../src/report/blocks.ts";
import { compareTexts } from "../../src/report/rows.ts";
import { filePatch } from "../../src/report/run-document.ts";

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

const LINES = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);

it.each([
  ["with all lines changed", `${LINES.join("\n")}\n`, `${LINES.map((line) => `${line}!`).join("\n")}\n`],
  ["with the last line break removed", `${LINES.join("\n")}\n`, LINES.toReversed().join("\n")],
  ["that is new", null, `${LINES.join("\n")}\n`],
  ["with one line changed", `${LINES.join("\n")}\n`, `${LINES.with(9000, "new").join("\n")}\n`],
])("the patch of a file %s leads to the new text", (_, before, after) => {
  const patch = filePatch({ file: "links/a.yaml", before, after });
  // A patch with too many changes deletes the file and creates it.
  const patched = parsePatch(patch).reduce((all, one) => String(applyPatch(all, one)), before ?? "");
  expect(patched).toBe(after);
});

it("the patch of a file shows only the lines around a change", () => {
  const before = `${LINES.join("\n")}\n`;
  const patch = filePatch({ file: "a b.yaml", before, after: before.replace("line 9000\n", "new\n") });
  expect(patch.split("\n")).toHaveLength(12);
  expect(patch).toContain("--- a/a b.yaml\t\n+++ b/a b.yaml\t\n@@ -8998,7 +8998,7 @@\n");
});
