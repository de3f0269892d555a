// Thousands of damaged projects through `validate` and `fmt`: linkform never crashes or hangs, every finding has a place, and `fmt` keeps
// the meaning. LINKFORM_FUZZ_FILES=100000 tries more of them.
// LINKFORM_TEST_SEED=N LINKFORM_FUZZ_FILES=1 repeats the one with the seed N, and LINKFORM_FUZZ_KEEP=FOLDER keeps its files.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/scenario.ts";

const FILES = Number(process.env["LINKFORM_FUZZ_FILES"] ?? 5000);
const FIRST = Number(process.env["LINKFORM_TEST_SEED"] ?? Date.now() % 1_000_000_000);

/** A trial takes milliseconds. After this many, on a machine as busy as it may be, it hangs. */
const HANGS = 60_000;

/** The result of one trial. */
interface Trial {
  readonly seed: number;
  /** The commands that succeeded. */
  readonly done: readonly string[];
  readonly problem: string | null;
}

/** The worker as one file, because Node 20 does not run TypeScript. */
async function bundleWorker(): Promise<string> {
  const outfile = path.join(await temporaryFolder(), "worker.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "worker.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    define: { LINKFORM_VERSION: '"0.0.0-test"', LINKFORM_CI_TEXTS: JSON.stringify("{}") },
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
    },
  });
  return outfile;
}

/** Runs the trial of a seed in this process. */
async function runIn(worker: ChildProcess, seed: number): Promise<Trial> {
  const ended = new AbortController();
  const { signal } = ended;
  const failed = (problem: string): Trial => ({ seed, done: [], problem });
  worker.send(seed);
  const trial = await Promise.race([
    once(worker, "message", { signal }).then(([result]): Trial => result),
    once(worker, "exit", { signal }).then(() => failed("The process ended.")),
    sleep(HANGS, failed("It hangs."), { signal }),
  ]);
  ended.abort();
  return trial;
}

/** Problems that are shown; more would be the same. */
const SHOWN = 10;

test(
  `${FILES} damaged projects, seeds from ${FIRST}`,
  async () => {
    const file = await bundleWorker();
    const problems: string[] = [];
    const done = new Map<string, number>();
    let next = FIRST;
    const last = FIRST + FILES;
    const work = async (): Promise<void> => {
      let worker = fork(file);
      while (next < last && problems.length < SHOWN) {
        const { seed, done: commands, problem } = await runIn(worker, next++);
        for (const command of commands) done.set(command, (done.get(command) ?? 0) + 1);
        if (problem === null) continue;
        problems.push(`LINKFORM_TEST_SEED=${seed}: ${problem}`);
        worker.kill("SIGKILL");
        worker = fork(file);
      }
      worker.kill("SIGKILL");
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    expect(problems).toEqual([]);
    // Fails if all trials are refused at once, so that nothing behind the first check is tested.
    if (FILES >= 1000) {
      expect(done.get("validate") ?? 0).toBeGreaterThan(FILES / 20);
      expect(done.get("fmt") ?? 0).toBeGreaterThan(FILES / 20);
    }
  },
  FILES * 1000 + 120_000,
);
