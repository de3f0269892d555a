// Converts local time in the account's zone to instants, and formats instants as the service does.
import type { Row } from "./state.ts";

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/**
 * The instant (ISO, UTC) of a wall time, as PHP finds it: it reads the time as UTC, takes the zone's offset then, and corrects it once.
 * A time that occurs twice is so the second east of Greenwich and the first west of it, as measured in Berlin, London, Athens, Sydney
 * and New York. A time that the clocks skip moves forward.
 * @param date YYYY-MM-DD, a real date
 * @param time HH:MM
 */
export function wallToInstant(date: string, time: string, zone: string): string {
  const wall = Date.parse(`${date}T${time}:00Z`);
  const first = offset(wall, zone);
  const corrected = offset(wall - first, zone);
  const isSkipped = offset(wall - corrected, zone) !== corrected;
  return new Date(wall - (isSkipped ? Math.min(first, corrected) : corrected)).toISOString();
}

/** How many ms the zone's local time is ahead of UTC at an instant. */
function offset(instant: number, zone: string): number {
  const shown = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).format(instant);
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(shown) ?? [];
  return (sign === "-" ? -1000 : 1000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** `2026-11-20T23:13:39.000000Z`: dates on the top level of a row (docs/service.md, "Responses"). */
export const isoTime = (instant: string): string => `${instant.slice(0, 19)}.000000Z`;

/** `2026-11-20 23:13:39`: dates in nested objects of 4.1, in UTC. */
export const sqlTime = (instant: string): string => instant.slice(0, 19).replace("T", " ");

/** The dates of a row. */
export function datesOf(row: Row, format: (instant: string) => string = isoTime): object {
  return { created_at: format(row.created_at), updated_at: format(row.updated_at) };
}
