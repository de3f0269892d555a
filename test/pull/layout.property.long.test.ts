// New files for random accounts. Fails if a plan of them is not empty, if a record is missing or declared twice, if a hidden
// value is left out, or if the files depend on the order of the records.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Live } from "../../src/domain/change.ts";
import { FIELDS } from "../../src/domain/table.ts";
import { sameValue } from "../../src/domain/value.ts";
import { layOut, type NewFiles } from "../../src/pull/layout.ts";
import { SPLITS } from "../../src/pull/split.ts";
import type { Resolved } from "../../src/plan/resolve.ts";
import { expectEmptyPlan, layoutFor, loadWith, readWhole, rowsOf, settled } from "../support/account.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runs } from "../support/states.ts";

const PROJECTS = [
  "",
  "timezone: Europe/Berlin\nunspecified: keep\n",
  "domains: { go: { id: 2, name: go.example.com } }\nspaces: { Team: { id: 1, name: Marketing } }\ndefaults: { link: { domain: go, space: Team } }\n",
  'defaults: { link: { domain: 3, privacy: private, disabled: true, pixels: [], expiration: { time: "18:00", clicks: 7 } } }\n',
  "defaults: { link: { targeting: { country: { DE: https://example.com/de } }, password: { env: LINKFORM_SECRET_A }, space: Nowhere } }\n",
] as const;

/** Fields that hide something and are not declared. */
function hidden({ claims }: Resolved, { kept }: NewFiles): string[] {
  const left = new Map([...kept].map(([live, paths]) => [rowOf(live), paths]));
  return claims.flatMap(({ desired, live }) => {
    if (live === undefined) return [desired.key];
    return FIELDS[live.kind].flatMap(({ path, opens, default: unset }) => {
      const value = live.values.get(path);
      const isHidden = opens !== null && value !== undefined && !sameValue(value, unset);
      return isHidden && !desired.values.has(path) && left.get(rowOf(live))?.includes(path) !== true
        ? [`${desired.key} ${path}`]
        : [];
    });
  });
}

const rowOf = ({ kind, id }: Live): string => `${kind} ${id}`;

it("declares every record and hidden value, and a plan is empty", async () => {
  const seen = { declared: 0, problems: 0, defaults: 0 };
  await fc.assert(
    fc.asyncProperty(
      liveInput({ links: 150, pixels: 15 }),
      fc.constantFrom(...PROJECTS),
      fc.constantFrom(null, ...SPLITS),
      fc.boolean(),
      async (input, text, split, isSpoiled) => {
        const sandbox = await startSandbox({ rateLimit: 0, seed: randomLive(input, { isSpoiled }) });
        try {
          const before = await loadWith(text);
          const state = await readWhole(sandbox, before.project);
          const both = settled(before.project, state);
          const layout = layOut(both.live, { ...layoutFor(before, both), split });
          const shuffled = layOut(both.live.toReversed(), { ...layoutFor(before, both), split });
          expect(shuffled.texts).toEqual(layout.texts);

          const { project, diagnostics } = await loadWith(text, layout.texts);
          expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          expect(expectEmptyPlan(project, state)).toEqual(rowsOf(layout.problems.keys()));
          const after = settled(project, state);
          expect(after.claims).toHaveLength(both.live.length - layout.problems.size);
          expect(hidden(after, layout)).toEqual([]);
          for (const { desired, live } of after.claims) {
            const record = both.live.find(({ kind, id }) => kind === live?.kind && id === live.id);
            expect(record && layout.files.get(record)).toBe(desired.place.file);
          }
          const named = project.declarations.flatMap(({ secrets }) => [...secrets.values()].map(({ name }) => name));
          const own = named.filter((name) => name !== "LINKFORM_SECRET_A");
          expect(new Set(own).size).toBe(own.length);
          seen.declared += after.claims.length;
          seen.problems += layout.problems.size;
          seen.defaults += [...layout.texts.values()].filter((written) => /^defaults:/m.test(written)).length;
        } finally {
          await sandbox.close();
        }
      },
    ),
    { numRuns: runs(30), endOnFailure: false },
  );
  // Make sure that the property was tested with enough cases.
  expect(Object.values(seen).every((count) => count > 10)).toBe(true);
}, 240_000);
