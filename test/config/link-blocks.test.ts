// Links are left out of a file before it is parsed. Fails if a block is cut at the wrong line, if a place moves, or if a file is cut
// although a part that is left out can matter to the rest.

import { describe, expect, it } from "vitest";
import { cutFile, omitBlocks, textOf } from "../../src/config/link-blocks.ts";
import { parseYaml, type TreeNode } from "../../src/config/yaml.ts";

const FILE = `# Spring
defaults: { link: { domain: go.example.com } }

links:
  # the first
  spring-sale:
    url: https://example.com/?a=1&b=2
    note: |
      links:
      # no comment
        deeper: { url: x }

  "quoted key/ä": { url: "https://example.com/#x" } # last: one
  go.example.com/2024: # by its domain
    targeting:
      country:
        DE: https://example.com/de

  'single':
    url: >-
      https://example.com/
absent:
  links: [old]
`;

/** The keys and lines of the links that a parser finds. */
function parsed(text: string): [key: string, line: number, value: unknown][] {
  const { documents, diagnostics } = parseYaml(text, "a.yaml");
  expect(diagnostics).toEqual([]);
  const links = documents.flatMap((node) => (node.type === "map" ? (node.byKey.get("links")?.value ?? []) : []));
  return links.flatMap((node) =>
    node.type === "map"
      ? node.entries.map(({ key, keyPlace, value }): [string, number, unknown] => [key, keyPlace.line, plain(value)])
      : [],
  );
}

function plain(node: TreeNode): unknown {
  if (node.type === "scalar") return [node.text, node.place.line, node.place.column];
  if (node.type === "list") return node.items.map(plain);
  return node.entries.map(({ key, keyPlace, value }) => [key, keyPlace.line, keyPlace.column, plain(value)]);
}

describe.each([
  ["", FILE],
  [" with CRLF", FILE.replaceAll("\n", "\r\n")],
  [" without a last line break", FILE.trimEnd()],
  [" with links at the end", FILE.slice(0, FILE.indexOf("absent:"))],
])("a file%s", (_, text) => {
  it("is cut into the blocks of its links", () => {
    const file = cutFile(text);
    expect(file?.blocks.map(({ alias }) => alias)).toEqual(["spring-sale", "a", "2024", "single"]);
    expect(file && textOf(file)).toBe(text);
  });

  it.each(["spring-sale", "a", "2024", "single"])("has %s at its place without the others", (name) => {
    const file = cutFile(text);
    const without = file && textOf(omitBlocks(file, ({ alias }) => alias !== name));
    const at = file?.blocks.findIndex(({ alias }) => alias === name) ?? -1;
    expect(parsed(without ?? "")).toEqual([parsed(text)[at]]);
  });
});

it.each([
  ["an anchor", "links:\n  a: &one { url: x }\n  b: *one\n"],
  ["a tag", "links:\n  a: { url: !!str x }\n"],
  ["a merge key", "links:\n  a: { <<: *one }\n"],
  ["two documents", "links:\n  a: { url: x }\n---\nlinks:\n  b: { url: x }\n"],
  ["two sections", "links:\n  a: { url: x }\nlinks:\n  b: { url: x }\n"],
  ["a tab", "links:\n  a:\n\t\turl: x\n"],
  ["lines with too little indentation", "links:\n    a: { url: x }\n  b: { url: x }\n"],
  ["a key with escapes", 'links:\n  "\\u0061": { url: x }\n'],
  ["a complex key", "links:\n  ? a\n  : { url: x }\n"],
  ["a list", "links:\n  - a\n"],
  ["a closing bracket at the start of a line", "defaults: {\n}\nlinks:\n  a: { url: x }\n"],
  ["JSON", '{ "links": { "a": { "url": "x" } } }\n'],
])("a file with %s is not cut", (_, text) => {
  expect(cutFile(text)).toBeNull();
});

it.each([
  ["no links", "absent: { links: [a] }\n"],
  ["links on one line", "links: { a: { url: x } }\n"],
  ["an empty section", "links:\nabsent: { links: [a] }\n"],
])("a file with %s stays whole", (_, text) => {
  const file = cutFile(text);
  expect(file?.blocks).toEqual([]);
  expect(file && textOf(file)).toBe(text);
});
