// What the changes of a long plan belong to: a family, a campaign, a space or a file, whichever divides them best.

import { groupBy } from "../domain/collections.ts";
import type { ChangeView } from "./change.ts";

/** What a change belongs to; null if it has none. */
export interface Belonging {
  /** The family that declares the link. */
  readonly family: string | null;
  /** The `utm_campaign` of the destination. */
  readonly campaign: string | null;
  readonly space: string | null;
  readonly file: string | null;
}

/** How changes are divided. */
export interface Division {
  readonly by: keyof Belonging;
  readonly labelOf: (change: ChangeView) => string | null;
}

/** Changes with the same label; null for those without one. */
export interface ChangeGroup {
  readonly label: string | null;
  readonly changes: readonly ChangeView[];
}

/** In the order that decides between divisions with the same number of groups. */
const DIVISIONS = ["family", "campaign", "space", "file"] as const;

/** Fewer changes need no groups. */
const FEWEST = 8;

/** More groups are no overview. */
const MAX_GROUPS = 12;

/** The division with the most groups of at least two changes; null if none has two such groups, or there are few changes. */
export function divide(changes: readonly ChangeView[]): Division | null {
  if (changes.length < FEWEST) return null;
  const candidates = DIVISIONS.flatMap((by) => {
    const division: Division = { by, labelOf: ({ belongs }) => belongs[by] };
    const groups = groupsOf(changes, division).filter(({ label }) => label !== null);
    const count = groups.filter((group) => group.changes.length > 1).length;
    return count < 2 || groups.length > MAX_GROUPS ? [] : [{ division, count }];
  });
  // `toSorted` is stable.
  return candidates.toSorted((a, b) => b.count - a.count)[0]?.division ?? null;
}

/** The groups in the order of their first changes; those without a label are last. */
export function groupsOf(changes: readonly ChangeView[], { labelOf }: Division): ChangeGroup[] {
  const groups = [...groupBy(changes, labelOf)].map(([label, members]) => ({ label, changes: members }));
  return groups.toSorted((a, b) => Number(a.label === null) - Number(b.label === null));
}

const CAMPAIGN = /[?&]utm_campaign=([^&#]+)/i;

/** The campaign of a destination. */
export function campaignOf(destination: unknown): string | null {
  const written = typeof destination === "string" ? (CAMPAIGN.exec(destination)?.[1] ?? null) : null;
  if (written === null) return null;
  try {
    return decodeURIComponent(written.replaceAll("+", " "));
  } catch {
    return written;
  }
}
