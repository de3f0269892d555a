// Edits of files in rare layouts. Fails if braces over several lines or with a comment do not become lines, if a comment moves to another
// line, or if added rows change their order.

import { expect, it } from "vitest";
import type { Place } from "../../src/domain/place.ts";
import { writeEdits, type Edit } from "../../src/edit/writer.ts";

const FILE = "links/a.yaml";
/** With this address, a line with a block in braces has 120 characters. */
const LONG = "z".repeat(108);
const LINKS = "links:\n  # why\n  a:\n    url: x # beside\n  b: { url: y }\n";

const at = (line: number, column = 3): Place => ({ file: FILE, line, column });

/** The edited text, or why it is left alone. */
function edited(text: string, ...edits: readonly Edit[]): string {
  const { text: after, leftAlone } = writeEdits(text, FILE, [(file) => edits.forEach((edit) => edit(file))]);
  return [...leftAlone.values()][0] ?? after;
}

const blockText = (block: string): string => `\nlinks:\n  a:${block.replace(/^\{/, " {")}\n  b: { url:  x }\n`;
const UTM = { entries: [{ key: "source", value: "z" }] };

function set(parts: object): Edit {
  return (file) => file.change(at(3), "link", new Map(Object.entries(parts)));
}
const rename: Edit = (file) => file.change(at(3), "link", new Map(), "b");
const remove: Edit = (file) => file.remove({ place: at(3) });
const retire: Edit = (file) => file.addTombstone(at(3), "link", "a", null);
function add(url: string, comment?: string): Edit {
  const value = { entries: [{ key: "url", value: url }] };
  return (file) => file.add("link", { key: "d", value, ...(comment && { comment }) }, null);
}

it.each([
  ["absent: {}\n", "absent:\n  links:\n    # why\n    # beside\n    - a\n"],
  ["absent: { links: [c] }\n", "absent:\n  links:\n    - c\n    # why\n    # beside\n    - a\n"],
  [
    "absent:\n  links:\n    c:\n    # old\n    d: # beside d\n    # older\n\n    e:\n",
    "absent:\n  links:\n    c:\n    # old\n    d: # beside d\n    # older\n\n    e:\n    # why\n    # beside\n    a:\n",
  ],
])("writes a tombstone with comments on its own lines into %j", (absent, after) => {
  expect(edited(LINKS + absent, remove, retire)).toBe(`links:\n  b: { url: y }\n${after}`);
});

it.each([
  ["absent:\n  links:\n    # all\n    a:\n    b:\n", 5],
  ["absent:\n  links:\n    # all\n    - a\n    - b\n", 7],
])("keeps the comment above the first tombstone when that is removed from %j", (text, column) => {
  expect(edited(text, (file) => file.remove({ place: at(4, column) }))).toBe(text.replace(/.* a:?\n/, ""));
});

it.each([
  ["links:\n  a: { url: x }\n\n  b: { url: x }\npixels: {}\n", 4, "links:\n  a: { url: x }\npixels: {}\n"],
  ["links:\n  a: { url: x }\n\n  b: { url: x }\n  c: { url: x }\n", 4, "links:\n  a: { url: x }\n\n  c: { url: x }\n"],
  ["pixels: {}\nlinks:\n  a: { url: x }\n", 3, "pixels: {}\n"],
  ["pixels: {}\nlinks:\n  # all\n\n  a: { url: x }\n", 5, "pixels: {}\nlinks:\n  # all\n"],
])("removes a block with the empty lines that separated it from %j", (text, line, after) => {
  expect(edited(text, (file) => file.remove({ place: at(line) }))).toBe(after);
});

it.each([
  ["&a  url: { x: y }", rename, "it cannot be read without the lines around it"],
  ["{ url: x }", rename, "it was not found in the text"],
  ["{ url: x }", remove, "it was not found in the text"],
])("leaves the block %j alone if it is renamed, and then changed or removed by its old key", (block, next, reason) => {
  expect(edited(`# first\nlinks:\n  a: ${block}\n`, rename, next)).toBe(reason);
});

it("adds a section to a document that begins with its only other one", () => {
  const text = `${LINKS.replace(/ {2}b.*\n/, "")}---\nlinks: {}\n`;
  expect(edited(text, remove, retire)).toBe("absent:\n  links:\n    # why\n    # beside\n    - a\n---\nlinks: {}\n");
});

it.each([
  ["{ url: x,  pixels: ['b', x ] }", "{ url: z, pixels: ['b', a] }"],
  ["{ url: x, # beside\n    pixels: [x] }", "\n    url: z # beside\n    pixels: [a, b]"],
  ["\n    # a\n    url:   x   # b\n    # c", "\n    # a\n    url: z # b\n    pixels:\n      - a\n      - b\n    # c"],
  [
    "\n    url: x\n    note: >- # f\n      a\n      b",
    "\n    url: z\n    pixels:\n      - a\n      - b\n    note: >- # f\n      a\n      b",
  ],
  ["{ # own\n    url: x }", " # own\n    url: z\n    pixels:\n      - a\n      - b"],
  ["\n    url: x\n    pixels:\n      - a\n      # gone\n      - x", "\n    url: z\n    pixels:\n      - a\n      - b"],
  ["\n    url: x\n    pixels:\n      # all\n      - x", "\n    url: z\n    pixels:\n      # all\n      - a\n      - b"],
  [
    "\n    url: x\n    pixels:\n      # a\n      - x\n\n      - a\n      - b # b",
    "\n    url: z\n    pixels:\n      # a\n\n      - a\n      - b # b",
  ],
])("keeps comments in place, and braces on one line, in %j", (before, after) => {
  expect(edited(blockText(before), set({ url: "z", pixels: ["a", "b"] }))).toBe(blockText(after));
});

it.each([
  ["{ url: x, zz: 1, note: n }", "{ url: x, space: z, zz: 1, note: n }", { space: "z" }],
  ["{ expiration: { clicks: 5 } }", "{ expiration: { date: z, clicks: 5 } }", { "expiration.date": "z" }],
  ["\n    utm:\n      source: x # b\n      medium: m", "\n    utm:\n      source: z # b", { utm: UTM }],
  ["{ url: 'z', note: null, id: '1' }", "{ url: 'z', note: \"null\", id: 1 }", { url: "z", note: "null", id: 1 }],
  ["{ pixels: [ b,a], utm: none }", "{ pixels: [ b,a], utm: none }", { pixels: ["a", "b"], "utm.source": undefined }],
  ["\n    utm: # b\n      # i\n      source: x # c\n    # d", "\n    # i\n    utm: none # b\n    # d", { utm: "none" }],
  [
    "\n    pixels:\n    - b\n    # s\n\n    # x\n    - x\n\n    - a\n    # t\n\n    # y\n    - y",
    "\n    pixels:\n      - b\n      # s\n\n      - a\n      # t\n",
    { pixels: ["a", "b"] },
  ],
])("changes only what differs in %j", (before, after, parts) => {
  expect(edited(blockText(before), set(parts))).toBe(blockText(after));
});

it.each([
  ["    # why\n    utm: # own\n      source: x\n", "    # why\n    utm: # own\n      medium: m\n"],
  ["    # gone\n    utm: # gone\n      # gone\n      source: x\n\n      # gone\n      medium: x\n", ""],
  ["    # gone\n    utm: { source: x } # gone\n", ""],
])("keeps the comments of a map only if a part of it remains: %j", (before, after) => {
  const edit = set({ "utm.source": undefined, "utm.medium": after === "" ? undefined : "m" });
  const textOf = (utm: string): string => `\nlinks:\n  a:\n    url: x\n${utm}    note: n\n`;
  expect(edited(textOf(before), edit)).toBe(textOf(after));
});

it.each<[string, string, ...Edit[]]>([
  ["x: 1\nlinks:\n  a: {}", "x: 1\nlinks:\n  a: {}\n  d: { url: z }", add("z")],
  ["x: 1\nlinks:\n  a: {}\n", "x: 1\nlinks:\n  d: { url: z }\n", remove, add("z")],
  ["pixels: {}\nx: 1\n", "pixels: {}\nx: 1\nlinks:\n  d:\n    url: z\n", add("z")],
  ["x: 1\n", "x: 1\n\nlinks:\n  d:\n    url: z\n", add("z")],
  ["links:\n  a: {}\n\n  #\n  b: {}\n", "links:\n  a: {}\n\n  #\n  b: {}\n\n  # e\n  d: { url: z }\n", add("z", "e")],
  ["links:\n  a: {}\n", `links:\n  a: {}\n  d:\n    url: ${LONG}\n`, add(LONG)],
  ["\n", "links:\n  d:\n    url: z\n\n", add("z")],
  ["{ x: 1,\n links: {\n  a: {} } }", "x: 1\nabsent:\n  links:\n    - a", remove, retire],
  ["links:\n  #why\n  a: { note: n }\n", "absent:\n  links:\n    #why\n    # n\n    - a\n", remove, retire],
])("%j becomes %j", (before, after, ...edits) => {
  expect(edited(before, ...edits)).toBe(after);
});
