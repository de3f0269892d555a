// The brake's arithmetic, compared with docs/safety.md. Fails if a share is rounded the wrong way, if an allowance counts wrongly, or if
// the suggested fix does not work or allows more than necessary.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Change, Live, TrippedBrake } from "../../src/domain/change.ts";
import { BRAKE_FROM, type BrakeSettings, type Limit } from "../../src/domain/project.ts";
import type { ResourceKind } from "../../src/domain/table.ts";
import { trippedBrakes } from "../../src/plan/brake.ts";
import { NO_OPTIONS } from "../../src/session/plan-flags.ts";
import type { BrakeAllowances } from "../../src/plan/options.ts";
import { create, liveLink, livePixel, remove, replace, update } from "../report/plans.ts";
import { runs } from "../support/states.ts";

const { allowances: NONE } = NO_OPTIONS;

const liveOf = (kind: ResourceKind, clicks: number | null): Live =>
  kind === "link" ? liveLink("k", { clicks }) : livePixel("k");

/** A change as the brake sees it. */
type What = "create" | "update" | "breaking update" | "replace" | "delete";

function changeOf(kind: ResourceKind, what: What, clicks: number | null = 0): Change {
  if (what === "create") return create("k", {}, kind);
  const live = liveOf(kind, clicks);
  if (what === "replace") return replace(live, "other");
  return what === "delete" ? remove(live) : update(live, { breaksUrl: what === "breaking update" });
}

function brakesOf(
  changes: readonly Change[],
  atStake: Record<ResourceKind, Live[]>,
  brakeSettings: BrakeSettings,
  allowances: BrakeAllowances,
): TrippedBrake[] {
  return trippedBrakes({ changes, atStake, brakeSettings, notCompared: null, isNewProject: false }, allowances);
}

const many = (count: number, make: () => Change): Change[] => Array.from({ length: count }, make);
const records = (kind: ResourceKind, count: number): Live[] => Array.from({ length: count }, () => liveOf(kind, 0));

/** A limit as a project file can have it, in hundredths of a percent so that all calculations use whole numbers. */
type Setting = { readonly count: number } | { readonly hundredths: number };
const setting: fc.Arbitrary<Setting> = fc.oneof(
  fc.record({ count: fc.nat(12) }),
  fc.record({
    hundredths: fc.oneof(
      fc.nat(100).map((percent) => percent * 100),
      fc.nat(10_000),
    ),
  }),
);

/** The limit as config/policy.ts parses it. */
function limitOf(one: Setting): Limit {
  return "count" in one ? one : { share: Number((one.hundredths / 100).toFixed(2)) / 100 };
}

/** The maximum that a setting allows of this number, rounded down. */
function mostOf(one: Setting, whole: number): number {
  return "count" in one ? one.count : Number((BigInt(whole) * BigInt(one.hundredths)) / 10_000n);
}

const KINDS = ["link", "pixel"] as const;
const perKind = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Record<ResourceKind, Value>> =>
  fc.record({ link: value, pixel: value });
const input = fc.record({
  counts: perKind(
    fc.record({ create: fc.nat(3), update: fc.nat(30), "breaking update": fc.nat(5), delete: fc.nat(15) }),
  ),
  replaced: fc.nat(5),
  /** Live objects that stay as they are. */
  unchanged: perKind(fc.oneof(fc.nat(20), fc.nat(300))),
  deletes: setting,
  updates: setting,
  allowed: fc.record({ deletes: fc.option(fc.nat(40)), updates: fc.option(fc.nat(60)) }),
});
type Input = typeof input extends fc.Arbitrary<infer One> ? One : never;

function planOf({ counts, replaced, unchanged }: Input): { changes: Change[]; atStake: Record<ResourceKind, Live[]> } {
  const changes = KINDS.flatMap((kind) => {
    const { "breaking update": breaking, delete: gone, ...rest } = counts[kind];
    return [
      ...many(rest.create, () => changeOf(kind, "create")),
      ...many(rest.update, () => changeOf(kind, "update")),
      // Only a short URL can break.
      ...many(kind === "link" ? breaking : 0, () => changeOf(kind, "breaking update")),
      ...many(kind === "link" ? replaced : 0, () => changeOf(kind, "replace")),
      ...many(gone, () => changeOf(kind, "delete")),
    ];
  });
  const live = (kind: ResourceKind): Live[] => [
    ...changes.flatMap((change) => (change.kind === kind && change.action !== "create" ? [change.live] : [])),
    ...records(kind, unchanged[kind]),
  ];
  return { changes, atStake: { link: live("link"), pixel: live("pixel") } };
}

/** What trips: more deletes than the limit allows for the objects, or for 10 if that is more, and more updates from 10 objects on. */
function expected(all: Input, allowed: Input["allowed"]): string[] {
  const { counts, replaced, unchanged } = all;
  const of = (kind: ResourceKind): { deletes: number; updates: number; objects: number } => {
    const { "breaking update": breaking, delete: gone, ...rest } = counts[kind];
    const deletes = gone + (kind === "link" ? breaking + replaced : 0);
    return { deletes, updates: rest.update, objects: deletes + rest.update + unchanged[kind] };
  };
  return (["deletes", "updates"] as const).flatMap((limits) => {
    const sum = of("link")[limits] + of("pixel")[limits];
    const allowance = allowed[limits];
    if (allowance !== null && sum <= allowance) return [];
    return KINDS.flatMap((kind) => {
      const { [limits]: count, objects } = of(kind);
      const most =
        limits === "deletes"
          ? Math.max(mostOf(all.deletes, objects), mostOf(all.deletes, BRAKE_FROM))
          : objects < BRAKE_FROM
            ? Infinity
            : mostOf(all.updates, objects);
      return count > most ? [`${limits} ${kind} ${count}>${most} of ${objects}`] : [];
    });
  });
}

function settingsOf({ deletes, updates }: Input): BrakeSettings {
  return { deletes: limitOf(deletes), updates: limitOf(updates), clicks: null };
}

it("the brake and its numbers are as documented", () => {
  let tripped = 0;
  fc.assert(
    fc.property(input, (all) => {
      const { changes, atStake } = planOf(all);
      const allowances: BrakeAllowances = { ...all.allowed, clicks: null };
      const found = brakesOf(changes, atStake, settingsOf(all), allowances);
      tripped += Number(found.length > 0);
      expect(
        found.map(
          ({ limits, kind, count, limit, atStake: objects }) => `${limits} ${kind} ${count}>${limit} of ${objects}`,
        ),
      ).toEqual(expected(all, all.allowed));
      for (const brake of found) expect(brake.changes.length).toBe(brake.count);
    }),
    { numRuns: runs(350) },
  );
  expect(tripped).toBeGreaterThan(runs(350) / 10);
});

it("the suggested flag allows all changes, one less does not, and so does the line for the file", () => {
  fc.assert(
    fc.property(input, (all) => {
      const { changes, atStake } = planOf(all);
      const settings = settingsOf(all);
      const found = brakesOf(changes, atStake, settings, NONE);
      for (const { limits, kind, flag, key } of found) {
        if (limits === "clicks") throw new Error("no clicks are limited here");
        const left = (allowed: number, held: BrakeSettings = settings): string[] =>
          brakesOf(changes, atStake, held, { ...NONE, [limits]: allowed }).map((one) => `${one.limits} ${one.kind}`);
        expect(left(flag).filter((one) => one.startsWith(limits))).toEqual([]);
        expect(left(flag - 1)).toContain(`${limits} ${kind}`);
        const opened: Limit = key?.endsWith("%") ? { share: Number(key?.slice(0, -1)) / 100 } : { count: Number(key) };
        const held = { ...settings, [limits]: opened };
        const others = found.filter((one) => one.limits !== limits);
        expect(brakesOf(changes, atStake, held, NONE).map((one) => `${one.limits} ${one.kind}`)).toEqual(
          others.map((one) => `${one.limits} ${one.kind}`),
        );
      }
    }),
    { numRuns: runs(350) },
  );
});

it("29% of 100 objects are 29, although their product is a little less in binary fractions", () => {
  const atStake = { link: records("link", 100), pixel: [] };
  const held = { deletes: { share: 0.29 }, updates: { share: 1 }, clicks: null };
  const deletes = many(30, () => changeOf("link", "delete"));
  expect([29, 30].map((count) => brakesOf(deletes.slice(0, count), atStake, held, NONE).length)).toEqual([0, 1]);
});

it("of several plans, the smallest limit counts for all, and the flag allows all of them", () => {
  const planned = (count: number, ...ids: readonly number[]): Parameters<typeof trippedBrakes>[0] => {
    const links = ids.map((id) => liveLink("k", { id, clicks: null }));
    const brakeSettings = { deletes: { count }, updates: { share: 1 }, clicks: 0.5 };
    const notCompared = { link: 1, pixel: 0 };
    const atStake = { link: links, pixel: [] };
    return { changes: links.map((live) => remove(live)), atStake, brakeSettings, notCompared, isNewProject: false };
  };
  const [strict, lax] = [planned(2, 0, 1, 2, 3), planned(3, 3, 4, 5, 6)];
  for (const [plan, other] of [
    [strict, lax],
    [lax, strict],
  ] as const)
    expect(trippedBrakes(plan, NONE, [other])).toMatchObject([
      { limits: "deletes", kind: "link", count: 8, limit: 2, atStake: 9, flag: 8, key: "8", projects: 2 },
      { limits: "clicks", count: null, atStake: 0, key: "100%", isPartial: true },
    ]);
});

const lossy = fc.record({
  clicks: fc.option(fc.nat(1000), { freq: 20 }),
  what: fc.constantFrom<What>("delete", "replace", "update"),
});

it("lost clicks are compared with a share of the clicks of all named objects", () => {
  fc.assert(
    fc.property(
      fc.array(lossy, { maxLength: 8 }),
      fc.nat(3000),
      fc.oneof(fc.constantFrom(0, 100), fc.nat(100)),
      fc.option(fc.nat(3000)),
      (links, rest, percent, allowed) => {
        const changes = links.map(({ clicks, what }) => changeOf("link", what, clicks));
        const atStake = {
          link: [...changes.flatMap((one) => (one.action === "create" ? [] : [one.live])), liveOf("link", rest)],
          pixel: [],
        };
        const any: Limit = { count: 100 };
        const held: BrakeSettings = { deletes: any, updates: any, clicks: percent / 100 };
        const found = brakesOf(changes, atStake, held, { ...NONE, clicks: allowed });
        const lost = links.filter(({ what }) => what !== "update");
        const total = links.reduce((sum, { clicks }) => sum + (clicks ?? 0), rest);
        const most = Math.max(Math.floor((total * percent) / 100), allowed ?? 0);
        const isUnknown = lost.some(({ clicks }) => clicks === null);
        const count = lost.reduce((sum, { clicks }) => sum + (clicks ?? 0), 0);
        const isTripped = lost.length > 0 && (isUnknown ? allowed === null && percent < 100 : count > most);
        const shown = lost.filter(({ clicks }) => clicks !== 0).length;
        expect(found.map((one) => [one.limits, one.count, one.limit, one.atStake, one.changes.length])).toEqual(
          isTripped ? [["clicks", isUnknown ? null : count, most, total, shown]] : [],
        );
        const [brake] = found;
        if (brake === undefined) return;
        expect(brakesOf(changes, atStake, held, { ...NONE, clicks: brake.flag })).toEqual([]);
        if (brake.count === null) return;
        expect(brakesOf(changes, atStake, held, { ...NONE, clicks: brake.flag - 1 })).toHaveLength(1);
        const opened = { ...held, clicks: Number(brake.key?.slice(0, -1)) / 100 };
        expect(brakesOf(changes, atStake, opened, NONE)).toEqual([]);
      },
    ),
    { numRuns: runs(200) },
  );
});
