// The file of a saved plan: its content, and the files that are refused before any request.

import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { PlanFlags } from "../../src/cli/plan.ts";
import { applyPlan, PLAN, readPlan, savePlan, writePlan } from "../support/saved.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";

const SEED = {
  links: [
    { id: 1, alias: "fair", url: "https://example.com/fair", domain: 2, ends_at: "2027-01-01T10:00:00.000Z" },
    { id: 2, alias: "stats", url: "https://example.com/stats", domain: 2, privacy: 1, privacy_password: "old" },
  ],
};

const FILES = `timezone: Europe/Berlin
pixels: { New: { type: bing, value: "1000003" } }
links:
  go.example.com/new:
    url: https://example.com/new
    pixels: [New]
    password: { env: LINKFORM_SECRET_A }
    expiration: { date: 2027-03-31, clicks: 5 }
  go.example.com/stats: { url: https://example.com/stats, privacy: password, privacy_password: none, space: Sales }
  promo.example.com/fair: { url: https://example.com/fair, renamed_from: go.example.com/fair }
`;

const start = (): Promise<Scenario> => startWith(FILES, SEED);

/** Applies the file and expects an error with this code before any request. */
async function expectRefused(scenario: Scenario, code: string, what: string): Promise<void> {
  const before = scenario.sandbox.requests.length;
  const { exit, err } = await applyPlan(scenario);
  expect([what, exit, err]).toEqual([what, 1, expect.stringMatching(`^error\\[plan-${code}`)]);
  expect(err).toMatch(/^\S+ .*\n {3}= .*\n\n1 error: nothing was applied\.\n$/);
  expect(scenario.sandbox.requests.length).toBe(before);
}

describe("plan --out", () => {
  // Fails if the file differs from the JSON report, or lacks the options.
  it("writes the document of the plan with its options and a digest, and prints the same as without --out", async () => {
    const scenario = await start();
    const printed = await scenario.plan();
    const saved = await scenario.plan({ out: PLAN });
    expect([saved.exit, saved.out]).toEqual([printed.exit, printed.out]);
    const { event, options, account, digest, ...document } = JSON.parse(await readPlan(scenario));
    // A report adds keys for readers without the plan.
    expect(await scenario.planDocument()).toMatchObject(document);
    expect(await schemaErrors("saved-plan", { event, ...document, options, account, digest })).toBeNull();
    expect(await readdir(scenario.folder)).toEqual(["linkform.yaml", PLAN]);
    expect((await applyPlan(scenario)).exit).toBe(0);
  });

  // Fails if the plan is applied with other options than those of its flags.
  it("writes the options of the plan", async () => {
    const scenario = await start();
    const flags = { target: ["go.example.com/*", "New"], exclude: ["*/stats"], resendSecrets: true } as const;
    expect((await scenario.plan({ ...flags, out: PLAN, allowDeletes: 3, allowClicks: 0 })).exit).toBe(0);
    expect(JSON.parse(await readPlan(scenario)).options).toEqual({
      targets: flags.target,
      excludes: flags.exclude,
      base: null,
      resend_secrets: ["*"],
      allowances: { deletes: 3, updates: null, clicks: 0 },
    });
  });

  // Fails if a plan with an error is saved, or if the error does not say that nothing was saved.
  it.each([
    ["a mistake in the files", "links: { go.example.com/x: {} }\n"],
    ["an error of the plan", "links: { go.example.com/x: { url: https://example.com/, pixels: [Nobody] } }\n"],
  ])("saves nothing with %s, and keeps an older plan", async (_what, text) => {
    const scenario = await start();
    await scenario.write(text);
    await writePlan(scenario, "older");
    const { exit, err } = await scenario.plan({ out: PLAN });
    expect([exit, await readPlan(scenario)]).toEqual([1, "older"]);
    expect(err).toContain(`${PLAN} was not written, because this plan cannot be applied.\n`);
  });

  // Fails if a partial file remains, or if the exit code is 0 although the plan was not saved.
  it("reports a file that cannot be written with exit code 1, and leaves no partial file", async () => {
    const scenario = await start();
    await mkdir(path.join(scenario.folder, PLAN));
    const { exit, err } = await scenario.plan({ out: PLAN });
    expect([exit, err]).toEqual([
      1,
      `error[plan-unwritable] The plan cannot be written to ${PLAN} (EISDIR).\n   = Free disk space, or correct the path in --out.\n\n`,
    ]);
    const missing = await scenario.plan({ out: "nowhere/plan.json", quiet: true });
    expect([missing.exit, missing.err]).toMatchObject([1, expect.stringContaining("(ENOENT)")]);
    expect(await readdir(scenario.folder)).toEqual(["linkform.yaml", PLAN]);
  });
});

// Every other change of a line: test/record/damage.test.ts.
describe("apply PLAN refuses, before any request", () => {
  // Fails if a program that formats JSON makes a plan unusable.
  it("but not a plan that was only formatted differently", async () => {
    const scenario = await start();
    const saved = await savePlan(scenario);
    await writePlan(scenario, `\n${JSON.stringify(saved, null, "\t")}`);
    expect((await applyPlan(scenario)).exit).toBe(0);
  });

  /** A document with a valid digest, as another version of linkform would write it. */
  function written(content: object): string {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    return JSON.stringify({ ...content, digest: `sha256:${digest}` });
  }

  // Fails if a plan is applied that this version does not understand, or if the error does not name the problem.
  it("a file that it cannot read, and names the problem", async () => {
    const scenario = await start();
    await expectRefused(scenario, "unreadable", "no file");
    const { digest, ...content } = await savePlan(scenario);
    const cases: readonly (readonly [string, string, string])[] = [
      ["nothing", "", "not-json"],
      ["half of it", written(content).slice(0, 900), "not-json"],
      ["a file of links", "links: {}", "not-json"],
      ["another document", "{}", "not-saved"],
      ["no document", "[]", "not-saved"],
      ["a report", (await scenario.plan({ format: ["json"] })).out, "not-saved"],
      ["an altered value", JSON.stringify({ ...content, changes: [], digest }), "altered"],
      ["a later version", written({ ...content, format_version: "2.0" }), "version"],
      ["an option", written({ ...content, options: { ...content.options, x: "Monday" } }), "unknown.*options.x"],
      ["an action", written({ ...content, changes: [{ ...content.changes[0], action: "x" }] }), "unknown.*0.action"],
      ["a plan with errors", written({ ...content, complete: false }), "unknown"],
    ];
    for (const [what, text, code] of cases) {
      await writePlan(scenario, text);
      await expectRefused(scenario, code, what);
    }
    expect(scenario.writes()).toEqual([]);
  });

  it("but not a plan with additions of a later 1.x version", async () => {
    const scenario = await start();
    const { digest: _digest, ...content } = await savePlan(scenario);
    await writePlan(scenario, written({ ...content, format_version: "1.7", weather: "fine" }));
    expect((await applyPlan(scenario)).exit).toBe(0);
  });

  // Fails if planning flags are ignored, or change a reviewed plan.
  it("planning flags, with exit code 64", async () => {
    const scenario = await start();
    await savePlan(scenario);
    const before = scenario.sandbox.requests.length;
    const flags: readonly (readonly [PlanFlags, string])[] = [
      [{ target: ["*"] }, "--target"],
      [{ exclude: ["*"], base: "main" }, "--exclude, --base"],
      [{ resendSecrets: true }, "--resend-secrets"],
      [{ allowDeletes: 0, allowUpdates: 1, allowClicks: 2 }, "--allow-deletes, --allow-updates, --allow-clicks"],
    ];
    for (const [given, named] of flags) {
      const { exit, err } = await applyPlan(scenario, given);
      expect([exit, err]).toEqual([
        64,
        `error[planning-flags] A saved plan already contains its planning options. Remove ${named}.\n   = To use other options, save a new plan: linkform plan --out FILE.\n\n1 error: nothing was applied.\n`,
      ]);
    }
    expect(scenario.sandbox.requests.length).toBe(before);
  });
});
