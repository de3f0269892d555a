// Promise 4: a missing line never opens a link. Fails if it removes, publishes, enables or revives something. Null does not open it either:
// test/fixtures/config/invalid/link-null-opens.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { where } from "../support/sandbox.ts";
import { startScenario, startWith } from "../support/scenario.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];

const LIMITED = { url: "https://example.com/", domain: 2, expiration_clicks: 3 };

/** A closed state, and the line that opens it. Lines are applied in test/engine/fields.test.ts. */
const CLOSED: readonly (readonly [state: string, live: Partial<SeedLink>, line: string])[] = [
  ["a password", { password: "old" }, "password: none"],
  [
    "a password, private statistics and an expiration",
    { password: "old", privacy: 1, expiration_clicks: 2, clicks: 2 },
    "privacy: public",
  ],
  ["a statistics password", { privacy_password: "old" }, "privacy_password: none"],
  ["private statistics", { privacy: 1 }, "privacy: public"],
  ["statistics with a password", { privacy: 2 }, "privacy: public"],
  ...where("disabled links", [["disabled", { disabled: 1 }, "disabled: false"] as const]),
  [
    "expired by date",
    { ends_at: "2026-11-21T12:00:00.000Z", expiration_url: "https://example.com/over", expiration_clicks: 99 },
    "expiration: none",
  ],
  ["expired by clicks", { expiration_clicks: 2, clicks: 2 }, "expiration: none"],
];

describe.each(CLOSED)("a live link that is closed: %s", (_state, live, line) => {
  const seed = { links: [{ url: "https://example.com/", domain: 2, alias: "shut", ...live }] };

  it("stays closed without a line in the files, and a warning suggests the line", async () => {
    const scenario = await startWith("links:\n  go.example.com/shut: { url: https://example.com/ }\n", seed);
    const planned = await scenario.planDocument();
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([
      { code: "kept", severity: "warning", file: "linkform.yaml", line: 6, column: 3 },
    ]);
    expect(planned.diagnostics[0]?.hint).toContain(`\`${line}\``);
    expect((await scenario.apply()).exit).toBe(0);
    expect(scenario.writes()).toEqual([]);
  });

  it("does not change with `unspecified: keep`, without a warning", async () => {
    const scenario = await startWith(
      "unspecified: keep\nlinks:\n  go.example.com/shut: { url: https://example.com/ }\n",
      seed,
    );
    const planned = await scenario.planDocument();
    expect([planned.changes, planned.diagnostics]).toEqual([[], []]);
  });
});

it("a future expiration does not close a link yet, so a missing line clears it", async () => {
  const seed = {
    links: [{ ...LIMITED, alias: "open", ends_at: "2026-11-21T12:01:00.000Z", clicks: 2 }],
  };
  const scenario = await startWith("links: { go.example.com/open: { url: https://example.com/ } }", seed);
  await scenario.converge();
  expect(scenario.link("open")).toMatchObject({ ends_at: null, expiration_clicks: null });
});

it("an expired link follows its declared expiration fields, and keeps the others", async () => {
  const seed = {
    links: [{ ...LIMITED, alias: "over", ends_at: "2026-01-01T00:00:00.000Z", clicks: 3 }],
  };
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

  it("keeps it with `unspecified: keep`", async () => {
    const scenario = await startWith(
      "unspecified: keep\nrules: { expired: off }\nlinks: { go.example.com/over: { url: https://example.com/, expiration: { date: 2026-01-01 } } }\n",
      { links: [past] },
    );
    expect((await scenario.planDocument()).changes).toEqual([]);
  });

  it("is not revived by a move to another domain that keeps what the files leave out", async () => {
    const scenario = await startWith(
      "unspecified: keep\nlinks: { promo.example.com/over: { url: https://example.com/, renamed_from: go.example.com/over } }\n",
      { links: [{ ...live, expiration_clicks: 3, clicks: 3 }] },
    );
    const { exit, err } = await scenario.plan();
    expect(exit).toBe(1);
    expect(err).toContain("error[replace-opens] `promo.example.com/over` replaces `go.example.com/over`");
    expect(err).toContain("`go.example.com/over` has expired");
    expect(err).toContain("write `expiration: none`");
  });
});
