// Which version of the service answers: found out by reading, declared, or contradicted. Fails if a plan costs a request more than it
// must, if a version is taken for another one, or if anything is written where the version is in doubt.

import { describe, expect, it } from "vitest";
import type { PlanDocument } from "../../src/view/document.ts";
import { SOFTWARE } from "../../src/domain/software.ts";
import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Ran, type Scenario } from "../support/scenario.ts";

const LINK = { url: "https://example.com/", domain: 2, alias: "there" };
const FILES = "links: { go.example.com/new: { url: https://example.com/new } }";
const PIXELS = "pixels: { Main: { type: twitter, value: o1abc } }";

async function documentOf(scenario: Scenario, baseUrl = scenario.sandbox.url): Promise<PlanDocument> {
  const flags = { format: ["json"], baseUrl };
  return JSON.parse((await runIn(scenario.folder, scenario.env, (world) => plan(world, flags))).out);
}

/** `apply --yes --format json` through a proxy that changes what passes. */
async function applyAt(scenario: Scenario, baseUrl: string): Promise<Ran> {
  return runIn(scenario.folder, scenario.env, (world) => apply(world, { yes: true, format: ["json"], baseUrl }));
}

describe.each(SOFTWARE)("version %s", (software) => {
  it("is in the plan of an account with links, which costs no request more", async () => {
    const scenario = await startScenario({ software, seed: { links: [LINK] } });
    await scenario.write(FILES);
    const { service, requests } = await documentOf(scenario);
    expect([service.software, requests.read, scenario.sandbox.requests.length]).toEqual([software, 2, 2]);
  });

  it("is found out on an empty account, with one request more where a link would have to show it", async () => {
    const scenario = await startScenario({ software });
    await scenario.write(FILES);
    const { service, requests } = await documentOf(scenario);
    const more = software === "44" || software === "49" ? 1 : 0;
    expect([service.software, requests.read, scenario.sandbox.requests.length]).toEqual([software, 3 + more, 3 + more]);
    await scenario.converge();
  });

  it("is found out for a project that declares pixels only", async () => {
    const scenario = await startScenario({ software });
    await scenario.write(PIXELS);
    expect((await documentOf(scenario)).service.software).toBe(software);
    await scenario.converge();
  });

  it("can be declared, without quotes too", async () => {
    const scenario = await startScenario({ software });
    for (const written of [software, `"${software}"`]) {
      await scenario.write(FILES);
      await scenario.declare(written);
      expect((await documentOf(scenario)).service.software).toBe(software);
    }
    await scenario.converge();
  });

  it.each(SOFTWARE.filter((other) => other !== software))(
    "declared as %s: an error, and nothing is written",
    async (other) => {
      const scenario = await startScenario({ software, seed: { links: [LINK] } });
      await scenario.write(FILES);
      await scenario.declare(other);
      const { exit, err } = await scenario.apply();
      expect([exit, scenario.writes()]).toEqual([1, []]);
      expect(err).toMatch(/linkform.yaml:2:\d+ declares/);
      expect(err).toContain(`declares version ${other} of the service, but the responses match version`);
    },
  );
});

describe("answers that fit no version", () => {
  const refusalOf = async (rewrite: (body: string) => string): Promise<[number, string, string[]]> => {
    const scenario = await startScenario({ software: "44", seed: { links: [LINK] } });
    await scenario.write(FILES);
    const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", rewrite);
    const { exit, err, out } = await applyAt(scenario, baseUrl);
    return [exit, `${err}${out}`, scenario.writes()];
  };

  it("links with the keys of two versions: an error, and nothing is written", async () => {
    const [exit, said, writes] = await refusalOf((body) =>
      body.replaceAll('"target_type":', '"targets_type":null,"target_type":'),
    );
    expect([exit, writes]).toEqual([1, []]);
    expect(said).toContain("linkform does not know this version of the service");
  });

  it("links with the keys of two versions, one of them declared: that version is used", async () => {
    const scenario = await startScenario({ software: "44", seed: { links: [LINK] } });
    await scenario.write(FILES);
    await scenario.declare("44");
    const both = (body: string): string => body.replaceAll('"target_type":', '"targets_type":null,"target_type":');
    const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", both);
    const { exit } = await applyAt(scenario, baseUrl);
    expect(exit).toBe(0);
    expect(scenario.link("new").url).toBe("https://example.com/new");
  });

  it("links without a key that any version has: an error, and nothing is written", async () => {
    const [exit, said, writes] = await refusalOf((body) =>
      body.replaceAll(/"(target_type|disabled|privacy_password|ends_at|expiration_clicks|\w+_target)":/g, '"new_$1":'),
    );
    expect([exit, writes]).toEqual([1, []]);
    expect(said).toContain("linkform does not know this version of the service");
  });

  it("a later row with the keys of another version: an error, and nothing is written", async () => {
    const links = [LINK, { ...LINK, alias: "second" }];
    const scenario = await startScenario({ software: "44", seed: { links } });
    await scenario.write(FILES);
    const odd = (body: string): string => body.replace(/"alias":"second"/, '"alias":"second","clicks_limit":5');
    const baseUrl = await startProxy(scenario.sandbox.url, () => "forward", odd);
    const { exit, out } = await applyAt(scenario, baseUrl);
    expect([exit, scenario.writes()]).toEqual([1, []]);
    expect(out).toContain("`clicks_limit`");
  });

  it.each<[string, Answer]>([
    ["a refused key", { status: 401, body: '{"message":"Unauthenticated."}' }],
    ["no access", { status: 403, body: '{"message":"Forbidden."}' }],
    ["a page", { status: 200, body: "<html></html>" }],
  ])("%s shows no version", async (_what, answer) => {
    const scenario = await startScenario({ software: "44" });
    await scenario.write(FILES);
    const document = await documentOf(scenario, await startProxy(scenario.sandbox.url, () => answer));
    expect([document.complete, document.service.software]).toEqual([false, null]);
  });
});

// A service that ignores a name answers 200: only the row shows that nothing was stored.
describe("a field that the service takes and does not store", () => {
  const UPDATES = Array.from({ length: 5 }, (_, at) => ({ ...LINK, alias: `a-${at}` }));

  it("stops the run after the first update, names the field and the version, and does not advise another run", async () => {
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
    const flags = { yes: true, baseUrl };
    const { exit, out, err } = await runIn(scenario.folder, scenario.env, (world) => apply(world, flags));
    const said = `${out}${err}`;
    expect(exit).toBe(4);
    expect(said).toContain("`space` was sent as Marketing, but the service returned none.");
    expect(said).toContain("linkform treats the service as version 44.");
    expect(said).toContain("4 not started");
    expect(said).not.toMatch(/Run `linkform apply` again/);
  });

  it("stops the run after the first create", async () => {
    const scenario = await startScenario({ software: "49" });
    const blocks = UPDATES.map(
      ({ alias }) => `  go.example.com/${alias}: { url: https://example.com/, sensitive: true }\n`,
    );
    await scenario.write(`links:\n${blocks.join("")}`);
    const rewriting = await startProxy(
      scenario.sandbox.url,
      () => "forward",
      (body) => body.replaceAll('"sensitive_content":1', '"sensitive_content":null'),
    );
    const { exit, out } = await applyAt(scenario, rewriting);
    expect(exit).toBe(4);
    expect(JSON.parse(out).result).toMatchObject({ applied: 0, failed: 1, skipped: 4 });
    expect(scenario.sandbox.state().links).toHaveLength(1);
  });
});
