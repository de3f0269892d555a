// What keeps a link from leading where it says: by its flags, its date and its clicks.

import type { LiveRow } from "./live.ts";
import { ENDING_FLAGS, FIELDS } from "./table.ts";

/** The states that lists can be filtered by (interface.md 3). */
export type Status = "active" | "expired" | "disabled";

const EXPIRING = FIELDS.link.filter(({ opens }) => opens?.when === "expired");

/** What a link has of which its state follows. */
export type Stateful = Pick<LiveRow, "clicks"> & { readonly values: { get(path: string): unknown } };

/** Whether a link has expired at an instant (canonical form): by its date, or by its clicks where those are known. */
function isExpired({ values, clicks }: Stateful, now: string): boolean {
  return EXPIRING.some(({ kind, path }) => {
    const value = values.get(path);
    if (kind === "instant") return typeof value === "string" && value <= now;
    return kind === "count" && typeof value === "number" && clicks !== null && clicks >= value;
  });
}

/**
 * The states of a link: active, or what keeps it from being so. An expired link may be disabled as well; what visitors meet
 * stands first (observed.md, "What a visitor meets").
 */
export function statusesOf(link: Stateful, now: string): readonly Status[] {
  const expired: readonly Status[] = isExpired(link, now) ? ["expired"] : [];
  const ended: readonly Status[] = ENDING_FLAGS.some((path) => link.values.get(path) === true)
    ? [...expired, "disabled"]
    : expired;
  return ended.length === 0 ? ["active"] : ended;
}
