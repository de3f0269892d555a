// `apply PLAN` applies the changes that are both in the saved plan, which was reviewed, and in the current plan. Changes that are
// already applied count as applied.

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { laterLineSchema } from "../../src/record/lines.ts";
import { ALL, applyPlan, applyPlanDocument, endings, GO, link, savePlan, SEED, start } from "../support/saved.ts";
import { Scenario, temporaryFolder, startWith } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";
import { send } from "../support/through.ts";

// Fails if other changes than those of the saved plan are made, if linkform asks, or if a second run changes anything.
it("applies the changes of the plan, and a second run finds all of them applied and writes nothing", async () => {
  const scenario = await start(ALL);
  const saved = await savePlan(scenario);
  const first = await applyPlan(scenario);
  expect(first.exit).toBe(0);
  expect(first.out).toMatch(/^Done: 2 created, 1 renamed, 1 moved, 1 other update, 2 deleted\. Verified\.\n/);
  expect((await scenario.planDocument()).changes).toEqual([]);
  const writes = scenario.writes().length;
  const { exit, document } = await applyPlanDocument(scenario);
  expect(document.changes).toMatchObject(saved.changes.map(({ key, action }) => ({ key, action })));
  const result = { applied: 7, failed: 0, skipped: 0, complete: true };
  expect([exit, document.result, document.not_reviewed]).toEqual([0, result, []]);
  expect(await schemaErrors("apply", document)).toBeNull();
  expect(document.changes.every(({ already_so }) => already_so)).toBe(true);
  const { out } = await applyPlan(scenario, { format: ["text", "ndjson=run.ndjson"] });
  expect(out).toMatch(/^Done: 7 already done\.\n/);
  const lines = (await readFile(`${scenario.folder}/run.ndjson`, "utf8")).trim().split("\n");
  const last: object = JSON.parse(lines.at(-1) ?? "");
  const done = { event: "ended", result: { applied: 7, complete: true }, verified: true };
  expect(last).toMatchObject({ ...done, results: saved.changes.map(() => ({ already_so: true })) });
  expect(laterLineSchema.parse(last)).toEqual(last);
  expect(scenario.writes().length).toBe(writes);
});

// Fails if a plan without changes is an error, or counts as moved.
it("a plan without changes succeeds", async () => {
  const scenario = await start(`links:\n${link("same")}`);
  await savePlan(scenario);
  const { exit, out } = await applyPlan(scenario);
  expect([exit, out]).toEqual([0, "No changes: the saved plan is empty.\n"]);
});

// Fails if the second of two pull requests reverts the first, or cannot be applied because of it.
it("two pull requests are planned and then applied: the second keeps the changes of the first", async () => {
  const base = `links:\n${link("same")}  ${GO}/landing: { url: https://example.com/before }\n`;
  const scenario = await startWith(`${base.replace("/before", "/by-a")}${link("a")}`, SEED);
  await savePlan(scenario);
  const b = new Scenario(scenario.sandbox, await temporaryFolder());
  await b.write(`${base}${link("b")}absent: { links: [${GO}/old] }\n`);
  await savePlan(b);

  expect((await applyPlan(scenario)).exit).toBe(0);
  const { exit, document } = await applyPlanDocument(b);
  expect([exit, endings(document)]).toEqual([0, [`delete ${GO}/old: applied`, `create ${GO}/b: applied`]]);
  const fields = [{ path: "url", before: "https://example.com/by-a", after: "https://example.com/before" }];
  expect(document.not_reviewed).toMatchObject([{ action: "update", key: `${GO}/landing`, fields }]);
  const aliases = scenario.sandbox.state().links.map(({ alias }) => alias);
  expect(aliases.join(" ")).toBe("same landing spring moving a b");
  expect(scenario.link("landing").url).toBe("https://example.com/by-a");
  const { out } = await applyPlan(b);
  expect(out).toMatch(/Not reviewed, left for the next plan: 1 change[^]* go\.example\.com\/landing/);
});

describe("a change that is already applied counts as applied", () => {
  // Fails if a reviewed change that someone has made manually is reported as moved, or made again.
  it("if someone has made it manually", async () => {
    const scenario = await start(`links:\n${link("landing")}${link("new")}absent: { links: [${GO}/old] }\n`);
    await savePlan(scenario);
    await send(scenario, "PUT", "/api/v1/links/2", "url=https%3A%2F%2Fexample.com%2Flanding");
    await send(scenario, "POST", "/api/v1/links", "alias=new&domain=2&url=https%3A%2F%2Fexample.com%2Fnew");
    await send(scenario, "DELETE", "/api/v1/links/3");
    const writes = scenario.writes().length;
    const { exit, document } = await applyPlanDocument(scenario);
    const done = [`delete ${GO}/old`, `update ${GO}/landing`, `create ${GO}/new`];
    expect([exit, endings(document)]).toEqual([0, done.map((one) => `${one}: already done`)]);
    expect(scenario.writes().length).toBe(writes);
  });

  // Fails if an update that was made in part is not completed.
  it("in part, and the rest is made", async () => {
    const scenario = await start(`links:\n${link("landing", ", space: Marketing")}`);
    await savePlan(scenario);
    await send(scenario, "PUT", "/api/v1/links/2", "space=1");
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([0, [`update ${GO}/landing: applied`]]);
    expect(document.changes).toMatchObject([{ noticed: true }]);
    expect(scenario.link("landing")).toMatchObject({ url: "https://example.com/landing", space: 1 });
  });

  // Fails if another change of the same record, which was not reviewed, is made too, or makes this one count as moved.
  it.each(["create", "update"])(
    "in a %s, and further changes that the files ask for are not reviewed",
    async (action) => {
      const alias = action === "create" ? "new" : "landing";
      const scenario = await start(`links:\n${link(alias)}`);
      await savePlan(scenario);
      expect((await applyPlan(scenario)).exit).toBe(0);
      await scenario.write(`links:\n${link(alias, ", space: Marketing")}`);
      const { exit, document } = await applyPlanDocument(scenario);
      expect([exit, endings(document)]).toEqual([0, [`${action} ${GO}/${alias}: already done`]]);
      const left = document.not_reviewed?.map(({ key, fields }) => [key, fields.map(({ path }) => path)]);
      expect(left).toEqual([[`${GO}/${alias}`, ["space"]]]);
      expect(scenario.link(alias).space).toBeNull();
    },
  );
});

const USES = `links:\n${link("new", ", pixels: [Theirs]")}`;

// Fails if a link is created without the pixel that was reviewed with it, or if a pixel is created that was not reviewed.
it("a change is skipped if it depends on a change that was not reviewed", async () => {
  const scenario = await start(USES);
  await savePlan(scenario);
  await send(scenario, "DELETE", "/api/v1/pixels/2");
  await scenario.write(`pixels: { Theirs: { type: bing, value: "1000002" } }\n${USES}`);
  const { exit, document } = await applyPlanDocument(scenario);
  const because = "The pixel `Theirs` must be created first, but that change is skipped or not in this plan.";
  expect([exit, endings(document)]).toEqual([3, [`create ${GO}/new: skipped ${because}`]]);
  expect(document.not_reviewed?.map(({ key }) => key)).toEqual(["Theirs"]);
});

// Fails if only one step of the chain is followed: the old pixel would be deleted while a link still uses it.
it("a change is skipped if it depends on a change that has moved, and so are the changes that depend on it", async () => {
  const text = (value: number): string =>
    `pixels: { New: { type: bing, value: "${value}" } }\nlinks:\n${link("moving", ", pixels: [New]")}absent: { pixels: [Old] }\n`;
  const scenario = await start(text(1000003));
  await savePlan(scenario);
  await scenario.write(text(1000004));
  const { exit, document } = await applyPlanDocument(scenario);
  expect(exit).toBe(3);
  expect(endings(document)).toEqual([
    "create New: moved `value` would now change: none → 1000004.",
    `delete Old: skipped The link \`${GO}/moving\` must be updated first, but that change is skipped or not in this plan.`,
    `update ${GO}/moving: skipped The pixel \`New\` must be created first, but that change is skipped or not in this plan.`,
  ]);
  expect(scenario.link("moving").pixels).toEqual([1]);
});

// Fails if a needed secret is read only after the first write, or if a secret is required that no change needs.
it("only the secrets of changes that are made must be set", async () => {
  const text = (url: string): string =>
    `links:\n${link("landing")}  ${GO}/new: { url: "${url}", password: { env: LINKFORM_SECRET_MISSING } }\n`;
  const scenario = await start(text("https://example.com/1"));
  await savePlan(scenario);
  const { exit, document } = await applyPlanDocument(scenario);
  expect([exit, document.diagnostics.map(({ code }) => code), scenario.writes()]).toEqual([1, ["secret-missing"], []]);
  await scenario.write(text("https://example.com/2"));
  const left = await applyPlanDocument(scenario);
  expect([left.exit, endings(left.document)[0]]).toEqual([4, `update ${GO}/landing: applied`]);
});
