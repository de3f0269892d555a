// Values that the service does not return are unknown: linkform does not guess or plan them, and reports them once.

import { describe, expect, it } from "vitest";
import type { PlanFlags } from "../../src/cli/plan.ts";
import { startProxy } from "../support/proxy.ts";
import { startScenario, type Ran, type Scenario, startWith } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

/** Plans and applies through a service that returns links without these keys, and does not have these paths. */
async function against(
  scenario: Scenario,
  without: readonly string[],
  missingPath = "/nothing",
  flags: PlanFlags = {},
): Promise<{ text: Ran; document: PlanDocument; applied: Ran }> {
  const baseUrl = await startProxy(
    scenario.sandbox.url,
    (_method, url) =>
      url.startsWith(missingPath) ? { status: 404, body: '{"message":"Resource not found."}' } : "forward",
    (body, url) =>
      url.includes("/links")
        ? JSON.stringify(JSON.parse(body), (key, value: unknown) => (without.includes(key) ? undefined : value))
        : body,
  );
  const text = await scenario.plan({ ...flags, baseUrl });
  const document = await scenario.planDocument({ baseUrl });
  return { text, document, applied: await scenario.apply({ baseUrl }) };
}

const live = { url: "https://example.com/", domain: 2, alias: "a" };

describe("a field that the service does not return", () => {
  it("is not compared, and is reported once", async () => {
    const links = [live, { ...live, alias: "b", privacy: 1 }];
    const scenario = await startWith(
      "links: { go.example.com/a: { url: https://example.com/, privacy: private }, go.example.com/b: { url: https://example.com/2 } }",
      { links },
    );
    const { text, document, applied } = await against(scenario, ["privacy"]);
    expect(document.changes.map(({ key, fields }) => [key, fields.map(({ path }) => path)])).toEqual([
      ["go.example.com/b", ["url"]],
    ]);
    expect(text.out.match(/linkform cannot compare it: link privacy\./g)).toHaveLength(1);
    expect([applied.exit, scenario.link("b").privacy]).toEqual([0, 1]);
  });

  // Fails if a new link lacks values of the old one that could not be read, without a warning.
  it("is reported if a link would be replaced, too", async () => {
    const scenario = await startWith(
      "links: { promo.example.com/a: { url: https://example.com/, renamed_from: go.example.com/a, privacy: public } }",
      { links: [live] },
    );
    const { text } = await against(scenario, ["privacy"]);
    expect(text.out).toContain("linkform cannot compare it: link privacy.");
  });

  it("pixels: no pixel is deleted, because their users are unknown, but links are", async () => {
    const seed = { pixels: [{ name: "Old", type: "bing", value: "1234567" }], links: [live] };
    const scenario = await startWith("absent: { pixels: [Old] }", seed);
    const { text, applied } = await against(scenario, ["pixels"]);
    expect(text.err).toContain("pixel-users-unknown");
    expect([applied.exit, scenario.sandbox.state().pixels.length]).toEqual([1, 1]);
    await scenario.write("absent: { links: [go.example.com/a] }");
    expect((await against(scenario, ["pixels"])).applied.exit).toBe(0);
  });

  // Fails if links are deleted whose clicks are unknown although the files limit clicks, or if the fix in the plan does not work.
  it("clicks: a click limit refuses deletes, and both suggested fixes allow them", async () => {
    const scenario = await startScenario({ seed: { links: [{ ...live, clicks: 3 }] } });
    const absent = "absent: { links: [go.example.com/a] }\n";
    await scenario.write(`brake: { clicks: 50% }\n${absent}`);
    const { text, document } = await against(scenario, ["clicks"]);
    expect([text.exit, document.brakes]).toMatchObject([
      3,
      [
        {
          limits: "clicks",
          count: null,
          setting: "50%",
          changes: ["go.example.com/a"],
          allow: { flag: "--allow-clicks", value: 0, key: "100%" },
        },
      ],
    ]);
    expect(text.out).toContain("the service does not report the clicks of 1 link.");
    const allowed = await against(scenario, ["clicks"], "/nothing", { allowClicks: 0 });
    expect(allowed.text.exit).toBe(0);
    await scenario.write(`brake: { clicks: 100% }\n${absent}`);
    const { applied } = await against(scenario, ["clicks"]);
    expect([applied.exit, scenario.sandbox.state().links]).toEqual([0, []]);
  });

  it("clicks: a link with a limit may have expired, so a missing line keeps its expiration", async () => {
    const scenario = await startWith("links: { go.example.com/a: { url: https://example.com/ } }", {
      links: [{ ...live, expiration_clicks: 500, clicks: 3 }],
    });
    const { document } = await against(scenario, ["clicks"]);
    expect(document.changes).toEqual([]);
    expect(document.diagnostics).toMatchObject([{ code: "kept" }]);
    // If the clicks are known, the limit is far away, and a missing line clears it.
    expect((await scenario.planDocument()).changes).toHaveLength(1);
  });
});

const noAccount = "/api/v1/account";

it("an account whose time zone is unknown accepts no date in a file", async () => {
  const scenario = await startWith(
    "links: { go.example.com/a: { url: https://example.com/, expiration: { date: 2027-01-01 } } }",
  );
  const { text, applied } = await against(scenario, [], noAccount);
  expect(text.err).toMatch(/unknown-account-zone\] .*\n(.*\n)+.*account_timezone/);
  expect([applied.exit, scenario.writes()]).toEqual([1, []]);
});

it("an account whose time zone is unknown accepts no date that a replacement would copy", async () => {
  const scenario = await startWith(
    "timezone: UTC\nunspecified: keep\nlinks: { promo.example.com/a: { url: https://example.com/, renamed_from: go.example.com/a } }",
    { links: [{ ...live, ends_at: "2030-01-01T00:00:00.000Z" }] },
  );
  const { text, applied } = await against(scenario, [], noAccount);
  expect(text.err).toContain("unknown-account-zone");
  expect([applied.exit, scenario.writes()]).toEqual([1, []]);
});

it("an account whose time zone is unknown shows live dates in UTC, and can clear them", async () => {
  const scenario = await startWith("links: { go.example.com/a: { url: https://example.com/ } }", {
    links: [{ ...live, ends_at: "2030-01-01T08:00:00.000Z" }],
  });
  const { document, applied } = await against(scenario, [], noAccount);
  expect(document.changes[0]?.fields).toEqual([
    { path: "expiration.date", before: "2030-01-01", after: null },
    { path: "expiration.time", before: "08:00", after: null },
  ]);
  expect([applied.exit, scenario.link("a").ends_at]).toEqual([0, null]);
});
