// The random accounts that other tests stand on. Fails if they hold what the service would not take, or what a file can't say
// where that was not asked for; if a field or word of the field table is used by none of them; or if changes made by hand leave
// some field alone.

import { expect, it, onTestFinished } from "vitest";
import type { PlanDocument } from "../../src/view/document.ts";
import { FIELDS } from "../../src/domain/table.ts";
import { wireOf, wordsIn } from "../../src/domain/wire.ts";
import { wallTimeOf } from "../../src/domain/zone.ts";
import type { Group, Link, Sandbox, Software } from "../../src/sandbox/index.ts";
import { decodeRow } from "../../src/service/wire.ts";
import { plan } from "../../src/cli/plan.ts";
import { changeSome, LINK_VALUES, PIXEL_VALUES } from "./live-changes.ts";
import { randomLive } from "./live-random.ts";
import { SPOILED } from "./live-spoiled.ts";
import { Random } from "./random.ts";
import { startSandbox, testSoftware } from "./sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "./scenario.ts";

const SEEDS = [1, 2, 3, 4, 5];

async function sandboxWith(seed: object, software: Software = testSoftware): Promise<Sandbox> {
  const sandbox = await startSandbox({ rateLimit: 0, seed, software });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

type Unmanaged = NonNullable<PlanDocument["unmanaged"]>;

/** The lines that would declare each row; and the plan of a project that holds them. */
async function declared(seed: object): Promise<{ rows: Unmanaged; after: PlanDocument }> {
  const sandbox = await sandboxWith(seed);
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": `version: 1\nservice: { base_url: "${sandbox.url}" }\n` });
  const planned = async (): Promise<PlanDocument> => {
    const flags = { format: ["json"], showUnmanaged: true };
    const { out } = await runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey }, (world) => plan(world, flags));
    return JSON.parse(out);
  };
  const rows = (await planned()).unmanaged ?? [];
  for (const kind of ["link", "pixel"]) {
    const blocks = rows.flatMap((row) => (row.kind === kind && row.declare !== null ? [row.declare] : []));
    if (blocks.length > 0)
      await writeFiles(folder, { [`links/${kind}s.yaml`]: `${kind}s:\n${blocks.map(behindHead).join("")}` });
  }
  return { rows, after: await planned() };
}

function behindHead(block: string): string {
  return block.slice(block.indexOf("\n") + 1);
}

const isBeyond = ({ declare }: { declare: string | null }): boolean =>
  declare === null || declare.includes(", which no file can express");

it.each(SEEDS)("the service takes all that is in an account: seed %i", async (seed) => {
  const { account, spaces, domains, pixels, links } = randomLive({ seed, links: 150, pixels: 30 });
  const sandbox = await sandboxWith({ account, spaces, domains }, "4.1");
  const store = async (path: string, form: readonly (readonly [string, string])[]): Promise<void> => {
    const answer = await fetch(`${sandbox.url}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" },
      body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])),
    });
    expect({ form, answer: answer.status === 201 ? 201 : await answer.text() }).toEqual({ form, answer: 201 });
  };
  for (const { name, type, value } of pixels)
    await store("pixels", [
      ["name", name],
      ["type", type],
      ["value", value],
    ]);
  const newIds = new Map(pixels.map(({ id }, at) => [id, at + 1]));
  const there = links.map((link) => ({ ...link, pixels: link.pixels.map((id) => newIds.get(id) ?? 0) }));
  for (const link of there) await store("links", formOf(link, account.timezone));
  const state = sandbox.state();
  const seen = (row: Link): object => Object.entries(LINK_VALUES).map(([path, value]) => [path, value(row)]);
  expect(state.links.map(seen)).toEqual(there.map(seen));
  expect(state.pixels.map(({ name, type, value }) => [name, type, value])).toEqual(
    pixels.map(({ name, type, value }) => [name, type, value]),
  );
});

function formOf(link: Link, zone: string): (readonly [string, string])[] {
  const [date = "", time = ""] = link.ends_at === null ? [] : wallTimeOf(link.ends_at, zone).split("T");
  const grouped = (name: string, group: Group): (readonly [string, string])[] =>
    Object.values(group ?? []).flatMap(({ key, value }, at): (readonly [string, string])[] => [
      ...(key === undefined ? [] : [[`${name}[${at}][key]`, key] as const]),
      [`${name}[${at}][value]`, value],
    ]);
  return [
    ["url", link.url],
    ["alias", link.alias],
    ["domain", String(link.domain)],
    ["password", link.password ?? ""],
    ["space", String(link.space ?? "")],
    ["disabled", String(link.disabled)],
    ["privacy", String(link.privacy)],
    // With privacy 2 an empty one is refused, and one that is left out is not (docs/service.md, "Clearing a field").
    ...(link.privacy_password === null ? [] : [["privacy_password", link.privacy_password] as const]),
    ["expiration_url", link.expiration_url ?? ""],
    ["expiration_date", date],
    ["expiration_time", time],
    ["expiration_clicks", String(link.expiration_clicks ?? "")],
    ["target_type", String(link.target_type)],
    ...grouped("country", link.country),
    ...grouped("platform", link.platform),
    ...grouped("language", link.language),
    ...grouped("rotation", link.rotation),
    ...link.pixels.map((id) => ["pixels[]", String(id)] as const),
  ];
}

/** The fields that version 4.1 has. */
const HAD = {
  link: FIELDS.link.filter((field) => wireOf(field, "4.1") !== null),
  pixel: FIELDS.pixel,
};

it("2,000 links use every field, and every word that a field has", async () => {
  const { sandbox, records } = await read(randomLive({ seed: 7, links: 2000, pixels: 60 }));
  expect(sandbox.state().links).toHaveLength(2000);
  expect(Object.keys(LINK_VALUES)).toEqual(HAD.link.map(({ path }) => path));
  expect(Object.keys(PIXEL_VALUES).toSorted()).toEqual(FIELDS.pixel.map(({ path }) => path).toSorted());
  const used = new Map<string, Set<string>>();
  for (const { kind, values, references } of records)
    for (const [path, value] of [...values, ...references]) {
      const key = `${kind} ${path}`;
      used.set(key, (used.get(key) ?? new Set()).add(JSON.stringify(value)));
    }
  for (const kind of ["link", "pixel"] as const)
    for (const field of HAD[kind]) {
      const seen = used.get(`${kind} ${field.path}`) ?? new Set();
      expect([kind, field.path, seen.size > 1]).toEqual([kind, field.path, true]);
      if (field.kind === "word")
        for (const word of Object.keys(wordsIn(field, "4.1"))) expect(seen).toContain(JSON.stringify(word));
    }
}, 60_000);

async function read(seed: object): Promise<{ sandbox: Sandbox; records: ReturnType<typeof decodeRow>[] }> {
  const sandbox = await sandboxWith(seed, "4.1");
  const headers = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
  const records: ReturnType<typeof decodeRow>[] = [];
  for (const kind of ["link", "pixel"] as const)
    for (let page = 1, last = 1; page <= last; page += 1) {
      const answer = await fetch(`${sandbox.url}/api/v1/${kind}s?per_page=100&sort=asc&page=${page}`, { headers });
      const { data, meta }: { data: unknown[]; meta: { last_page: number } } = JSON.parse(await answer.text());
      records.push(...data.map((row) => decodeRow(kind, row, "4.1")));
      last = meta.last_page;
    }
  return { sandbox, records };
}

it.each(SEEDS)("files can say all of an account: seed %i", async (seed) => {
  const { rows, after } = await declared(randomLive({ seed, links: 400, pixels: 60 }));
  expect(rows).toHaveLength(460);
  expect(rows.filter(isBeyond)).toEqual([]);
  expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(after.summary).toMatchObject({ unchanged: 460, unmanaged: 0 });
});

it("what is spoiled no file can say, each in its way", async () => {
  const before = randomLive({ seed: 3, links: 1500, pixels: 10 });
  const after = randomLive({ seed: 3, links: 1500, pixels: 10 }, { isSpoiled: true });
  const beyond = new Set((await declared(after)).rows.filter(isBeyond).map(({ kind, id }) => `${kind} ${id}`));
  const old = new Map(before.links.map((link) => [link.id, link]));
  const spoiled = after.links.filter((link) => JSON.stringify(link) !== JSON.stringify(old.get(link.id)));
  expect(spoiled.length).toBeGreaterThan(100);
  expect(spoiled.filter(({ id }) => !beyond.has(`link ${id}`))).toEqual([]);
  expect(beyond).toContain("pixel 1000000");
});

/** In each zone, with clocks before UTC's and behind them. */
it.each([1, 2, 3, 4, 5, 6])("each way of spoiling is beyond files: seed %i", async (seed) => {
  const state = randomLive({ seed, links: 1, pixels: 0 });
  const ways = Object.entries(SPOILED).map(([, way], at) => {
    const [link] = state.links.map((one) => ({ ...one, id: at + 1, alias: `spoiled-${at}` }));
    if (link === undefined) throw new Error("no link");
    return way(link, state.account.timezone);
  });
  const { rows, after } = await declared({ ...state, links: ways });
  expect(rows.filter(isBeyond).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

it("work by hand changes every field, and adds, renames and deletes; the account before it stays as it was", () => {
  const before = randomLive({ seed: 4, links: 500, pixels: 40 });
  const copy = structuredClone(before);
  const { state, changes } = changeSome(before, new Random(9), 300);
  expect(before).toEqual(copy);
  expect(state.links).not.toEqual(before.links);
  for (const kind of ["link", "pixel"] as const) {
    const own = changes.filter((change) => change.kind === kind);
    expect(new Set(own.map(({ how }) => how))).toEqual(new Set(["added", "changed", "deleted"]));
    const paths = HAD[kind].flatMap((field) => (field.updatable ? [field.path] : []));
    expect(new Set(own.flatMap(({ fields }) => fields))).toEqual(new Set(paths));
  }
  const untouched = changeSome(before, new Random(9), 0);
  expect(untouched.changes).toEqual([]);
  expect(untouched.state.links).toEqual(before.links);
});
