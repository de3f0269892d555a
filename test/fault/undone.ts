// Applies with a fault or a kill, undoes the record, and compares the account with the state before.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { apply, undo } from "../../src/cli/apply.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { fastClock } from "../support/clock.ts";
import type { Asked, Strike } from "../support/layer.ts";
import { runIn, type Ran } from "../support/scenario.ts";
import { notAsBefore, withSecrets } from "../support/undone.ts";
import { aimAt } from "./aim.ts";
import { startApply } from "./killed.ts";
import { applyWithoutFault, problemsAtEach, withTrial, type Setting, type Trial } from "./trial.ts";

const RECORD = "record.jsonl";
const SIDE_BY_SIDE = 5;

/** The fault at one request of the apply: a strike, or a kill of the program after the service has processed the request. */
export type Wrong = { readonly strike: Strike } | "killed";

/** The differences after an apply with a fault at each of its writes and its undo, as sentences. */
export async function problemsOfUndone(setting: Setting, password: string, wrong: Wrong): Promise<string[]> {
  const { requests } = await applyWithoutFault(setting);
  const targets = requests.filter(({ method }) => method !== "GET");
  return problemsAtEach(targets, SIDE_BY_SIDE, (target) => problemsOf(setting, password, wrong, target, requests));
}

async function problemsOf(
  setting: Setting,
  password: string,
  wrong: Wrong,
  target: Asked,
  requests: readonly Asked[],
): Promise<string[]> {
  let kill: () => void = () => undefined;
  const { fault, begin } = aimAt(target, requests, async (struck) => {
    if (wrong !== "killed") return wrong.strike(struck);
    await struck.forward();
    kill();
    struck.drop();
  });
  return withTrial(setting, fault, fastClock(wrong === "killed" ? 1 : 50), async (trial) => {
    const { layer, sandbox, folder, env, clock } = trial;
    const before = sandbox.state();
    begin();
    const child = wrong === "killed" ? startApply(trial, ["--yes", "--record", path.join(folder, RECORD)]) : null;
    // The program uses the time of the machine for its record, so the undo must use it, too.
    const time = child === null ? { clock } : { clock, now: () => new Date().toISOString() };
    kill = child?.kill ?? kill;
    const flags = { yes: true, quiet: true, record: RECORD, baseUrl: layer.url };
    await (child === null ? runIn(folder, env, (world) => apply(world, flags), { clock }) : child.ended);
    await layer.settled();
    const { exit, out } = await runIn(
      folder,
      withSecrets(env, password),
      (world) => undo(world, { yes: true, quiet: true, format: ["json"], baseUrl: layer.url, record: false }, RECORD),
      time,
    );
    const { diagnostics, changes }: ApplyDocument = JSON.parse(out);
    const told = [
      ...diagnostics.map(({ message }) => message),
      ...changes.flatMap(({ error }) => error?.message ?? []),
    ];
    const problems = exit === 0 ? [] : [`the undo ended with ${exit}: ${told.join(" ")}`];
    problems.push(...notAsBefore(before, sandbox.state(), { textsOfSecrets: true, left: new Map() }));
    if (!layer.struck) problems.push("the fault did not take place");
    return problems.map(
      (problem) => `${target.method} ${target.url} ${target.body.toString().slice(0, 60)}: ${problem}`,
    );
  });
}

const INTERRUPTED = new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted });

/** The differences after an undo that is stopped at each of its writes and run again, as sentences. */
export async function problemsOfUndoneTwice(setting: Setting, password: string): Promise<string[]> {
  const clock = fastClock(50);
  const { before, left, record, requests } = await withTrial(setting, null, clock, async (trial) => {
    const { layer, sandbox, folder, env } = trial;
    const seed = sandbox.state();
    const flags = { yes: true, quiet: true, record: RECORD, baseUrl: sandbox.url };
    await runIn(folder, env, (world) => apply(world, flags), { clock });
    const text = await readFile(path.join(folder, RECORD), "utf8");
    const applied = sandbox.state();
    // A record is for one address. Here it is the address of the sandbox, behind the layer.
    await writeFile(path.join(folder, RECORD), addressed(text, layer.url));
    await undoAt(trial, password);
    return { before: seed, left: applied, record: text, requests: layer.requests };
  });
  const targets = requests.filter(({ method }) => method !== "GET");
  return problemsAtEach(targets, SIDE_BY_SIDE, async (target) => {
    const controller = new AbortController();
    const { fault, begin } = aimAt(target, requests, async (struck) => {
      controller.abort(INTERRUPTED);
      await struck.forward();
      struck.drop();
    });
    return withTrial({ ...setting, seed: left }, fault, clock, async (trial) => {
      await writeFile(path.join(trial.folder, RECORD), addressed(record, trial.layer.url));
      begin();
      await undoAt(trial, password, controller.signal);
      await trial.layer.settled();
      const { exit, out } = await undoAt(trial, password);
      const { diagnostics }: ApplyDocument = JSON.parse(out);
      const told = diagnostics.map(({ message }) => message).join(" ");
      const found = exit === 0 ? [] : [`the second undo ended with ${exit}: ${told}`];
      found.push(...notAsBefore(before, trial.sandbox.state(), { textsOfSecrets: true, left: new Map() }));
      if (!trial.layer.struck) found.push("the fault did not take place");
      return found.map((problem) => `${target.method} ${target.url}: ${problem}`);
    });
  });
}

/** The same record for another address. */
function addressed(text: string, baseUrl: string): string {
  let last = "";
  return text.replaceAll(/[^\n]+/g, (line) => {
    const { digest: _digest, ...content } = JSON.parse(line);
    // The hash of the account has the address, too.
    if (content.event === "planned")
      Object.assign(content, { service: { ...content.service, base_url: baseUrl }, account: [] });
    last = `sha256:${createHash("sha256")
      .update(`${last}${JSON.stringify(content)}`)
      .digest("hex")}`;
    return JSON.stringify({ ...content, digest: last });
  });
}

function undoAt(
  { layer, folder, env, clock }: Trial,
  password: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const flags = {
    yes: true,
    quiet: true,
    format: ["json"],
    baseUrl: layer.url,
    record: false as const,
    concurrency: 1,
  };
  return runIn(folder, withSecrets(env, password), (world) => undo(world, flags, RECORD), { clock, signal });
}
