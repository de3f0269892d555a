// Ownership, beyond test/fixtures/plans: copied fields, pixels that links keep, unmanaged objects, and keys that others take.

import { expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startWith } from "../support/scenario.ts";
import { beforeFirst, documentThrough, send } from "../support/through.ts";

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

// The lines that declare unmanaged objects: test/fixtures/plans/unmanaged. Fails if dates are in another zone than the one they are read in.
it("--show-unmanaged reads the account's zone for live dates, even if no file has a date", async () => {
  const scenario = await startWith(MINE, { links: [link("dated", { ends_at: "2027-03-31T21:59:00.000Z" })] });
  const { requests } = await scenario.planDocument();
  expect((await scenario.planDocument({ showUnmanaged: true })).requests.read).toBe(requests.read + 1);
  await scenario.write(`timezone: America/New_York\n${MINE}`);
  expect((await scenario.plan({ showUnmanaged: true })).out).toContain('date: 2027-03-31\n      time: "17:59"\n');
});

// Fails if a rename looks applied although somebody has taken its new key since the plan, or if their link or the hint is lost.
it("a rename to a key that was taken since the plan fails, and both links stay as they are", async () => {
  const scenario = await startWith(
    "links: { go.example.com/new: { url: https://example.com/, renamed_from: go.example.com/old } }",
    { links: [link("old", { clicks: 3 })] },
  );
  const theirs = "url=https%3A%2F%2Ftheirs.example%2F&domain=2&alias=NEW";
  const { exit, document } = await documentThrough(
    scenario,
    beforeFirst(/^PUT/, () => send(scenario, "POST", "/api/v1/links", theirs)),
  );
  expect(exit).toBe(1);
  expect(document.changes).toMatchObject([
    {
      outcome: "failed",
      error: {
        code: "refused",
        path: "alias",
        message: expect.stringContaining("has already been taken"),
        hint: expect.stringContaining("plan --show-unmanaged"),
      },
    },
  ]);
  expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["old", "NEW"]);
});
