// What a plan says of ownership, as JSON: its base, where changes come from, brakes, orphans, what is left out.

import {
  rowIdOf,
  type Base,
  type Counted,
  type Orphan,
  type Origin,
  type Plan,
  type Summary,
  type TrippedBrake,
  type Withheld,
} from "../domain/change.ts";
import type { Place } from "../domain/place.ts";
import type { Action } from "../domain/policy.ts";
import type { ResourceKind } from "../domain/table.ts";
import { BRAKE_FLAG } from "./brakes.ts";
import { orphanLines } from "./orphans.ts";
import { whyWithheld } from "./withheld.ts";

/** How many changes come from where. */
export interface OriginsDocument {
  declared_here: number;
  pending: number;
  drift: number;
  both: number;
}

/** A limit that is exceeded, as JSON shows it. */
export interface BrakeDocument {
  limits: Counted;
  kind: ResourceKind;
  count: number | null;
  limit: number;
  at_stake: number;
  setting: string;
  allow: { flag: string; value: number; key: string };
  changes: string[];
}

/** What was declared at the base, is no longer, and stays live. */
export interface OrphanDocument {
  kind: ResourceKind;
  key: string;
  id: number;
  clicks: number | null;
  source: Place;
  paste: string;
  renamed_from_for: string | null;
}

/** A change that is left out of the plan. */
export interface WithheldDocument {
  action: Action;
  kind: ResourceKind;
  key: string;
  id: number | null;
  because: "target" | "exclude" | "allow" | "waits";
  waits_for: { kind: ResourceKind; key: string } | null;
}

/** The base, as JSON shows it. */
export function baseDocument(base: Base | null): { ref: string; commit: string } | null {
  return base && { ref: base.ref, commit: base.commit };
}

/** The split of the changes; null where no base was given. */
export function originsDocument(origins: Summary["origins"]): OriginsDocument | null {
  if (origins === null) return null;
  const count = (origin: Origin): number => origins[origin];
  return {
    declared_here: count("declared here"),
    pending: count("pending"),
    drift: count("drift"),
    both: count("both"),
  };
}

/** A tripped brake, and both ways to let its changes through. */
export function brakeDocument(brake: TrippedBrake): BrakeDocument {
  const { limits, kind, count, limit, atStake, setting, flag, key, changes } = brake;
  return {
    limits,
    kind,
    count,
    limit,
    at_stake: atStake,
    setting,
    allow: { flag: BRAKE_FLAG[limits], value: flag, key },
    changes: changes.map((change) => change.key),
  };
}

/** An orphan, and what to paste: for its successor's block, or as a tombstone. */
export function orphanDocument(orphan: Orphan, { references }: Pick<Plan, "references">): OrphanDocument {
  const { live, place, successor } = orphan;
  return {
    kind: live.kind,
    key: live.key,
    id: live.id,
    clicks: live.clicks,
    source: { file: place.file, line: place.line, column: place.column },
    paste: orphanLines(orphan, references),
    renamed_from_for: successor?.key ?? null,
  };
}

/** What is left out, and why. */
export function withheldDocument(withheld: Withheld): WithheldDocument {
  const { change, because } = withheld;
  return {
    action: change.action,
    kind: change.kind,
    key: change.key,
    id: rowIdOf(change),
    because: whyWithheld(withheld),
    waits_for: typeof because === "string" ? null : { kind: because.kind, key: because.key },
  };
}
