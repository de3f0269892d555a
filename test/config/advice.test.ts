// Projects that break rules and are valid all the same, and exactly what `linkform validate` says of them. Those that
// the rules make invalid stand in fixtures/config/invalid as rules-*.
// UPDATE_FIXTURES=1 writes what it says now; then read every changed expected.txt as the person who gets it.
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/cli/validate.ts";
import { runIn, temporaryFolder } from "../support/scenario.ts";

const CASES = path.join(import.meta.dirname, "../fixtures/config/advice");

/** What no person may ever be shown. */
const LEAKS = /undefined|\[object|NaN|Invalid|hunter2/;

const names = (await readdir(CASES)).toSorted();

describe("what rules say of a project", () => {
  // Fails when a rule is silent or finds too much, or when a place, a message, a hint or a severity changes.
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
