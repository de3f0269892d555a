// One account, one project, and a layer between them that may fail: applied through it, and again without it.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { apply } from "../../src/commands/apply.ts";
import { plan } from "../../src/commands/plan.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/document.ts";
import { startSandbox, type Sandbox, type State } from "../../src/sandbox/index.ts";
import type { Clock } from "../../src/service/clock.ts";
import { startLayer, type Asked, type Fault, type Layer } from "../support/layer.ts";
import { runIn, writeFiles, type Ran } from "../support/scenario.ts";
import { addedRows, differences } from "./declared.ts";
import { MIXED_FILES, MIXED_SECRETS, MIXED_SEED } from "./mixed.ts";

/** Rows that are written get this date: it shows which were. */
const NOW = new Date("2026-11-21T12:00:00Z");

export interface Trial {
  readonly sandbox: Sandbox;
  readonly layer: Layer;
  readonly folder: string;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
}

/** A trial of the mixed project on an account of its own, for as long as `act` takes. */
export async function withTrial<Result>(
  fault: Fault | null,
  clock: Clock,
  act: (trial: Trial) => Promise<Result>,
): Promise<Result> {
  const sandbox = await startSandbox({ rateLimit: 0, seed: MIXED_SEED, now: () => NOW });
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-fault-"));
  const layer = await startLayer(sandbox.url, clock, fault);
  try {
    await writeFiles(folder, MIXED_FILES);
    return await act({ sandbox, layer, folder, clock, env: { ...MIXED_SECRETS, LINKFORM_API_KEY: sandbox.apiKey } });
  } finally {
    layer.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** `linkform apply --yes --verbose --format json` with a journal, with the service at this address. */
export async function applyAt(baseUrl: string, { folder, env, clock }: Trial): Promise<Ran> {
  const flags = { yes: true, verbose: true, format: ["json"], journal: JOURNAL, baseUrl };
  return runIn(folder, env, (world) => apply(world, flags), { clock });
}

const JOURNAL = "journal.jsonl";

/** The journal of the runs so far; empty where none came as far as that. */
export async function journalOf({ folder }: Trial): Promise<string> {
  return readFile(path.join(folder, JOURNAL), "utf8").catch(() => "");
}

/** What an apply without any fault comes to. */
export interface Reference {
  /** The account as it was, and as it is declared. */
  readonly seed: State;
  readonly declared: State;
  /** What the apply asked for, in the order of arrival. */
  readonly requests: readonly Asked[];
  readonly document: ApplyDocument;
}

export async function applyWithoutFault(clock: Clock): Promise<Reference> {
  return withTrial(null, clock, async (trial) => {
    const seed = trial.sandbox.state();
    const { exit, out, err } = await applyAt(trial.layer.url, trial);
    if (exit !== 0) throw new Error(`The apply without a fault ended with ${exit}: ${out}${err}`);
    return { seed, declared: trial.sandbox.state(), requests: trial.layer.requests, document: JSON.parse(out) };
  });
}

/** Applies again, with nothing in between; says what keeps the account from being as declared after that. */
export async function problemsAfterAnother(trial: Trial, { seed, declared }: Reference): Promise<string[]> {
  const { sandbox, folder, env } = trial;
  const added = addedRows(sandbox.state());
  const again = await applyAt(sandbox.url, trial);
  const problems = again.exit === 0 ? [] : [`applying again ended with ${again.exit}: ${complaints(again)}`];
  const state = sandbox.state();
  for (const { key, says } of differences(state, declared, seed)) problems.push(`applied again, ${key} ${says}`);
  if (addedRows(state).join() !== added.join()) problems.push("applying again has touched the row of somebody else");
  const planned = await runIn(folder, env, (world) => plan(world, { format: ["json"], baseUrl: sandbox.url }));
  if (planned.exit !== 0) problems.push(`planning after that ended with ${planned.exit}: ${complaints(planned)}`);
  const { changes }: PlanDocument = JSON.parse(planned.out);
  for (const { action, key } of changes) problems.push(`after that the plan would still ${action} ${key}`);
  return problems;
}

/** The errors in a document. */
function complaints({ out }: Ran): string {
  const { diagnostics, changes }: Pick<ApplyDocument, "diagnostics" | "changes"> = JSON.parse(out);
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return [...errors, ...changes.flatMap(({ error }) => error?.message ?? [])].join(" ");
}
