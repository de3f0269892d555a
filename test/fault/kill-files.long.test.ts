// The built program, killed at each change that a pull makes on disk. Fails if a file remains partially written, or if the next pull does
// not complete it.

import { cp } from "node:fs/promises";
import path from "node:path";
import { spawn } from "node:child_process";
import pLimit from "p-limit";
import { expect, it, onTestFinished } from "vitest";
import { pull } from "../../src/pull/command.ts";
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

it("after a kill at any change, each file is old or new, and the next pull completes it", async () => {
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
  expect(steps).toBeGreaterThan(5);

  const problemsAt = async (step: number): Promise<string[]> => {
    const folder = await copy();
    const killed = await killedPull(folder, scenario.env, step);
    const problems = killed.ending === "SIGKILL" ? [] : [`it ended with ${killed.ending}`];
    for (const [file, text] of await textsOf(folder))
      if (file.endsWith(".yaml") && text !== old.get(file) && text !== fresh.get(file))
        problems.push(`${file} is neither old nor new: ${text}`);
    const next = await runIn(folder, scenario.env, (world) => pull(world, {}, []));
    if (next.exit !== 0) problems.push(`the next pull says: ${next.err}`);
    const left = Object.fromEntries([...(await textsOf(folder))].filter(([file]) => !file.endsWith(".tmp")));
    if (JSON.stringify(left) !== JSON.stringify(Object.fromEntries(fresh)))
      problems.push(`after the next pull: ${JSON.stringify(left)}`);
    return problems.map((problem) => `killed at ${step}: ${problem}`);
  };
  const limit = pLimit(3);
  const all = Array.from({ length: steps }, (_, at) => limit(() => problemsAt(at + 1)));
  expect((await Promise.all(all)).flat()).toEqual([]);
});
