// Saved plans if not everything was read or not everything can be applied: the report and the exit code.

import { expect, it } from "vitest";
import { UserError } from "../../src/errors.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { applyPlan, applyPlanDocument, endings, GO, link, PLAN, savePlan, start } from "../support/saved.ts";
import { startWith } from "../support/scenario.ts";
import { send } from "../support/through.ts";

// Fails if a link that the files no longer name counts as deleted because it was not read.
it("if only the links that the files name were read, a link that was not read is not treated as deleted", async () => {
  const only = "links: { promo.example.com/only: { url: https://example.com/ } }\n";
  const links = Array.from({ length: 250 }, (_, index) => ({
    id: index + 1,
    url: "https://example.com/",
    alias: index === 1 ? "only" : `l${index + 1}`,
    domain: index % 2 === 0 ? 2 : 3,
  }));
  const scenario = await startWith(`${only}absent: { links: [${GO}/l201, ${GO}/l203] }\n`, { links });
  await savePlan(scenario);
  expect(await send(scenario, "DELETE", "/api/v1/links/203")).toBe(200);
  await scenario.write(only);
  const before = scenario.sandbox.requests.length;
  const { exit, document } = await applyPlanDocument(scenario);
  const asked = scenario.sandbox.requests.slice(before).map(({ path }) => path);
  expect(exit).toBe(4);
  expect(endings(document)).toEqual([
    `delete ${GO}/l201: moved This change is no longer planned. The files or the settings of the project no longer ask for it.`,
    `delete ${GO}/l203: already done`,
  ]);
  expect(document.requests.read).toBe(asked.length);
  expect(asked.filter((path) => /links\/\d+$/.test(path))).toEqual(["/api/v1/links/201", "/api/v1/links/203"]);
});

// Fails if a failure next to a moved change gives the exit code of moved changes, or of applied ones, or if a change that the service may
// have made counts as not made.
it.each<[string, Answer, number, RegExp, string]>([
  [
    "1 if nothing was applied",
    { status: 422, body: '{"message":{"url":["No."]},"status":422}' },
    1,
    /^Nothing was applied: 1 failed, 1 outdated\./,
    "Next step: Fix the errors above, and run `linkform plan --out FILE` to save a new plan.",
  ],
  [
    "4 if it may have been applied",
    { status: 500, body: '{"message":"Server Error"}' },
    4,
    /^Not all changes were applied: 1 failed, 1 outdated\./,
    "2. Run `linkform apply plan.json` again.",
  ],
])("a change that fails next to one that moved gives exit code %s", async (_what, answer, code, said, next) => {
  const scenario = await start(`links:\n${link("landing")}${link("new")}`);
  const baseUrl = await startProxy(scenario.sandbox.url, (method) => (method === "PUT" ? answer : "forward"));
  expect((await scenario.plan({ out: PLAN, baseUrl })).exit).toBe(0);
  await scenario.write(`links:\n${link("landing")}`);
  const { exit, out } = await applyPlan(scenario, { baseUrl });
  expect([exit, out]).toEqual([code, expect.stringMatching(said)]);
  expect(out).toContain(next);
});

// Fails if a change that was made in part is reported as not started, or as applied.
it("a replacement that is stopped between its last two calls has failed in part", async () => {
  const scenario = await start(
    `links:\n  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving, pixels: [Theirs] }\n`,
  );
  const controller = new AbortController();
  const baseUrl = await startProxy(scenario.sandbox.url, (method) => {
    if (method === "PUT") controller.abort(new UserError("interrupted", "The run was interrupted.", { exit: 130 }));
    return "forward";
  });
  expect((await scenario.plan({ out: PLAN, baseUrl })).exit).toBe(0);
  const form = "alias=moved&domain=3&url=https%3A%2F%2Fexample.com%2Fmoving";
  expect(await send(scenario, "POST", "/api/v1/links", form)).toBe(201);
  const { exit, out } = await applyPlan(scenario, { baseUrl, format: ["json"], concurrency: 1 }, controller.signal);
  const document: ApplyDocument = JSON.parse(out);
  expect([exit, document.result]).toEqual([130, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(endings(document)).toEqual(["replace promo.example.com/moved: skipped The run was interrupted."]);
  const again = await applyPlan(scenario, { baseUrl });
  expect([again.exit, again.out]).toEqual([0, expect.stringMatching(/^Done: 1 moved\. Verified\.\n/)]);
  expect((await scenario.planDocument()).changes).toEqual([]);
});

const OVER = `brake: { deletes: 0 }\n`;
const FILES = `links:\n${link("same")}absent: { links: [${GO}/old] }\n`;

// Fails if the limit is not checked against the changes to apply, or if the hint names a flag that a saved plan refuses.
it("a saved plan that exceeds a limit now is refused, and a plan made with its hint is not", async () => {
  const scenario = await start(FILES);
  await savePlan(scenario);
  await scenario.write(`${OVER}${FILES}`);
  const { exit, out } = await applyPlan(scenario);
  expect([exit, scenario.writes()]).toEqual([3, []]);
  expect(out).toContain("plan again with `--allow-deletes 1` and --out to allow all deletes of this plan, or write");
  await scenario.plan({ out: PLAN, allowDeletes: 1 });
  const applied = await applyPlan(scenario);
  expect(applied.exit).toBe(0);
  expect(applied.err).toContain(`- delete link ${GO}/old`);
});
