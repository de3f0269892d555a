// Saved plans in scenarios: made, applied, and looked into.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { apply, type ApplyFlags } from "../../src/commands/apply.ts";
import type { ApplyDocument } from "../../src/report/document.ts";
import type { SavedPlan } from "../../src/report/saved.ts";
import { runIn, type Ran, type Scenario } from "./scenario.ts";

export const PLAN = "plan.json";

/** Plans with `--out`, and returns what was saved. */
export async function savePlan(scenario: Scenario): Promise<SavedPlan> {
  const { exit, err } = await scenario.plan({ out: PLAN });
  expect([exit, err]).toEqual([0, `Saved in ${PLAN}. \`linkform apply ${PLAN}\` makes these changes and no other.\n`]);
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

/** How each change ended: `update go.example.com/a: applied`, or in place of the outcome why it was not made. */
export function endings({ changes }: ApplyDocument): string[] {
  return changes.map(({ action, key, outcome, error, already_so }) => {
    const how = error === null ? (already_so === true ? "already so" : outcome) : `${error.code} ${error.message}`;
    return `${action} ${key}: ${how}`;
  });
}
