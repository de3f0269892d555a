// The origin of a change, compared with the table in plan/base.ts, for one and several fields, and for records that stay, are renamed, or
// wait for a rename of the base. Fails if manual changes and changes of the files are confused, or if the origin of one field hides
// another's. Deletions: test/fixtures/plans/origins, origins-moved and origins-pruned.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Desired, FieldChange, Live, Origin, Update } from "../../src/domain/change.ts";
import type { Value } from "../../src/domain/value.ts";
import { KeyGlobs } from "../../src/plan/key-globs.ts";
import { originOf, type ResolvedBase } from "../../src/plan/base.ts";
import { create } from "../report/plans.ts";
import { runs } from "../support/states.ts";

const NOW = "2026-11-21T12:00:00Z";
const PLACE = { file: "linkform.yaml", line: 1, column: 1 };
const none = (): undefined => undefined;
const NOTHING: ResolvedBase = {
  desired: new Map(),
  records: new Map(),
  unsure: new Set(),
  tombstones: new Set(),
  protect: [],
  prunes: () => false,
  keyGlobs: new KeyGlobs({ idOf: none, shown: none, namesOf: () => new Set(), ids: new Map() }),
};

type Fields = Readonly<Record<string, Value>>;

function desiredOf(alias: string, fields: Fields, renamedFrom: string | null = null): Desired {
  const { desired } = create(`go/${alias}`);
  const values = new Map(Object.entries({ alias, ...fields }));
  const before = renamedFrom === null ? null : { ...liveOf(renamedFrom, {}), place: PLACE };
  return { ...desired, identity: `link 2/${alias}`, values, renamedFrom: before };
}

function liveOf(alias: string, fields: Fields): Live {
  const values = new Map(Object.entries({ alias, ...fields }));
  return { kind: "link", id: 1, key: `go/${alias}`, identity: `link 2/${alias}`, values, clicks: 0, updatedAt: null };
}

const BASE = { kind: "link", key: "go/a", previousKey: null, source: PLACE, origin: null, takesOver: null } as const;

function updateOf(desired: Desired, live: Live): Update {
  const fields = ["alias", "url", "space"].flatMap((path): FieldChange[] => {
    const [before, after] = [live.values.get(path), desired.values.get(path)];
    return before === undefined || after === undefined || before === after ? [] : [{ path, before, after }];
  });
  return { ...BASE, action: "update", reason: "changed", breaksUrl: false, isGuarded: false, fields, desired, live };
}

function baseOf(...desired: readonly Desired[]): ResolvedBase {
  return { ...NOTHING, desired: new Map(desired.map((one) => [one.identity, one])) };
}

const value = fc.constantFrom("x", "y", "z");
const fields = fc.record({ url: value, space: value });

/** The origin of one field by the table. `waits` means that the record still waits for a rename of the base. */
function originOfField(base: string | null, now: string, live: string, waits: boolean): Origin {
  if (base === null) return "declared here";
  if (base === now) return waits ? "pending" : "drift";
  return base === live || waits ? "declared here" : "both";
}

function together(found: readonly Origin[]): Origin {
  const has = (origin: Origin): boolean => found.includes(origin);
  if (has("both") || (has("declared here") && has("drift"))) return "both";
  return has("declared here") ? "declared here" : has("drift") ? "drift" : "pending";
}

it("several fields are combined, for any change of the row's key", () => {
  const seen = new Set<Origin>();
  const how = fc.constantFrom<"stays" | "renamed" | "waits">("stays", "renamed", "waits");
  fc.assert(
    fc.property(how, fc.option(fields), fields, fields, (key, then, now, live) => {
      const [record, desired] = [
        liveOf(key === "stays" ? "a" : "old", live),
        desiredOf("a", now, key === "stays" ? null : "old"),
      ];
      const change = updateOf(desired, record);
      fc.pre(change.fields.length > 0);
      const asThen = { stays: ["a", null], renamed: ["old", null], waits: ["a", "old"] } as const;
      const [alias, former] = asThen[key];
      const base = then === null ? NOTHING : baseOf(desiredOf(alias, then, former));
      const isWaiting = key === "waits" && then !== null;
      const paths = (["url", "space"] as const).filter((path) => now[path] !== live[path]);
      const found = paths.map((path) => originOfField(then?.[path] ?? null, now[path], live[path], isWaiting));
      // The new key itself: from the base if the record waits for it, else from these files.
      const ofKey: Origin[] = key === "stays" ? [] : [isWaiting ? "pending" : "declared here"];
      const expected = together([...found, ...ofKey]);
      seen.add(expected);
      expect(originOf(change, base, NOW)).toBe(expected);
    }),
    { numRuns: runs(350) },
  );
  expect(seen).toEqual(new Set(["declared here", "pending", "drift", "both"]));
});

it("a created object is pending if the base declared the same, else of these files", () => {
  fc.assert(
    fc.property(fc.option(fields), fields, (then, now) => {
      const base = then === null ? NOTHING : baseOf(desiredOf("a", then));
      const isSame = then !== null && then.url === now.url && then.space === now.space;
      expect(originOf({ ...create("go/a"), desired: desiredOf("a", now) }, base, NOW)).toBe(
        isSame ? "pending" : "declared here",
      );
    }),
  );
});
