// Projects that break rules and are valid anyway, and the exact output of `linkform validate` for them. Projects that rules make
// invalid are in fixtures/config/invalid, named rules-*.
// UPDATE_FIXTURES=1 writes the current output. Then read every changed expected.txt as a user would.
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { runIn, temporaryFolder } from "../support/scenario.ts";

const CASES = path.join(import.meta.dirname, "../fixtures/config/advice");

/** Texts that must never be printed. */
const LEAKS = /undefined|\[object|NaN|Invalid|hunter2/;

const names = (await readdir(CASES)).toSorted();

describe("the findings of rules for a project", () => {
  // Fails if a rule finds nothing or too much, or if a place, message, hint or severity changes.
  test.each(names)("%s", async (name) => {
    const folder = await temporaryFolder();
    await cp(path.join(CASES, name), folder, { recursive: true });
    const { exit, out, err } = await runIn(folder, {}, (world) => validate(world, {}));
    const expected = path.join(CASES, name, "expected.txt");
    if ((process.env["UPDATE_FIXTURES"] ?? "") !== "") await writeFile(expected, `${out}${err}`);
    expect(`${out}${err}`).toBe(await readFile(expected, "utf8"));
    expect(exit).toBe(0);
    expect(`${out}${err}`).not.toMatch(LEAKS);
  });
});
