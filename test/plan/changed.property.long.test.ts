// Random accounts, bases and files: `--changed` plans what the full plan has for the keys that differ from the base, and
// applying that leaves nothing to do for them. Fails if an object that a changed key depends on is not read, if an
// unchanged one is planned, or if a name, an origin or a deletion comes out differently from a part of the account.

import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import { fold } from "../../src/domain/fold.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { filesOf, randomProject, seedOf, type Files, type RandomProject } from "../support/random-account.ts";
import { GIT_ENV, Repository, repositoryIn } from "../support/repository.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import type { ChangeDocument, PlanDocument } from "../../src/report/json/schema.ts";

/** More links than fit on a few pages, so that looking up keys takes fewer requests than the list. */
const OTHERS = Array.from({ length: 1200 }, (_, at) => ({
  url: "https://example.com/other",
  domain: 2 + (at % 2),
  alias: `filler-${at}`,
  pixels: at === 650 ? [3] : [],
}));

function seedWithOthers({ live }: RandomProject): SeedState {
  const seed = seedOf(live);
  const pixels = new Set((seed.pixels ?? []).map((_, at) => at + 1));
  const others = OTHERS.map((link) => ({ ...link, pixels: link.pixels.filter((id) => pixels.has(id)) }));
  return { ...seed, links: [...others, ...(seed.links ?? [])] };
}

/** The files as people write them: a part of the links in each of two files. */
function textsOf({ links, absent, ...project }: Files): Record<string, string> {
  const part = (rest: number): string =>
    stringify({ links: Object.fromEntries(Object.entries(links).filter(([key]) => key.length % 2 === rest)) });
  const absentPixels = { pixels: absent.pixels ?? [] };
  return {
    "linkform.yaml": stringify({ ...project, absent: absentPixels }),
    "links/even.yaml": part(0),
    "links/odd.yaml": part(1),
    "links/absent.yaml": stringify({ absent: { links: absent.links } }),
  };
}

/** The keys that two files declare differently. */
function changedKeys(base: Files, now: Files): Set<string> {
  const texts = ({ links, pixels, absent }: Files): Map<string, string> =>
    new Map([
      ...[...Object.entries(links), ...Object.entries(pixels)].map(
        ([key, block]) => [key, JSON.stringify(block)] as const,
      ),
      ...[...absent.links, ...(absent.pixels ?? [])].map((key) => [key, "absent"] as const),
    ]);
  const [before, after] = [texts(base), texts(now)];
  // A removed tombstone requires nothing.
  const ended = (key: string): boolean => before.get(key) === "absent" && !after.has(key);
  const keys = new Set([...before.keys(), ...after.keys()]);
  return new Set([...keys].filter((key) => before.get(key) !== after.get(key) && !ended(key)).map(fold));
}

function isOf(keys: ReadonlySet<string>): (change: ChangeDocument) => boolean {
  return ({ key }) => keys.has(fold(key.replace(/ #\d+$/, "")));
}

const seen = { same: 0, none: 0, whole: 0, refused: 0, applied: 0, extra: 0 };

async function check(folder: string, one: RandomProject): Promise<void> {
  const sandbox = await startSandbox({ rateLimit: 0, software: one.live.software, seed: seedWithOthers(one) });
  try {
    const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret", ...GIT_ENV };
    const { base, now: files } = filesOf(sandbox.url, one);
    await writeFiles(folder, textsOf(base));
    await new Repository(folder).commitAll();
    await writeFiles(folder, textsOf(files));
    const planned = async (changed: boolean): Promise<PlanDocument> => {
      const flags = { base: "HEAD", format: ["json"], ...(changed && { changed }) };
      return JSON.parse((await runIn(folder, env, (world) => plan(world, flags))).out);
    };
    const [full, part] = [await planned(false), await planned(true)];
    if (!full.complete) {
      seen.refused += 1;
      return;
    }
    const keys = changedKeys(base, files);
    const isChanged = isOf(keys);
    const wanted = full.changes.filter(isChanged);
    const errors = part.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
    // A pixel is to be deleted.
    if (part.not_compared === undefined) {
      expect(part.changes).toEqual(full.changes);
      seen.whole += 1;
      return;
    }
    // Nothing that the full plan does not have, and everything that it has for changed keys.
    expect(full.changes).toEqual(expect.arrayContaining(part.changes));
    expect(part.changes).toEqual(expect.arrayContaining(wanted));
    for (const change of part.changes.filter((other) => !isChanged(other))) {
      seen.extra += 1;
      expect(isNeeded(change, base, files)).toBe(true);
    }
    expect(part.orphans).toEqual(full.orphans.filter(({ key }) => part.orphans.some((orphan) => orphan.key === key)));
    expect(part.summary.unmanaged).toBeNull();
    // Every declared object is either planned or counted as not compared, or both if it is a pixel that must be created first.
    const { links: leftLinks, pixels: leftPixels } = part.not_compared;
    const first = part.changes.filter((change) => change.kind === "pixel" && !isChanged(change)).length;
    const compared = part.summary.unchanged + part.changes.filter(({ action }) => action !== "delete").length - first;
    const declared = Object.keys(files.links).length + Object.keys(files.pixels).length;
    expect(leftLinks + leftPixels + compared).toBe(declared);
    seen[part.changes.length === 0 ? "none" : "same"] += 1;
    const applied = await runIn(folder, env, (world) =>
      apply(world, { base: "HEAD", changed: true, yes: true, quiet: true, format: ["json"], record: false }),
    );
    expect({ exit: applied.exit, err: applied.err }).toEqual({ exit: 0, err: "" });
    const left = await planned(false);
    expect(left.changes.filter(isChanged)).toEqual([]);
    seen.applied += 1;
  } finally {
    await sandbox.close();
  }
}

/** Whether an unchanged object has to be planned with the changed ones. */
function isNeeded(change: ChangeDocument, base: Files, now: Files): boolean {
  const { kind, action, key } = change;
  if (kind === "pixel" && action === "create") return true;
  const blocks = [base, now].flatMap(({ links }) => Object.entries(links));
  const tied = new Set([fold(key), fold(change.previous_key ?? key)]);
  return blocks.some(
    ([name, { renamed_from: former }]) => former !== undefined && (tied.has(fold(name)) || tied.has(fold(former))),
  );
}

it("plans the changes of the full plan for the keys that changed, and applies them", async () => {
  const folder = await temporaryFolder();
  await repositoryIn(folder);
  await fc.assert(
    fc.asyncProperty(randomProject, (one) => check(folder, one)),
    { numRuns: runs(20), endOnFailure: true },
  );
  expect(seen.applied + seen.whole).toBeGreaterThan(seen.refused);
  // The property means little if nothing changed.
  expect(seen.same).toBeGreaterThan(0);
}, 180_000);
