// The output of --show-unmanaged: each live object that no file names, and the lines to declare it (test/fixtures/plans/unmanaged). Fails if
// dates are in another zone than the one they are read in.

import { expect, it } from "vitest";
import { startWith } from "../support/scenario.ts";

const MINE = "links: { go.example.com/mine: { url: https://example.com/ } }";
const link = (alias: string, more: object = {}): { url: string; alias: string; domain: number } => ({
  url: `https://example.com/${alias}`,
  alias,
  domain: 2,
  ...more,
});

it("lists each in JSON, and nothing without the option", async () => {
  const broken = { ...link("broken"), url: `https://example.com/${"a".repeat(2048)}` };
  const scenario = await startWith(MINE, { links: [link("plain", { clicks: 1 }), broken] });
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

it("reads the account's zone for live dates, even if no file has a date", async () => {
  const scenario = await startWith(MINE, { links: [link("dated", { ends_at: "2027-03-31T21:59:00.000Z" })] });
  const { requests } = await scenario.planDocument();
  expect((await scenario.planDocument({ showUnmanaged: true })).requests.read).toBe(requests.read + 1);
  await scenario.write(`timezone: America/New_York\n${MINE}`);
  expect((await scenario.plan({ showUnmanaged: true })).out).toContain('date: 2027-03-31\n      time: "17:59"\n');
});
