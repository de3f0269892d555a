// The built program, killed at each change that a pull makes on disk. Fails if files remain partially written, if a command
// plans from such files, or if temporary files remain.

import { cp, readdir } from "node:fs/promises";
import path from "node:path";
import { spawn } from "node:child_process";
import pLimit from "p-limit";
import { expect, it, onTestFinished } from "vitest";
import { pull } from "../../src/pull/command.ts";
import { validate } from "../../src/cli/validate.ts";
import { CLI } from "../support/program.ts";
import { runIn, startScenario, temporaryFolder, textsOf, type Scenario } from "../support/scenario.ts";

const PRELOAD = path.resolve("test/fault/kill-at-step.mjs");
const link = (alias: string, url: string): string => `links: { go.example.com/${alias}: { url: "${url}" } }\n`;

async function begin(): Promise<Scenario> {
  const seed = {
    pixels: [{ name: "Main", type: "facebook", value: "123456789012345" }],
    links: ["a", "new"].map((alias) => ({ alias, domain: 2, url: `https://example.com/live/${alias}` })),
  };
  const scenario = await startScenario({ seed });
  await scenario.write("", {
    "links/a.yaml": link("a", "https://example.com/old"),
  });
  return scenario;
}

/** Runs a pull that is killed at one of its changes on disk; 0 for none. Returns the signal or exit code, and stderr. */
async function killedPull(
  folder: string,
  env: Scenario["env"],
  step: number,
): Promise<{ ending: string; err: string }> {
  const child = spawn(process.execPath, ["--import", PRELOAD, CLI, "pull", "--quiet"], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env, KILL_FOLDER: folder, KILL_AT: String(step) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  const ending = await new Promise<string>((resolve) =>
    child.once("close", (code, signal) => resolve(signal ?? String(code))),
  );
  return { ending, err };
}

it("after a kill at any change, the next command that writes completes the pull and leaves no temporary files", async () => {
  const scenario = await begin();
  const old = await textsOf(scenario.folder);
  const copy = async (): Promise<string> => {
    const folder = await temporaryFolder();
    await cp(scenario.folder, folder, { recursive: true });
    return folder;
  };
  const whole = await copy();
  const { ending, err } = await killedPull(whole, scenario.env, 0);
  expect(ending).toBe("0");
  const fresh = await textsOf(whole);
  const steps = Number(err.trim().split("\n").at(-1));
  expect(fresh.size).toBeGreaterThan(old.size);
  expect(steps).toBeGreaterThan(10);

  const problemsAt = async (step: number): Promise<string[]> => {
    const folder = await copy();
    const killed = await killedPull(folder, scenario.env, step);
    const problems = killed.ending === "SIGKILL" ? [] : [`it ended with ${killed.ending}`];
    const isNew = await compare(folder, old, fresh);
    const checked = await runIn(folder, scenario.env, (world) => validate(world, {}));
    const isRefused = checked.out.includes("error[files-unfinished]");
    if (isNew === null && !isRefused) problems.push(`a reading command says: ${checked.out}`);
    // Without an API key, it only completes the interrupted write.
    const next = await runIn(folder, {}, (world) => pull(world, {}, []));
    if (!next.err.includes("LINKFORM_API_KEY")) problems.push(`the next command says: ${next.err}`);
    if ((await compare(folder, old, fresh)) === null)
      problems.push(`some files are old and some new: ${JSON.stringify([...(await textsOf(folder))])}`);
    if (isRefused !== next.err.includes("Completed the interrupted write of these files") && isNew !== true)
      problems.push(`it does not say what it did: ${next.err}`);
    const left = (await readdir(folder, { recursive: true })).filter((name) => /\.linkform|\.tmp$|\.json$/.test(name));
    if (left.length > 0) problems.push(`left: ${left.join(", ")}`);
    return problems.map((problem) => `killed at ${step}: ${problem}`);
  };
  const limit = pLimit(3);
  const all = Array.from({ length: steps }, (_, at) => limit(() => problemsAt(at + 1)));
  expect((await Promise.all(all)).flat()).toEqual([]);
});

/** Whether all files are new (true) or old (false); null for a mixture. */
async function compare(
  folder: string,
  old: ReadonlyMap<string, string>,
  fresh: ReadonlyMap<string, string>,
): Promise<boolean | null> {
  const texts = [...(await textsOf(folder))].filter(([file]) => file.endsWith(".yaml"));
  const is = (other: ReadonlyMap<string, string>): boolean => JSON.stringify(texts) === JSON.stringify([...other]);
  return is(fresh) ? true : is(old) ? false : null;
}
