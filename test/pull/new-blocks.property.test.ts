// Random accounts with a part of their objects declared: the rest is added. Fails if a plan is not empty, if an existing line
// is lost or moved, if a sorted section is no longer sorted, or if the defaults of another document are used.

import fc from "fast-check";
import { expect, it } from "vitest";
import { groupBy } from "../../src/domain/collections.ts";
import { comparePlaces } from "../../src/domain/place.ts";
import { declareRecords, type Additions } from "../../src/pull/new-blocks.ts";
import type { Edit } from "../../src/edit/edits.ts";
import { writeAll } from "../../src/edit/writer.ts";
import { byKey, keyOf } from "../../src/pull/key-order.ts";
import { layOut } from "../../src/pull/layout.ts";
import { SPLITS } from "../../src/pull/split.ts";
import type { Resolved } from "../../src/plan/resolve.ts";
import { expectEmptyPlan, layoutFor, loadWith, readWhole, rowsOf, settled, unclaimedRows } from "../support/account.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { Random } from "../support/random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runs } from "../support/states.ts";

const PROJECTS = [
  "",
  "domains: { go: { id: 2, name: go.example.com } }\ndefaults: { link: { domain: go, privacy: private, expiration: { clicks: 7 } } }\n",
] as const;

/** The texts of all files with the additions. */
function withAdditions(texts: ReadonlyMap<string, string>, { blocks, layout }: Additions): Map<string, string> {
  const byFile = groupBy(blocks, ({ document }) => document.file);
  const edits = [...byFile].map(([file, own]): [string, Edit[]] => [
    file,
    own.map(({ live, near, block, comment }) => [
      {
        step: "add",
        kind: live.kind,
        key: block.key,
        block: { entries: block.block },
        spot: near,
        ...(comment !== null && { comment }),
      },
    ]),
  ]);
  const { changed, leftAlone } = writeAll(texts, new Map(edits));
  expect([...leftAlone]).toEqual([]);
  return new Map([...texts, ...changed, ...layout.texts]);
}

/** Whether a text contains all lines of another one in order. */
function isWithin(before: string, after: string): boolean {
  const lines = after.split("\n");
  let at = 0;
  return before.split("\n").every((line) => {
    while (at < lines.length && lines[at] !== line) at += 1;
    at += 1;
    return at <= lines.length;
  });
}

/** The files in which links or pixels are out of order. */
function unsorted({ claims }: Resolved): string[] {
  const byFile = groupBy(claims, ({ desired }) => `${desired.place.file} ${desired.kind}`);
  return [...byFile].flatMap(([file, all]) => {
    const keys = all
      .toSorted((a, b) => comparePlaces(a.desired.place, b.desired.place))
      .map(({ desired }) => keyOf(desired));
    const compare = byKey([...new Set(keys.flatMap(({ domain }) => domain ?? []))]);
    const isSorted = keys.every((key, index) => {
      const last = keys[index - 1];
      return last === undefined || compare(last, key) <= 0;
    });
    return isSorted ? [] : [file];
  });
}

it("adds missing objects so that a plan is empty, and keeps all lines and sorted sections", async () => {
  const seen = { blocks: 0, files: 0 };
  await fc.assert(
    fc.asyncProperty(
      liveInput({ links: 120, pixels: 12 }),
      fc.constantFrom(...PROJECTS),
      fc.constantFrom(...SPLITS),
      fc.constantFrom(0.02, 0.2, 0.5, 0.8, 0.95),
      fc.boolean(),
      async (input, text, split, share, isSpoiled) => {
        const sandbox = await startSandbox({ rateLimit: 0, seed: randomLive(input, { isSpoiled }) });
        try {
          const random = new Random(input.seed);
          const empty = await loadWith(text);
          const state = await readWhole(sandbox, empty.project);
          const bare = settled(empty.project, state);
          // Records that share a key cannot be declared.
          const twins = groupBy(bare.live, ({ identity }) => identity);
          const declared = bare.live.filter(
            ({ identity }) => random.chance(share) && twins.get(identity)?.length === 1,
          );
          const first = layOut(declared, { ...layoutFor(empty, bare), split });
          const before = await loadWith(text, first.texts);
          const both = settled(before.project, state);
          const added = declareRecords(unclaimedRows(both), both, before.documents, {
            ...layoutFor(before, both),
            taken: before.files,
          });
          const texts = withAdditions(first.texts, added);

          const { project } = await loadWith(text, texts);
          expect(expectEmptyPlan(project, state)).toEqual(rowsOf(added.layout.problems.keys()));
          for (const [file, old] of first.texts) expect(isWithin(old, texts.get(file) ?? "")).toBe(true);
          expect(unsorted(settled(project, state))).toEqual([]);
          seen.blocks += added.blocks.length;
          seen.files += added.layout.texts.size;
        } finally {
          await sandbox.close();
        }
      },
    ),
    { numRuns: runs(30), endOnFailure: false },
  );
  // Make sure that the property was tested with enough cases.
  expect(Object.values(seen).every((count) => count > 5)).toBe(true);
}, 240_000);
