// What follows from a link's row: whether it is expired, and which of its groups decides where visitors go.
import type { GroupName } from "../targets.ts";
import type { Entry, Group, Link } from "../state.ts";

/**
 * By date or by clicks, disabled or not (docs/service.md, "Search and filters").
 * @param now ISO, UTC
 * @param hasPeriod The link works from its start to its end, and only if both are set (docs/service.md, "Dates and time zones")
 */
export function isExpired(link: Link, now: string, hasPeriod: boolean = false): boolean {
  const limit = link.expiration_clicks ?? 0;
  return isOutside(link, now, hasPeriod) || (limit > 0 && link.clicks >= limit);
}

function isOutside({ starts_at: start, ends_at: end }: Link, now: string, hasPeriod: boolean): boolean {
  if (end === null || (hasPeriod && start === undefined)) return false;
  return end <= now || (hasPeriod && start !== undefined && now < start);
}

/** A group that decides where visitors go. */
export type ActiveGroup = GroupName | "continent" | "browser" | "device";

/** The numbers of `target_type`; 3 is undocumented (docs/service.md, "Resources"). From 5 on only in 49. */
const ACTIVE_GROUP: Readonly<Record<number, ActiveGroup>> = {
  1: "country",
  2: "platform",
  3: "language",
  4: "rotation",
  5: "continent",
  6: "browser",
  7: "device",
};

/** The one group that is asked; null: none, whatever is stored. */
export const activeGroup = (link: Link): ActiveGroup | null => ACTIVE_GROUP[link.target_type ?? 0] ?? null;

/** A group's entries in their order, however it is stored. */
export const entriesOf = (group: Group | undefined): readonly Entry[] => Object.values(group ?? []);

/** An empty entry leaves a hole, and makes an object of the list. */
export const hasHole = (group: Group): boolean => group !== null && !Array.isArray(group);

/** The secret `0` is stored, but reads as none everywhere (docs/service.md, "Writing"). */
export const isSet = (secret: string | null): secret is string => secret !== null && secret !== "0";
