// A default whose date the clocks show twice has a canonical form. Fails if it has none, so that a new link repeats it. The other defaults
// are in test/pull.

import { expect, it } from "vitest";
import { resolve, resolveDefaults } from "../../src/plan/resolve.ts";
import { loadWith, readWhole } from "../support/account.ts";
import { sandboxFor } from "../support/sandbox.ts";

it("resolves a date that the clocks show twice", async () => {
  const links = [{ url: "https://example.com/", domain: 2, alias: "one", ends_at: "2027-01-01T00:00:00.000Z" }];
  const sandbox = await sandboxFor({ seed: { account: { timezone: "Europe/Berlin" }, links } });
  const { project, linkDefaults } = await loadWith(
    'defaults: { link: { expiration: { date: 2027-10-31, time: "02:30" } } }',
  );
  const { side } = resolve(project, await readWhole(sandbox, project));
  expect(resolveDefaults(linkDefaults, side).get("expiration.date")).toBe("2027-10-31T00:30:00Z");
});
