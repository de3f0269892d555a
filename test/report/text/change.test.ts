// The lines of a value and of its change beyond test/fixtures/reports/each-action: wide characters, colors, and the columns that are left.
// Fails when marks are below another part, when a line that would fit is broken, or when one that would not fit is not broken.

import { expect, it } from "vitest";
import { fieldLines } from "../../../src/report/text/blocks.ts";
import { createPaint } from "../../../src/report/text/screen.ts";
import { changedRow } from "../../../src/report/rows.ts";
import type { Word } from "../../../src/report/values.ts";

/** The lines of a change without its label, in this number of columns. */
function changed(before: Word, after: Word, { room = 80, isColored = false } = {}): string[] {
  const row = { ...changedRow("link", { path: "pixels", before, after }), label: "" };
  const lines = fieldLines([row], { paint: createPaint(isColored), columns: room + 6 });
  return lines.map((line, at) => line.slice(at === 0 ? 6 : 4));
}

it.each([
  [15, "before", "behind", ["before → behind"]],
  [14, "before", "behind", ["before", "→ behind"]],
  [20, { k: "before" }, { k: "behind" }, ["~ k  before → behind"]],
  [19, { k: "before" }, { k: "behind" }, ["~ k  before", "     → behind"]],
])("a change in %d columns is beside the old value, or else below: %j, %j", (room, before, after, lines) => {
  expect(changed(before, after, { room })).toEqual(lines);
});

it("a change of a text has marks below what differs, as wide as it is shown, and none in color", () => {
  const [before, after] = ["https://a.example/宽宽/old", "https://a.example/宽大/new"];
  expect(changed(before, after)).toEqual([before, `→ ${after}`, "                    ^^^^ ^^^"]);
  expect(changed(before, after, { isColored: true })).toHaveLength(2);
  expect(changed("https://a.example/some/where", "https://a.example/some")).toEqual([
    "https://a.example/some/where",
    "                        ^^^^^^",
    "→ https://a.example/some",
  ]);
});

it("a change of a group has a line for each destination that changes, in columns as wide as the longest name", () => {
  expect(changed({ 宽: "1", b: "2", c: "3", d: "4" }, { 宽: "2", b: "2", d: "4", e: "5" })).toEqual([
    "~ 宽  1 → 2",
    "  + e   5",
    "  - c   3",
  ]);
});
