// Random accounts and files, with failing requests and concurrent writes by someone else at any request of an apply or an
// undo, and two applies at once. Fails if a record is written to although it differed from the plan when it was last read; if a change is
// reported as applied and is not, or if somebody else's change is reported without the previous values; if an object exists twice; or
// if the next apply does not end in the declared state.

import fc from "fast-check";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { apply, undo, type ApplyFlags } from "../../src/cli/apply.ts";
import type { World } from "../../src/session/context.ts";
import { plan } from "../../src/cli/plan.ts";
import type { UndoFlags } from "../../src/undo/plan.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import { fold } from "../../src/sandbox/fold.ts";
import type { Sandbox, State } from "../../src/sandbox/index.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { StillClock } from "../support/clock.ts";
import { startLayer, type Layer } from "../support/layer.ts";
import { account, projectOf, seedOf, type Account } from "../support/random-account.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import { withSecrets } from "../support/undone.ts";
import { NOW, UNDISTURBED, Witness, type Disturbances, type ForeignWrite } from "./witness.ts";
import { startSandbox } from "../support/sandbox.ts";

/** Tombstones and expired links in addition to the files of a random account. */
interface More {
  readonly prunes: boolean;
  readonly deletesPixels: boolean;
  /** Declared links that have expired when the apply runs. */
  readonly ended: readonly number[];
}

/** A position in a run: from 0 to 1 while it plans, up to 2 while it writes, and up to 3 while it verifies. */
const position = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1000, max: 1999 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2999 }) },
  )
  .map((thousandths) => thousandths / 1000);
const write: fc.Arbitrary<ForeignWrite & { position: number }> = fc.record({
  position,
  does: fc.constantFrom<ForeignWrite["does"][]>(
    "rename",
    "redirect",
    "set a password",
    "clear the password",
    "disable",
    "enable",
    "delete",
    "make anew",
    "expire later",
    "expire now",
    "use a pixel",
    "take a key",
  ),
  to: fc.constantFrom("ending", "ending", "planned", "planned", "any"),
  row: fc.nat({ max: 99 }),
});
const fault = fc.record({
  position,
  fault: fc.constantFrom("drop-before", "drop-after", "cut", "429", "500", "500-after", "502", "503", "without-pixels"),
});
const disturbed = fc.record({
  faults: fc.array(fault, { maxLength: 2 }),
  delays: fc.array(position, { maxLength: 2 }),
  writes: fc.array(write, { minLength: 1, maxLength: 3 }),
});
const input = fc.record({
  account,
  more: fc.record({
    prunes: fc.boolean(),
    deletesPixels: fc.boolean(),
    ended: fc.subarray([0, 1, 2, 3, 4, 5, 6], { maxLength: 2 }),
  }),
  concurrency: fc.constantFrom(1, 1, 2, 3, 4),
  isSame: fc.boolean(),
  disturbed,
});

function project(baseUrl: string, one: Account, { prunes, deletesPixels, ended }: More): object {
  const made: { pixels?: object; links?: Record<string, object>; absent?: object } = projectOf(baseUrl, one);
  const links = Object.entries(made.links ?? {}).map(([key, link], at) => [
    key,
    ended.includes(at) ? { ...link, expiration: { date: "2020-01-01" } } : link,
  ]);
  const declared = new Set([...one.declaredPixels, ...usedPixels(made.links ?? {})].map(fold));
  const pixels = deletesPixels ? one.livePixels.filter((name) => !declared.has(fold(name))) : [];
  return {
    ...made,
    links: Object.fromEntries(links),
    absent: { ...made.absent, pixels },
    ...(prunes && { prune: "scope", scope: { domains: ["go.example.com", "promo.example.com"] } }),
  };
}

function usedPixels(links: Readonly<Record<string, { readonly pixels?: readonly string[] }>>): readonly string[] {
  return Object.values(links).flatMap(({ pixels = [] }) => pixels);
}

interface Reported {
  readonly exit: number;
  readonly document: ApplyDocument;
}

interface Trial {
  readonly witness: Witness;
  readonly layer: Layer;
  readonly clock: Clock;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly concurrency: number;
}

/** Runs an apply or an undo. A record is written after the plan is made, and before anything else. */
async function watched(
  { witness, layer, clock, folder, env, concurrency }: Trial,
  disturbances: Disturbances,
  record: string,
  command: (world: World, flags: ApplyFlags & UndoFlags) => Promise<number>,
): Promise<Reported> {
  const file = path.join(folder, record);
  await rm(file, { force: true });
  witness.begin(disturbances, concurrency === 1, () => existsSync(file));
  const flags = { format: ["json"], quiet: true, yes: true, concurrency, record };
  const ran = await runIn(folder, env, (world) => command(world, flags), { clock });
  await layer.settled();
  witness.end();
  return { exit: ran.exit, document: JSON.parse(ran.out) };
}

async function planDocument({ folder, env }: Pick<Trial, "folder" | "env">): Promise<PlanDocument> {
  return JSON.parse((await runIn(folder, env, (world) => plan(world, { format: ["json"] }))).out);
}

function placed({ requests, changes }: PlanDocument, { faults, writes, delays }: DisturbedInput): Disturbances {
  const phases = [requests.read, requests.apply, requests.verify];
  const requestAt = (place: number): number => {
    const phase = Math.floor(place);
    const before = phases.slice(0, phase).reduce((sum, count) => sum + count, 0);
    return before + Math.floor((place - phase) * (phases[phase] ?? 0));
  };
  const at = <One extends { readonly position: number }>(one: One): One & { at: number } => ({
    ...one,
    at: requestAt(one.position),
  });
  const planned = changes.map(({ kind, id, key, action, breaks_url: isBroken }) => ({
    kind,
    id,
    key,
    isEnding: isBroken || action === "delete",
  }));
  return { faults: faults.map(at), writes: writes.map(at), delays: delays.map(requestAt), planned };
}

type DisturbedInput = typeof disturbed extends fc.Arbitrary<infer Value> ? Value : never;
type Input = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

/** Wrong statements in a report, as sentences. */
function dishonest({ exit, document }: Reported, witness: Witness): string[] {
  const { changes, result, diagnostics, undo: told } = document;
  const count = (outcome: string): number => changes.filter((change) => change.outcome === outcome).length;
  const [applied, failed, skipped] = ["applied", "failed", "skipped"].map(count);
  const problems: string[] = [];
  if (result.applied !== applied || result.failed !== failed || result.skipped !== skipped)
    problems.push(`the result counts ${JSON.stringify(result)}, and the changes ${applied}, ${failed}, ${skipped}`);
  const isDone = applied === changes.length && !diagnostics.some(({ severity }) => severity === "error");
  const isLeft = (told?.left.length ?? 0) > 0;
  if ((exit === 0) !== (isDone && !isLeft)) problems.push(`it ended with ${exit}, and not all is done: ${!isDone}`);
  for (const { kind, key, error } of changes)
    if (error?.code === "internal-error") problems.push(`${kind} ${key}: ${error.message}`);
  for (const { code, message } of diagnostics) if (code === "internal-error") problems.push(message);
  for (const { kind, key, id, action, outcome, error, fields } of changes) {
    const others = action === "update" ? witness.differencesOf(kind, id) : [];
    if (outcome === "applied" && others.length > 0 && !witness.isWrittenUnseen(kind, [key], id))
      problems.push(`${kind} ${key} is reported as applied, and somebody else changed ${others.join(", ")}`);
    const message = error?.code === "changed-meanwhile" && action === "update" ? error.message : null;
    if (message === null || message.includes("no longer exists")) continue;
    for (const field of fields)
      if (!message.includes(`\`${field.path}\``))
        problems.push(`${kind} ${key} is reported without the previous ${field.path}: ${message}`);
  }
  return problems;
}

function doubled({ links, pixels }: State): string[] {
  const keys = [
    ...links.map(({ domain, alias }) => `${domain}/${fold(alias)}`),
    ...pixels.map(({ name }) => fold(name)),
  ];
  return keys.filter((key, index) => keys.indexOf(key) < index).map((key) => `${key} is there twice`);
}

/** Changes of a plan that the previous run reported as applied, although no one else wrote after it. */
function notMade({ changes }: ApplyDocument, next: PlanDocument, witness: Witness): string[] {
  return changes.flatMap(({ action, kind, key, previous_key: previous, id, outcome }) => {
    const keys = [key, previous ?? key];
    const left = next.changes.find(
      (other) =>
        other.kind === kind && [other.key, other.previous_key].some((one) => one !== null && fold(one) === fold(key)),
    );
    if (outcome !== "applied" || left === undefined || witness.isWrittenUnseen(kind, keys, id)) return [];
    // Someone else created another record with the same key. It is not the one to delete.
    if (action === "delete" && left.id !== id) return [];
    if (witness.isPixelWritten && left.fields.every((field) => field.path === "pixels")) return [];
    return [`${kind} ${key} is reported as applied, and the next plan is to ${left.action} it`];
  });
}

type What = "an apply" | "two applies" | "undo";
type Ending = "applied" | "undone" | "refused" | "nothing";

/** A layer before the sandbox with its witness. `first` is the witness of another run at the same time. */
async function startWatch(
  sandbox: Sandbox,
  clock: Clock,
  first: Witness | null = null,
): Promise<Pick<Trial, "layer" | "witness">> {
  const witness = new Witness(sandbox, clock, first);
  return { witness, layer: await startLayer(sandbox.url, clock, { at: () => true, strike: witness.strike }) };
}

/** Applies, and at the same time the same files from another folder, perhaps with other destinations. Both reports must be honest. */
async function applyTwice(
  trial: Trial,
  rival: Trial,
  at: Disturbances,
): Promise<{ first: Reported; problems: string[] }> {
  const [first, second] = await Promise.all([
    watched(trial, at, "applied.json", apply),
    watched(rival, UNDISTURBED, "rival.json", apply),
  ]);
  const problems = [...dishonest(first, trial.witness), ...dishonest(second, rival.witness), ...rival.witness.problems];
  return { first, problems };
}

async function check(folder: string, { account: one, more, concurrency, isSame, disturbed: wrong }: Input, what: What) {
  const isUndo = what === "undo";
  const sandbox = await startSandbox({
    rateLimit: 0,
    software: one.software,
    seed: seedOf(one),
    now: () => new Date(NOW),
  });
  const clock = new StillClock();
  const { witness, layer } = await startWatch(sandbox, clock);
  const other = what === "two applies" ? await startWatch(sandbox, clock, witness) : null;
  const ended = (ending: Ending) => ({ ending, ...witness.counts });
  try {
    await writeFiles(folder, { "linkform.yaml": JSON.stringify(project(layer.url, one, more)) });
    const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
    const trial = { witness, layer, clock, folder, env, concurrency };
    const first = await planDocument(trial);
    if (!first.complete) return ended("refused");
    if (first.changes.length === 0) return ended("nothing");
    const at = isUndo ? UNDISTURBED : placed(first, wrong);
    const problems: string[] = [];
    let applied: Reported;
    if (other === null) {
      applied = await watched(trial, at, "applied.json", apply);
      problems.push(...dishonest(applied, witness));
    } else {
      const text = JSON.stringify(project(other.layer.url, one, more));
      const files = isSame ? text : text.replaceAll("https://example.com/", "https://example.com/rival-");
      await writeFiles(folder, { "rival/linkform.yaml": files });
      const both = await applyTwice(
        trial,
        { ...trial, ...other, folder: path.join(folder, "rival"), concurrency: 2 },
        at,
      );
      applied = both.first;
      problems.push(...both.problems);
    }
    if (isUndo) {
      if (applied.document.record === null) return ended("nothing");
      const withOld = { ...trial, env: withSecrets(env, "old") };
      const { out } = await runIn(folder, withOld.env, (world) =>
        undo(world, { dryRun: true, format: ["json"] }, "applied.json"),
      );
      const undone = await watched(withOld, placed(JSON.parse(out), wrong), "undone.json", (world, flags) =>
        undo(world, flags, "applied.json"),
      );
      problems.push(...dishonest(undone, witness));
    }
    problems.push(...doubled(sandbox.state()));
    const next = await planDocument(trial);
    if (!isUndo) problems.push(...notMade(applied.document, next, witness));
    // Someone else may have taken a key that the files need. Then the next run reports it.
    if (next.complete) {
      const again = await watched(trial, UNDISTURBED, "again.json", apply);
      if (again.exit !== 0)
        problems.push(`applied again, it ended with ${again.exit}: ${JSON.stringify(again.document)}`);
      const last = await planDocument(trial);
      if (last.changes.length > 0 || !last.complete)
        problems.push(`after that the plan is ${JSON.stringify(last.changes)}`);
    } else if (witness.counts.foreign === 0)
      problems.push(`the next plan is refused: ${JSON.stringify(next.diagnostics)}`);
    problems.push(...witness.problems);
    expect([...new Set(problems)]).toEqual([]);
    return ended(isUndo ? "undone" : "applied");
  } finally {
    layer.close();
    other?.layer.close();
    await sandbox.close();
  }
}

const RUNS = 167;

it.each(["an apply", "two applies", "undo"] as const)(
  "a fault and a foreign write at any request of %s: nothing is written to a row that was not as planned when it was last read",
  async (what) => {
    const folder = await temporaryFolder();
    const totals = { ended: 0, foreign: 0, faults: 0, applied: 0, undone: 0, refused: 0, nothing: 0 };
    await fc.assert(
      fc.asyncProperty(input, async (one) => {
        const { ending, ended, foreign, faults } = await check(folder, one, what);
        totals[ending] += 1;
        totals.ended += ended;
        totals.foreign += foreign;
        totals.faults += faults;
      }),
      // The seed and the path repeat a failure immediately. Shrinking it takes minutes.
      { numRuns: runs(RUNS), endOnFailure: true },
    );
    // The property means little if most runs have no foreign writes. With fewer runs, chance alone could fail this.
    expect(what === "undo" ? totals.undone : totals.applied).toBeGreaterThan(totals.refused);
    expect(Math.min(totals.ended, totals.foreign, totals.faults)).toBeGreaterThan(runs(RUNS) / 5);
  },
  3_600_000,
);
