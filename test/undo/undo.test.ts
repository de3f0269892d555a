// An apply and its undo, for each action, with and without changes in between. Fails if an undo changes anything that its record does not
// name, overwrites later changes, removes a protection, or does not report what it skips.

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { SeedState, State } from "../../src/sandbox/index.ts";
import type { Answer } from "../support/proxy.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import { holds } from "../support/sandbox.ts";
import { applyThrough, once, send } from "../support/through.ts";
import { applied, notAsBefore } from "../support/undone.ts";

const A = "https://example.com/a";
const B = "https://example.com/b";
const GO = "go.example.com";
const FIRST = ".linkform/runs/20261121T120000Z-1.jsonl";

async function undone(scenario: Scenario, flags: Parameters<Scenario["undoDocument"]>[0] = {}): Promise<void> {
  expect(await scenario.undoDocument(flags)).toMatchObject({ exit: 0 });
}

const link = (alias: string, more: object = {}): { alias: string; domain: number; url: string } => ({
  alias,
  domain: 2,
  url: A,
  ...more,
});

const META = { name: "Meta", type: "facebook", value: "1" };

const aliases = ({ sandbox }: Scenario): string[] =>
  sandbox
    .state()
    .links.map(({ alias }) => alias)
    .toSorted();

const CREATED = `links: { ${GO}/new: { url: "${A}" } }\n`;
const UPDATED = `links: { ${GO}/sale: { url: "${B}", space: Sales, unspecified: keep } }\n`;
const DELETED = `absent: { links: [${GO}/old] }\n`;
const RENAMED = `links: { ${GO}/new: { url: "${B}", renamed_from: ${GO}/old } }\n`;
const REPLACED = `links: { promo.example.com/new: { url: "${B}", renamed_from: ${GO}/old } }\n`;
const SALE = { links: [link("sale", { space: 1, clicks: 9, expiration_url: B })] };
const OLD = { links: [link("old", { clicks: 4 })] };

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

const CHAIN = `links:
  ${GO}/b: { url: ${A}/1, renamed_from: ${GO}/a }
  ${GO}/c: { url: ${A}/2, renamed_from: ${GO}/b }
absent: { links: { ${GO}/c: { id: 3 } } }\n`;

describe("an undo restores", () => {
  it.each<[string, string, SeedState, { links: object[]; pixels: object[] }]>([
    ["the changed fields of a link, in the same record", UPDATED, SALE, { links: [{ id: 1, clicks: 9 }], pixels: [] }],
    [
      "a chain of renames",
      CHAIN,
      { links: ["a", "b", "c"].map((alias, at) => link(alias, { url: `${A}/${at + 1}` })) },
      { links: [{ id: 1 }, { id: 2 }, { id: 4 }], pixels: [] },
    ],
    [
      "a deleted link with all its values",
      DELETED,
      { pixels: [META], links: [link("old", FULL)] },
      { links: [{ id: 2, clicks: 0 }], pixels: [{ id: 1 }] },
    ],
    [
      "a deleted link with the pixel that was deleted with it, under the new id of the pixel",
      DELETED.replace(" }", ", pixels: [Meta] }"),
      { pixels: [META], links: [link("old", { pixels: [1] })] },
      { links: [{ id: 2, pixels: [2] }], pixels: [{ id: 2 }] },
    ],
    ["a replaced link", REPLACED, { links: [link("old", { space: 1 })] }, { links: [{ id: 3 }], pixels: [] }],
    [
      "a pixel that was renamed and changed, and links still use it",
      'pixels: { New: { type: bing, value: "2", renamed_from: Meta } }\n',
      { pixels: [META], links: [link("theirs", { pixels: [1] })] },
      { links: [{ pixels: [1] }], pixels: [{ id: 1 }] },
    ],
    [
      "the account without a created link and its created pixel, next to a link without pixels",
      `pixels: { New: { type: bing, value: "2" } }\n${CREATED.replace(" }", ", pixels: [New] }")}`,
      { pixels: [META], links: [link("theirs")] },
      { links: [{ alias: "theirs" }], pixels: [{ id: 1 }] },
    ],
  ])("%s", async (_what, text, seed, rows) => {
    let before: State | undefined;
    const scenario = await applied(text, seed, (state) => (before = state));
    expect(await scenario.undoDocument()).toMatchObject({ exit: 0, document: { diagnostics: [] } });
    const after = scenario.sandbox.state();
    if (before === undefined) throw new Error("no state");
    expect(notAsBefore(before, after, { textsOfSecrets: true, left: new Map() })).toEqual([]);
    expect(after).toMatchObject(rows);
    expect(await scenario.undo({}, FIRST)).toMatchObject({ exit: 0, out: "Nothing to undo.\n" });
  });

  it("the account without a created link, which is deleted by its id, and the undo of the undo recreates it", async () => {
    const scenario = await applied(CREATED, { links: [link("theirs")] });
    const { id } = scenario.link("new");
    await undone(scenario);
    expect(aliases(scenario)).toEqual(["theirs"]);
    expect(scenario.writes().at(-1)).toBe(`DELETE /api/v1/links/${id}`);
    await undone(scenario);
    expect(aliases(scenario)).toEqual(["new", "theirs"]);
  });

  it("the account while the files have errors, and the number of their pending changes is unknown", async () => {
    const scenario = await applied(CREATED);
    await scenario.write(`links: { g0.example.com/x: { url: "${A}" } }\n`);
    const { document } = await scenario.undoDocument();
    expect(document).toMatchObject({ undo: { pending: null }, result: { applied: 1, complete: false } });
    expect(document.missing).toContain("errors in the files, so their pending changes are unknown");
  });

  it("the account without a created pixel, whose name the files give to another one: only that rename is pending", async () => {
    const scenario = await applied('pixels: { New: { type: bing, value: "2" } }\n', { pixels: [META] });
    await scenario.write(
      'pixels: { New: { type: bing, value: "1", renamed_from: Meta } }\nabsent: { pixels: { New: { id: 2 } } }\n',
    );
    const { document } = await scenario.undoDocument();
    expect(document).toMatchObject({ undo: { pending: 1 }, result: { applied: 1 } });
  });

  it("only fields that the run changed", async () => {
    const pixels = [META, { ...META, name: "Other" }];
    const scenario = await applied(UPDATED, { pixels, links: [link("sale", { space: 1, pixels: [1] })] });
    const form = "privacy=1&expiration_url=https://example.com/c&pixels[]=2";
    await send(scenario, "PUT", "/api/v1/links/1", form);
    await undone(scenario);
    const kept = { privacy: 1, expiration_url: "https://example.com/c", pixels: [2] };
    expect(scenario.link("sale")).toMatchObject({ url: A, space: 1, ...kept });
  });

  it("a deleted link with the pixel that somebody else has given the name of its pixel, and reports that", async () => {
    const scenario = await applied(DELETED, { pixels: [META], links: [link("old", { pixels: [1] })] });
    await send(scenario, "DELETE", "/api/v1/pixels/1");
    await send(scenario, "POST", "/api/v1/pixels", "name=META&type=bing&value=7");
    const { document } = await scenario.undoDocument();
    const lost = "the pixel `Meta` (id 1). The link gets the pixel `META` (id 2) instead.";
    expect(document.undo?.lost.map(({ message }) => message)).toContain(lost);
    expect(scenario.link("old").pixels).toEqual([2]);
  });

  it("a deleted link, and first reports that its id and clicks are lost", async () => {
    const scenario = await applied(DELETED, { links: [link("old", { clicks: 120 })] });
    const before = scenario.writes();
    const { exit, document } = await scenario.undoDocument({ dryRun: true });
    expect([exit, scenario.writes()]).toEqual([0, before]);
    const message = "its id 1 and its 120 clicks. The short URL works again with a new id, and its clicks start at 0.";
    expect(document.undo?.lost).toEqual([{ kind: "link", key: `${GO}/old`, message }]);
  });
});

/** The files, the account, what happens after the apply, what the undo reports, and the links and pixels with `--force`. */
type Skipped = [
  of: string,
  text: string,
  seed: SeedState,
  meanwhile: (scenario: Scenario) => Promise<unknown>,
  left: { code: string; message?: string },
  forced?: { links: object[] },
];

const put =
  (form: string, id = 1) =>
  (scenario: Scenario) =>
    send(scenario, "PUT", `/api/v1/links/${id}`, form);
const remove = (id: number) => (scenario: Scenario) => send(scenario, "DELETE", `/api/v1/links/${id}`);
const post =
  (alias: string, url = A) =>
  (scenario: Scenario) =>
    send(scenario, "POST", "/api/v1/links", `url=${url}&alias=${alias}&domain=2`);

const both = { links: [link("a")], pixels: [{ name: "a", type: "bing", value: "1" }] };
const C = "https://example.com/c";

it.each<Skipped>([
  [
    "a created link that was changed since",
    CREATED,
    {},
    put(`url=${B}`),
    { code: "moved", message: `\`url\` was ${A} after the apply and is ${B} now` },
    { links: [] },
  ],
  ["a created link that is in a space since then", CREATED, {}, put("space=1"), { code: "moved" }, { links: [] }],
  [
    "a created link that left its space",
    CREATED.replace(" }", ", space: Sales }"),
    {},
    put("space=0"),
    { code: "moved" },
    { links: [] },
  ],
  [
    "a created link that somebody else recreated, because its id is different",
    CREATED,
    {},
    async (scenario) => [await remove(1)(scenario), await post("new")(scenario)],
    { code: "moved" },
  ],
  [
    "a created link that was renamed since, even if not all links are read",
    `links: { ${GO}/spring: { url: "${A}" } }\n`,
    { links: Array.from({ length: 250 }, (_, at) => link(`theirs-${at}`)) },
    put("alias=summer", 251),
    { code: "moved" },
  ],
  [
    "an updated link as a whole if one of these fields was changed since",
    UPDATED,
    SALE,
    put(`url=${C}&privacy=1`),
    { code: "moved" },
    { links: [{ url: A, space: 1, privacy: 1 }] },
  ],
  ["an updated link that was deleted since", UPDATED, SALE, remove(1), { code: "moved" }],
  ["the alias of a link if another link has it now", RENAMED, OLD, post("OLD"), { code: "taken-since" }],
  ["a deleted link if another link has its key", DELETED, OLD, post("Old", B), { code: "taken-since" }],
  [
    "a deleted link that had reached its click limit, because its clicks would count from 0",
    DELETED,
    { links: [link("old", { clicks: 5, expiration_clicks: 5 })] },
    async () => undefined,
    { code: "would-open" },
    { links: [{ alias: "old", expiration_clicks: 5, clicks: 0 }] },
  ],
  [
    "a replaced link whose replacement is gone",
    REPLACED,
    OLD,
    remove(2),
    { code: "moved" },
    { links: [{ alias: "old" }] },
  ],
  [
    "a created pixel while another link uses it",
    'pixels: { Meta: { type: facebook, value: "1" } }\n',
    { links: [link("theirs")] },
    put("pixels[]=1"),
    { code: "still-used", message: `${GO}/theirs` },
  ],
  ...[`${GO}/a: { url: "${B}" }`, `${GO}/b: { url: "${A}", renamed_from: ${GO}/a }`].map((block): Skipped => [
    `a link that somebody gave another alias: ${block}`,
    `links: { ${block} }\n`,
    both,
    put("alias=partner"),
    { code: "moved", message: `(id 1) is \`${GO}/partner\` now` },
  ]),
  [
    "a pixel that somebody gave another name",
    'pixels: { a: { type: bing, value: "2" } }\n',
    both,
    (scenario) => send(scenario, "PUT", "/api/v1/pixels/1", "name=partner"),
    { code: "moved", message: "(id 1) is `partner` now" },
  ],
])("an undo skips %s", async (_of, text, seed, meanwhile, { code, message = "" }, forced) => {
  const scenario = await applied(text, seed);
  await meanwhile(scenario);
  const before = scenario.sandbox.state();
  for (const force of forced === undefined ? [false, true] : [false]) {
    const { exit, document } = await scenario.undoDocument({ force });
    expect([exit, document.changes, scenario.sandbox.state()]).toEqual([1, [], before]);
    expect(document.undo?.left).toMatchObject([{ code, message: expect.stringContaining(message) }]);
    expect(document.undo?.lost).toEqual([]);
  }
  if (forced === undefined) return;
  await undone(scenario, { force: true });
  expect(scenario.sandbox.state()).toMatchObject(forced);
});

it("an undo skips a link that its run failed to create because another run had created it", async () => {
  const scenario = await startWith(CREATED);
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
