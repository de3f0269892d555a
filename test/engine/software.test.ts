// The version of the service: detected, declared, or contradicted. Fails if a plan sends an unnecessary request, if the wrong version is
// detected, or if linkform writes although the version is uncertain. After an upgrade, fails if changes that nobody made are planned, or if
// a saved plan or record no longer works or changes something else.

import { describe, expect, it, onTestFinished } from "vitest";
import { SOFTWARE, type Software } from "../../src/domain/software.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { upgradeOf } from "../support/sandbox.ts";
import { ALL, applyPlan, endings, savePlan, SEED } from "../support/saved.ts";
import { Scenario, startScenario, startWith } from "../support/scenario.ts";

const LINK = { url: "https://example.com/", domain: 2, alias: "there" };
const FILES = "links: { go.example.com/new: { url: https://example.com/new } }";

describe.each(SOFTWARE)("version %s", (software) => {
  it("is in the plan of an account with links, without another request", async () => {
    const scenario = await startWith(FILES, { links: [LINK] }, { software });
    const { service, requests } = await scenario.planDocument();
    expect([service.software, requests.read, scenario.sandbox.requests.length]).toEqual([software, 2, 2]);
  });

  it("is detected on an empty account, with one more request if only a link would show it", async () => {
    const scenario = await startWith(FILES, {}, { software });
    const { service, requests } = await scenario.planDocument();
    const more = software === "44" || software === "49" ? 1 : 0;
    expect([service.software, requests.read, scenario.sandbox.requests.length]).toEqual([software, 3 + more, 3 + more]);
    await scenario.converge();
  });

  it("can be declared, also without quotes", async () => {
    const scenario = await startScenario({ software });
    for (const written of [software, `"${software}"`]) {
      await scenario.write(FILES);
      await scenario.declare(written);
      expect((await scenario.planDocument()).service.software).toBe(software);
    }
    await scenario.converge();
  });

  it.each(SOFTWARE.filter((other) => other !== software))(
    "declared as %s: an error, and nothing is written",
    async (other) => {
      const scenario = await startWith(FILES, { links: [LINK] }, { software });
      await scenario.declare(other);
      const err = await scenario.refused();
      expect(err).toMatch(/linkform.yaml:2:\d+ declares/);
      expect(err).toContain(`declares version ${other} of the service, but the responses match version`);
    },
  );
});

describe("responses that match no version", () => {
  const both = (body: string): string => body.replaceAll('"target_type":', '"targets_type":null,"target_type":');
  const anyKey = /"(target_type|disabled|privacy_password|ends_at|expiration_clicks|\w+_target)":/g;
  const links = [LINK, { ...LINK, alias: "second" }];

  it.each<[string, (body: string) => string, string]>([
    ["links with the keys of two versions", both, "linkform does not know this version of the service"],
    [
      "links without a key that any version has",
      (body) => body.replaceAll(anyKey, '"new_$1":'),
      "linkform does not know this version of the service",
    ],
    [
      "a later row with the keys of another version",
      (body) => body.replace(/"alias":"second"/, '"alias":"second","clicks_limit":5'),
      "`clicks_limit`",
    ],
  ])("%s: an error, and nothing is written", async (_what, rewrite, said) => {
    const scenario = await startWith(FILES, { links }, { software: "44" });
    const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", rewrite);
    const { exit, err } = await scenario.apply({ baseUrl });
    expect([exit, scenario.writes()]).toEqual([1, []]);
    expect(err).toContain(said);
  });

  it("links with the keys of two versions, one of them declared: that version is used", async () => {
    const scenario = await startWith(FILES, { links }, { software: "44" });
    await scenario.declare("44");
    const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", both);
    expect((await scenario.apply({ baseUrl })).exit).toBe(0);
    expect(scenario.link("new").url).toBe("https://example.com/new");
  });

  it.each<[string, Answer]>([
    ["a refused key", { status: 401, body: '{"message":"Unauthenticated."}' }],
    ["no access", { status: 403, body: '{"message":"Forbidden."}' }],
    ["a page", { status: 200, body: "<html></html>" }],
  ])("%s shows no version", async (_what, answer) => {
    const scenario = await startWith(FILES, {}, { software: "44" });
    const baseUrl = await startProxy(scenario.sandbox.url, () => answer);
    const document = await scenario.planDocument({ baseUrl });
    expect([document.complete, document.service.software]).toEqual([false, null]);
  });
});

// A service that ignores a name answers 200. Only the record shows that nothing was stored.
const UPDATES = Array.from({ length: 5 }, (_, at) => ({ ...LINK, alias: `a-${at}` }));

it("a field that the service accepts and does not store stops the run after the first update, names the field and the version, and advises another run only after a correction", async () => {
  const scenario = await startScenario({ software: "44", seed: { links: UPDATES } });
  const blocks = UPDATES.map(
    ({ alias }) => `  go.example.com/${alias}: { url: https://example.com/, space: Marketing }\n`,
  );
  await scenario.write(`brake: { updates: 100% }\nlinks:\n${blocks.join("")}`);
  const forgets = (method: string, _url: string, body: string): Answer =>
    method === "PUT" && body.includes("space_id")
      ? { status: 200, body: JSON.stringify({ data: { id: Number(/\d+$/.exec(_url)?.[0]) }, status: 200 }) }
      : "forward";
  const baseUrl = await startProxy(scenario.sandbox.url, forgets);
  const { exit, out, err } = await scenario.apply({ quiet: false, baseUrl });
  const said = `${out}${err}`;
  expect(exit).toBe(4);
  expect(said).toMatch(
    /error\[not-as-declared\] `space` was sent as Marketing, but the service returned none\.[^]*\n +linkform\.yaml:7:59\n/,
  );
  expect(said).toContain("linkform treats the service as version 44.");
  expect(said).toContain("4 not started");
  expect(said).toContain("Another run would send the same values.");
  expect(said.match(/^.*\bagain\b/gm)).toEqual(["Next step: Fix the errors above, and run `linkform apply` again"]);
});

it("a field that the service accepts and does not store stops the run after the first create", async () => {
  const scenario = await startScenario({ software: "49" });
  const blocks = UPDATES.map(
    ({ alias }) => `  go.example.com/${alias}: { url: https://example.com/, sensitive: true }\n`,
  );
  await scenario.write(`links:\n${blocks.join("")}`);
  const baseUrl = await startProxy(
    scenario.sandbox.url,
    () => "forward",
    (body) => body.replaceAll('"sensitive_content":1', '"sensitive_content":null'),
  );
  const { result } = await scenario.applyDocument({ baseUrl });
  expect(result).toMatchObject({ applied: 0, failed: 1, skipped: 4 });
  expect(scenario.sandbox.state().links).toHaveLength(1);
});

async function upgrade({ sandbox, folder }: Scenario, software: Software): Promise<Scenario> {
  const upgraded = await upgradeOf(sandbox, software);
  onTestFinished(() => upgraded.close());
  return new Scenario(upgraded, folder);
}

const STEPS = SOFTWARE.flatMap((before, at) => SOFTWARE.slice(at + 1).map((after) => [before, after] as const));

describe.each(STEPS)("an upgrade from %s to %s", (before, after) => {
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

it("after an upgrade, a saved plan with a field that the new version cannot store is refused before the first write", async () => {
  const files = "links: { go.example.com/same: { url: https://example.com/same, disabled: true } }";
  const scenario = await startWith(files, SEED, { software: "44" });
  await savePlan(scenario);
  const upgraded = await upgrade(scenario, "49");
  const { exit, err } = await applyPlan(upgraded, {});
  expect([exit, upgraded.writes()]).toEqual([1, []]);
  expect(err).toContain("error[not-in-version] Version 49 of the service has no `disabled`.");
});

// Fails if an undo sends a field that the service ignores, and reports that everything was restored.
it("after an upgrade, an undo of a value that version 49 cannot store is refused, and names the field", async () => {
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
