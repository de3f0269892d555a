// Promise 4: a missing line never opens a link. Fails if it removes, publishes, enables or revives something. More states:
// test/fixtures/plans/kept, kept-unspecified and replace-opens. Null does not open a link either: test/fixtures/config/invalid/link-null-opens.

import { describe, expect, it } from "vitest";
import { startScenario, startWith } from "../support/scenario.ts";

it("an expired link follows its declared expiration fields, and keeps the others", async () => {
  const over = { url: "https://example.com/", domain: 2, alias: "over", expiration_clicks: 3, clicks: 3 };
  const seed = { links: [{ ...over, ends_at: "2026-01-01T00:00:00.000Z" }] };
  const scenario = await startWith(
    "links: { go.example.com/over: { url: https://example.com/, expiration: { date: 2027-01-01 } } }",
    seed,
  );
  const { changes } = await scenario.converge();
  expect(changes.map(({ fields }) => fields.map(({ path }) => path))).toEqual([["expiration.date", "expiration.time"]]);
  expect(scenario.link("over")).toMatchObject({ expiration_clicks: 3 });
});

it("defaults open and close links like their own blocks", async () => {
  const seed = {
    links: [{ url: "https://example.com/", domain: 2, alias: "shut", expiration_clicks: 2, clicks: 2, privacy: 0 }],
  };
  const scenario = await startWith(
    "defaults: { link: { expiration: none, privacy: private } }\nlinks: { go.example.com/shut: { url: https://example.com/ } }",
    seed,
  );
  await scenario.converge();
  expect(scenario.link("shut")).toMatchObject({ expiration_clicks: null, privacy: 1 });
});

describe("an expired link with an expiration URL", () => {
  const live = { url: "https://example.com/", domain: 2, alias: "over", expiration_url: "https://example.com/over" };
  const past = { ...live, ends_at: "2026-01-01T23:59:00.000Z" };

  it.each([
    ["a date alone", past, "{ date: 2026-01-01 }"],
    ["the word `null`", past, "{ date: 2026-01-01, url: null }"],
    ["a click limit alone", { ...live, expiration_clicks: 3, clicks: 3 }, "{ clicks: 3 }"],
  ])("loses that URL by %s, and stays expired", async (_, row, expiration) => {
    const scenario = await startScenario({ seed: { links: [row] } });
    const said = `, expiration: ${expiration}`;
    await scenario.write(
      `rules: { expired: off }\nlinks: { go.example.com/over: { url: https://example.com/${said} } }\n`,
    );
    const { changes, diagnostics } = await scenario.planDocument();
    expect(changes).toMatchObject([{ breaks_url: false, fields: [{ path: "expiration.url", after: null }] }]);
    expect(diagnostics).toEqual([]);
    expect(await scenario.apply()).toMatchObject({ exit: 0 });
    const { ends_at, expiration_clicks } = scenario.link("over");
    expect(scenario.link("over").expiration_url).toBeNull();
    expect({ ends_at, expiration_clicks }).not.toEqual({ ends_at: null, expiration_clicks: null });
    expect((await scenario.planDocument()).changes).toEqual([]);
  });
});
