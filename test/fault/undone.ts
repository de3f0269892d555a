// An apply that something goes wrong with, or that is killed, and the undo of its receipt: what is not as it was before.

import { spawn } from "node:child_process";
import path from "node:path";
import pLimit from "p-limit";
import { onTestFinished } from "vitest";
import { apply } from "../../src/commands/apply.ts";
import { undo } from "../../src/commands/undo.ts";
import type { ApplyDocument } from "../../src/report/document.ts";
import { fastClock } from "../support/clock.ts";
import type { Asked, Strike } from "../support/layer.ts";
import { CLI } from "../support/program.ts";
import { runIn } from "../support/scenario.ts";
import { notAsBefore, withSecrets } from "../support/undone.ts";
import { aimAt } from "./aim.ts";
import { applyWithoutFault, withTrial, type Setting, type Trial } from "./trial.ts";

const RECEIPT = "receipt.json";
const SIDE_BY_SIDE = 5;

/** What goes wrong with one request of the apply: a strike, or the program is killed when the service has done what it was asked. */
export type Wrong = { readonly strike: Strike } | "killed";

/** What is not as before after an apply that goes wrong at each of its writes, and its undo, in sentences. */
export async function problemsOfUndone(setting: Setting, password: string, wrong: Wrong): Promise<string[]> {
  const clock = fastClock(wrong === "killed" ? 1 : 50);
  const { requests } = await applyWithoutFault(setting, clock);
  const targets = requests.filter(({ method }) => method !== "GET");
  if (targets.length === 0) return ["nothing goes wrong"];
  const limit = pLimit(SIDE_BY_SIDE);
  const problems = await Promise.all(
    targets.map((target) => limit(() => problemsOf(setting, password, wrong, target, requests))),
  );
  return problems.flat();
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
    const child = wrong === "killed" ? startApply(trial) : null;
    kill = child?.kill ?? kill;
    const flags = { yes: true, quiet: true, receipt: RECEIPT, baseUrl: layer.url };
    await (child === null ? runIn(folder, env, (world) => apply(world, flags), { clock }) : child.ended);
    await layer.settled();
    const { exit, out } = await runIn(
      folder,
      withSecrets(env, password),
      (world) => undo(world, { yes: true, quiet: true, format: ["json"], baseUrl: layer.url, receipt: false }, RECEIPT),
      { clock },
    );
    const { diagnostics, changes }: ApplyDocument = JSON.parse(out);
    const told = [
      ...diagnostics.map(({ message }) => message),
      ...changes.flatMap(({ error }) => error?.message ?? []),
    ];
    const problems = exit === 0 ? [] : [`the undo ended with ${exit}: ${told.join(" ")}`];
    problems.push(...notAsBefore(before, sandbox.state(), { textsOfSecrets: true, left: new Set() }));
    if (!layer.struck) problems.push("the fault did not take place");
    return problems.map(
      (problem) => `${target.method} ${target.url} ${target.body.toString().slice(0, 60)}: ${problem}`,
    );
  });
}

function startApply({ layer, folder, env }: Trial): { kill: () => void; ended: Promise<unknown> } {
  const all = [CLI, "apply", "--yes", "--quiet", "--receipt", path.join(folder, RECEIPT), "--base-url", layer.url];
  const child = spawn(process.execPath, all, { cwd: folder, env, stdio: "ignore" });
  const kill = (): void => void child.kill("SIGKILL");
  onTestFinished(kill);
  return { kill, ended: new Promise((resolve) => child.once("close", resolve)) };
}
