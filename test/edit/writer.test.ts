// Edits of files in rare layouts. Fails if braces over several lines or with a comment do not become lines, if a comment moves to another
// line, if added rows change their order, or if many rows take too long.

import { expect, it } from "vitest";
import { writeEdits, type Edit } from "../../src/edit/writer.ts";
import { parseYaml } from "../../src/config/yaml-errors.ts";

const FILE = "links/a.yaml";
const LINKS = "links:\n  # why\n  a:\n    url: x # beside\n  b: { url: y }\n";

function retire(text: string): { readonly text: string; readonly reasons: readonly string[] } {
  const place = { file: FILE, line: 3, column: 3 };
  const edit: Edit = (file) => {
    file.remove({ place });
    file.addTombstone(place, "link", "a", null);
  };
  const { text: written, leftAlone } = writeEdits(text, FILE, [edit]);
  return { text: written, reasons: [...leftAlone.values()] };
}

it.each([
  ["absent: {}\n", "absent:\n  links:\n    # why\n    # beside\n    - a\n"],
  ["absent: { links: [c] }\n", "absent:\n  links:\n    - c\n    # why\n    # beside\n    - a\n"],
  [
    "absent:\n  links:\n    c:\n    # old\n    d: # beside d\n    # older\n\n    e:\n",
    "absent:\n  links:\n    c:\n    # old\n    d: # beside d\n    # older\n\n    e:\n    # why\n    # beside\n    a:\n",
  ],
])("writes a tombstone with comments on its own lines into %j", (absent, after) => {
  expect(retire(LINKS + absent)).toEqual({ text: `links:\n  b: { url: y }\n${after}`, reasons: [] });
});

it.each([
  ["absent:\n  links:\n    # all\n    a:\n    b:\n", 5],
  ["absent:\n  links:\n    # all\n    - a\n    - b\n", 7],
])("keeps the comment above the first tombstone when that is removed from %j", (text, column) => {
  const edit: Edit = (file) => file.remove({ place: { file: FILE, line: 4, column } });
  expect(writeEdits(text, FILE, [edit]).text).toBe(text.replace(/.* a:?\n/, ""));
});

it.each([
  ["links:\n  a: { url: x }\n\n  b: { url: x }\npixels: {}\n", 4, "links:\n  a: { url: x }\npixels: {}\n"],
  ["links:\n  a: { url: x }\n\n  b: { url: x }\n  c: { url: x }\n", 4, "links:\n  a: { url: x }\n\n  c: { url: x }\n"],
  ["pixels: {}\nlinks:\n  a: { url: x }\n", 3, "pixels: {}\n"],
  ["pixels: {}\nlinks:\n  # all\n\n  a: { url: x }\n", 5, "pixels: {}\nlinks:\n  # all\n"],
])("removes a block with the empty lines that separated it from %j", (text, line, after) => {
  const edit: Edit = (file) => file.remove({ place: { file: FILE, line, column: 3 } });
  expect(writeEdits(text, FILE, [edit]).text).toBe(after);
});

it.each([
  ["&a  url: { x: y }", "it cannot be read without the lines around it"],
  ["{ url: x }", "it was not found in the text"],
])("leaves the block %j alone if it is renamed, and changed by its old key", (block, reason) => {
  const text = `links:\n  a: ${block}\n`;
  const edit: Edit = (file) =>
    ["b", "c"].forEach((key) => file.change({ file: FILE, line: 2, column: 3 }, "link", new Map(), key));
  expect(writeEdits(text, FILE, [edit])).toEqual({ text, leftAlone: new Map([[edit, reason]]) });
});

it("adds a section to a document that begins with its only other one", () => {
  const text = `${LINKS.replace(/ {2}b.*\n/, "")}---\nlinks: {}\n`;
  const after = "absent:\n  links:\n    # why\n    # beside\n    - a\n---\nlinks: {}\n";
  expect(retire(text)).toEqual({ text: after, reasons: [] });
});

it.each([
  ["{ url: x,  pixels: [x ] }", "{ url: z, pixels: [a, b] }"],
  ["{ url: x, # beside\n    pixels: [x] }", "\n    url: z # beside\n    pixels: [a, b]"],
  [
    "\n    # why\n    url:   x   # beside\n    # below",
    "\n    # why\n    url: z # beside\n    pixels:\n      - a\n      - b\n    # below",
  ],
  [
    "\n    url: x\n    note: >- # folded\n      two\n      lines",
    "\n    url: z\n    pixels:\n      - a\n      - b\n    note: >- # folded\n      two\n      lines",
  ],
  ["{ # own\n    url: x }", " # own\n    url: z\n    pixels:\n      - a\n      - b"],
  ["\n    url: x\n    pixels:\n      - a\n      # gone\n      - x", "\n    url: z\n    pixels:\n      - a\n      - b"],
  ["\n    url: x\n    pixels:\n      # all\n      - x", "\n    url: z\n    pixels:\n      # all\n      - a\n      - b"],
  [
    "\n    url: x\n    pixels:\n      # all\n      - x\n\n      - a\n      - b # kept",
    "\n    url: z\n    pixels:\n      # all\n\n      - a\n      - b # kept",
  ],
])("keeps comments in place, and braces on one line, in %j", (before, after) => {
  const parts = new Map(Object.entries({ url: "z", pixels: ["a", "b"] }));
  const edit: Edit = (file) => file.change({ file: FILE, line: 2, column: 3 }, "link", parts);
  const space = before.startsWith("{") ? " " : "";
  const spaceAfter = after.startsWith("{") ? " " : "";
  expect(writeEdits(`links:\n  a:${space}${before}\n  b: { url:  x }\n`, FILE, [edit]).text).toBe(
    `links:\n  a:${spaceAfter}${after}\n  b: { url:  x }\n`,
  );
});

it.each([
  ["    # why\n    utm: # own\n      source: x\n", "    # why\n    utm: # own\n      medium: m\n"],
  ["    # gone\n    utm: # gone\n      # gone\n      source: x\n\n      # gone\n      medium: x\n", ""],
  ["    # gone\n    utm: { source: x } # gone\n", ""],
])("keeps the comments of a map only if a part of it remains: %j", (before, after) => {
  const medium = after === "" ? undefined : "m";
  const parts = new Map(Object.entries({ "utm.source": undefined, "utm.medium": medium }));
  const edit: Edit = (file) => file.change({ file: FILE, line: 2, column: 3 }, "link", parts);
  const { text } = writeEdits(`links:\n  a:\n    url: x\n${before}    note: n\n`, FILE, [edit]);
  expect(text).toBe(`links:\n  a:\n    url: x\n${after}    note: n\n`);
});

it("writes many rows into an empty section in time", () => {
  const edits = Array.from({ length: 5_000 }, (_, at): Edit => {
    const value = { entries: [{ key: "url", value: `https://example.com/${at}` }] };
    return (file) => file.add("link", { key: `l${at}`, value }, null);
  });
  const { text, leftAlone } = writeEdits("links: {}\n", FILE, edits);
  expect(leftAlone.size).toBe(0);
  const [root] = parseYaml(text, FILE).documents;
  expect(root?.type === "map" && root.byKey.get("links")?.value).toMatchObject({ type: "map" });
  expect(text.split("\n")).toHaveLength(10_002);
});
