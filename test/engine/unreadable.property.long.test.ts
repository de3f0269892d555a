// Random accounts in which random fields of random rows are random JSON: such rows change nothing for all other keys, are never
// written, and keep their blocks in a pull. Fails if one odd row blocks, doubles or hides anything else.

import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { list } from "../../src/inspect/list.ts";
import { plan } from "../../src/cli/plan.ts";
import { FIELDS } from "../../src/domain/table.ts";
import { wireOf } from "../../src/domain/wire.ts";
import type { ListDocument } from "../../src/report/json/inspect.ts";
import { fold } from "../../src/sandbox/fold.ts";
import type { SeedState, State } from "../../src/sandbox/index.ts";
import { startDamaged, type Damage } from "../support/damaged.ts";
import { changeSome } from "../support/live-changes.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { HEAD, pullFrom } from "../support/pulling.ts";
import { account, projectOf, seedOf, type Account } from "../support/random-account.ts";
import { Random } from "../support/random.ts";
import { startSandbox, testSoftware } from "../support/sandbox.ts";
import { runIn, temporaryFolder, textsOf, writeFiles } from "../support/scenario.ts";
import { DOMAINS, runs } from "../support/states.ts";
import { writesOf } from "../support/written.ts";
import type { ChangeDocument, PlanDocument } from "../../src/report/json/schema.ts";

/** Fields that are part of a key, by the names that the service returns them under. */
const KEYS: ReadonlySet<string> = new Set(["alias", "domain", "name"]);

/** Damage of one row, before it is known which rows there are: `row` counts through them. */
interface Hit {
  readonly kind: "link" | "pixel";
  readonly row: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

const value = fc.oneof(
  fc.constantFrom(null, -1, 2, 9, 0.5, "", " ", [], {}, [null], { id: 1 }, { 0: null }, [{ key: "DE" }], "__proto__"),
  fc.constant(undefined),
  fc.jsonValue({ maxDepth: 2 }),
);

function hitOf(kind: Hit["kind"], names: readonly string[]): fc.Arbitrary<Hit> {
  const field = fc.tuple(fc.constantFrom(...names), value);
  return fc.record({
    kind: fc.constant(kind),
    row: fc.nat(40),
    fields: fc.array(field, { minLength: 1, maxLength: 3 }).map((all) => Object.fromEntries(all)),
  });
}

const LINK_FIELDS = FIELDS.link.flatMap((field) => wireOf(field, testSoftware)?.returned ?? []);
const PIXEL_FIELDS = FIELDS.pixel.flatMap((field) => wireOf(field, testSoftware)?.returned ?? []);
const hits = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: hitOf("link", LINK_FIELDS) },
    { weight: 1, arbitrary: hitOf("link", ["alias", "short_url", "domain"]) },
    { weight: 1, arbitrary: hitOf("pixel", PIXEL_FIELDS) },
  ),
  { minLength: 1, maxLength: 3 },
);

/** The damage of rows that there are; the last row of each kind stays as it is. */
function damageOf(all: readonly Hit[], { links, pixels }: Pick<State, "links" | "pixels">): Damage[] {
  return all.flatMap(({ kind, row, fields }) => {
    const rows = (kind === "link" ? links : pixels).slice(0, -1);
    const id = rows[row % Math.max(rows.length, 1)]?.id;
    return id === undefined ? [] : [{ kind, id, fields }];
  });
}

/**
 * Leaves of the damage only what linkform can't read: of any other value nobody can tell that it is not the row's own. Changes
 * the damage of a running proxy.
 */
async function keepUnreadable(
  damage: Damage[],
  documentOf: (what: "links" | "pixels") => Promise<ListDocument>,
): Promise<void> {
  for (let left = -1; left !== JSON.stringify(damage).length;) {
    left = JSON.stringify(damage).length;
    const [links, pixels] = [await documentOf("links"), await documentOf("pixels")];
    const kept = damage.flatMap(({ kind, id, fields }) => {
      const row = (kind === "link" ? links : pixels).rows.find((one) => one.id === id);
      const names = (row?.unreadable ?? []).map(({ returned }) => returned);
      if (names.length === 0) return [];
      const isKept = ([name]: [string, unknown]): boolean => name === "short_url" || names.includes(name);
      return [{ kind, id, fields: Object.fromEntries(Object.entries(fields).filter(isKept)) }];
    });
    damage.splice(0, damage.length, ...kept);
  }
}

function gist(changes: readonly ChangeDocument[], isLeftOut: (change: ChangeDocument) => boolean): unknown[] {
  return changes
    .filter((change) => !isLeftOut(change))
    .map(({ action, kind, key, previous_key, id, fields }) => ({ action, kind, key, previous_key, id, fields }));
}

interface Files {
  readonly pixels: Readonly<Record<string, object>>;
  readonly links: Readonly<Record<string, { readonly renamed_from?: string; readonly pixels?: readonly string[] }>>;
  readonly absent: { readonly links: readonly string[] };
}

/** The files without what they say about this key. */
function without<Project extends Files>(files: Project, key: string): Project {
  const others = <Block>(blocks: Readonly<Record<string, Block>>, isKept: (name: string, block: Block) => boolean) =>
    Object.fromEntries(Object.entries(blocks).filter(([name, block]) => isKept(name, block)));
  return {
    ...files,
    pixels: others(files.pixels, (name) => name !== key),
    links: others(files.links, (name, block) => name !== key && block.renamed_from !== key),
    absent: { links: files.absent.links.filter((name) => name !== key) },
  };
}

/** Keys that more than one row has. */
function doubled({ links, pixels }: State): string[] {
  const keys = [
    ...links.map(({ domain, alias }) => `${domain}/${fold(alias)}`),
    ...pixels.map(({ name }) => `pixel ${fold(name)}`),
  ];
  return keys.filter((key, at) => keys.indexOf(key) !== at).toSorted();
}

/** The account with links that are damaged in no run, one on each domain, and a pixel; the files declare the links as they are. */
function anchored(input: Account): { readonly seed: SeedState; readonly projectAt: (url: string) => Files } {
  const links = [2, 3].map((domain) => ({ domain, alias: "anchor", url: "https://example.com/anchor" }));
  const { pixels = [], links: rows = [], ...seed } = seedOf(input);
  const pixel = { name: "Anchor", type: "bing", value: "1234567" };
  return {
    seed: { ...seed, pixels: [...pixels, pixel], links: [...rows, ...links] },
    projectAt: (url) => {
      const project: object & Partial<Files> = projectOf(url, input);
      const declared = [DOMAINS[2], DOMAINS[3]].map((host) => [
        `${host}/anchor`,
        { url: "https://example.com/anchor" },
      ]);
      return {
        pixels: {},
        absent: { links: [] },
        ...project,
        links: { ...project.links, ...Object.fromEntries(declared) },
      };
    },
  };
}

type Ending = "undamaged" | "refused without damage" | "blocked" | "planned";

async function check(folder: string, input: Account, all: readonly Hit[], isPruned: boolean): Promise<Ending> {
  const { seed, projectAt } = anchored(input);
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed });
  const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
  try {
    const before = sandbox.state();
    const damage = damageOf(all, { links: before.links.slice(0, -1), pixels: before.pixels });
    const baseUrl = await startDamaged(sandbox, damage);
    const prune = {
      prune: "scope",
      scope: { domains: Object.values(DOMAINS), pixels: ["none of these", ...input.declaredPixels] },
    };
    let files = { ...projectAt(sandbox.url), ...(isPruned && prune) };
    await writeFiles(folder, { "linkform.yaml": JSON.stringify(files) });
    const json = { format: ["json"], quiet: true };
    await keepUnreadable(damage, async (what) =>
      JSON.parse((await runIn(folder, env, (world) => list(world, what, { ...json, baseUrl }))).out),
    );
    if (damage.length === 0) return "undamaged";
    const planAt = async (url: string): Promise<PlanDocument> =>
      JSON.parse((await runIn(folder, env, (world) => plan(world, { ...json, baseUrl: url }))).out);
    if (!(await planAt(sandbox.url)).complete) return "refused without damage";

    const hidden = new Set(damage.map(({ kind, id }) => `${kind} ${id}`));
    const hasNamelessPixel = damage.some(({ kind, fields }) => kind === "pixel" && "name" in fields);
    let ending: Ending = "planned";
    let planned = await planAt(baseUrl);
    // What the files say about a damaged row is an error. Without it, everything else can be planned.
    while (!planned.complete) {
      ending = "blocked";
      const errors = planned.diagnostics.filter(({ severity }) => severity === "error");
      const keys = errors.map(({ code, message }) => {
        const [, key = "", row] = /^`(.+?)` (?:is|may be|uses)(?: (link \d+|pixel \d+))?/.exec(message) ?? [];
        const isExpected =
          code === "unreadable-row" ? hidden.has(String(row)) : code === "unknown-pixel" && hasNamelessPixel;
        expect([message, isExpected]).toEqual([message, true]);
        return key;
      });
      const rest = keys.reduce((left, key) => without(left, key), files);
      expect(rest).not.toEqual(files);
      files = rest;
      await writeFiles(folder, { "linkform.yaml": JSON.stringify(files) });
      planned = await planAt(baseUrl);
    }
    const reference = await planAt(sandbox.url);
    // Without the damage, a pixel whose block was taken out is pruned, and that may be refused.
    const refusals = reference.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    if (reference.complete)
      expect(gist(planned.changes, () => false)).toEqual(
        gist(reference.changes, ({ kind, id }) => hidden.has(`${kind} ${id}`)),
      );
    else expect([isPruned, ["pixel-in-use", "prune-all"]]).toEqual([true, expect.arrayContaining(refusals)]);

    const start = sandbox.requests.length;
    const { exit, out } = await runIn(folder, env, (world) => apply(world, { ...json, yes: true, baseUrl }));
    const writes = writesOf(sandbox.requests.slice(start)).map((one) => `${one.method} ${one.path}`);
    expect({ exit, out: exit === 0 ? "" : out }).toEqual({ exit: 0, out: "" });
    const after = sandbox.state();
    for (const { kind, id } of damage) {
      expect(writes.filter((line) => line.endsWith(`/${kind}s/${id}`))).toEqual([]);
      const rows = { link: [before.links, after.links], pixel: [before.pixels, after.pixels] }[kind];
      expect(rows[1]?.find((row) => row.id === id)).toEqual(rows[0]?.find((row) => row.id === id));
    }
    expect(doubled(after).filter((key) => !doubled(before).includes(key))).toEqual([]);
    expect((await planAt(baseUrl)).changes).toEqual([]);
    return ending;
  } finally {
    await sandbox.close();
  }
}

it("other keys are planned as without the damage, and a damaged row is neither written nor doubled", async () => {
  const folder = await temporaryFolder();
  const endings = { undamaged: 0, "refused without damage": 0, blocked: 0, planned: 0 };
  await fc.assert(
    fc.asyncProperty(account, hits, fc.boolean(), async (input, all, isPruned) => {
      endings[await check(folder, input, all, isPruned)] += 1;
    }),
    { numRuns: runs(80), endOnFailure: true },
  );
  expect(endings.blocked + endings.planned).toBeGreaterThan(runs(80) / 3);
});

it("a pull keeps the blocks of damaged rows byte for byte, and all others as without the damage", async () => {
  const tally = { damaged: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(liveInput({ links: 25, pixels: 5 }), hits, fc.nat(8), async (input, all, count) => {
      const before = randomLive(input);
      const { state: after, changes } = changeSome(before, new Random(input.seed + 3), count);
      const folder = await temporaryFolder();
      await writeFiles(folder, { "linkform.yaml": HEAD });
      const [first, second] = [
        await startSandbox({ rateLimit: 0, seed: before }),
        await startSandbox({ rateLimit: 0, seed: after }),
      ];
      try {
        expect((await pullFrom(first, folder, { quiet: true })).exit).toBe(0);
        const old = await textsOf(folder);
        // Only rows that nobody changed by hand are damaged: their blocks are the same with and without the damage.
        const isSame = <Row extends { readonly id: number }>(rows: readonly Row[]) => {
          const byId = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
          return (row: Row): boolean => byId.get(row.id) === JSON.stringify(row);
        };
        const pixels = after.pixels.filter(isSame(before.pixels));
        const kept = new Set(pixels.map(({ id }) => id));
        const links = after.links
          .filter(isSame(before.links))
          .filter((link) => link.pixels.every((id) => kept.has(id)));
        // A row without its key may be any object that is gone from the account, so the block of that one stays, too.
        const isGone = changes.some(({ how, fields }) => how === "deleted" || fields.some((name) => KEYS.has(name)));
        const isHit = ([name]: [string, unknown]): boolean => !isGone || !KEYS.has(name);
        const damage = damageOf(all, { links, pixels }).map((one) => ({
          ...one,
          fields: Object.fromEntries(Object.entries(one.fields).filter(isHit)),
        }));
        const baseUrl = await startDamaged(second, damage);
        const env = { LINKFORM_API_KEY: second.apiKey };
        await keepUnreadable(damage, async (what) => {
          const flags = { format: ["json"], quiet: true, baseUrl };
          return JSON.parse((await runIn(folder, env, (world) => list(world, what, flags))).out);
        });
        const damaged = await pullFrom(second, folder, { quiet: true, baseUrl });
        const withDamage = await textsOf(folder);
        // If the only link of a domain is damaged, the domain is unknown.
        if (damaged.err.includes("error[unconfirmed-domain]")) {
          expect(withDamage).toEqual(old);
          return;
        }
        for (const file of withDamage.keys()) await rm(path.join(folder, file));
        await writeFiles(folder, Object.fromEntries(old));
        const undamaged = await pullFrom(second, folder, { quiet: true });
        // A domain that lost its last link is unknown, and nothing is pulled.
        fc.pre(!undamaged.err.includes("error[unconfirmed-domain]"));
        expect(undamaged.exit).toBe(0);
        expect(withDamage).toEqual(await textsOf(folder));
        tally.damaged += Math.sign(damage.length);
        tally.changed += Math.sign(count);
      } finally {
        await first.close();
        await second.close();
      }
    }),
    { numRuns: runs(20) },
  );
  expect(tally.damaged).toBeGreaterThan(runs(20) / 3);
});
