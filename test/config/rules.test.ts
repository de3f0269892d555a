// The catalogue of rules: docs/rules.md tells of each, each can be set, and each finds what it is there for.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadProject, type Loaded } from "../../src/config/load.ts";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import { PIXEL_VALUES } from "../../src/domain/pixel-fields.ts";
import { RULES } from "../../src/domain/rules.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

const NOW = "2026-11-21T12:00:00Z";
const page = await readFile("docs/rules.md", "utf8");

/** The cells of a page's table whose first column has this title. */
function rowsOf(title: string): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${title} `)) + 2;
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith("|"));
  return lines.slice(start, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const bare = (cell: string): string => cell.replace(/^`(.*)`$/, "$1");
const table = rowsOf("Code");
const examples = table.map(([code = "", , , , example = ""]): [string, string] => [bare(code), bare(example)]);

/** A project that holds an example of the page, with this setting of a rule. */
async function loadExample(example: string, rules = "{}"): Promise<Loaded> {
  const block = example.startsWith("links:")
    ? example
    : example.startsWith("type:")
      ? `pixels: { A pixel: { ${example} } }`
      : `links: { a: { ${example.startsWith("url:") ? "" : "url: https://example.com/, "}${example} } }`;
  const folder = await temporaryFolder();
  const text = `${HEAD}defaults: { link: { domain: go.example.com } }\nrules: ${rules}\n${block}\n`;
  await writeFiles(folder, { "linkform.yaml": text });
  return loadProject(`${folder}/linkform.yaml`, NOW);
}

const found = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ code, severity }) => `${severity} ${code}`);
const isRefusedAnyway = (one: Diagnostic): boolean => one.severity === "error";

describe("docs/rules.md", () => {
  // Fails when a rule is added, removed, reordered or worded anew in one of the two places only.
  it("tells of every rule as the catalogue has it", () => {
    const told = table.map(([code = "", level, about]) => [bare(code), level, about]);
    expect(told).toEqual(Object.entries(RULES).map(([code, { level, about }]) => [code, level, about]));
  });

  // Fails when a form of a pixel's value changes in one of the two places only, or its example does not have the form.
  it("tells of the form of every type's values, and their examples have it", () => {
    const told = rowsOf("Type").map(([type = "", form, example = ""]) => [bare(type), form, bare(example)]);
    expect(told).toEqual(Object.entries(PIXEL_VALUES).map(([type, { shape, example }]) => [type, shape, example]));
    for (const { pattern, example } of Object.values(PIXEL_VALUES)) expect(example).toMatch(pattern);
  });

  // Fails when an example no longer shows its rule, or shows another one as well.
  it.each(examples)("%s: its example shows it", async (code, example) => {
    const isOff = table.some(([cell = "", level]) => bare(cell) === code && level === "off");
    const loaded = await loadExample(example, isOff ? `{ ${code}: warning }` : "{}");
    expect(found(loaded).map((one) => one.split(" ")[1])).toEqual([code]);
  });
});

describe("setting a rule", () => {
  // Fails when a rule can't be silenced, lowered or raised, or when an error of a rule lets anything be planned.
  it.each(examples)("%s: off, warning, error", async (code, example) => {
    const raised = await loadExample(example, `{ ${code}: error }`);
    expect(found(raised)).toEqual([`error ${code}`]);
    expect(raised.project).toBeNull();
    const silenced = await loadExample(example, `{ ${code}: off }`);
    expect(silenced.diagnostics.map((one) => one.code)).not.toContain(code);
    const lowered = await loadExample(example, `{ ${code}: warning }`);
    // What the schema refuses too stays an error, in the words of the rule or in its own.
    const stays = silenced.diagnostics.some(isRefusedAnyway);
    expect(found(lowered)).toEqual([`${stays ? "error" : "warning"} ${code}`]);
    expect(lowered.project === null).toBe(stays);
  });
});
