// The lines of a value and of its change, one by one. Fails when a sign says the opposite of what becomes of a part, when
// marks stand below something else, when what stays is lost or called changed, or when a line that would fit is broken and
// one that would not is not.

import { describe, expect, it } from "vitest";
import { fieldLines } from "../../../src/report/text/blocks.ts";
import { createPaint } from "../../../src/report/text/screen.ts";
import { changedRows, wholeRows } from "../../../src/report/rows.ts";
import type { Row } from "../../../src/report/blocks.ts";
import type { Word } from "../../../src/report/values.ts";

const PAINT = createPaint(false);

/** The lines of a field without a label, in a room of this width. */
function drawn([field, ...parts]: readonly Row[], room: number, paint = PAINT): string[] {
  if (field === undefined) return [];
  const lines = fieldLines([{ ...field, label: "" }, ...parts], { paint, columns: room + 6 });
  return lines.map((line, at) => line.slice(at === 0 ? 6 : 4));
}

function changed(before: Word, after: Word, { room = 80, paint = PAINT } = {}): string[] {
  return drawn(changedRows("link", { path: "pixels", before, after }), room, paint);
}

const fresh = (word: Word, room: number): string[] =>
  drawn(wholeRows({ path: "url", before: null, after: word }), room).map((line) => line.trim());

describe("a text", () => {
  it.each([
    [15, ["before → behind"]],
    [14, ["before", "→ behind"]],
  ])("and what it becomes stand side by side in %d columns, or else below each other", (room, lines) => {
    expect(changed("before", "behind", { room })).toEqual(lines);
  });

  it.each([
    [22, ["https://a.example/?x=1"]],
    [21, ["https://a.example/", "?x=1"]],
  ])("that is a new address is broken between its parameters if %d columns are too few", (room, lines) => {
    expect(fresh("https://a.example/?x=1", room)).toEqual(lines);
    const head = changed({ unknown: true }, "https://a.example/?x=1", { room });
    expect(head.slice(1).map((line) => line.replace(/^→/, " ").trim())).toEqual(lines);
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

describe("parameters of an address, and destinations of a group", () => {
  it("have a line each that changes, in columns as wide as the longest name is shown", () => {
    expect(changed("https://a.example/?宽=1&b=2&c=3&d=4", "https://a.example/?宽=2&b=2&d=4&e=5")).toEqual([
      "https://a.example/",
      "  ~ 宽  1 → 2",
      "  + e   5",
      "  - c   3",
      "  = b, d unchanged",
    ]);
  });

  it("are not taken apart where only the page differs", () => {
    expect(changed("https://a.example/one?a=1", "https://a.example/two?a=1")).toEqual([
      "https://a.example/one?a=1",
      "→ https://a.example/two?a=1",
      "                    ^^^",
    ]);
  });

  it("have the room that is left beside their names", () => {
    const change = (room: number): string[] => changed({ k: "before" }, { k: "behind" }, { room });
    expect(change(20)).toEqual(["~ k  before → behind"]);
    expect(change(19)).toEqual(["~ k  before", "     → behind"]);
  });

  it("have a fragment among them, though it be empty", () => {
    expect(changed("https://a.example/?a=1", "https://a.example/?a=2#")).toEqual([
      "https://a.example/",
      "  ~ a  1 → 2",
      "  + #",
    ]);
  });

  it("of a text that is none, the address begins at the beginning", () => {
    expect(changed("see https://a.example/?a=1", "see https://a.example/?a=2")).toEqual([
      "see https://a.example/?a=1 → see https://a.example/?a=2",
    ]);
  });
});

describe("fields", () => {
  const drawing = (columns: number): { paint: typeof PAINT; columns: number } => ({ paint: PAINT, columns });
  const words = [{ path: "expiration.url", before: null, after: "https://a.example/?x=1" }];

  it.each([
    [42, ["    expiration.url  https://a.example/?x=1"]],
    [41, ["    expiration.url  https://a.example/", "                    ?x=1"]],
    [37, ["    expiration.url", "        https://a.example/?x=1"]],
  ])("stand beside their labels in %d columns, or else below, with the room that is there", (columns, lines) => {
    expect(fieldLines(words.flatMap(wholeRows), drawing(columns))).toEqual(lines);
  });
});
