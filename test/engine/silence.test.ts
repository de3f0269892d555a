// Promise 4: silence never opens. Fails if a field that the files leave out removes, publishes, enables or revives.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startScenario } from "../support/scenario.ts";

type SeedLink = NonNullable<SeedState["links"]>[number];

const CLOSED: readonly { state: string; live: Partial<SeedLink>; line: string; opened: object }[] = [
  { state: "a password", live: { password: "old" }, line: "password: none", opened: { password: null } },
  {
    state: "a statistics password",
    live: { privacy_password: "old" },
    line: "privacy_password: none",
    opened: { privacy_password: null },
  },
  { state: "private statistics", live: { privacy: 1 }, line: "privacy: public", opened: { privacy: 0 } },
  { state: "statistics with a password", live: { privacy: 2 }, line: "privacy: public", opened: { privacy: 0 } },
  { state: "disabled", live: { disabled: 1 }, line: "disabled: false", opened: { disabled: 0 } },
  {
    state: "expired by date",
    live: { ends_at: "2026-11-21T12:00:00.000Z", expiration_url: "https://example.com/over", expiration_clicks: 99 },
    line: "expiration: none",
    opened: { ends_at: null, expiration_url: null, expiration_clicks: null },
  },
  {
    state: "expired by clicks",
    live: { expiration_clicks: 2, clicks: 2 },
    line: "expiration: none",
    opened: { expiration_clicks: null },
  },
];

describe.each(CLOSED)("a live link that is closed: $state", ({ live, line, opened }) => {
  const seed = { links: [{ url: "https://example.com/", domain: 2, alias: "shut", ...live }] };

  it("stays so in silence, with a warning that gives the line", async () => {
    const scenario = await startScenario({ seed });
    await scenario.write("links:\n  go.example.com/shut: { url: https://example.com/ }\n");
    const planned = await scenario.planDocument();
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([
      { code: "kept", severity: "warning", file: "linkform.yaml", line: 6, column: 3 },
    ]);
    expect(planned.diagnostics[0]?.hint).toContain(`\`${line}\``);
    expect((await scenario.apply()).exit).toBe(0);
    expect(scenario.writes()).toEqual([]);
  });

  it("opens when the file says the word", async () => {
    const scenario = await startScenario({ seed });
    await scenario.write(`links:\n  go.example.com/shut: { url: https://example.com/, ${line} }\n`);
    await scenario.converge();
    expect(scenario.link("shut")).toMatchObject(opened);
  });

  it("can't be opened by null", async () => {
    const scenario = await startScenario({ seed });
    const key = line.split(":")[0];
    await scenario.write(`links:\n  go.example.com/shut: { url: https://example.com/, ${key}: null }\n`);
    const { exit, out } = await scenario.validate();
    expect(exit).toBe(1);
    expect(out).toContain(`\`${line}\``);
  });

  it("is left alone by `unspecified: keep`, without a warning", async () => {
    const scenario = await startScenario({ seed });
    await scenario.write("unspecified: keep\nlinks:\n  go.example.com/shut: { url: https://example.com/ }\n");
    const planned = await scenario.planDocument();
    expect([planned.changes, planned.diagnostics]).toEqual([[], []]);
  });
});

it("an expiry that lies ahead hides nothing yet: silence clears it", async () => {
  const seed = {
    links: [
      {
        url: "https://example.com/",
        domain: 2,
        alias: "open",
        ends_at: "2026-11-21T12:01:00.000Z",
        expiration_clicks: 3,
        clicks: 2,
      },
    ],
  };
  const scenario = await startScenario({ seed });
  await scenario.write("links: { go.example.com/open: { url: https://example.com/ } }");
  await scenario.converge();
  expect(scenario.link("open")).toMatchObject({ ends_at: null, expiration_clicks: null });
});

it("what an expired link says about its expiry is followed, the rest of it stays", async () => {
  const seed = {
    links: [
      {
        url: "https://example.com/",
        domain: 2,
        alias: "over",
        ends_at: "2026-01-01T00:00:00.000Z",
        expiration_clicks: 3,
        clicks: 3,
      },
    ],
  };
  const scenario = await startScenario({ seed });
  await scenario.write(
    "links: { go.example.com/over: { url: https://example.com/, expiration: { date: 2027-01-01 } } }",
  );
  const { changes } = await scenario.converge();
  expect(changes.map(({ fields }) => fields.map(({ path }) => path))).toEqual([["expiration.date", "expiration.time"]]);
  expect(scenario.link("over")).toMatchObject({ expiration_clicks: 3 });
});

it("defaults are no silence: they open and close like the block itself", async () => {
  const seed = { links: [{ url: "https://example.com/", domain: 2, alias: "shut", disabled: 1, privacy: 0 }] };
  const scenario = await startScenario({ seed });
  await scenario.write(
    "defaults: { link: { disabled: false, privacy: private } }\nlinks: { go.example.com/shut: { url: https://example.com/ } }",
  );
  await scenario.converge();
  expect(scenario.link("shut")).toMatchObject({ disabled: 0, privacy: 1 });
});
