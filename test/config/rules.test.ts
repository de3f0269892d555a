// The list of rules: docs/rules.md describes each one, each can be set, and each reports its example.
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

/** The cells of a table whose first column has this title. */
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

/** A project with an example of the page, and this level for a rule. */
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
  // Fails if a rule is added, removed, reordered or reworded in only one of the two places.
  it("describes every rule of the list", () => {
    const told = table.map(([code = "", level, about]) => [bare(code), level, about]);
    expect(told).toEqual(Object.entries(RULES).map(([code, { level, about }]) => [code, level, about]));
  });

  // Fails if a form of a pixel's value changes in only one of the two places, or its example does not match.
  it("describes the form of every type's values, with a matching example", () => {
    const told = rowsOf("Type").map(([type = "", form, example = ""]) => [bare(type), form, bare(example)]);
    expect(told).toEqual(Object.entries(PIXEL_VALUES).map(([type, { shape, example }]) => [type, shape, example]));
    for (const { pattern, example } of Object.values(PIXEL_VALUES)) expect(example).toMatch(pattern);
  });

  // Fails if an example is not reported by its rule, or is reported by another one as well.
  it.each(examples)("%s: reports its example", async (code, example) => {
    const isOff = table.some(([cell = "", level]) => bare(cell) === code && level === "off");
    const loaded = await loadExample(example, isOff ? `{ ${code}: warning }` : "{}");
    expect(found(loaded).map((one) => one.split(" ")[1])).toEqual([code]);
  });
});

describe("setting a rule", () => {
  // Fails if a rule cannot be turned off, lowered or raised, or if a plan is possible despite an error.
  it.each(examples)("%s: off, warning, error", async (code, example) => {
    const raised = await loadExample(example, `{ ${code}: error }`);
    expect(found(raised)).toEqual([`error ${code}`]);
    expect(raised.project).toBeNull();
    const silenced = await loadExample(example, `{ ${code}: off }`);
    expect(silenced.diagnostics.map((one) => one.code)).not.toContain(code);
    const lowered = await loadExample(example, `{ ${code}: warning }`);
    // What the schema refuses as well stays an error, with the message of the rule or of the schema.
    const stays = silenced.diagnostics.some(isRefusedAnyway);
    expect(found(lowered)).toEqual([`${stays ? "error" : "warning"} ${code}`]);
    expect(lowered.project === null).toBe(stays);
  });
});
