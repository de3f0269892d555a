// An account, a project, and a layer between them that can fail. Runs apply through the layer, and again without it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import type { Sandbox, SeedState, State } from "../../src/sandbox/index.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { fastClock } from "../support/clock.ts";
import { startLayer, type Asked, type Fault, type Layer } from "../support/layer.ts";
import { runIn, writeFiles, type Ran } from "../support/scenario.ts";
import { addedRows, differences } from "./declared.ts";
import { startSandbox } from "../support/sandbox.ts";

/** Records that a run writes get this date, which shows that they were written. */
const NOW = new Date("2026-11-21T12:00:00Z");

/** The account and project of a trial. */
export interface Setting {
  readonly seed: SeedState;
  /** The files of the project by path. `--base-url` sends runs to another address. */
  readonly files: Readonly<Record<string, string>>;
  /** The variables for secrets. No output may contain their values. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface Trial {
  readonly setting: Setting;
  readonly sandbox: Sandbox;
  readonly layer: Layer;
  readonly folder: string;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `act` with a trial on a new account. */
export async function withTrial<Result>(
  setting: Setting,
  fault: Fault | null,
  clock: Clock,
  act: (trial: Trial) => Promise<Result>,
): Promise<Result> {
  const { seed, files, secrets } = setting;
  const sandbox = await startSandbox({ rateLimit: 0, seed, now: () => NOW });
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-fault-"));
  const layer = await startLayer(sandbox.url, clock, fault);
  try {
    await writeFiles(folder, files);
    const env = { ...secrets, LINKFORM_API_KEY: sandbox.apiKey };
    return await act({ setting, sandbox, layer, folder, clock, env });
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
    layer.close();
  }
}

/** `linkform apply --yes --verbose --format json` for this address. */
async function applyAt(baseUrl: string, { folder, env, clock }: Trial): Promise<Ran> {
  const flags = { yes: true, verbose: true, format: ["json"], baseUrl };
  return runIn(folder, env, (world) => apply(world, flags), { clock });
}

export const PLAN = "plan.json";

/** `linkform plan --out plan.json` through the layer. Throws if there is no plan. */
export async function savePlan({ layer, folder, env, clock }: Trial): Promise<void> {
  const flags = { out: PLAN, format: ["json"], baseUrl: layer.url };
  const { exit, out } = await runIn(folder, env, (world) => plan(world, flags), { clock });
  if (exit !== 0) throw new Error(`Planning ended with ${exit}: ${out}`);
}

/** `linkform apply plan.json --format json` through the layer. */
export async function applySaved({ layer, folder, env, clock }: Trial): Promise<Ran> {
  return runIn(folder, env, (world) => apply(world, { format: ["json"], baseUrl: layer.url }, PLAN), { clock });
}

/** A run without a fault never waits. With a fast clock, a busy machine would cause timeouts, and with them more requests. */
const FAULTLESS = fastClock(1);

/** The result of an apply without a fault. */
export interface Reference {
  readonly setting: Setting;
  /** The account before, and in the declared state. */
  readonly seed: State;
  readonly declared: State;
  /** The requests of the apply, in the order of arrival. */
  readonly requests: readonly Asked[];
  readonly document: ApplyDocument;
}

export async function applyWithoutFault(setting: Setting): Promise<Reference> {
  return withTrial(setting, null, FAULTLESS, async (trial) => {
    const seed = trial.sandbox.state();
    const { exit, out, err } = await applyAt(trial.layer.url, trial);
    if (exit !== 0) throw new Error(`The apply without a fault ended with ${exit}: ${out}${err}`);
    const declared = trial.sandbox.state();
    return { setting, seed, declared, requests: trial.layer.requests, document: JSON.parse(out) };
  });
}

/** Applies again without the layer, and returns the differences from the declared state. */
export async function problemsAfterAnother(
  trial: Trial,
  { seed, declared }: Reference,
  applyAgain: (trial: Trial) => Promise<Ran> = (one) => applyAt(one.sandbox.url, one),
): Promise<string[]> {
  const { sandbox } = trial;
  const added = addedRows(sandbox.state());
  const again = await applyAgain(trial);
  const problems =
    again.exit === 0 ? [] : [`applying again ended with ${again.exit}: ${complaints(JSON.parse(again.out))}`];
  const { not_reviewed: notReviewed = [] }: ApplyDocument = JSON.parse(again.out);
  for (const { action, key } of notReviewed) problems.push(`nobody has reviewed ${action} ${key}`);
  const state = sandbox.state();
  for (const { key, says } of differences(state, declared, seed)) problems.push(`applied again, ${key} ${says}`);
  if (addedRows(state).join() !== added.join()) problems.push("applying again has touched the row of somebody else");
  return [...problems, ...(await problemsOfPlan(trial))];
}

/** The changes that a plan still has. */
async function problemsOfPlan({ sandbox, folder, env }: Trial): Promise<string[]> {
  const planned = await runIn(folder, env, (world) => plan(world, { format: ["json"], baseUrl: sandbox.url }));
  const { changes }: PlanDocument = JSON.parse(planned.out);
  const left = changes.map(({ action, key }) => `after that the plan would still ${action} ${key}`);
  return planned.exit === 0
    ? left
    : [`planning after that ended with ${planned.exit}: ${complaints(JSON.parse(planned.out))}`, ...left];
}

/** The error messages of a document. */
export function complaints({ diagnostics, changes }: Pick<ApplyDocument, "diagnostics" | "changes">): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return [...errors, ...changes.flatMap(({ error }) => error?.message ?? [])].join(" ");
}
