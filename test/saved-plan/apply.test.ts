// A saved plan is what was reviewed: `apply PLAN` makes what that plan and the plan of the moment both hold, and takes for
// done what is so already.

import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { ALL, applyPlan, applyPlanDocument, endings, GO, link, savePlan, SEED, start } from "../support/saved.ts";
import { Scenario, startScenario, temporaryFolder } from "../support/scenario.ts";
import { send } from "../support/through.ts";

// Fails when a saved plan is not what is made, when it asks, or when making it again changes anything.
it("makes the changes of the plan; again, all of it is already so and nothing is written", async () => {
  const scenario = await start(ALL);
  const saved = await savePlan(scenario);
  const first = await applyPlan(scenario);
  expect(first.exit).toBe(0);
  expect(first.out).toMatch(/^Done: 2 created, 2 updated, 1 replaced, 2 deleted; verified\.\n/);
  expect((await scenario.planDocument()).changes).toEqual([]);
  const writes = scenario.writes().length;
  const { exit, document } = await applyPlanDocument(scenario);
  expect(document.changes.map(({ key, action }) => [key, action])).toEqual(
    saved.changes.map(({ key, action }) => [key, action]),
  );
  expect([exit, document.result, document.not_reviewed]).toEqual([
    0,
    { applied: 7, failed: 0, skipped: 0, complete: true },
    [],
  ]);
  const schema = JSON.parse(await readFile("schemas/apply.schema.json", "utf8"));
  const ajv = new Ajv({ strict: false });
  expect([ajv.validate(schema, document), ajv.errors]).toEqual([true, null]);
  expect(document.changes.every(({ already_so }) => already_so)).toBe(true);
  const text = await applyPlan(scenario);
  expect(text.out).toMatch(/^Done: 7 already so\.\n/);
  expect(text.err.match(/^✓ .*: already so\.$/gm)).toHaveLength(7);
  expect(scenario.writes().length).toBe(writes);
});

// Fails when a plan without changes is an error, or counts as moved.
it("a plan without changes is done at once", async () => {
  const scenario = await start(`links:\n${link("same")}`);
  await savePlan(scenario);
  const { exit, out } = await applyPlan(scenario);
  expect([exit, out]).toEqual([0, "No changes: the saved plan holds none.\n"]);
});

// Fails when the second of two pull requests takes back the first, or when it can't be applied because of it.
it("two pull requests: both were planned, A is applied, then B's saved plan: A's changes stay", async () => {
  const base = `links:\n${link("same")}  ${GO}/landing: { url: https://example.com/before }\n`;
  const scenario = await startScenario({ seed: SEED });
  await scenario.write(`${base.replace("/before", "/by-a")}${link("a")}`);
  await savePlan(scenario);
  const b = new Scenario(scenario.sandbox, await temporaryFolder());
  await b.write(`${base}${link("b")}absent: { links: [${GO}/old] }\n`);
  await savePlan(b);

  expect((await applyPlan(scenario)).exit).toBe(0);
  const { exit, document } = await applyPlanDocument(b);
  expect([exit, endings(document)]).toEqual([0, [`delete ${GO}/old: applied`, `create ${GO}/b: applied`]]);
  expect(document.not_reviewed?.map(({ action, key, fields }) => [action, key, fields])).toEqual([
    [
      "update",
      `${GO}/landing`,
      [{ path: "url", before: "https://example.com/by-a", after: "https://example.com/before" }],
    ],
  ]);
  expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual([
    "same",
    "landing",
    "spring",
    "moving",
    "a",
    "b",
  ]);
  expect(scenario.link("landing").url).toBe("https://example.com/by-a");
  const { err } = await applyPlan(b);
  expect(err).toContain(`Not reviewed, so left for the next plan:\n    update link ${GO}/landing\n`);
});

describe("already so: counts as applied", () => {
  // Fails when work that somebody did by hand meanwhile, as it was reviewed, is told as moved or done again.
  it("whoever did it", async () => {
    const scenario = await start(`links:\n${link("landing")}${link("new")}absent: { links: [${GO}/old] }\n`);
    await savePlan(scenario);
    await send(scenario, "PUT", "/api/v1/links/2", "url=https%3A%2F%2Fexample.com%2Flanding");
    await send(scenario, "POST", "/api/v1/links", "alias=new&domain=2&url=https%3A%2F%2Fexample.com%2Fnew");
    await send(scenario, "DELETE", "/api/v1/links/3");
    const writes = scenario.writes().length;
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([
      0,
      [`delete ${GO}/old: already so`, `update ${GO}/landing: already so`, `create ${GO}/new: already so`],
    ]);
    expect(scenario.writes().length).toBe(writes);
  });

  // Fails when an update is done as a whole or not at all: a part of it that is so must not keep the rest from being made.
  it("a part of it: the rest is made", async () => {
    const scenario = await start(`links:\n${link("landing", ", space: Marketing")}`);
    await savePlan(scenario);
    await send(scenario, "PUT", "/api/v1/links/2", "space=1");
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([0, [`update ${GO}/landing: applied`]]);
    expect(scenario.link("landing")).toMatchObject({ url: "https://example.com/landing", space: 1 });
  });

  // Fails when the same is not so for a row that was made by the plan.
  it("and what the files want besides of a new row is not reviewed", async () => {
    const scenario = await start(`links:\n${link("new")}`);
    await savePlan(scenario);
    expect((await applyPlan(scenario)).exit).toBe(0);
    await scenario.write(`links:\n${link("new", ", space: Marketing")}`);
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([0, [`create ${GO}/new: already so`]]);
    expect(document.not_reviewed?.map(({ key }) => key)).toEqual([`${GO}/new`]);
  });

  // Fails when another change of the same row, which nobody has reviewed, is made along with it or takes it for moved.
  it("and what the files want besides is not reviewed", async () => {
    const scenario = await start(`links:\n${link("landing")}`);
    await savePlan(scenario);
    expect((await applyPlan(scenario)).exit).toBe(0);
    await scenario.write(`links:\n${link("landing", ", space: Marketing")}`);
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([0, [`update ${GO}/landing: already so`]]);
    expect(document.not_reviewed?.map(({ key, fields }) => [key, fields.map(({ path }) => path)])).toEqual([
      [`${GO}/landing`, ["space"]],
    ]);
    expect(scenario.link("landing").space).toBeNull();
  });
});

describe("what needs a change that is not made waits", () => {
  const USES = `links:\n${link("new", ", pixels: [Theirs]")}`;

  // Fails when a link is made without the pixel it was reviewed with, or when the pixel is made without a review.
  it("for one that was not reviewed", async () => {
    const scenario = await start(USES);
    await savePlan(scenario);
    await send(scenario, "DELETE", "/api/v1/pixels/2");
    await scenario.write(`pixels: { Theirs: { type: bing, value: "1000002" } }\n${USES}`);
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document), document.not_reviewed?.map(({ key }) => key)]).toEqual([
      3,
      [`create ${GO}/new: skipped It needs the pixel \`Theirs\` to be created first, which this plan does not hold.`],
      ["Theirs"],
    ]);
  });

  // Fails when the chain is followed by one step only: the old pixel would be taken from a link that still uses it.
  it("for one that has moved, and whoever waits for that one", async () => {
    const text = (value: number): string =>
      `pixels: { New: { type: bing, value: "${value}" } }\nlinks:\n${link("moving", ", pixels: [New]")}absent: { pixels: [Old] }\n`;
    const scenario = await start(text(1000003));
    await savePlan(scenario);
    await scenario.write(text(1000004));
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([
      3,
      [
        "create New: moved `value` would become 1000004, not 1000003.",
        `delete Old: skipped It needs the link \`${GO}/moving\` to be updated first, which waits itself.`,
        `update ${GO}/moving: skipped It needs the pixel \`New\` to be created first, which has moved.`,
      ],
    ]);
    expect(scenario.link("moving").pixels).toEqual([1]);
  });
});

// Fails when a secret that must be sent is looked for only after the first write, or when one is asked for that nobody needs.
it("the secrets of what is made must be there; those of the rest need not", async () => {
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
