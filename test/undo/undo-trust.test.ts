// Receipts that someone else may have written. Fails if `undo` uses a receipt from a commit, from another user of this
// machine, behind a symbolic link or with a wrong name, or if it refuses a receipt that a pipeline kept.

import { chmod, cp, mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { undo } from "../../src/undo/command.ts";
import { git } from "../support/repository.ts";
import { runIn, startScenario, type Scenario, startWith } from "../support/scenario.ts";

const RECEIPTS = ".linkform/receipts";
const FIRST = `${RECEIPTS}/20261121T120000Z-1.json`;

async function applied(): Promise<Scenario> {
  const scenario = await startScenario();
  await scenario.write("brake: { deletes: 100% }\nlinks: { go.example.com/a: { url: https://example.com/a } }\n");
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  await git(scenario.folder, "init", "--quiet");
  return scenario;
}

/** The output of an undo that must not write anything. */
async function refusal(scenario: Scenario, receipt = "last"): Promise<string> {
  const before = scenario.writes();
  const { exit, err } = await scenario.undo({}, receipt);
  expect({ exit, writes: scenario.writes() }).toEqual({ exit: 1, writes: before });
  return err;
}

describe("a receipt is not undone if", () => {
  it.each(["last", FIRST])("git tracks it (%s)", async (named) => {
    const scenario = await applied();
    await git(scenario.folder, "add", "--force", FIRST);
    expect(await refusal(scenario, named)).toContain(`error[receipt-tracked] git tracks ${FIRST}`);
    await git(scenario.folder, "rm", "--quiet", "--cached", FIRST);
    expect(await scenario.undo({})).toMatchObject({ exit: 0 });
  });

  it("git tracks a receipt in the same folder, even if the folder's name has another case", async () => {
    const scenario = await applied();
    await mkdir(path.join(scenario.folder, ".Linkform/Receipts"), { recursive: true });
    const other = ".Linkform/Receipts/99990101T000000Z-1.json";
    await cp(path.join(scenario.folder, FIRST), path.join(scenario.folder, other));
    await git(scenario.folder, "add", "--force", other);
    expect(await refusal(scenario)).toContain("error[receipt-tracked]");
  });

  it.each(["last", `${RECEIPTS}/99990101T000000Z-1.json`])(
    "its name has another time than it has (%s)",
    async (named) => {
      const scenario = await applied();
      await rename(path.join(scenario.folder, FIRST), path.join(scenario.folder, RECEIPTS, "99990101T000000Z-1.json"));
      expect(await refusal(scenario, named)).toContain("error[receipt-renamed]");
    },
  );

  it("its time is in the future", async () => {
    const scenario = await applied();
    const { err } = await runIn(scenario.folder, { LINKFORM_API_KEY: scenario.sandbox.apiKey }, (world) =>
      undo({ ...world, now: () => "2026-11-20T12:00:00Z" }, { yes: true }, "last"),
    );
    expect(err).toContain("error[receipt-from-future]");
  });

  it.each([0o644, 0o620, 0o602])("other users can read or write it (mode %o)", async (mode) => {
    const scenario = await applied();
    await chmod(path.join(scenario.folder, FIRST), mode);
    expect(await refusal(scenario)).toContain("error[receipt-not-private]");
    await chmod(path.join(scenario.folder, FIRST), 0o600);
    expect(await scenario.undo({})).toMatchObject({ exit: 0 });
  });

  it("other users can write to its folder", async () => {
    const scenario = await applied();
    await chmod(path.join(scenario.folder, RECEIPTS), 0o777);
    expect(await refusal(scenario)).toContain("error[receipt-not-private]");
  });

  it.each([RECEIPTS, FIRST, ".linkform"])("%s is a symbolic link", async (linked) => {
    const scenario = await applied();
    const at = path.join(scenario.folder, linked);
    await rename(at, path.join(scenario.folder, "elsewhere"));
    await symlink(path.join(scenario.folder, "elsewhere"), at);
    expect(await refusal(scenario)).toContain("error[receipt-linked]");
  });
});

describe("a receipt", () => {
  it("and its folder are accessible only to their owner", async () => {
    const scenario = await applied();
    const mode = async (file: string): Promise<number> => (await stat(path.join(scenario.folder, file))).mode & 0o777;
    expect([await mode(FIRST), await mode(RECEIPTS)]).toEqual([0o600, 0o700]);
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
    await writeFile(path.join(scenario.folder, "linkform-apply.receipt.json"), text, { mode: 0o644 });
    const { exit, err } = await scenario.undo({}, "linkform-apply.receipt.json");
    expect(exit).toBe(0);
    expect(err).toContain("go.example.com/a");
  });
});
