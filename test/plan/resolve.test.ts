// Resolves defaults to canonical form. Fails if an unused default is not resolved, so that new links would repeat it, or if an invalid one
// gets a value.

import { expect, it, onTestFinished } from "vitest";
import { resolveDefaults } from "../../src/plan/resolve.ts";
import { loadWith, readWhole, settled } from "../support/account.ts";
import { startSandbox } from "../support/sandbox.ts";

const SEED = {
  account: { timezone: "Europe/Berlin" },
  pixels: [{ name: "Meta main", type: "facebook", value: "1" }],
  links: [{ url: "https://example.com/", domain: 2, alias: "one", space: 1, ends_at: "2027-01-01T00:00:00.000Z" }],
};

async function givenBy(text: string): Promise<Record<string, unknown>> {
  const sandbox = await startSandbox({ rateLimit: 0, seed: SEED });
  onTestFinished(() => sandbox.close());
  const { project, linkDefaults: given } = await loadWith(text);
  const { side } = settled(project, await readWhole(sandbox, project));
  return Object.fromEntries(resolveDefaults(given, side));
}

it.each([
  [
    "a name in another case",
    "domain: GO.example.com, space: marketing",
    { domain: "go.example.com", space: "Marketing" },
  ],
  ["ids", "domain: 2, space: 1", { domain: "go.example.com", space: "Marketing" }],
  ["what nobody knows", "domain: no.example.com, space: Nowhere", { domain: undefined, space: undefined }],
  ["pixels in another spelling", "pixels: [META main]", { pixels: ["Meta main"] }],
  ["a pixel that is not there", "pixels: [Meta main, None]", { pixels: undefined }],
  [
    "a date",
    'expiration: { date: 2027-03-31, time: "12:00" }',
    { "expiration.date": "2027-03-31T10:00:00Z", "expiration.time": "12:00" },
  ],
  [
    "a date that the clocks show twice",
    'expiration: { date: 2027-10-31, time: "02:30" }',
    { "expiration.date": "2027-10-31T00:30:00Z" },
  ],
  ["what has one form only", "disabled: true, privacy: private", { disabled: true, privacy: "private" }],
])("resolves %s", async (_, defaults, expected) => {
  expect(await givenBy(`defaults: { link: { ${defaults} } }`)).toMatchObject(expected);
});

it("knows a label that no link uses, and one that is written with its full name", async () => {
  const labels =
    "domains: { go: { id: 2, name: go.example.com }, new: { id: 9, name: new.example.com } }\nspaces: { Team: { id: 1, name: Marketing } }\n";
  expect(await givenBy(`${labels}defaults: { link: { domain: go.example.com, space: 1 } }`)).toEqual({
    domain: "go",
    space: "Team",
  });
  expect(await givenBy(`${labels}defaults: { link: { domain: new, space: Team } }`)).toEqual({
    domain: "new",
    space: "Team",
  });
});
