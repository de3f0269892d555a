// Ownership, beyond test/fixtures/plans: copied fields, pixels that links keep, and unmanaged objects.

import { expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startWith } from "../support/scenario.ts";

const link = (alias: string, more: object = {}): NonNullable<SeedState["links"]>[number] => ({
  url: "https://example.com/",
  domain: 2,
  alias,
  ...more,
});

it("a move to another domain with `unspecified: keep` copies undeclared fields", async () => {
  const scenario = await startWith(
    "unspecified: keep\nlinks: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }",
    { links: [link("sale", { privacy: 1, expiration_clicks: 9, space: 2 })] },
  );
  await scenario.converge();
  expect(scenario.link("sale")).toMatchObject({ domain: 3, privacy: 1, expiration_clicks: 9, space: 2 });
});

it("a pixel that a link keeps because its file does not mention pixels is not deleted", async () => {
  const scenario = await startWith(
    "unspecified: keep\nlinks: { go.example.com/a: { url: https://example.com/new } }\nabsent: { pixels: [Old] }",
    { pixels: [{ name: "Old", type: "bing", value: "1234567" }], links: [link("a", { pixels: [1] })] },
  );
  expect(await scenario.refused()).toMatch(/pixel-in-use\] .*`go\.example\.com\/a`/);
});

const MINE = "links: { go.example.com/mine: { url: https://example.com/ } }";

// The lines that declare them: test/fixtures/plans/unmanaged. Fails if dates are in another zone than the one they are read in.
it("--show-unmanaged lists each in JSON, and nothing is listed without it", async () => {
  const broken = { ...link("broken"), url: `https://example.com/${"a".repeat(2048)}` };
  const scenario = await startWith(MINE, {
    links: [link("plain", { clicks: 1, url: "https://example.com/plain" }), broken],
  });
  expect((await scenario.planDocument()).unmanaged).toBeNull();
  const declare = "links:\n  # id 1, 1 click\n  go.example.com/plain:\n    url: https://example.com/plain\n";
  expect((await scenario.planDocument({ showUnmanaged: true })).unmanaged).toEqual([
    {
      kind: "link",
      key: "go.example.com/broken",
      id: 2,
      clicks: 0,
      declare: null,
      problem: expect.stringContaining("url"),
    },
    { kind: "link", key: "go.example.com/plain", id: 1, clicks: 1, declare },
  ]);
});

it("--show-unmanaged reads the account's zone for live dates, even if no file has a date", async () => {
  const scenario = await startWith(MINE, { links: [link("dated", { ends_at: "2027-03-31T21:59:00.000Z" })] });
  const { requests } = await scenario.planDocument();
  expect((await scenario.planDocument({ showUnmanaged: true })).requests.read).toBe(requests.read + 1);
  await scenario.write(`timezone: America/New_York\n${MINE}`);
  expect((await scenario.plan({ showUnmanaged: true })).out).toContain('date: 2027-03-31\n      time: "17:59"\n');
});
