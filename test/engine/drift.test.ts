// `linkform drift` checks that the live state matches the files. Fails if a kind of difference is missed, if it is shown as a pending
// change, if the exit code is not 2 for differences and 0 without, or if anything is written.

import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { drift, type DriftFlags } from "../../src/cli/drift.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { runIn, type Ran, type Scenario, startWith } from "../support/scenario.ts";

const seed: SeedState = {
  pixels: [{ name: "Meta", type: "bing", value: "1234567", updated_at: "2026-11-01T08:05:59.000Z" }],
  links: [
    {
      url: "https://example.com/by-hand",
      domain: 2,
      alias: "changed",
      updated_at: "2026-11-20T23:13:39.000Z",
      password: "x",
    },
    { url: "https://example.com/", domain: 2, alias: "jobs", clicks: 412, updated_at: "2026-10-01T00:00:00.000Z" },
    { url: "https://example.com/", domain: 2, alias: "fair", updated_at: "2026-10-02T00:00:00.000Z" },
    { url: "https://example.com/", domain: 2, alias: "old-sale", clicks: 1 },
    { url: "https://example.com/", domain: 2, alias: "same" },
    { url: "https://example.com/", domain: 2, alias: "theirs" },
  ],
};

const FILES = `
pixels:
  Meta: { type: bing, value: "7654321" }
links:
  go.example.com/changed:
    url: https://example.com/declared
    password: none
    expiration: { date: 2027-03-31, clicks: 5 }
  go.example.com/careers: { url: https://example.com/, renamed_from: jobs }
  promo.example.com/fair: { url: https://example.com/, renamed_from: go.example.com/fair }
  go.example.com/gone: { url: https://example.com/ }
  go.example.com/same: { url: https://example.com/ }
absent: { links: [go.example.com/old-sale] }
`;

async function driftOf(scenario: Scenario, flags: DriftFlags = {}): Promise<Ran> {
  const ran = await runIn(scenario.folder, scenario.env, (world) => drift(world, flags));
  expect(scenario.writes()).toEqual([]);
  return ran;
}

describe("a live state that differs from the files", () => {
  it("is reported with its place, and the exit code is 2", async () => {
    const scenario = await startWith(FILES, seed);
    const { exit, out, err } = await driftOf(scenario);
    expect([exit, err]).toEqual([2, ""]);
    await expect(out).toMatchFileSnapshot("../fixtures/report/drift.txt");
  });

  it("has a plan as its JSON document", async () => {
    const scenario = await startWith(FILES, seed);
    const { exit, out } = await driftOf(scenario, { format: ["json"] });
    const valid = new Ajv({ strict: false }).compile(JSON.parse(await readFile("schemas/plan.schema.json", "utf8")));
    expect([exit, valid(JSON.parse(out)), valid.errors]).toEqual([2, true, null]);
    // Only an apply affects visitors, so a drift report does not warn about it.
    const bare = (changes: readonly object[]): object[] =>
      changes.map((change) => {
        const consequences = new Set(["changed_at", "drift", "ending", "lost_url", "noticed"]);
        return Object.fromEntries(Object.entries(change).filter(([key]) => !consequences.has(key)));
      });
    expect(bare(JSON.parse(out).changes)).toEqual(bare((await scenario.planDocument()).changes));
  });
});

it("a live state that matches the files exits with 0, with or without unmanaged links", async () => {
  const scenario = await startWith("links: { go.example.com/same: { url: https://example.com/ } }", seed);
  expect(await driftOf(scenario)).toEqual({ exit: 0, out: "No drift. 1 object matches the files.\n", err: "" });
});

it("a closed link without a line in the files is no drift, but gives a warning", async () => {
  const scenario = await startWith("links: { go.example.com/changed: { url: https://example.com/by-hand } }", seed);
  const { exit, err } = await driftOf(scenario);
  expect([exit, err]).toEqual([0, expect.stringContaining("password: none")]);
});

it("a state that cannot be compared is an error, 1, without a statement about drift", async () => {
  const scenario = await startWith("links: { nowhere.example.com/a: { url: https://example.com/ } }", seed);
  const unknown = await driftOf(scenario);
  expect([unknown.exit, unknown.out]).toEqual([1, "Nothing was compared.\n"]);
  await scenario.write("links: { a b: }");
  const wrong = await driftOf(scenario);
  expect([wrong.exit, wrong.out]).toEqual([1, ""]);
});
