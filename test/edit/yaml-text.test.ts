// YAML that is printed for users to paste. Fails if a text, as a key or a value, is read back as another one, takes
// more than one line, can control the terminal, or is no text to a reader of YAML 1.1.

import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDocument, visit } from "yaml";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import { entry, type TreeNode } from "../../src/config/yaml.ts";
import { yamlText } from "../../src/edit/yaml-text.ts";
import { character, runs } from "../support/states.ts";

const HOSTILE = [
  ..."a\nb: c¦- a¦# a¦a # b¦{¦}, b: {¦'¦\"¦\\¦*a¦&a¦!a¦%a¦@a¦|¦>¦?¦? a¦: ¦a: b¦<<¦---¦...¦~¦null¦true¦2024¦0123¦1e3¦no¦On".split(
    "¦",
  ),
  ..."12_3¦18:30¦0b11¦2027-10-31¦2027-10-31 18:30:00¦ a ¦¦\u001b[2J¦\u009b2J¦\u202eabc¦\u2028¦\ufeffa¦🎈¦\ud800".split(
    "¦",
  ),
  `${"long ".repeat(40)}\nand longer`,
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "grapheme" }), fc.string({ unit: character }));

/** The texts of the written entries. */
function plain(node: TreeNode | undefined): object {
  const [block, inline, list] = ["block", "inline", "list"].map((key) => entry(node, key)?.value);
  return { block: pairs(block), inline: pairs(inline), list: list?.type === "list" ? list.items.map(textOf) : null };
}

function pairs(node: TreeNode | undefined): unknown {
  return node?.type === "map" ? node.entries.map(({ key, value }) => [key, textOf(value)]) : null;
}

/** Scalars that YAML 1.1 does not read as text, except dates. */
function othersInYaml11(written: string): string[] {
  const others: string[] = [];
  visit(parseDocument(written, { version: "1.1", uniqueKeys: false }), {
    Scalar: (at, { value, source = "" }) => {
      const isDate = at !== "key" && /^\d{4}-\d{2}-\d{2}$/.test(source);
      if (typeof value !== "string" && !isDate) others.push(source);
    },
  });
  return others;
}

function textOf(node: TreeNode): string | null {
  return node.type === "scalar" ? node.text : null;
}

it("every text comes back as it was, on its own line, and cannot be mistaken for another", () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 3 }), text, text, (keys, value, comment) => {
      const inline = { entries: [{ key: value, value }], inline: true };
      const written = yamlText({
        entries: [
          { key: "block", value: { entries: keys.map((key) => ({ key, value, comment })) } },
          { key: "inline", value: inline },
          { key: "list", value: [value, value] },
        ],
      });
      expect(written.match(/[^\P{Cc}\n]|[\u2028\u2029\u202e\ufeff]/gu)).toBeNull();
      const lines = written.split("\n").filter((line) => line !== "" && !line.trimStart().startsWith("#"));
      expect(lines).toHaveLength(keys.length + 5);
      expect(othersInYaml11(written)).toEqual([]);
      if ([...keys, value].includes("__proto__")) return;
      const { documents, diagnostics } = parseYaml(written, "pasted.yaml");
      expect(diagnostics).toEqual([]);
      expect(plain(documents[0])).toEqual({
        block: keys.map((key) => [key, value]),
        inline: [[value, value]],
        list: [value, value],
      });
    }),
    { numRuns: runs(700) },
  );
});
