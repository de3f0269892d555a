// Saved plans in scenarios: saved, applied, and read.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { apply, type ApplyFlags } from "../../src/cli/apply.ts";
import type { ApplyDocument, SavedPlan } from "../../src/report/json/schema.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { runIn, startScenario, type Ran, type Scenario } from "./scenario.ts";

export const PLAN = "plan.json";

export const GO: string = "go.example.com";

/** A link with a destination that contains its alias, and more fields. */
export const link = (alias: string, more = ""): string =>
  `  ${GO}/${alias}: { url: "https://example.com/${alias}"${more} }\n`;

/** An account with two pixels and five links. */
export const SEED: SeedState = {
  pixels: [
    { id: 1, name: "Old", type: "bing", value: "1000001" },
    { id: 2, name: "Theirs", type: "bing", value: "1000002" },
  ],
  links: [
    { id: 1, alias: "same", url: "https://example.com/same", domain: 2 },
    { id: 2, alias: "landing", url: "https://example.com/before", domain: 2, clicks: 7 },
    { id: 3, alias: "old", url: "https://example.com/old", domain: 2 },
    { id: 4, alias: "spring", url: "https://example.com/spring-sale", domain: 2 },
    { id: 5, alias: "moving", url: "https://example.com/moving", domain: 2, pixels: [1] },
  ],
};

/** One change of every kind, for links and pixels, on that account. */
export const ALL: string = `pixels:
  New: { type: bing, value: "1000003" }
links:
${link("same")}${link("landing")}${link("new", ", pixels: [New], password: { env: LINKFORM_SECRET_A }")}
  ${GO}/spring-sale: { url: https://example.com/spring-sale, renamed_from: spring }
  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving, space: Marketing }
absent: { links: [${GO}/old], pixels: [Old] }
`;

/** A project with these files on that account. */
export async function start(text: string): Promise<Scenario> {
  const scenario = await startScenario({ seed: SEED });
  await scenario.write(text);
  return scenario;
}

/** Plans with `--out`, and returns the saved plan. */
export async function savePlan(scenario: Scenario): Promise<SavedPlan> {
  const { exit, err } = await scenario.plan({ out: PLAN });
  expect([exit, err]).toEqual([
    0,
    `Saved the plan in ${PLAN}. Run \`linkform apply ${PLAN}\` to make exactly these changes.\n`,
  ]);
  return JSON.parse(await readPlan(scenario));
}

export async function readPlan({ folder }: Scenario): Promise<string> {
  return readFile(path.join(folder, PLAN), "utf8");
}

export async function writePlan({ folder }: Scenario, text: string): Promise<void> {
  await writeFile(path.join(folder, PLAN), text);
}

/** `linkform apply plan.json`, without a terminal and without `--yes`. */
export async function applyPlan(
  { folder, env }: Scenario,
  flags: ApplyFlags = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  return runIn(folder, env, (world) => apply(world, flags, PLAN), { signal });
}

/** The same with `--format json`. */
export async function applyPlanDocument(
  scenario: Scenario,
): Promise<{ readonly exit: number; readonly document: ApplyDocument }> {
  const { exit, out } = await applyPlan(scenario, { format: ["json"] });
  return { exit, document: JSON.parse(out) };
}

/** The outcome of each change, as `update go.example.com/a: applied`, or the reason why it was not made. */
export function endings({ changes }: ApplyDocument): string[] {
  return changes.map(({ action, key, outcome, error, already_so }) => {
    const how = error === null ? (already_so === true ? "already done" : outcome) : `${error.code} ${error.message}`;
    return `${action} ${key}: ${how}`;
  });
}
