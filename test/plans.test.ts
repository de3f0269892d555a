// Every rule of the planner as files, a live state and the plan that is printed, in test/fixtures/plans: `now/` and `base/`
// hold the files, `live.json` the account, `command.txt` what is run. Fails when anything that people read of a plan
// changes, when a format does not say what the JSON document has, when that document does not match its schema, and when what it promises is
// not what apply does: then the plan after it is not empty.
// UPDATE_FIXTURES=1 writes what is printed now; then read every changed expected.txt as the person who gets it.

import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandIn } from "./support/command.ts";
import { FACT_FORMATS, missingFacts } from "./support/facts.ts";
import { startRepository } from "./support/repository.ts";
import { startSandbox } from "./support/sandbox.ts";
import { schemaErrors } from "./support/schemas.ts";
import { temporaryFolder, type Ran } from "./support/scenario.ts";

const CASES = path.join(import.meta.dirname, "fixtures/plans");

/** Lays out the files of a case; with a base, in a repository whose last commit has it, as `origin/main` has. */
async function layOut(name: string): Promise<string> {
  const sides = await readdir(path.join(CASES, name));
  const repository = sides.includes("base") ? await startRepository() : null;
  const folder = repository?.folder ?? (await temporaryFolder());
  if (repository !== null) {
    await cp(path.join(CASES, name, "base"), folder, { recursive: true });
    await repository.commitAll();
    await repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
    await repository.replace({});
  }
  await cp(path.join(CASES, name, "now"), folder, { recursive: true });
  return folder;
}

/** When the rows of an account were written. */
const NOW = new Date("2026-11-21T12:00:00Z");
const SECRETS = { LINKFORM_SECRET_PRESS: "for the press", LINKFORM_SECRET_STAFF: "for the staff" };

const names = (await readdir(CASES)).toSorted();

describe("a plan", () => {
  test.each(names)("%s", async (name) => {
    const folder = await layOut(name);
    const seed = JSON.parse(await readFile(path.join(CASES, name, "live.json"), "utf8"));
    const sandbox = await startSandbox({ rateLimit: 0, seed, now: () => NOW });
    onTestFinished(() => sandbox.close());
    const [, command = ""] = (await readFile(path.join(CASES, name, "command.txt"), "utf8")).split("\n");
    const [verb = "", ...flags] = command.split(" ");
    const env = { ...SECRETS, LINKFORM_API_KEY: sandbox.apiKey };
    const call = (...args: readonly string[]): Promise<Ran> =>
      commandIn(folder, [...args, "--base-url", sandbox.url], env);

    const { exit, out, err } = await call(verb, ...flags);
    // A commit's name depends on the moment it was made.
    const said = `$ linkform ${command}\n${err}${out}exit ${exit}\n`.replaceAll(/\([0-9a-f]{7}\)/g, "(0000000)");
    const expected = path.join(CASES, name, "expected.txt");
    if ((process.env["UPDATE_FIXTURES"] ?? "") !== "") await writeFile(expected, said);
    expect(said).toBe(await readFile(expected, "utf8"));
    const formats = FACT_FORMATS.flatMap((one) => ["--format", one]);
    await call(verb, ...flags, "--verbose", "--max-length", "1000000", ...formats);
    expect(await missingFacts(folder)).toEqual([]);
    const document: unknown = JSON.parse(await readFile(path.join(folder, "report.json"), "utf8"));
    expect(await schemaErrors("plan", document)).toBeNull();
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);

    if (verb !== "plan" || exit !== 0) return;
    const applied = await call("apply", "--yes", ...flags.filter((flag) => flag !== "--show-unmanaged"));
    expect({ exit: applied.exit, err: applied.exit === 0 ? "" : applied.err }).toEqual({ exit: 0, err: "" });
    // Sent once more, secrets would be sent again.
    const again = await call("plan", "--detailed-exitcode", ...flags.filter((flag) => !flag.startsWith("--resend")));
    expect({ exit: again.exit, out: again.exit === 0 ? "" : again.out }).toEqual({ exit: 0, out: "" });
  });
});
