// The random accounts that other tests stand on. Fails if a field or word of the field table is used by none of them, if a
// file can declare what was spoiled, or if changes made by hand leave some field alone.

import { expect, it } from "vitest";
import { FIELDS } from "../../src/domain/table.ts";
import { wireOf, wordsIn } from "../../src/domain/wire.ts";
import type { Sandbox, SeedState } from "../../src/sandbox/index.ts";
import { decodeRow } from "../../src/service/wire.ts";
import { changeSome, LINK_VALUES, PIXEL_VALUES } from "./live-changes.ts";
import { randomLive } from "./live-random.ts";
import { SPOILED } from "./live-spoiled.ts";
import { Random } from "./random.ts";
import { startScenario, writeFiles } from "./scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

/** The lines that would declare each link; and the plan of a project that holds them. */
async function declared(
  seed: SeedState,
): Promise<{ rows: NonNullable<PlanDocument["unmanaged"]>; after: PlanDocument }> {
  const scenario = await startScenario({ seed });
  const head = `version: 1\nservice: { base_url: "${scenario.sandbox.url}" }\n`;
  await writeFiles(scenario.folder, { "linkform.yaml": head });
  const rows = (await scenario.planDocument({ showUnmanaged: true })).unmanaged ?? [];
  const blocks = rows.map(({ declare }) => (declare ?? "").replace(/^.*\n/, ""));
  await writeFiles(scenario.folder, { "links.yaml": `links:\n${blocks.join("")}` });
  return { rows, after: await scenario.planDocument() };
}

const isBeyond = ({ declare }: { declare: string | null }): boolean =>
  declare === null || declare.includes(", which no file can express");

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

async function read(seed: SeedState): Promise<{ sandbox: Sandbox; records: ReturnType<typeof decodeRow>[] }> {
  const { sandbox } = await startScenario({ seed, software: "4.1" });
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
