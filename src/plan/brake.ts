// The brake: the limits on the changes of one run.

import type { Change, Live, Plan, TrippedBrake } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { BRAKE_FROM, showLimit, type BrakeSettings } from "../domain/project.ts";
import { eachKind } from "../domain/table.ts";
import type { BrakeAllowances } from "./options.ts";

/** Tolerance for rounding errors, as in 0.29 × 100. */
const EPSILON = 1e-9;

type Braked = Pick<Plan, "changes" | "atStake" | "notCompared" | "brakeSettings" | "isNewProject">;

/**
 * Finds the limits that a plan exceeds, alone or together with `others`: the plans of the same run for the same account. Together, the
 * smallest of their limits counts. All deletes of new project files need an allowance, or a split into several files would avoid the limit.
 */
export function trippedBrakes(
  plan: Braked,
  allowances: BrakeAllowances,
  others: readonly Braked[] = [],
): TrippedBrake[] {
  if (plan.changes.length === 0) return [];
  const all = [plan, ...others];
  const created = plan.isNewProject && plan.changes.some(isDelete) ? all.filter((one) => one.isNewProject) : [];
  const found = [
    ...exceeded([plan], plan.brakeSettings, allowances),
    ...(others.length === 0 ? [] : all.flatMap(({ brakeSettings }) => exceeded(all, brakeSettings, allowances))),
    ...exceeded(created, { ...plan.brakeSettings, deletes: { count: 0 } }, allowances).flatMap((brake) =>
      brake.limits === "deletes" ? [{ ...brake, key: null }] : [],
    ),
  ];
  // The one that needs the highest flag: with its advice, the others let the run pass, too.
  return [...groupBy(found, ({ limits, kind }) => `${limits} ${kind}`).values()].flatMap((same) =>
    same.toSorted((a, b) => b.flag - a.flag || a.limit - b.limit).slice(0, 1),
  );
}

/** The objects at stake in several plans, each once. */
export function joinAtStake(all: readonly Plan["atStake"][]): Plan["atStake"] {
  return eachKind((kind) => [...new Map(all.flatMap((one) => one[kind].map((live) => [live.id, live]))).values()]);
}

/**
 * Finds the limits that these plans exceed together. A change that breaks a short URL counts as a delete:
 *
 *     deletes   at most their share of the objects at stake, or of BRAKE_FROM if that is more
 *     updates   at most their share of the objects at stake, once there are BRAKE_FROM
 *     clicks    at most their share of all clicks of the links at stake
 *
 * Each is rounded down. An allowance for this run applies to links and pixels together. With `--changed`, declared objects that are not
 * compared count as live, because the base declares them, too. Their clicks are unknown and count as none.
 */
function exceeded(plans: readonly Braked[], settings: BrakeSettings, allowances: BrakeAllowances): TrippedBrake[] {
  const [first, ...more] = plans;
  const changes = plans.flatMap((plan) => plan.changes);
  const atStake =
    first !== undefined && more.length === 0 ? first.atStake : joinAtStake(plans.map((plan) => plan.atStake));
  const isPartial = plans.some(({ notCompared }) => notCompared !== null);
  const deletes = changes.filter(isDelete);
  const updates = changes.filter((change) => change.action === "update" && !isDelete(change));
  const counted = (limits: "deletes" | "updates", all: readonly Change[]): TrippedBrake[] => {
    const [allowed, setting] = [allowances[limits], settings[limits]];
    if (allowed !== null && all.length <= allowed) return [];
    const tripped = (["link", "pixel"] as const).flatMap((kind) => {
      const ofKind = all.filter((change) => change.kind === kind);
      const left = plans.reduce((sum, { notCompared }) => sum + (notCompared?.[kind] ?? 0), 0);
      const objects = atStake[kind].length + left;
      if (limits === "updates" && objects < BRAKE_FROM) return [];
      const whole = limits === "deletes" ? Math.max(objects, BRAKE_FROM) : objects;
      const limit = "count" in setting ? setting.count : shareOf(whole, setting.share);
      if (ofKind.length <= limit) return [];
      const brake = {
        limits,
        kind,
        count: ofKind.length,
        limit,
        atStake: objects,
        setting: showLimit(setting),
        flag: all.length,
        changes: ofKind,
      };
      return [{ brake, needed: "count" in setting ? ofKind.length : percentFor(ofKind.length, whole) }];
    });
    // The setting is for links and pixels, so its line must allow both.
    const highest = Math.max(...tripped.map(({ needed }) => needed));
    const key = "count" in setting ? String(highest) : `${highest}%`;
    return tripped.map(({ brake }) => ({ ...brake, key }));
  };
  const clicks = clicksLost(changes, atStake, settings, allowances);
  return [
    ...counted("deletes", deletes),
    ...counted("updates", updates),
    ...(isPartial ? clicks.map((tripped) => ({ ...tripped, isPartial: true as const })) : clicks),
  ].map((tripped) => (plans.length === 1 ? tripped : { ...tripped, projects: plans.length }));
}

function isDelete({ action, breaksUrl }: Change): boolean {
  return action === "delete" || breaksUrl;
}

function clicksLost(
  changes: readonly Change[],
  atStake: Plan["atStake"],
  { clicks: share }: BrakeSettings,
  { clicks: allowed }: BrakeAllowances,
): TrippedBrake[] {
  if (share === null) return [];
  const losing = changes
    .filter(({ kind }) => kind === "link")
    .filter((change) => change.action === "delete" || change.action === "replace");
  const clicksOf = (all: readonly Live[]): number => all.reduce((sum, { clicks }) => sum + (clicks ?? 0), 0);
  const lost = losing.map(({ live }) => live);
  const total = clicksOf(atStake.link);
  // If the clicks of one link are unknown, so is the sum.
  const count = lost.some(({ clicks }) => clicks === null) ? null : clicksOf(lost);
  const limit = Math.max(shareOf(total, share), allowed ?? 0);
  if (count !== null && count <= limit) return [];
  if (count === null && (allowed !== null || share === 1)) return [];
  return [
    {
      limits: "clicks",
      kind: "link",
      count,
      limit,
      atStake: total,
      setting: showLimit({ share }),
      flag: count ?? total,
      key: `${percentFor(count ?? total, total)}%`,
      changes: losing.filter(({ live }) => live.clicks !== 0),
    },
  ];
}

function shareOf(whole: number, share: number): number {
  return Math.floor(whole * share + EPSILON);
}

/** The lowest whole percentage that allows this count. */
function percentFor(count: number, whole: number): number {
  return count < whole ? Math.ceil((count / whole) * 100 - EPSILON) : 100;
}
