// The canonical form of files. Fails if formatting changes the meaning, loses a comment or moves it to another key, is not
// stable, or changes what examples and commands write.
// UPDATE_FIXTURES=1 writes the formatted files. Then read every changed after.yaml.

import * as fc from "fast-check";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { formatText } from "../../src/edit/format.ts";
import { keyRanks, FILE_SCHEMA, valueSchema } from "../../src/edit/key-order.ts";
import { blockFields, type ResourceKind, SECTION } from "../../src/domain/table.ts";
import { yamlFilesIn } from "../support/documents.ts";
import { checkFormat, commentsOf, FILE, meaning } from "./formatting.ts";
import { anyDice, RandomFile } from "./random-file.ts";

const CASES = path.resolve("test/fixtures/fmt");
const RUNS = Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 150);

const cases = (await readdir(CASES)).toSorted();
const examples = (await yamlFilesIn("examples")).filter((file) => !file.includes("/ci/"));

function formatted(text: string): string {
  const result = formatText(text, FILE);
  if ("problems" in result) throw new Error(result.problems.map(({ message }) => message).join(" "));
  return result.text;
}

describe("formatText", () => {
  it.each(cases)("formats %s", async (name) => {
    const before = await readFile(path.join(CASES, name, "before.yaml"), "utf8");
    const expected = path.join(CASES, name, "after.yaml");
    const after = formatted(before);
    if ((process.env["UPDATE_FIXTURES"] ?? "") !== "") await writeFile(expected, after);
    expect(after).toBe(await readFile(expected, "utf8"));
    expect(formatted(after)).toBe(after);
    expect(meaning(after)).toEqual(meaning(before));
    expect(commentsOf(after)).toEqual(commentsOf(before));
  });

  it.each(examples)("leaves %s as it is", async (file) => {
    const text = await readFile(file, "utf8");
    expect(formatted(text)).toBe(text);
  });

  it.each([
    ["", ""],
    ["# only a comment", "# only a comment\n"],
    ["\n\nlinks:\n\n\n", "links:\n"],
    ["links: {}", "links: {}\n"],
    ["links: { # why\n}\n", "links: {} # why\n"],
    ["links: # x\n\n    # a:\n    #   url: x\n# y\n", "links: # x\n\n  # a:\n  #   url: x\n# y\n"],
    ["plain", "plain\n"],
    ["%YAML 1.2\n---\nlinks: {a: {url: x}}\n", "%YAML 1.2\n---\nlinks: { a: { url: x } }\n"],
    ["--- {links: {}}\n", "---\nlinks: {}\n"],
    ["---\n---\nlinks:\n", "---\n---\nlinks:\n"],
    ["note: |+\n    kept\n\n\nlinks: {}\n", "note: |+\n  kept\n\n\nlinks: {}\n"],
    ["note: >2-\n    a\n   b\n", "note: >2-\n    a\n   b\n"],
    ["links:\n  a:\n    note: |\n\n      text\n", "links:\n  a:\n    note: |\n\n      text\n"],
    ["? links\n: ? a\n  : {}\n", "links:\n  a: {}\n"],
    [
      "absent: {}\nlinks:\n  a:\n    note: |-\n      two\n         \n",
      "links:\n  a:\n    note: |-\n      two\n         \nabsent: {}\n",
    ],
    // Each comment stays with what it is above, beside or below.
    ["links: {}\n\n# about the\n# pixels\n\npixels: {}\n", "# about the\n# pixels\n\npixels: {}\n\nlinks: {}\n"],
    [
      "links:\n  a:\n    url: x\n    # end of a\n  # end\npixels: {}\n",
      "pixels: {}\nlinks:\n  a:\n    url: x\n    # end of a\n  # end\n",
    ],
    ["version: 1\nlinks: {}\npixels: {}\n", "version: 1\npixels: {}\nlinks: {}\n"],
    [
      "protect:\n- # first\n  a\n-  # second\n\n   b # beside\n",
      "protect:\n  # first\n  - a\n  # second\n\n  - b # beside\n",
    ],
    ["links: { of two\n  lines: {} }\n", "links: { of two lines: {} }\n"],
    ['links: { "of two\n  lines": {} }\n', "links: { of two lines: {} }\n"],
  ])("formats %j", (before, after) => {
    expect(formatted(before)).toBe(after);
    expect(formatted(after)).toBe(after);
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

  it("writes a line for each link of a file that is a single line", () => {
    const links = Array.from(
      { length: 2000 },
      (_, index) => `"link-${index}": {"url": "https://example.com/${index}?a=[b]"}`,
    );
    const after = formatted(`{"links": {${links.join(", ")}}}`);
    expect(after.split("\n")).toHaveLength(2002);
    expect(formatted(after)).toBe(after);
  });
});

describe("the order of keys", () => {
  it.each(["link", "pixel"] as const)("is that of the field table for a %s", (kind: ResourceKind) => {
    const ranks = keyRanks(valueSchema(valueSchema(FILE_SCHEMA, SECTION[kind]), "any")) ?? new Map<string, number>();
    const heads = [...new Set(blockFields(kind).map((field) => field.path.split(".")[0] ?? ""))];
    expect([...ranks.keys()].filter((key) => heads.includes(key))).toEqual(heads);
    expect([...ranks.keys()].at(-1)).toBe("note");
  });
});

it("keeps the meaning, the comments and the order of links of random files", () => {
  fc.assert(
    fc.property(anyDice, (one) => checkFormat(new RandomFile(one).text())),
    { numRuns: RUNS },
  );
});

// Fails if spaces of a block scalar without text are indented once more by each run.
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
