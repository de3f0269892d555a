// A saved plan is what was reviewed: `apply PLAN` makes what that plan and the plan of the moment both hold, and says of
// everything else why it does not.

import { describe, expect, it } from "vitest";
import { UserError } from "../../src/errors.ts";
import type { ApplyDocument } from "../../src/report/document.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { startProxy } from "../support/proxy.ts";
import { applyPlan, applyPlanDocument, endings, PLAN, savePlan } from "../support/saved.ts";
import { Scenario, startScenario, temporaryFolder } from "../support/scenario.ts";
import { send } from "../support/through.ts";

const GO = "go.example.com";
const link = (alias: string, more = ""): string => `  ${GO}/${alias}: { url: "https://example.com/${alias}"${more} }\n`;

const SEED = {
  pixels: [
    { id: 1, name: "Old", type: "bing", value: "1" },
    { id: 2, name: "Theirs", type: "bing", value: "2" },
  ],
  links: [
    { id: 1, alias: "same", url: "https://example.com/same", domain: 2 },
    { id: 2, alias: "landing", url: "https://example.com/before", domain: 2, clicks: 7 },
    { id: 3, alias: "old", url: "https://example.com/old", domain: 2 },
    { id: 4, alias: "spring", url: "https://example.com/spring-sale", domain: 2 },
    { id: 5, alias: "moving", url: "https://example.com/moving", domain: 2, pixels: [1] },
  ],
};

/** One change of every kind, for links and pixels. */
const ALL = `pixels:
  New: { type: bing, value: "3" }
links:
${link("same")}${link("landing")}${link("new", ", pixels: [New], password: { env: LINKFORM_SECRET_A }")}
  ${GO}/spring-sale: { url: https://example.com/spring-sale, renamed_from: spring }
  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving, space: Marketing }
absent: { links: [${GO}/old], pixels: [Old] }
`;

async function start(text: string): Promise<Scenario> {
  const scenario = await startScenario({ seed: SEED });
  await scenario.write(text);
  return scenario;
}

// Fails when a saved plan is not what is made, when it asks, or when making it again changes anything.
it("makes the changes of the plan; again, all of it is already so and nothing is written", async () => {
  const scenario = await start(ALL);
  const saved = await savePlan(scenario);
  const first = await applyPlan(scenario);
  expect([first.exit, first.out]).toEqual([0, "Done: 7 changes applied and verified.\n"]);
  expect((await scenario.planDocument()).changes).toEqual([]);
  const writes = scenario.writes().length;
  const { exit, document } = await applyPlanDocument(scenario);
  expect(document.changes.map(({ key, action }) => [key, action])).toEqual(
    saved.changes.map(({ key, action }) => [key, action]),
  );
  expect([exit, document.result, document.not_reviewed]).toEqual([0, { applied: 7, failed: 0, skipped: 0 }, []]);
  expect(document.changes.every(({ already_so }) => already_so)).toBe(true);
  const text = await applyPlan(scenario);
  expect([text.out, text.err.match(/^✓ .*: already so\.$/gm)?.length]).toEqual(["Done: 7 changes already so.\n", 7]);
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
it("two pull requests: both were planned, A is applied, then B's saved plan: A's work stands", async () => {
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

describe("moved: skipped, with what is different now; 3 where nothing else was in the plan", () => {
  const LANDING = `links:\n${link("landing")}`;
  const RENAMED = `links:\n  ${GO}/spring-sale: { url: https://example.com/spring-sale, renamed_from: spring }\n`;
  const NEW = `links:\n${link("new")}`;
  const OLD = `absent: { links: [${GO}/old] }\n`;
  const NONE = `links:\n${link("same")}`;
  const MOVED = `links:\n  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving`;
  const put = (id: number, form: string) => (scenario: Scenario) => send(scenario, "PUT", `/api/v1/links/${id}`, form);
  const remove = (id: number) => (scenario: Scenario) => send(scenario, "DELETE", `/api/v1/links/${id}`);
  const nothing = async (): Promise<number> => 200;

  // Fails when what was reviewed is not what is made, or when the sentence does not say what is different.
  it.each([
    [
      "the files want another value",
      LANDING,
      LANDING.replace('/landing"', '/other"'),
      nothing,
      "`url` would become https://example.com/other, not https://example.com/landing.",
    ],
    [
      "the files want more",
      LANDING,
      LANDING.replace(" }", ", space: Marketing }"),
      nothing,
      "`space` would change as well (none → Marketing).",
    ],
    ["the files no longer declare it", LANDING, NONE, nothing, "No file declares it any more."],
    [
      "the files want what was",
      LANDING,
      LANDING.replace('/landing"', '/before"'),
      nothing,
      "The files don't ask for this any more.",
    ],
    [
      "somebody has changed it",
      LANDING,
      LANDING,
      put(2, "url=https%3A%2F%2Fexample.com%2Fby-hand"),
      "`url` is https://example.com/by-hand, no longer https://example.com/before.",
    ],
    [
      "somebody has changed something else of it",
      LANDING,
      LANDING,
      put(2, "space=1"),
      "`space` would change as well (Marketing → none).",
    ],
    [
      "its row is gone",
      LANDING,
      LANDING,
      remove(2),
      "The row with id 2 is no longer there: it would be created now, not updated.",
    ],
    ["its row is gone, and no file declares it", LANDING, NONE, remove(2), "No file declares it any more."],
    [
      "its row has another key",
      RENAMED,
      RENAMED,
      put(4, "alias=winter"),
      "The row with id 4 is no longer there: it would be created now, not updated.",
    ],
    [
      "its key was taken",
      NEW,
      NEW,
      (scenario: Scenario) =>
        send(scenario, "POST", "/api/v1/links", "alias=new&domain=2&url=https%3A%2F%2Fexample.com%2Fby-hand"),
      "It is there now (id 6): it would be updated now, not created.",
    ],
    [
      "its row is another one",
      LANDING,
      LANDING,
      async (scenario: Scenario) => {
        await remove(2)(scenario);
        return send(scenario, "POST", "/api/v1/links", "alias=landing&domain=2&url=https%3A%2F%2Fexample.com%2Fbefore");
      },
      "It is the row with id 6 now, no longer the one with id 2.",
    ],
    [
      "its key was taken, and the file leaves what is there",
      NEW.replace(" }", ", space: Marketing }"),
      NEW.replace(" }", ", unspecified: keep }"),
      (scenario: Scenario) =>
        send(scenario, "POST", "/api/v1/links", "alias=new&domain=2&url=https%3A%2F%2Fexample.com%2Fnew"),
      "The files don't ask for this any more.",
    ],
    [
      "its key was taken, and the file wants more",
      NEW.replace(" }", ", space: Marketing }"),
      NEW.replace(" }", ", space: Marketing, disabled: true }"),
      (scenario: Scenario) =>
        send(scenario, "POST", "/api/v1/links", "alias=new&domain=2&url=https%3A%2F%2Fexample.com%2Fnew"),
      "It is there now (id 6): it would be updated now, not created.",
    ],
    [
      "both the file and the old row have another value",
      `${MOVED} }\n`,
      `${MOVED} }\n`.replace("/moving,", "/elsewhere,"),
      put(5, "url=https%3A%2F%2Fexample.com%2Felsewhere"),
      "What the new row is stored with is different.",
    ],
    [
      "what is to be stored is different",
      NEW,
      NEW.replace(" }", ", disabled: true }"),
      nothing,
      "`disabled` would change as well (none → true).",
    ],
    ["nobody wants it any more", NEW, NONE, nothing, "No file declares it any more."],
    ["the tombstone is gone", OLD, NONE, nothing, "Nothing asks for its deletion any more."],
    [
      "the tombstone is gone, and it is declared",
      OLD,
      `links:\n${link("old", ", disabled: true")}`,
      nothing,
      "It is not as it was: it would be updated now, not deleted.",
    ],
    [
      "the new row would be another one",
      `${MOVED} }\n`,
      `${MOVED}, unspecified: keep }\n`,
      nothing,
      "`pixels` would not change any more.",
    ],
  ] as const)("%s", async (_what, before, after, meanwhile, because) => {
    const scenario = await start(before);
    await savePlan(scenario);
    await scenario.write(after);
    expect([200, 201]).toContain(await meanwhile(scenario));
    const [writes, state] = [scenario.writes().length, scenario.sandbox.state()];
    const { exit, document } = await applyPlanDocument(scenario);
    expect(document.changes.map(({ outcome, error }) => [outcome, error?.code, error?.message])).toEqual([
      ["skipped", "moved", because],
    ]);
    expect([exit, document.result, document.not_reviewed]).toEqual([3, { applied: 0, failed: 0, skipped: 1 }, []]);
    expect([scenario.writes().length, scenario.sandbox.state()]).toEqual([writes, state]);
    const { out, err } = await applyPlan(scenario);
    expect(out).toBe(
      "Not all was done: 0 applied, 0 failed, 1 skipped. What has moved needs a new plan. Applying the plan again leaves what is done.\n",
    );
    expect(err).toContain(`: moved. ${because}\n`);
  });

  // Fails when the rest of the plan is not made, or when the exit code hides that something was left.
  it("beside what is made: 4", async () => {
    const scenario = await start(ALL);
    await savePlan(scenario);
    await scenario.write(ALL.replace("example.com/landing", "example.com/other"));
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, document.result]).toEqual([4, { applied: 6, failed: 0, skipped: 1 }]);
    expect(scenario.link("landing").url).toBe("https://example.com/before");
  });
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

describe("where only the links were read that the files name", () => {
  const only = { alias: "only", url: "https://example.com/", domain: 3 };
  const seed = (domainOf: (index: number) => number): NonNullable<SeedState["links"]> =>
    Array.from({ length: 250 }, (_, index) => ({
      id: index + 1,
      url: "https://example.com/",
      ...(index === 1 ? only : { alias: `l${index + 1}`, domain: domainOf(index) }),
    }));
  const ONLY = "links: { promo.example.com/only: { url: https://example.com/ } }\n";

  /** The links that were asked for by their ids, of these requests. */
  const askedById = (paths: readonly string[]): string[] => paths.filter((path) => /links\/\d+$/.test(path));

  async function applyOnly(
    scenario: Scenario,
  ): Promise<{ readonly exit: number; readonly document: ApplyDocument; readonly asked: readonly string[] }> {
    const asked = scenario.sandbox.requests.length;
    const applied = await applyPlanDocument(scenario);
    const paths = scenario.sandbox.requests.slice(asked).map(({ path }) => path);
    expect(applied.document.requests.read).toBe(paths.length);
    return { ...applied, asked: askedById(paths) };
  }

  // Fails when a link that the files no longer name is taken for deleted, because the reading passes it over.
  it("one that was not read is not taken for gone", async () => {
    const scenario = await startScenario({ seed: { links: seed((index) => (index % 2 === 0 ? 2 : 3)) } });
    await scenario.write(`${ONLY}absent: { links: [${GO}/l201, ${GO}/l203] }\n`);
    await savePlan(scenario);
    expect(await send(scenario, "DELETE", "/api/v1/links/203")).toBe(200);
    await scenario.write(ONLY);
    const { exit, document, asked } = await applyOnly(scenario);
    expect([exit, endings(document)]).toEqual([
      4,
      [`delete ${GO}/l201: moved Nothing asks for its deletion any more.`, `delete ${GO}/l203: already so`],
    ]);
    expect(asked).toEqual(["/api/v1/links/201", "/api/v1/links/203"]);
  });

  // Fails when every link is asked for that the list of its domain would have shown, or none on another domain.
  it("one on the domain that was read is gone if it was not there; one on another is asked for", async () => {
    const theirs = Array.from({ length: 900 }, (_, index) => ({
      id: index + 1,
      alias: `theirs-${index + 1}`,
      url: "https://example.com/",
      domain: 2,
    }));
    const ours = Array.from({ length: 20 }, (_, index) => ({
      id: 1000 + index,
      alias: `ours-${index}`,
      url: "https://example.com/",
      domain: 3,
    }));
    const scenario = await startScenario({ seed: { links: [...theirs, ...ours] } });
    const declared = ours.slice(2).map(({ alias, url }) => `  promo.example.com/${alias}: { url: ${url} }\n`);
    const moved = `  promo.example.com/moved: { url: https://example.com/, renamed_from: ${GO}/theirs-800 }\n`;
    const absent = "absent: { links: [promo.example.com/ours-0, promo.example.com/ours-1] }\n";
    await scenario.write(`links:\n${declared.join("")}${moved}${absent}`);
    await savePlan(scenario);
    for (const id of [1000, 1001]) expect(await send(scenario, "DELETE", `/api/v1/links/${id}`)).toBe(200);
    expect(await send(scenario, "POST", "/api/v1/links", "alias=moved&domain=3&url=https%3A%2F%2Fexample.com%2F")).toBe(
      201,
    );
    await scenario.write(`links:\n${declared.join("")}`);
    const { exit, document, asked } = await applyOnly(scenario);
    expect([exit, endings(document)]).toEqual([
      4,
      [
        "replace promo.example.com/moved: moved No file declares it any more.",
        "delete promo.example.com/ours-0: already so",
        "delete promo.example.com/ours-1: already so",
      ],
    ]);
    expect(asked).toEqual(["/api/v1/links/800"]);
  });
});

// Fails when a change that was made in part is told as not begun, or as done.
it("stopped between the two parts that are left of a replacement: failed, and half-done", async () => {
  const scenario = await start(
    `links:\n  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving, pixels: [Theirs] }\n`,
  );
  const controller = new AbortController();
  const baseUrl = await startProxy(scenario.sandbox.url, (method) => {
    if (method === "PUT") controller.abort(new UserError("interrupted", "It was interrupted.", { exit: 130 }));
    return "forward";
  });
  expect((await scenario.plan({ out: PLAN, baseUrl })).exit).toBe(0);
  const form = "alias=moved&domain=3&url=https%3A%2F%2Fexample.com%2Fmoving";
  expect(await send(scenario, "POST", "/api/v1/links", form)).toBe(201);
  const { exit, out } = await applyPlan(scenario, { baseUrl, format: ["json"], concurrency: 1 }, controller.signal);
  const document: ApplyDocument = JSON.parse(out);
  expect([exit, document.result]).toEqual([130, { applied: 0, failed: 1, skipped: 0 }]);
  expect(endings(document)).toEqual(["replace promo.example.com/moved: skipped It was interrupted."]);
  const again = await applyPlan(scenario, { baseUrl });
  expect([again.exit, again.out]).toEqual([0, "Done: 1 change applied and verified.\n"]);
  expect((await scenario.planDocument()).changes).toEqual([]);
});

describe("what needs a change that is not made waits", () => {
  const USES = `links:\n${link("new", ", pixels: [Theirs]")}`;

  // Fails when a link is made without the pixel it was reviewed with, or when the pixel is made without a review.
  it("for one that was not reviewed", async () => {
    const scenario = await start(USES);
    await savePlan(scenario);
    await send(scenario, "DELETE", "/api/v1/pixels/2");
    await scenario.write(`pixels: { Theirs: { type: bing, value: "2" } }\n${USES}`);
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
    const scenario = await start(text(3));
    await savePlan(scenario);
    await scenario.write(text(4));
    const { exit, document } = await applyPlanDocument(scenario);
    expect([exit, endings(document)]).toEqual([
      3,
      [
        "create New: moved `value` would become 4, not 3.",
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
