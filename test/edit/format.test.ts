// The canonical form of files. Fails if formatting changes the meaning, loses a comment or moves it to another key, is not
// stable, or changes what examples and commands write.
// UPDATE_FIXTURES=1 writes the formatted files. Then read every changed after.yaml.

import * as fc from "fast-check";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CST, Lexer } from "yaml";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import type { TreeNode } from "../../src/config/yaml.ts";
import { formatText } from "../../src/edit/format.ts";
import { yamlFilesIn } from "../support/documents.ts";
import { anyDice, RandomFile } from "./random-file.ts";
import { runs } from "../support/states.ts";

const FILE = "links/a.yaml";
const CASES = path.resolve("test/fixtures/fmt");

const cases = (await readdir(CASES)).toSorted();
const examples = (await yamlFilesIn("examples")).filter((file) => !file.includes("/ci/"));

function formatted(text: string): string {
  const result = formatText(text, FILE);
  if ("problems" in result) throw new Error(result.problems.map(({ message }) => message).join(" "));
  return result.text;
}

/** The content of a text without the order of keys: source texts and values. */
function meaning(text: string): unknown {
  const { documents, diagnostics } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  return { documents: documents.map(contentOf), problems: diagnostics.map(({ message }) => message) };
}

function contentOf(node: TreeNode): unknown {
  if (node.type === "scalar") return [node.text, node.value];
  if (node.type === "list") return node.items.map(contentOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [`key ${key}`, contentOf(value)]));
}

/** The keys of the links of all documents, in order. */
function linksIn(text: string): string[] {
  const { documents } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  return documents.flatMap((node) => {
    const links = node.type === "map" ? node.byKey.get("links")?.value : undefined;
    return links?.type === "map" ? links.entries.map(({ key }) => key) : [];
  });
}

/** The comments of a text, sorted. */
function commentsOf(text: string): string[] {
  const lexemes = [...new Lexer().lex(text.replace(/^\uFEFF/, ""))];
  const comments = lexemes.filter((lexeme, at) => lexeme.startsWith("#") && lexemes[at - 1] !== CST.SCALAR);
  return comments.map((comment) => comment.trimEnd()).toSorted();
}

/** Formats a text, and fails if it is refused, if the meaning, a comment or the order of links changes, or if it is not stable. */
function checkFormat(before: string): void {
  const result = formatText(before, FILE);
  if ("problems" in result) throw new Error(`${result.problems.map(({ message }) => message).join(" ")}\n${before}`);
  const after = result.text;
  expect({ before, after, says: meaning(after) }).toEqual({ before, after, says: meaning(before) });
  expect({ before, after, comments: commentsOf(after) }).toEqual({ before, after, comments: commentsOf(before) });
  expect({ before, links: linksIn(after) }).toEqual({ before, links: linksIn(before) });
  expect({ before, again: formatText(after, FILE) }).toEqual({ before, again: { text: after } });
}

describe("formatText", () => {
  it.each(cases)("formats %s", async (name) => {
    const before = await readFile(path.join(CASES, name, "before.yaml"), "utf8");
    const expected = path.join(CASES, name, "after.yaml");
    const after = formatted(before);
    if ((process.env["UPDATE_FIXTURES"] ?? "") !== "") await writeFile(expected, after);
    expect(after).toBe(await readFile(expected, "utf8"));
    checkFormat(before);
  });

  it.each(examples)("leaves %s as it is", async (file) => {
    const text = await readFile(file, "utf8");
    expect(formatted(text)).toBe(text);
  });

  it.each([
    ["", ""],
    ["# only a comment", "# only a comment\n"],
    ["\n\nlinks:\n\n\n", "links:\n"],
    ["links: { # why\n}\n", "links: {} # why\n"],
    ["a:\n- { # b\n  c: d }\n", "a:\n  # b\n  - c: d\n"],
    ["links: # x\n\n    # a:\n    #   url: x\n# y\n", "links: # x\n\n  # a:\n  #   url: x\n# y\n"],
    ["# a\n\n!!str # own\nplain # beside\n# below", "# a\n\n# own\n!!str plain # beside\n# below\n"],
    ["# a\n\n# b\n---\na: x\n--- # d\na:\n\n# e\n...\n", "# a\n\n# b\n---\na: x\n--- # d\na:\n\n# e\n...\n"],
    ["!!seq # a\n[ # b\n# c\n] # d\n# e\n", "# a\n# b\n# c\n!!seq [] # d\n# e\n"],
    ["--- !!null\n\n# c\n", "---\n!!null\n\n# c\n"],
    ["a: { # x\n  b: 1 } # d\n", "a: # x\n  b: 1\n  # d\n"],
    ["a: {\n  # x\n  b: 1, # y\n  # z\n\n  # e\n} # d\nc: 1\n", "a: # d\n  # x\n  b: 1 # y\n  # z\n  # e\nc: 1\n"],
    ["a:\n  - {\n    # x\n    b: 1, c: 2 } # d\n", "a:\n  # x\n  - b: 1\n    c: 2\n    # d\n"],
    ["a: # x\n  { # y\n  b: 1 }\n", "a: # x\n  # y\n  b: 1\n"],
    ["z:\na: &x # c\n\n  # d\n  v # e\n", "z:\n# c\n# d\na: &x v # e\n"],
    ['"a, b": { "c, d": "e, f" }\ng: "h, i"\n', 'a, b: { "c, d": "e, f" }\ng: h, i\n'],
    [`a:\n  b: [${"x".repeat(154)}]\n`, `a:\n  b:\n    - ${"x".repeat(154)}\n`],
    ["a:\n    b: |4\n          x\n         y", "a:\n  b: |2\n      x\n     y\n"],
    ["# all\n\n# a\nlinks: {}\n# v\nversion: 1\n", "# all\n\n# v\nversion: 1\n\n# a\nlinks: {}\n"],
    ["%YAML 1.2\n---\nlinks: {a: {url: x}}\n", "%YAML 1.2\n---\nlinks: { a: { url: x } }\n"],
    ["--- {links: {}}\n", "---\nlinks: {}\n"],
    ["a:\n\n# b\n---\nc:\n", "a:\n\n# b\n---\nc:\n"],
    ["---\n---\nlinks:\n", "---\n---\nlinks:\n"],
    ["note: |+\n    kept\n\n\nlinks: {}\n", "note: |+\n  kept\n\n\nlinks: {}\n"],
    ["note: >2-\n    a\n   b\n", "note: >2-\n    a\n   b\n"],
    ["links:\n  a:\n    note: |\n\n      text\n", "links:\n  a:\n    note: |\n\n      text\n"],
    ["? links\n: ? a\n  : {}\n", "links:\n  a: {}\n"],
    ["absent: {}\nlinks:\n  a: |-\n    x\n       \n", "links:\n  a: |-\n    x\n       \nabsent: {}\n"],
    // Each comment stays with what it is above, beside or below.
    ["links: {}\n\n# about the\n# pixels\n\npixels: {}\n", "# about the\n# pixels\n\npixels: {}\n\nlinks: {}\n"],
    ["links:\n  a:\n    b: x\n\n    # a\n  # e\npixels:\n", "pixels:\nlinks:\n  a:\n    b: x\n\n    # a\n  # e\n"],
    ["# yaml-language-server: x\nlinks: {}\nversion: 1\n", "# yaml-language-server: x\nversion: 1\nlinks: {}\n"],
    ["protect:\n- # x\n  a\n-  # y\n\n   b # z\n", "protect:\n  # x\n  - a\n  # y\n\n  - b # z\n"],
    ["links: { of two\n  lines: {} }\n", "links: { of two lines: {} }\n"],
    ['links: { "of two\n  lines": {} }\n', "links: { of two lines: {} }\n"],
    ["e-2026: E123456", '"e-2026": "E123456"\n'],
  ])("formats %j", (before, after) => {
    expect(formatted(before)).toBe(after);
    checkFormat(before);
  });

  it("keeps the keys in place if an alias would come before its anchor", () => {
    const text = "links:\n  a:\n    note: &n text\n    url: *n\n";
    expect(formatted(text)).toBe(text);
  });

  it.each(["links: [", "a: 1\na: 2\n", "<<: {}\n", "a: !x b\n", "a: *b\n", "links:\n\ta: 1\n", ":\n\r\n#\n |\n\r:"])(
    "reports the mistakes of %j",
    (text) => {
      const result = formatText(text, FILE);
      expect("problems" in result && result.problems[0]?.place?.file).toBe(FILE);
    },
  );
});

it("keeps the meaning, the comments and the order of links of random files", () => {
  fc.assert(
    fc.property(anyDice, (one) => checkFormat(new RandomFile(one).text())),
    { numRuns: runs(150) },
  );
});

it.each([
  "note: >-\n      \n",
  "note: |\n    \n        \n",
  "note: |+\n\n   \n",
  "note: >\n",
  "note: |+\n",
  "note: |2\n\n",
])("a block scalar without text is formatted once: %j", (field) => {
  const once = formatted(`links:\n  a:\n    ${field}    url: https://example.com/\n`);
  expect(formatted(once)).toBe(once);
});
