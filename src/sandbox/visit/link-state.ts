// What follows from a link's row: whether it is expired, and which of its groups decides where visitors go.
import type { GroupName } from "../targets.ts";
import type { Entry, Group, Link } from "../state.ts";

/** By date or by clicks, disabled or not (observed.md, "Lists"). @param now ISO, UTC */
export function isExpired(link: Link, now: string): boolean {
  const limit = link.expiration_clicks ?? 0;
  return (link.ends_at !== null && link.ends_at <= now) || (limit > 0 && link.clicks >= limit);
}

/** The numbers of `target_type`; 3 is undocumented (interface.md 2.1; observed.md, "Writing"). */
const ACTIVE_GROUP: Readonly<Record<number, GroupName>> = { 1: "country", 2: "platform", 3: "language", 4: "rotation" };

/** The one group that is asked; null: none, whatever is stored. */
export const activeGroup = (link: Link): GroupName | null => ACTIVE_GROUP[link.target_type ?? 0] ?? null;

/** A group's entries in their order, however it is stored. */
export const entriesOf = (group: Group): readonly Entry[] => Object.values(group ?? []);

/** An empty entry leaves a hole, and makes an object of the list. */
export const hasHole = (group: Group): boolean => group !== null && !Array.isArray(group);

/** The secret `0` is stored, but reads as none everywhere (corners f). */
export const isSet = (secret: string | null): secret is string => secret !== null && secret !== "0";
