// Ownership, beyond test/fixtures/plans: keys that several records have, blocked renames, and replacements.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { where } from "../support/sandbox.ts";
import { startWith } from "../support/scenario.ts";

const link = (alias: string, more: object = {}): NonNullable<SeedState["links"]>[number] => ({
  url: "https://example.com/",
  domain: 2,
  alias,
  ...more,
});

const ACROSS = "links: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }";
/** A link with the key that ACROSS gives the link that it moves. */
const THERE = link("sale", { domain: 3 });

// Two stores that overlap can both succeed (docs/service.md, "Writing").
describe("two live rows with the same key", () => {
  const TWICE = { links: [link("twice"), link("Twice")] };

  it.each([
    ["a declaration", "links: { go.example.com/twice: { url: https://example.com/ } }"],
    ["a tombstone without an id", "absent: { links: [go.example.com/twice] }"],
    ["a rename", "links: { go.example.com/once: { url: https://example.com/, renamed_from: twice } }"],
  ])("%s does not choose between them", async (_what, files) => {
    expect(await (await startWith(files, TWICE)).refused()).toMatch(/two-live-rows\] .*\(id 1\).*\(id 2\)/);
  });
});

describe("a rename", () => {
  it.each<[string, ReturnType<typeof link>[]]>([
    // Somebody who took the old key of a finished move would lose their link.
    ["whose old key is taken", [THERE, link("sale")]],
    // One of two links would be deleted by an arbitrary choice.
    ["from two links", [link("sale"), link("SALE"), THERE]],
  ])("to another domain, %s, changes nothing", async (_what, links) => {
    const { changes, diagnostics } = await (await startWith(ACROSS, { links })).planDocument();
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "rename-blocked", severity: "warning" }]);
  });

  // Fails if a link is deleted because somebody's link with another destination has the new key, or if the hint gives that one the
  // destination: the next plan would treat it as the replacement, and delete the old link.
  it("to another domain whose key is taken is an error, and its hint works", async () => {
    const other = { ...THERE, url: "https://example.com/other" };
    const scenario = await startWith(ACROSS, { links: [other, link("sale")] });
    const { changes, diagnostics } = await scenario.planDocument();
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "rename-blocked", severity: "error" }]);
    await scenario.write(
      "links: { promo.example.com/sale: { url: https://example.com/ } }\nabsent: { links: [go.example.com/sale] }",
    );
    expect((await scenario.converge()).changes).toMatchObject([{ action: "delete" }, { action: "update", id: 1 }]);
  });
});

describe("a replacement: a rename across domains", () => {
  it.each([
    { password: "x" },
    { privacy: 1 },
    ...where("disabled links", [{ disabled: 1 }]),
    { expiration_clicks: 1, clicks: 1 },
  ])("of a closed link is an error if the files do not mention its protection: %o", async (live) => {
    const scenario = await startWith(ACROSS, { links: [link("sale", live)] });
    expect(await scenario.refused()).toContain("replace-opens");
  });

  it("with `unspecified: keep` copies undeclared fields, but no password", async () => {
    const scenario = await startWith(`unspecified: keep\n${ACROSS}`, {
      links: [link("sale", { privacy: 1, expiration_clicks: 9, space: 2 }), link("shut", { password: "x" })],
    });
    await scenario.converge();
    expect(scenario.link("sale")).toMatchObject({ domain: 3, privacy: 1, expiration_clicks: 9, space: 2 });
    await scenario.write(
      "unspecified: keep\nlinks: { promo.example.com/shut: { url: https://example.com/, renamed_from: go.example.com/shut } }",
    );
    expect((await scenario.plan()).err).toContain("replace-secret");
  });
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
