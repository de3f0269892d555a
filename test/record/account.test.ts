// A saved plan runs on the account that it was made for, and on no other: also if the key of another account is set by mistake, or if the
// address leads to another service. Every refusal is before the first write.

import { expect, it } from "vitest";
import { applyPlan, link, PLAN, readPlan, start } from "../support/saved.ts";
import { startProxy } from "../support/proxy.ts";
import type { Scenario } from "../support/scenario.ts";

const NEW = `links:\n${link("new")}`;
const LANDING = `links:\n${link("landing")}${link("new")}`;

/** What the address leads to. An id of null: the service has no endpoint for the account. */
interface Behind {
  readonly id: number | string | null;
}

const OWN: Behind = { id: 2 };
const SILENT: Behind = { id: null };

/** An address that leads to the sandbox, with the account of `now`. */
async function startSwitch(
  scenario: Scenario,
): Promise<{ now: Behind; asked: number; readonly baseUrl: () => string }> {
  const account = { now: OWN, asked: 0, baseUrl: () => baseUrl };
  const baseUrl: string = await startProxy(
    scenario.sandbox.url,
    (_method, url) => {
      if (url !== "/api/v1/account") return "forward";
      account.asked += 1;
      return account.now.id === null ? { status: 404, body: '{"message":"Not Found"}' } : "forward";
    },
    (body, url) =>
      JSON.stringify(JSON.parse(body), (key, value: unknown) =>
        key === "data" && url === "/api/v1/account" ? Object.assign({}, value, { id: account.now.id }) : value,
      ),
  );
  return account;
}

// Fails if a change of a plan for one account is made in another one, or if a plan cannot be applied to its own.
it.each<[string, string, Behind, Behind, string | null]>([
  ["its own account", NEW, OWN, OWN, null],
  ["another account, where the plan only creates", NEW, OWN, { id: 3 }, "plan-account"],
  ["another account, where rows have the same ids", LANDING, OWN, { id: "3" }, "plan-account"],
  ["an account that is no longer reported", LANDING, OWN, SILENT, "plan-account-unknown"],
  ["an account that is reported only now", LANDING, SILENT, OWN, "plan-account-unknown"],
  ["no reported account", LANDING, SILENT, SILENT, "plan-account-unknown"],
  ["no reported account, where the plan changes nothing", "links: {}\n", SILENT, SILENT, null],
])("%s", async (_title, files, then, now, refused) => {
  const scenario = await start(files);
  const account = await startSwitch(scenario);
  account.now = then;
  const flags = { baseUrl: account.baseUrl() };
  expect((await scenario.plan({ ...flags, out: PLAN })).exit).toBe(0);
  account.now = now;
  const first = await applyPlan(scenario, { ...flags, format: ["json"] });
  const codes = JSON.parse(first.out).diagnostics.map(({ code }: { readonly code: string }) => code);
  expect([first.exit, codes]).toEqual(refused === null ? [0, []] : [1, [refused]]);
  if (refused !== null) expect(scenario.writes()).toEqual([]);
  // Applied again, its changes are already live.
  else expect((await applyPlan(scenario, flags)).exit).toBe(0);
});

// Fails if the id of the account is in the file, or if it costs a second request next to the time zone.
it("the plan has a hash instead of the id, from the request that also has the time zone", async () => {
  const scenario = await start(`links:\n${link("new", ", expiration: { date: 2027-03-31 }")}`);
  const account = await startSwitch(scenario);
  account.now = { id: 987_654_321 };
  await scenario.plan({ baseUrl: account.baseUrl(), out: PLAN });
  expect(account.asked).toBe(1);
  expect(await readPlan(scenario)).toMatch(/"account":"sha256:[0-9a-f]{64}"/);
  expect(await readPlan(scenario)).not.toContain("987654321");
  // The record of its run has the hash, too.
  expect((await applyPlan(scenario, { baseUrl: account.baseUrl() })).exit).toBe(0);
  account.now = OWN;
  expect((await scenario.undo({ baseUrl: account.baseUrl() })).err).toContain("error[record-account]");
});
