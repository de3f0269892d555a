// Records that someone else may have written. Fails if `undo` uses a record from a commit, from another user of this
// machine, behind a symbolic link or with a wrong name, or if it refuses a record that a pipeline kept.

import { chmod, cp, mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { undo } from "../../src/cli/apply.ts";
import { git } from "../support/repository.ts";
import { runIn, startScenario, type Scenario, startWith } from "../support/scenario.ts";

const RUNS = ".linkform/runs";
const FIRST = `${RUNS}/20261121T120000Z-1.jsonl`;

async function applied(): Promise<Scenario> {
  const scenario = await startScenario();
  await scenario.write("brake: { deletes: 100% }\nlinks: { go.example.com/a: { url: https://example.com/a } }\n");
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  await git(scenario.folder, "init", "--quiet");
  return scenario;
}

/** The output of an undo that must not write anything. */
async function refusal(scenario: Scenario, record = "last"): Promise<string> {
  const before = scenario.writes();
  const { exit, err } = await scenario.undo({}, record);
  expect({ exit, writes: scenario.writes() }).toEqual({ exit: 1, writes: before });
  return err;
}

describe("a record is not undone if", () => {
  it.each(["last", FIRST])("git tracks it (%s)", async (named) => {
    const scenario = await applied();
    await git(scenario.folder, "add", "--force", FIRST);
    expect(await refusal(scenario, named)).toContain(`error[record-tracked] git tracks ${FIRST}`);
    await git(scenario.folder, "rm", "--quiet", "--cached", FIRST);
    expect(await scenario.undo({})).toMatchObject({ exit: 0 });
  });

  it("git tracks it under a name that linkform does not give", async () => {
    const scenario = await applied();
    await cp(path.join(scenario.folder, FIRST), path.join(scenario.folder, "events.ndjson"));
    await git(scenario.folder, "add", "events.ndjson");
    expect(await refusal(scenario, "events.ndjson")).toMatch(/error\[record-tracked\] git tracks \S*events\.ndjson/);
  });

  it("git tracks a record in the same folder, even if the folder's name has another case", async () => {
    const scenario = await applied();
    await mkdir(path.join(scenario.folder, ".Linkform/Runs"), { recursive: true });
    const other = ".Linkform/Runs/99990101T000000Z-1.jsonl";
    await cp(path.join(scenario.folder, FIRST), path.join(scenario.folder, other));
    await git(scenario.folder, "add", "--force", other);
    expect(await refusal(scenario)).toContain("error[record-tracked]");
  });

  it.each(["last", `${RUNS}/99990101T000000Z-1.jsonl`])("its name has another time than it has (%s)", async (named) => {
    const scenario = await applied();
    await rename(path.join(scenario.folder, FIRST), path.join(scenario.folder, RUNS, "99990101T000000Z-1.jsonl"));
    expect(await refusal(scenario, named)).toContain("error[record-renamed]");
  });

  it("its time is in the future", async () => {
    const scenario = await applied();
    const { err } = await runIn(scenario.folder, { LINKFORM_API_KEY: scenario.sandbox.apiKey }, (world) =>
      undo({ ...world, now: () => "2026-11-20T12:00:00Z" }, { yes: true }, "last"),
    );
    expect(err).toContain("error[record-from-future]");
  });

  it.each([0o644, 0o620, 0o602])("other users can read or write it (mode %o)", async (mode) => {
    const scenario = await applied();
    await chmod(path.join(scenario.folder, FIRST), mode);
    expect(await refusal(scenario)).toContain("error[record-not-private]");
    await chmod(path.join(scenario.folder, FIRST), 0o600);
    expect(await scenario.undo({})).toMatchObject({ exit: 0 });
  });

  it("other users can write to its folder", async () => {
    const scenario = await applied();
    await chmod(path.join(scenario.folder, RUNS), 0o777);
    expect(await refusal(scenario)).toContain("error[record-not-private]");
  });

  it.each([RUNS, FIRST, ".linkform"])("%s is a symbolic link", async (linked) => {
    const scenario = await applied();
    const at = path.join(scenario.folder, linked);
    await rename(at, path.join(scenario.folder, "elsewhere"));
    await symlink(path.join(scenario.folder, "elsewhere"), at);
    expect(await refusal(scenario)).toContain("error[record-linked]");
  });
});

describe("a record", () => {
  it("and its folder are accessible only to their owner", async () => {
    const scenario = await applied();
    const mode = async (file: string): Promise<number> => (await stat(path.join(scenario.folder, file))).mode & 0o777;
    expect([await mode(FIRST), await mode(RUNS)]).toEqual([0o600, 0o700]);
  });

  it("is not written into a linked folder", async () => {
    const scenario = await startWith("links: { go.example.com/a: { url: https://example.com/a } }\n");
    await mkdir(path.join(scenario.folder, "elsewhere"));
    await symlink("elsewhere", path.join(scenario.folder, ".linkform"));
    const { exit, err } = await scenario.apply();
    expect({ exit, writes: scenario.writes() }).toEqual({ exit: 1, writes: [] });
    expect(err).toContain(".linkform is a symbolic link");
  });

  it("that a pipeline kept as an artifact can be undone by its file name", async () => {
    const scenario = await applied();
    const text = await readFile(path.join(scenario.folder, FIRST), "utf8");
    await writeFile(path.join(scenario.folder, "linkform-apply.record.jsonl"), text, { mode: 0o644 });
    const { exit, err } = await scenario.undo({}, "linkform-apply.record.jsonl");
    expect(exit).toBe(0);
    expect(err).toContain("go.example.com/a");
  });
});
