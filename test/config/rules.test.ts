// The page of the rules: it names each rule with its level, and each rule reports the example that the page shows.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadProject, type Loaded } from "../../src/config/load.ts";
import type { Diagnostic } from "../../src/domain/diagnostic.ts";
import { PIXEL_VALUES } from "../../src/domain/pixel-fields.ts";
import { compareText } from "../../src/domain/place.ts";
import { isAboutSending, RULES } from "../../src/domain/rules.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

const NOW = "2026-11-21T12:00:00Z";

/** The rows of the tables of rules: rule, default, finds, reason or fix, wrong, right. */
const rows = (await readFile("docs/rules.md", "utf8"))
  .split("\n")
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")))
  .filter((cells) => cells.length === 8 && /^`[a-z-]+`$/.test(cells[1] ?? ""))
  .map((cells) => cells.slice(1, -1));
const unquoted = (cell = ""): string => cell.replaceAll(/^`|`$/g, "");
/** A rule without examples depends on the account. A scenario in test/fixtures/plans shows what it reports. */
const ofAPlan = rows.filter(([, , , , wrong]) => wrong === "–").map(([code]) => unquoted(code));
const withExamples = rows.filter(([code]) => !ofAPlan.includes(unquoted(code)));
const examples = withExamples.map(([code, , , , wrong]): [string, string] => [unquoted(code), unquoted(wrong)]);
const corrected = withExamples.map(([code, , , , , right]): [string, string] => [unquoted(code), unquoted(right)]);

/** A project with an example of the page, and this level for a rule. */
async function loadExample(example: string, rules = "{}"): Promise<Loaded> {
  const block = example.startsWith("links:")
    ? example
    : example.startsWith("type:")
      ? `pixels: { A pixel: { ${example} } }`
      : `links: { a: { ${example.startsWith("url:") ? "" : "url: https://example.com/, "}${example} } }`;
  const folder = await temporaryFolder();
  const text = `${HEAD}defaults: { link: { domain: go.example.com } }\nspaces: { Marketing: 1 }\nutm: { medium: [email, social] }\nrules: ${rules}\n${block}\n`;
  await writeFiles(folder, { "linkform.yaml": text });
  return loadProject(`${folder}/linkform.yaml`, NOW);
}

const found = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ code, severity }) => `${severity} ${code}`);
const isRefusedAnyway = (one: Diagnostic): boolean => one.severity === "error";

it("docs/rules.md has every rule once, with its default and what it finds", () => {
  const shown = rows.map((cells) => cells.slice(0, 3).join(" | "));
  const expected = Object.entries(RULES).map(([code, { level, about }]) => `\`${code}\` | ${level} | ${about}`);
  expect(shown.toSorted(compareText)).toEqual(expected.toSorted(compareText));
});

describe("the examples of docs/rules.md", () => {
  // Fails if the page shows a value that its own pattern refuses.
  it.each(Object.entries(PIXEL_VALUES))("%s: the example of a value has its form", (_, { pattern, example }) => {
    expect(example).toMatch(pattern);
  });

  // Fails if an example is not reported by its rule, or is reported by another one as well.
  it.each(examples)("%s: reports its example", async (code, example) => {
    const isOff = Object.entries(RULES).some(([name, { level }]) => name === code && level === "off");
    const loaded = await loadExample(example, isOff ? `{ ${code}: warning }` : "{}");
    expect(found(loaded).map((one) => one.split(" ")[1])).toEqual([code]);
  });
});

it.each(ofAPlan)("%s: a scenario has it as an error, and as a warning", async (code) => {
  const scenarios = [`${code}-error`, code].map((name) => readFile(`test/fixtures/plans/${name}/expected.txt`, "utf8"));
  const [error, warning] = await Promise.all(scenarios);
  expect([error, warning]).toEqual([
    expect.stringContaining(`error[${code}]`),
    expect.stringContaining(`warning[${code}]`),
  ]);
});

describe("the corrected examples", () => {
  // Fails if what a page shows as right is reported, by its rule or by another one.
  it.each(corrected)("%s: reports nothing", async (code, right) => {
    expect(found(await loadExample(right, `{ ${code}: error }`))).toEqual([]);
  });
});

describe("setting a rule", () => {
  // Fails if a rule cannot be turned off, lowered or raised, or if a plan is possible despite an error.
  it.each(examples)("%s: off, warning, error", async (code, example) => {
    const raised = await loadExample(example, `{ ${code}: error }`);
    expect(found(raised)).toEqual([`error ${code}`]);
    const isLeftToPlan = raised.diagnostics.some(isAboutSending);
    expect(raised.project === null).toBe(!isLeftToPlan);
    const silenced = await loadExample(example, `{ ${code}: off }`);
    expect(silenced.diagnostics.map((one) => one.code)).not.toContain(code);
    const lowered = await loadExample(example, `{ ${code}: warning }`);
    // What the schema refuses as well stays an error, with the message of the rule or of the schema.
    const stays = silenced.diagnostics.some(isRefusedAnyway);
    expect(found(lowered)).toEqual([`${stays ? "error" : "warning"} ${code}`]);
    expect(lowered.project === null).toBe(stays);
  });
});
