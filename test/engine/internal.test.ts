// A bug in linkform during an apply fails one change. The changes before it are reported anyway.

import { expect, it } from "vitest";
import { applyChanges } from "../../src/apply/apply.ts";
import { verify } from "../../src/apply/verify.ts";
import { readAccount } from "../../src/session/read-account.ts";
import { loadProject } from "../../src/config/load.ts";
import { NO_OPTIONS } from "../../src/session/plan-flags.ts";
import { createPlan } from "../../src/plan/plan.ts";
import { canonicalRecords } from "../../src/plan/resolve.ts";
import { connectWriter, type Writer } from "../../src/service/service.ts";
import { Transport } from "../../src/service/transport.ts";
import { fastClock } from "../support/clock.ts";
import { startWith } from "../support/scenario.ts";

const MANY = { records: 900, perPage: 100 };

it.each(["prepareStore", "show"] as const)("in `%s`", async (broken) => {
  const scenario = await startWith(
    "links:\n  go.example.com/new: { url: https://example.com/ }\n  go.example.com/old: { url: https://example.com/2 }\n",
    { links: [{ url: "https://example.com/", domain: 2, alias: "old" }] },
  );
  const { url: baseUrl, apiKey } = scenario.sandbox;
  const clock = fastClock(50);
  const transport = new Transport({ baseUrl, apiKey, version: "test", clock });
  const { project } = await loadProject(`${scenario.folder}/linkform.yaml`);
  if (project === null) throw new Error("the scenario's project is not valid");
  const service = connectWriter(transport);
  const state = await readAccount({ project, base: null }, service, false);
  const plan = createPlan(project, state, "2026-11-21T12:00:00Z", NO_OPTIONS);
  const mistaken: Writer = {
    ...service,
    [broken]: () => {
      throw new TypeError("a mistake");
    },
  };
  const options = {
    concurrency: 1,
    canonical: canonicalRecords(project, state),
    now: "2026-11-21T12:00:00Z",
    describe: () => [],
  };
  const { signal } = new AbortController();
  const made = await applyChanges(plan, mistaken, {
    ...options,
    state,
    readAt: clock.now(),
    secret: () => "",
    clock,
    signal,
  });
  const outcomes = await verify(made.outcomes, mistaken, {
    ...options,
    // With many pages, records are read by id.
    state: { ...state, sizes: { link: MANY, pixel: MANY } },
  });
  await transport.close();
  expect(scenario.link("old").url).toBe("https://example.com/2");
  const failure = { code: "internal-error", mayHaveActed: true, message: "Internal error in linkform: a mistake" };
  // The update comes first, because visitors notice it.
  expect(outcomes).toMatchObject([
    broken === "prepareStore" ? { outcome: "applied" } : { outcome: "failed", failure },
    { outcome: "failed", failure },
  ]);
});
