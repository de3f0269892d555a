// The page of the rules: it names each rule with its level, and each rule reports the example that the page shows.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadProject, type Loaded } from "../../src/config/load.ts";
import { compareText } from "../../src/domain/place.ts";
import { isAboutSending, RULES } from "../../src/domain/rules.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

const NOW = "2026-11-21T12:00:00Z";

interface Item {
  readonly code: string;
  readonly level: string;
  /** What the rule finds, and why that matters. */
  readonly text: string;
  readonly wrong: string | undefined;
  readonly right: string | undefined;
}

/** The items of the lists of rules: "- `code` (level): text", and an example in the next line. */
const items = [
  ...(await readFile("docs/rules.md", "utf8")).matchAll(/^- `([a-z-]+)` \((\w+)\): (.+)(?:\n {2}`(.+)` → `(.+)`)?$/gm),
].map(([, code = "", level = "", text = "", wrong, right]): Item => ({ code, level, text, wrong, right }));
/** The scenarios of rules without examples are in test/fixtures/plans/takes-over* and test/check. */
const withExamples = items.filter(({ wrong }) => wrong !== undefined);

/** A project with an example of the page, and this level for a rule. */
async function loadExample(example: string, rules = "{}"): Promise<Loaded> {
  const url = example.startsWith("url:") ? "" : "url: https://example.com/, ";
  const block = example.startsWith("type:")
    ? `pixels: { A pixel: { ${example} } }`
    : `links: { a: { ${url}${example} }, b: { url: https://example.com/b } }`;
  const folder = await temporaryFolder();
  const text = `${HEAD}defaults: { link: { domain: go.example.com } }\nspaces: { Marketing: 1 }\nutm: { medium: [email, social] }\nrules: ${rules}\n${block}\n`;
  await writeFiles(folder, { "linkform.yaml": text });
  return loadProject(`${folder}/linkform.yaml`, NOW);
}

const found = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ code, severity }) => `${severity} ${code}`);

it("docs/rules.md has every rule once, with its default and what it finds", () => {
  const shown = items.map(({ code, level, text }) => `${code} ${level} ${text}`).toSorted(compareText);
  const expected = Object.entries(RULES).map(([code, { level, about }]) => `${code} ${level} ${about}`);
  const sorted = expected.toSorted(compareText);
  expect(shown.map((item, at) => item.slice(0, sorted[at]?.length))).toEqual(sorted);
});

describe("the examples of docs/rules.md", () => {
  // Fails if an example is not reported by its rule, or is reported by another one as well; if an example that is right is reported; if a rule
  // cannot be turned off, lowered or raised; or if a plan is possible despite an error.
  it.each(withExamples)("$code", async ({ code, level, wrong = "", right = "" }) => {
    const loaded = await loadExample(wrong, level === "off" ? `{ ${code}: warning }` : "{}");
    expect(loaded.diagnostics.map((one) => one.code)).toEqual([code]);
    expect(found(await loadExample(right, `{ ${code}: error }`))).toEqual([]);

    const raised = await loadExample(wrong, `{ ${code}: error }`);
    expect(found(raised)).toEqual([`error ${code}`]);
    expect(raised.project === null).toBe(!raised.diagnostics.some(isAboutSending));
    const silenced = await loadExample(wrong, `{ ${code}: off }`);
    expect(silenced.diagnostics.map((one) => one.code)).not.toContain(code);
    const lowered = await loadExample(wrong, `{ ${code}: warning }`);
    // What the schema refuses as well stays an error, with the message of the rule or of the schema.
    const stays = silenced.diagnostics.some(({ severity }) => severity === "error");
    expect(found(lowered)).toEqual([`${stays ? "error" : "warning"} ${code}`]);
    expect(lowered.project === null).toBe(stays);
  });
});
