// Every rule of the planner as files, a live state and the printed plan, in test/fixtures/plans: `now/` and `base/` have the files,
// `live.json` the account, `command.txt` the command. Fails if the printed plan changes, if a format lacks a fact of the JSON document, if
// that document does not match its schema, if what a hint says to write does not help, if an apply writes anything else, in an order that
// loses something, or to a record without a change, or if the plan after it is not empty.
// UPDATE_FIXTURES=1 writes the current output. Then read every changed expected.txt as the person who gets it.

import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandIn } from "./support/command.ts";
import { FACT_FORMATS, missingFacts } from "./support/facts.ts";
import { expectHintsWork, FIXES } from "./support/hints.ts";
import { startRepository } from "./support/repository.ts";
import { sandboxFor, writesTo } from "./support/sandbox.ts";
import { schemaErrors } from "./support/schemas.ts";
import { temporaryFolder, textsOf, type Ran } from "./support/scenario.ts";
import { expectLegalOrder, expectOthersUntouched, expectPromised } from "./support/written.ts";
import type { PlanDocument } from "../src/report/json/schema.ts";

const CASES = path.join(import.meta.dirname, "fixtures/plans");

/** Writes the files of a case. A base becomes the last commit of a repository, and its `origin/main`. */
async function layOut(name: string): Promise<string> {
  const sides = await readdir(path.join(CASES, name));
  const repository = sides.includes("base") ? await startRepository() : null;
  const folder = repository?.folder ?? (await temporaryFolder());
  if (repository !== null) {
    await repository.commit(
      Object.fromEntries(await textsOf(path.join(CASES, name, "base"))),
      "refs/remotes/origin/main",
    );
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
  const followed = new Set<RegExp>();

  test.each(names)("%s", async (name) => {
    const folder = await layOut(name);
    const seed = JSON.parse(await readFile(path.join(CASES, name, "live.json"), "utf8"));
    const sandbox = await sandboxFor({ seed, now: () => NOW });
    const [, command = ""] = (await readFile(path.join(CASES, name, "command.txt"), "utf8")).split("\n");
    const [verb = "", ...flags] = command.split(" ");
    const env = { ...SECRETS, LINKFORM_API_KEY: sandbox.apiKey };
    const call = (...args: readonly string[]): Promise<Ran> =>
      commandIn(folder, [...args, "--base-url", sandbox.url], env);

    const { exit, out, err } = await call(verb, ...flags);
    // The hash of a commit depends on its time.
    const said = `$ linkform ${command}\n${err}${out}exit ${exit}\n`.replaceAll(/\([0-9a-f]{7}\)/g, "(0000000)");
    const expected = path.join(CASES, name, "expected.txt");
    if ((process.env["UPDATE_FIXTURES"] ?? "") !== "") await writeFile(expected, said);
    expect(said).toBe(await readFile(expected, "utf8"));
    const formats = FACT_FORMATS.flatMap((one) => ["--format", one]);
    await call(verb, ...flags, "--verbose", "--max-length", "1000000", ...formats);
    expect(await missingFacts(folder)).toEqual([]);
    const document: PlanDocument = JSON.parse(await readFile(path.join(folder, "report.json"), "utf8"));
    expect(await schemaErrors("plan", document)).toBeNull();
    // Hints about a base name flags or merges.
    const withJson = [verb, ...flags, "--format", "json", "--base-url", sandbox.url];
    if (!command.includes("--base"))
      for (const pattern of await expectHintsWork(folder, document, async (changed) =>
        JSON.parse((await commandIn(changed, withJson, env)).out),
      ))
        followed.add(pattern);
    expect(writesTo(sandbox)).toEqual([]);

    if (verb !== "plan" || exit !== 0) return;
    const before = sandbox.state();
    const asked = sandbox.requests.length;
    const applied = await call("apply", "--yes", ...flags.filter((flag) => flag !== "--show-unmanaged"));
    expect({ exit: applied.exit, err: applied.exit === 0 ? "" : applied.err }).toEqual({ exit: 0, err: "" });
    const requests = sandbox.requests.slice(asked);
    expectPromised(document.changes, requests);
    expectLegalOrder(before, requests);
    expectOthersUntouched(document.changes, before, sandbox.state());
    // With --resend-secrets, every plan sends them.
    const again = await call("plan", "--detailed-exitcode", ...flags.filter((flag) => !flag.startsWith("--resend")));
    expect({ exit: again.exit, out: again.exit === 0 ? "" : again.out }).toEqual({ exit: 0, out: "" });
  });

  // Fails if a hint gets other words, so that the tests above no longer follow it.
  test("of some fixture has each hint that test/support/hints.ts can follow", () => {
    expect(FIXES.flatMap(([pattern]) => (followed.has(pattern) ? [] : [pattern]))).toEqual([]);
  });
});
