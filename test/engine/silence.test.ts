// Promise 4: a missing line never opens a link. Fails if it revives something. Random links: silence.property.test.ts. More states:
// test/fixtures/plans/kept, kept-unspecified and replace-opens. Null does not open a link either: test/fixtures/config/invalid/link-null-opens.

import { expect, it } from "vitest";
import { startScenario } from "../support/scenario.ts";

const live = { url: "https://example.com/", domain: 2, alias: "over", expiration_url: "https://example.com/over" };
const past = { ...live, ends_at: "2026-01-01T23:59:00.000Z" };

it.each([
  ["a date alone", past, "{ date: 2026-01-01 }"],
  ["the word `null`", past, "{ date: 2026-01-01, url: null }"],
  ["a click limit alone", { ...live, expiration_clicks: 3, clicks: 3 }, "{ clicks: 3 }"],
])("an expired link with an expiration URL loses that URL by %s, and stays expired", async (_, row, expiration) => {
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
