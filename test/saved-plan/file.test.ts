// The file of a saved plan: what is written, and what is refused before anything is asked of the service.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { PlanFlags } from "../../src/cli/plan.ts";
import { applyPlan, applyPlanDocument, PLAN, readPlan, savePlan, writePlan } from "../support/saved.ts";
import { startScenario, type Scenario } from "../support/scenario.ts";

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

async function start(): Promise<Scenario> {
  const scenario = await startScenario({ seed: SEED });
  await scenario.write(FILES);
  return scenario;
}

/** Applies what is in the file, and expects to be refused with this code, and nothing asked. */
async function expectRefused(scenario: Scenario, code: string, what: string): Promise<void> {
  const before = scenario.sandbox.requests.length;
  const { exit, err } = await applyPlan(scenario);
  expect([what, exit, err.split(" ")[0]]).toEqual([what, 1, `error[${code}]`]);
  expect(err).toMatch(/^\S+ .*\n {3}= .*\n\n1 error: nothing was applied\.\n$/);
  expect(scenario.sandbox.requests.length).toBe(before);
}

describe("plan --out", () => {
  // Fails when the file is not what a report would be, or lacks what it is applied with.
  it("writes the plan's document with its options and a digest; what is printed stays the same", async () => {
    const scenario = await start();
    const printed = await scenario.plan();
    const saved = await scenario.plan({ out: PLAN });
    expect([saved.exit, saved.out]).toEqual([printed.exit, printed.out]);
    const { options, digest, ...document } = JSON.parse(await readPlan(scenario));
    expect(document).toEqual(await scenario.planDocument());
    expect(options).toEqual({
      targets: [],
      excludes: [],
      base: null,
      resend_secrets: [],
      allowances: { deletes: null, updates: null, clicks: null },
    });
    const schema = JSON.parse(await readFile("schemas/saved-plan.schema.json", "utf8"));
    const ajv = new Ajv({ strict: false });
    expect([ajv.validate(schema, { ...document, options, digest }), ajv.errors]).toEqual([true, null]);
    expect(await readdir(scenario.folder)).toEqual(["linkform.yaml", PLAN]);
    expect((await applyPlan(scenario)).exit).toBe(0);
  });

  // Fails when what the flags say is not what the plan is applied with.
  it("holds what the plan was made with", async () => {
    const scenario = await start();
    const made: PlanFlags = {
      out: PLAN,
      target: ["go.example.com/*", "New"],
      exclude: ["*/stats"],
      resendSecrets: true,
      allowDeletes: 3,
      allowClicks: 0,
    };
    expect((await scenario.plan(made)).exit).toBe(0);
    expect(JSON.parse(await readPlan(scenario)).options).toEqual({
      targets: ["go.example.com/*", "New"],
      excludes: ["*/stats"],
      base: null,
      resend_secrets: ["*"],
      allowances: { deletes: 3, updates: null, clicks: 0 },
    });
  });

  // Fails when a plan that can't be trusted is saved, or when nobody hears that there is none.
  it.each([
    ["a mistake in the files", "links: { go.example.com/x: {} }\n"],
    ["an error of the plan", "links: { go.example.com/x: { url: https://example.com/, pixels: [Nobody] } }\n"],
  ])("saves nothing with %s, and leaves an older plan alone", async (_what, text) => {
    const scenario = await start();
    await scenario.write(text);
    await writePlan(scenario, "older");
    const { exit, err } = await scenario.plan({ out: PLAN });
    expect([exit, await readPlan(scenario)]).toEqual([1, "older"]);
    expect(err).toContain(`Nothing was saved in ${PLAN}: there is no plan that could be applied.\n`);
  });

  // Fails when half a plan stays behind, or a plan that was not saved ends well.
  it("says where it can't be written: 1, and nothing is left", async () => {
    const scenario = await start();
    await mkdir(path.join(scenario.folder, PLAN));
    const { exit, err } = await scenario.plan({ out: PLAN });
    expect([exit, err]).toEqual([
      1,
      `error[plan-unwritable] The plan can't be written to ${PLAN} (EISDIR).\n   = Make room, or correct --out.\n\n`,
    ]);
    const missing = await scenario.plan({ out: "nowhere/plan.json", quiet: true });
    expect([missing.exit, missing.err]).toMatchObject([1, expect.stringContaining("(ENOENT)")]);
    expect(await readdir(scenario.folder)).toEqual(["linkform.yaml", PLAN]);
  });
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** This value with each part of it changed, one at a time: a value altered, left out, or added. */
function* altered(value: Json, at = ""): Generator<{ readonly at: string; readonly value: Json }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const one of altered(item, `${at}.${index}`)) yield { at: one.at, value: value.with(index, one.value) };
      yield { at: `${at}.${index} left out`, value: value.toSpliced(index, 1) };
    }
    yield { at: `${at} longer`, value: [...value, null] };
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _left, ...rest } = value;
      for (const one of altered(item, `${at}.${name}`)) yield { at: one.at, value: { ...value, [name]: one.value } };
      yield { at: `${at}.${name} left out`, value: rest };
    }
    yield { at: `${at} with more`, value: { ...value, more: 1 } };
  } else {
    yield { at, value: typeof value === "string" ? `${value}x` : typeof value === "number" ? value + 1 : !value };
  }
}

describe("apply PLAN refuses, before any request", () => {
  // Fails when some part of what was reviewed can be changed without anybody noticing.
  it("a plan of which any value was altered", async () => {
    const scenario = await start();
    await savePlan(scenario);
    const saved: Json = JSON.parse(await readPlan(scenario));
    const cases = [...altered(saved)];
    expect(cases.length).toBeGreaterThan(150);
    const codes: Readonly<Record<string, string>> = {
      ".digest left out": "plan-not-saved",
      ".format_version left out": "plan-not-saved",
      ".changes left out": "plan-not-saved",
    };
    for (const { at, value } of cases) {
      await writePlan(scenario, JSON.stringify(value));
      await expectRefused(scenario, codes[at] ?? "plan-altered", at);
    }
  });

  // Fails when a plan can't pass through what writes JSON in another form.
  it("but not one that is only written otherwise", async () => {
    const scenario = await start();
    const saved = await savePlan(scenario);
    await writePlan(scenario, `\n${JSON.stringify(saved, null, "\t")}`);
    expect((await applyPlan(scenario)).exit).toBe(0);
  });

  /** As linkform itself would have written it, in some other version. */
  function written(content: object): string {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    return JSON.stringify({ ...content, digest: `sha256:${digest}` });
  }

  // Fails when a plan is applied of which this version does not know what it means, or when nobody says what it is.
  it("what it can't read, and says what it is", async () => {
    const scenario = await start();
    await expectRefused(scenario, "plan-unreadable", "no file");
    const { digest: _digest, ...content } = await savePlan(scenario);
    const cases: readonly (readonly [string, string, string])[] = [
      ["nothing", "", "plan-not-json"],
      ["half of it", written(content).slice(0, 900), "plan-not-json"],
      ["a file of links", "links: {}", "plan-not-json"],
      ["another document", "{}", "plan-not-saved"],
      ["no document", "[]", "plan-not-saved"],
      ["a report", (await scenario.plan({ format: ["json"] })).out, "plan-not-saved"],
      ["a later version", written({ ...content, format_version: "2.0" }), "plan-version"],
      ["an option", written({ ...content, options: { ...content.options, only_on: "Monday" } }), "plan-unknown"],
      ["an action", written({ ...content, changes: [{ ...content.changes[0], action: "archive" }] }), "plan-unknown"],
      ["a plan with errors", written({ ...content, complete: false }), "plan-unknown"],
    ];
    for (const [what, text, code] of cases) {
      await writePlan(scenario, text);
      await expectRefused(scenario, code, what);
    }
    expect(scenario.writes()).toEqual([]);
  });

  // Fails when every addition to the format makes older plans, or newer ones, useless.
  it("but not one to which a later 1.x has added something", async () => {
    const scenario = await start();
    const { digest: _digest, ...content } = await savePlan(scenario);
    await writePlan(scenario, written({ ...content, format_version: "1.7", weather: "fine" }));
    expect((await applyPlan(scenario)).exit).toBe(0);
  });

  // Fails when what was reviewed for one account is made in another.
  it("a plan for another address", async () => {
    const [scenario, other] = [await start(), await start()];
    await savePlan(scenario);
    await writeFile(path.join(other.folder, PLAN), await readPlan(scenario));
    await expectRefused(other, "plan-address", "another address");
    expect(other.sandbox.requests).toEqual([]);
  });

  // Fails when flags that belong to the plan are passed over, or change what was reviewed.
  it("flags that belong to the plan: wrong usage", async () => {
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
        `error[planning-flags] ${named}: a saved plan is applied with what it was made with.\n   = Plan again with them and --out.\n\n1 error: nothing was applied.\n`,
      ]);
    }
    expect(scenario.sandbox.requests.length).toBe(before);
  });

  // Fails when a refusal is no document for those who asked for one.
  it("with --format json in one document", async () => {
    const scenario = await start();
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, document.diagnostics.map(({ code }) => code), document.result]).toEqual([
      1,
      ["plan-unreadable"],
      { applied: 0, failed: 0, skipped: 0, complete: false },
    ]);
  });
});
