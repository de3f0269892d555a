// The service had another version at the last apply. Fails if an upgrade shows changes that nobody made, or if a saved plan or record no
// longer works or changes something else.

import { describe, expect, it, onTestFinished } from "vitest";
import { SOFTWARE, type Software } from "../../src/domain/software.ts";
import { upgradeOf } from "../support/sandbox.ts";
import { ALL, applyPlan, endings, savePlan, SEED } from "../support/saved.ts";
import { Scenario, startWith } from "../support/scenario.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";

async function upgrade({ sandbox, folder }: Scenario, software: Software): Promise<Scenario> {
  const upgraded = await upgradeOf(sandbox, software);
  onTestFinished(() => upgraded.close());
  return new Scenario(upgraded, folder);
}

const STEPS = SOFTWARE.flatMap((before, at) => SOFTWARE.slice(at + 1).map((after) => [before, after] as const));

describe.each(STEPS)("from %s to %s", (before, after) => {
  it("nothing changes because of the upgrade, and the next apply works", async () => {
    const scenario = await startWith(ALL, SEED, { software: before });
    await scenario.converge();
    const upgraded = await upgrade(scenario, after);
    expect((await upgraded.planDocument()).changes).toEqual([]);
    await upgraded.write(ALL.replace("password: { env: LINKFORM_SECRET_A }", "password: none"));
    const { changes } = await upgraded.converge();
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(["update go.example.com/new"]);
    expect(upgraded.link("new").password).toBeNull();
  });

  it("a plan that was saved before applies as it was reviewed", async () => {
    const scenario = await startWith(ALL, SEED, { software: before });
    const saved = await savePlan(scenario);
    const upgraded = await upgrade(scenario, after);
    const { exit, out } = await applyPlan(upgraded, { format: ["json"] });
    const document: ApplyDocument = JSON.parse(out);
    expect([exit, document.result.complete, document.changes.length]).toEqual([0, true, saved.changes.length]);
    expect(endings(document).every((ending) => ending.endsWith("applied"))).toBe(true);
    expect((await upgraded.planDocument()).changes).toEqual([]);
  });

  it("an apply from before is undone", async () => {
    const scenario = await startWith(ALL, SEED, { software: before });
    await scenario.apply({ record: "record.jsonl" });
    const upgraded = await upgrade(scenario, after);
    expect((await upgraded.undo({ quiet: true }, "record.jsonl")).exit).toBe(0);
    const aliases = upgraded.sandbox.state().links.map(({ alias, domain, url }) => `${domain}/${alias} ${url}`);
    expect(aliases.toSorted()).toEqual(
      (SEED.links ?? []).map(({ alias, domain, url }) => `${domain}/${alias} ${url}`).toSorted(),
    );
  });
});

it("a saved plan with a field that the new version cannot store is refused before the first write", async () => {
  const files = "links: { go.example.com/same: { url: https://example.com/same, disabled: true } }";
  const scenario = await startWith(files, SEED, { software: "44" });
  await savePlan(scenario);
  const upgraded = await upgrade(scenario, "49");
  const { exit, err } = await applyPlan(upgraded, {});
  expect([exit, upgraded.writes()]).toEqual([1, []]);
  expect(err).toContain("error[not-in-version] Version 49 of the service has no `disabled`.");
});

// Fails if an undo sends a field that the service ignores, and reports that everything was restored.
it("an undo of a value that version 49 cannot store is refused, and names the field", async () => {
  const scenario = await startWith(
    "links: { go.example.com/off: { url: https://example.com/, disabled: false } }",
    { links: [{ url: "https://example.com/", domain: 2, alias: "off", disabled: 1 }] },
    { software: "44" },
  );
  await scenario.apply({ record: "record.jsonl" });
  const upgraded = await upgrade(scenario, "49");
  const ran = await upgraded.undo({}, "record.jsonl");
  expect([ran.exit, upgraded.writes()]).toEqual([1, []]);
  expect(ran.err).toContain("Version 49 of the service has no `disabled`.");
});
