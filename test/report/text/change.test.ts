// The lines of a value and of its change, one by one. Fails when a sign says the opposite of what becomes of a part, when
// marks stand below something else, when what stays is lost or called changed, or when a line that would fit is broken and
// one that would not is not.

import { describe, expect, it } from "vitest";
import { fieldLines } from "../../../src/report/text/blocks.ts";
import { createPaint } from "../../../src/report/text/screen.ts";
import { changedRow, wholeRow } from "../../../src/report/rows.ts";
import type { Row } from "../../../src/report/blocks.ts";
import type { Word } from "../../../src/report/values.ts";

const PAINT = createPaint(false);

/** The lines of a field without a label, in a room of this width. */
function drawn(field: Row, room: number, paint = PAINT): string[] {
  const lines = fieldLines([{ ...field, label: "" }], { paint, columns: room + 6 });
  return lines.map((line, at) => line.slice(at === 0 ? 6 : 4));
}

function changed(before: Word, after: Word, { room = 80, paint = PAINT } = {}): string[] {
  return drawn(changedRow("link", { path: "pixels", before, after }), room, paint);
}

describe("a text", () => {
  it.each([
    [15, ["before → behind"]],
    [14, ["before", "→ behind"]],
  ])("and what it becomes stand side by side in %d columns, or else below each other", (room, lines) => {
    expect(changed("before", "behind", { room })).toEqual(lines);
  });

  it("that changes a little has marks below what differs, as wide as that is shown", () => {
    expect(changed("https://a.example/宽宽/old", "https://a.example/宽大/new")).toEqual([
      "https://a.example/宽宽/old",
      "→ https://a.example/宽大/new",
      "                    ^^^^ ^^^",
    ]);
  });

  it("has no marks where colours are; what only goes is marked where it was", () => {
    const lines = changed("https://a.example/old", "https://a.example/new", { paint: createPaint(true) });
    expect(lines).toHaveLength(2);
    expect(changed("https://a.example/some/where", "https://a.example/some")).toEqual([
      "https://a.example/some/where",
      "                        ^^^^^^",
      "→ https://a.example/some",
    ]);
  });

  it("in which the terminal would obey something is shown by its numbers wherever it stands", () => {
    for (const lines of [
      changed("https://a.example/one/\u001b[31m", "https://a.example/two/\u001b[31m"),
      changed("https://a.example/?a=\u001b1", "https://a.example/?a=\u001b2"),
      changed({ "k\u001b": "x\u001b" }, { "k\u001b": "y\u001b" }),
    ])
      expect(lines.join("\n")).not.toContain("\u001b");
  });
});

describe("destinations of a group", () => {
  it("have a line each that changes, in columns as wide as the longest name is shown", () => {
    expect(changed({ 宽: "1", b: "2", c: "3", d: "4" }, { 宽: "2", b: "2", d: "4", e: "5" })).toEqual([
      "~ 宽  1 → 2",
      "  + e   5",
      "  - c   3",
    ]);
  });

  it("have the room that is left beside their names", () => {
    const change = (room: number): string[] => changed({ k: "before" }, { k: "behind" }, { room });
    expect(change(20)).toEqual(["~ k  before → behind"]);
    expect(change(19)).toEqual(["~ k  before", "     → behind"]);
  });
});

describe("fields", () => {
  const drawing = (columns: number): { paint: typeof PAINT; columns: number } => ({ paint: PAINT, columns });
  const words = [{ path: "expiration.url", before: null, after: "https://a.example/?x=1" }];

  it.each([
    [42, ["    expiration.url  https://a.example/?x=1"]],
    [41, ["    expiration.url", "        https://a.example/?x=1"]],
  ])("have their values beside their labels in %d columns, or else below", (columns, lines) => {
    expect(fieldLines(words.map(wholeRow), drawing(columns))).toEqual(lines);
  });

  // Fails if a field is lost, or a character of its label is obeyed.
  it("keep their labels, escaped, even without a value", () => {
    const value = { pieces: [{ text: "x\u001b", differs: false }] };
    const row = (label: string, after: typeof value | null): Row => ({ label, before: null, after, parts: [] });
    expect(fieldLines([row("a\u001b", null), row("b", value)], drawing(80))).toEqual([
      "    a\\u{1b}",
      "    b        x\\u{1b}",
    ]);
  });
});
