// An apply and its undo, for each action, with and without changes in between. Fails if an undo changes anything that its record does not
// name, overwrites later changes, removes a protection, or does not report what it skips.

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Answer } from "../support/proxy.ts";
import { startScenario, type Scenario, startWith } from "../support/scenario.ts";
import { holds } from "../support/sandbox.ts";
import { applyThrough, once, send } from "../support/through.ts";

const A = "https://example.com/a";
const B = "https://example.com/b";

/** A scenario in which these files were applied. */
async function applied(text: string, links: Parameters<typeof startScenario>[0] = {}): Promise<Scenario> {
  const scenario = await startScenario(links);
  await scenario.write(`brake: { deletes: 100%, updates: 100% }\n${text}`);
  expect(await scenario.apply()).toMatchObject({ exit: 0 });
  return scenario;
}

async function undone(scenario: Scenario, flags: Parameters<Scenario["undoDocument"]>[0] = {}): Promise<void> {
  expect(await scenario.undoDocument(flags)).toMatchObject({ exit: 0 });
}

const link = (alias: string, more: object = {}): { alias: string; domain: number; url: string } => ({
  alias,
  domain: 2,
  url: A,
  ...more,
});

const aliases = ({ sandbox }: Scenario): string[] =>
  sandbox
    .state()
    .links.map(({ alias }) => alias)
    .toSorted();

describe("a link that was created", () => {
  const FILES = `links: { go.example.com/new: { url: "${A}" } }\n`;

  it("is deleted by its id, and the undo of the undo recreates it", async () => {
    const scenario = await applied(FILES, { seed: { links: [link("theirs")] } });
    const { id } = scenario.link("new");
    await undone(scenario);
    expect(aliases(scenario)).toEqual(["theirs"]);
    expect(scenario.writes().at(-1)).toBe(`DELETE /api/v1/links/${id}`);
    await undone(scenario);
    expect(aliases(scenario)).toEqual(["new", "theirs"]);
  });

  it("is deleted while the files have errors, and the number of their pending changes is unknown", async () => {
    const scenario = await applied(FILES);
    await scenario.write(`links: { g0.example.com/x: { url: "${A}" } }\n`);
    const { document } = await scenario.undoDocument();
    expect(document).toMatchObject({ undo: { pending: null }, result: { applied: 1, complete: false } });
    expect(document.missing).toContain("errors in the files, so their pending changes are unknown");
  });

  it("and changed since is not deleted without --force", async () => {
    const scenario = await applied(FILES);
    const { id } = scenario.link("new");
    await send(scenario, "PUT", `/api/v1/links/${id}`, `url=${B}`);
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, changes: document.changes }).toEqual({ exit: 1, changes: [] });
    expect(document.undo?.left).toMatchObject([
      { code: "moved", message: expect.stringContaining(`\`url\` was ${A} after the apply and is ${B} now`) },
    ]);
    expect(aliases(scenario)).toEqual(["new"]);
    await undone(scenario, { force: true });
    expect(aliases(scenario)).toEqual([]);
  });

  it("and since recreated by someone else is not deleted, because its id is different", async () => {
    const scenario = await applied(FILES);
    await send(scenario, "DELETE", `/api/v1/links/${scenario.link("new").id}`);
    await send(scenario, "POST", "/api/v1/links", `url=${A}&alias=new&domain=2`);
    const { exit, document } = await scenario.undoDocument({ force: true });
    expect(exit).toBe(1);
    expect(document.undo?.left).toMatchObject([{ code: "moved" }]);
    expect(aliases(scenario)).toEqual(["new"]);
  });

  it("and renamed since is found, even if not all links are read", async () => {
    const many = Array.from({ length: 250 }, (_, at) => link(`theirs-${at}`));
    const scenario = await applied(`links: { go.example.com/spring: { url: "${A}" } }\n`, { seed: { links: many } });
    const { id } = scenario.link("spring");
    await send(scenario, "PUT", `/api/v1/links/${id}`, "alias=summer");
    const { document } = await scenario.undoDocument();
    expect(document.undo?.left).toMatchObject([{ code: "moved" }]);
    // It is another link now, so --force does not delete it either.
    expect(await scenario.undoDocument({ force: true })).toMatchObject({ exit: 1, document: { changes: [] } });
    expect(aliases(scenario)).toContain("summer");
  });
});

it("an undo does not delete a link that its run failed to create because another run had created it", async () => {
  const scenario = await startWith(`links: { go.example.com/new: { url: "${A}" } }\n`);
  const first = once(/^POST/, async (): Promise<Answer> => {
    expect(await scenario.apply({ record: "theirs.json" })).toMatchObject({ exit: 0 });
    return "forward";
  });
  const ran = await applyThrough(scenario, first, { record: "ours.json" });
  expect({ exit: ran.exit, isTold: ran.out.includes("To undo:") }).toEqual({ exit: 1, isTold: false });
  const text = await readFile(`${scenario.folder}/ours.json`, "utf8");
  const { base_url: baseUrl } = JSON.parse(text.split("\n")[0] ?? "").service;
  expect(await scenario.undoDocument({ baseUrl }, "ours.json")).toMatchObject({ exit: 0, document: { changes: [] } });
  expect(aliases(scenario)).toEqual(["new"]);
  expect(await scenario.undoDocument({}, "theirs.json")).toMatchObject({ exit: 0 });
  expect(aliases(scenario)).toEqual([]);
});

it.each([
  ["link", "alias", `links: { go.example.com/a: { url: "${B}" } }`, "go.example.com/partner"],
  [
    "link",
    "alias",
    `links: { go.example.com/b: { url: "${A}", renamed_from: go.example.com/a } }`,
    "go.example.com/partner",
  ],
  ["pixel", "name", 'pixels: { a: { type: bing, value: "2" } }', "partner"],
] as const)(
  "a %s that somebody gave another %s is not changed, not even with --force: %s",
  async (kind, field, text, shown) => {
    const seed = { links: [link("a")], pixels: [{ name: "a", type: "bing", value: "1" }] };
    const scenario = await applied(`${text}\n`, { seed });
    await send(scenario, "PUT", `/api/v1/${kind}s/1`, `${field}=partner`);
    const before = scenario.sandbox.state();
    for (const force of [false, true]) {
      const { exit, document } = await scenario.undoDocument({ force });
      expect([exit, document.changes, scenario.sandbox.state()]).toEqual([1, [], before]);
      expect(document.undo?.left).toMatchObject([
        { code: "moved", message: expect.stringContaining(`(id 1) is \`${shown}\` now`) },
      ]);
    }
  },
);

describe("a link that was updated", () => {
  const LIVE = { seed: { links: [link("sale", { space: 1, clicks: 9, expiration_url: B })] } };
  const FILES = `links: { go.example.com/sale: { url: "${B}", space: Sales, unspecified: keep } }\n`;

  it("gets back exactly the changed fields, in the same record", async () => {
    const scenario = await applied(FILES, LIVE);
    const { id } = scenario.link("sale");
    await undone(scenario);
    expect(scenario.link("sale")).toMatchObject({ id, url: A, space: 1, clicks: 9, expiration_url: B });
    const again = await scenario.undo({}, ".linkform/runs/20261121T120000Z-1.jsonl");
    expect(again).toMatchObject({ exit: 0, out: "Nothing to undo.\n" });
  });

  it("and changed since in one of these fields is left out as a whole, and --force restores exactly these fields", async () => {
    const scenario = await applied(FILES, LIVE);
    await send(scenario, "PUT", `/api/v1/links/${scenario.link("sale").id}`, "url=https://example.com/c&privacy=1");
    const { exit, document } = await scenario.undoDocument();
    expect([exit, document.changes]).toEqual([1, []]);
    expect(document.undo?.left).toMatchObject([{ code: "moved", key: "go.example.com/sale", fields: [] }]);
    expect(scenario.link("sale")).toMatchObject({ url: "https://example.com/c", space: 2, privacy: 1 });
    await undone(scenario, { force: true });
    expect(scenario.link("sale")).toMatchObject({ url: A, space: 1, privacy: 1 });
  });

  it("keeps fields that the run did not change", async () => {
    const scenario = await applied(FILES, LIVE);
    await send(
      scenario,
      "PUT",
      `/api/v1/links/${scenario.link("sale").id}`,
      "privacy=1&expiration_url=https://example.com/c",
    );
    await undone(scenario);
    expect(scenario.link("sale")).toMatchObject({
      url: A,
      space: 1,
      privacy: 1,
      expiration_url: "https://example.com/c",
    });
  });

  it("and deleted since is reported", async () => {
    const scenario = await applied(FILES, LIVE);
    await send(scenario, "DELETE", `/api/v1/links/${scenario.link("sale").id}`);
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, left: document.undo?.left.map(({ code }) => code) }).toEqual({ exit: 1, left: ["moved"] });
  });

  it("and renamed gets its alias back, unless another link has that alias now", async () => {
    const text = `links: { go.example.com/new: { url: "${B}", renamed_from: go.example.com/old } }\n`;
    const scenario = await applied(text, { seed: { links: [link("old", { clicks: 4 })] } });
    await send(scenario, "POST", "/api/v1/links", `url=${A}&alias=OLD&domain=2`);
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, left: document.undo?.left.map(({ code }) => code) }).toEqual({ exit: 1, left: ["taken-since"] });
    expect(scenario.link("new")).toMatchObject({ url: B, clicks: 4 });
    await send(scenario, "DELETE", `/api/v1/links/${scenario.link("OLD").id}`);
    expect(await scenario.undoDocument({}, ".linkform/runs/20261121T120000Z-1.jsonl")).toMatchObject({ exit: 0 });
    expect(scenario.link("old")).toMatchObject({ clicks: 4 });
  });

  it("in a chain of renames gets its former key back", async () => {
    const rows = [link("a", { url: `${A}/1` }), link("b", { url: `${A}/2` }), link("c", { url: `${A}/3` })];
    const text = `links:
  go.example.com/b: { url: ${A}/1, renamed_from: go.example.com/a }
  go.example.com/c: { url: ${A}/2, renamed_from: go.example.com/b }
absent: { links: { go.example.com/c: { id: 3 } } }\n`;
    const scenario = await applied(text, { seed: { links: rows } });
    await undone(scenario);
    const now = scenario.sandbox.state().links.map(({ id, alias, url }) => `${id} ${alias} ${url}`);
    expect(now).toEqual([`1 a ${A}/1`, `2 b ${A}/2`, `4 c ${A}/3`]);
  });
});

describe("a link that was deleted", () => {
  const FILES = "absent: { links: [go.example.com/old] }\n";
  const FULL = {
    space: 2,
    pixels: [1],
    privacy: 1,
    clicks: 120,
    expiration_url: B,
    expiration_clicks: 500,
    ends_at: "2027-03-31T21:59:00.000Z",
    country: [{ key: "DE", value: B }],
    ...(holds("several or inactive target groups")
      ? { disabled: 1, target_type: 0, rotation: [{ value: B }, { value: A }] }
      : { target_type: 1 }),
  };

  it("is created again with all its values, and the loss of its id and clicks is reported first", async () => {
    const pixels = [{ name: "Meta", type: "facebook", value: "1" }];
    const scenario = await applied(FILES, { seed: { pixels, links: [link("old", FULL)] } });
    const { exit, document } = await scenario.undoDocument({ dryRun: true });
    expect({ exit, writes: scenario.writes().length }).toEqual({ exit: 0, writes: 2 });
    expect(document.undo?.lost).toEqual([
      {
        kind: "link",
        key: "go.example.com/old",
        message: "its id 1 and its 120 clicks. The short URL works again with a new id, and its clicks start at 0.",
      },
    ]);
    await undone(scenario);
    const row = scenario.link("old");
    const ends_at = new Date(row.ends_at ?? "").toISOString();
    expect({ ...row, ends_at }).toMatchObject({ ...FULL, id: 2, clicks: 0 });
  });

  it("is not recreated if another link has its key", async () => {
    const scenario = await applied(FILES, { seed: { links: [link("old")] } });
    await send(scenario, "POST", "/api/v1/links", `url=${B}&alias=Old&domain=2`);
    const { exit, document } = await scenario.undoDocument({ force: true });
    expect({ exit, left: document.undo?.left.map(({ code }) => code) }).toEqual({ exit: 1, left: ["taken-since"] });
    expect(document.undo?.lost).toEqual([]);
    expect(scenario.sandbox.state().links).toMatchObject([{ alias: "Old", url: B }]);
  });

  it("and had reached its click limit is not recreated, because its clicks would count from 0", async () => {
    const over = link("old", { clicks: 5, expiration_clicks: 5 });
    const scenario = await applied(FILES, { seed: { links: [over] } });
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, left: document.undo?.left.map(({ code }) => code) }).toEqual({ exit: 1, left: ["would-open"] });
    await undone(scenario, { force: true });
    expect(scenario.link("old")).toMatchObject({ expiration_clicks: 5, clicks: 0 });
  });

  it("is recreated with the pixel that was deleted with it, under the new id of the pixel", async () => {
    const pixels = [{ name: "Meta", type: "facebook", value: "1" }];
    const scenario = await applied(FILES.replace(" }", ", pixels: [Meta] }"), {
      seed: { pixels, links: [link("old", { pixels: [1] })] },
    });
    expect(scenario.sandbox.state().pixels).toEqual([]);
    await undone(scenario);
    expect(scenario.sandbox.state().pixels).toMatchObject([{ id: 2, name: "Meta", value: "1" }]);
    expect(scenario.link("old").pixels).toEqual([2]);
  });
});

describe("a link that was replaced", () => {
  const FILES = `links: { promo.example.com/new: { url: "${B}", renamed_from: go.example.com/old } }\n`;

  it("is recreated before its replacement is deleted", async () => {
    const scenario = await applied(FILES, { seed: { links: [link("old", { space: 1 })] } });
    const before = scenario.writes().length;
    await undone(scenario);
    expect(scenario.sandbox.state().links).toMatchObject([{ alias: "old", domain: 2, url: A, space: 1 }]);
    expect(scenario.writes().slice(before)[0]).toBe("POST /api/v1/links");
  });

  it("and whose replacement is gone is recreated only with --force", async () => {
    const scenario = await applied(FILES, { seed: { links: [link("old")] } });
    await send(scenario, "DELETE", `/api/v1/links/${scenario.link("new").id}`);
    expect(await scenario.undoDocument()).toMatchObject({ exit: 1 });
    expect(aliases(scenario)).toEqual([]);
    await undone(scenario, { force: true });
    expect(aliases(scenario)).toEqual(["old"]);
  });
});

describe("a pixel", () => {
  it("that was created is not deleted while another link uses it", async () => {
    const scenario = await applied('pixels: { Meta: { type: facebook, value: "1" } }\n', {
      seed: { links: [link("theirs")] },
    });
    const [pixel] = scenario.sandbox.state().pixels;
    await send(scenario, "PUT", `/api/v1/links/${scenario.link("theirs").id}`, `pixels[]=${pixel?.id}`);
    const { exit, document } = await scenario.undoDocument();
    expect({ exit, left: document.undo?.left }).toMatchObject({
      exit: 1,
      left: [{ code: "still-used", message: expect.stringContaining("go.example.com/theirs") }],
    });
    expect(scenario.sandbox.state().pixels).toHaveLength(1);
  });

  it("that was renamed and changed is restored, and links still use it", async () => {
    const pixels = [{ name: "Old", type: "facebook", value: "1" }];
    const text = 'pixels: { New: { type: bing, value: "2", renamed_from: Old } }\n';
    const scenario = await applied(text, { seed: { pixels, links: [link("theirs", { pixels: [1] })] } });
    await undone(scenario);
    expect(scenario.sandbox.state().pixels).toMatchObject([{ id: 1, name: "Old", type: "facebook", value: "1" }]);
    expect(scenario.link("theirs").pixels).toEqual([1]);
  });
});
