// What is printed is no command to a CI system, whatever it holds. Fails when a line of text or JSON would be obeyed by GitHub's
// runner, Azure Pipelines or TeamCity, when a text that would not be is changed, or when JSON or YAML says something else.

import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { apply } from "../../src/cli/apply.ts";
import { hasUnseen, visible, withoutCommands } from "../../src/domain/control-characters.ts";
import { jsonText } from "../../src/report/json/text.ts";
import { yamlText } from "../../src/edit/yaml-text.ts";
import { HOSTILE, obeyed } from "../support/log.ts";
import { runIn, startWith } from "../support/scenario.ts";
import { character, runs } from "../support/states.ts";

/** Texts of which many are nearly commands. */
const sign = fc.constantFrom(..."#:[] va.\n", "##", "::", "##[", "vso[", "::a::", "\u001b[31m", "\u001b[39m", "x");
const nearly = fc.oneof(
  fc.array(sign, { maxLength: 24 }).map((signs) => signs.join("")),
  fc.constantFrom(...HOSTILE).map((text) => text.replaceAll(/[^\n\x20-\x7e]/g, "")),
);

const anyText = fc.oneof(
  nearly,
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: character }),
  fc.string({ unit: "grapheme" }),
);

const holdsFor = (texts: fc.Arbitrary<string>, check: (text: string) => void, numRuns = runs(350)): void =>
  fc.assert(
    fc.property(texts, (text) => {
      check(text);
    }),
    { numRuns },
  );

describe("text", () => {
  it("is never a command", () => {
    holdsFor(nearly, (text) => expect(obeyed(withoutCommands(text))).toBe(null), runs(1000));
  });

  it("that is not nearly one stays as it is", () => {
    const harmless = nearly.map((text) => text.replaceAll("#", "# ").replaceAll(":", ": "));
    holdsFor(harmless, (text) => expect(withoutCommands(text)).toBe(text));
  });

  it("is made harmless once: a second time changes nothing", () => {
    holdsFor(nearly, (text) => expect(withoutCommands(withoutCommands(text))).toBe(withoutCommands(text)));
  });

  it.each([
    ["::add-mask::x", String.raw`\u{3a}:add-mask::x`],
    ["  ::a", String.raw`  \u{3a}:a`],
    ["a ::b::c", "a ::b::c"],
    ["  ::: links/spring.yaml:4:3", "  ::: links/spring.yaml:4:3"],
    [":::\u001b[31m ::a::", `\\u{3a}::\u001b[31m ::a::`],
    ["\u001b[31m:::\u001b[39m links/a.yaml:1:1", "\u001b[31m:::\u001b[39m links/a.yaml:1:1"],
    ["::::a::", String.raw`\u{3a}:::a::`],
    ["a ##[b]", String.raw`a #\u{23}[b]`],
    ["###vso[a.b]c", String.raw`##\u{23}vso[a.b]c`],
    ["## [b] # [c] #[d] ## heading", "## [b] # [c] #[d] ## heading"],
    ["\u001b[31m#\u001b[39m#[a]", String.raw`${"\u001b[31m#\u001b[39m"}\u{23}[a]`],
  ])("%j is shown as %j", (text, shown) => {
    expect(withoutCommands(text)).toBe(shown);
  });
});

test("JSON is no command, and has the same value", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(0, 2), (key, text, indent) => {
      const value = { list: [{ text, key }], [`a${key}`]: text };
      const written = jsonText(value, indent);
      expect(JSON.parse(written)).toEqual(value);
      expect([obeyed(written), hasUnseen(written.replaceAll("\n", ""))]).toEqual([null, false]);
    }),
    { numRuns: runs(350) },
  );
});

test("a document, a saved plan and a record escape what the account has, and the plan can be applied", async () => {
  const url = "https://example.com/\u009b2J\u202e\u200b\u{e0041}\u2028";
  const text = "links: { go.example.com/a: { url: https://example.com/ } }\n";
  const scenario = await startWith(text, { links: [{ domain: 2, alias: "a", url }] });
  const { folder, env } = scenario;
  const { out } = await scenario.plan({ format: ["json"], out: "plan.json" });
  const applied = await runIn(folder, env, (world) => apply(world, { record: "record.jsonl" }, "plan.json"));
  const files = await Promise.all(
    ["plan.json", "record.jsonl"].map((name) => readFile(path.join(folder, name), "utf8")),
  );
  expect(JSON.parse(out)).toMatchObject({ changes: [{ fields: [{ path: "url", before: url }] }] });
  expect(applied.exit).toBe(0);
  for (const written of [out, ...files]) {
    expect(written).toContain(String.raw`\u009b2J\u202e\u200b\udb40\udc41\u2028`);
    expect(hasUnseen(written.replaceAll("\n", ""))).toBe(false);
  }
});

test("YAML to paste is no command, and has the same value", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (key, text, inline) => {
      const inner = {
        entries: [
          { key: "url", value: text },
          { key: "list", value: [text, key] },
        ],
        inline,
      };
      const written = yamlText({ entries: [{ key, value: inner }] });
      expect(parse(written)).toEqual({ [key]: { url: text, list: [text, key] } });
      expect([obeyed(written), withoutCommands(written)]).toEqual([null, written]);
      expect(hasUnseen(written.replaceAll("\n", ""))).toBe(false);
    }),
    { numRuns: runs(350) },
  );
});

test("a text with characters that are shown by their code points is no command", () => {
  holdsFor(anyText, (text) => expect(obeyed(withoutCommands(visible(text)))).toBe(null));
});
