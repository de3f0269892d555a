// Wall time and instants: files use one time zone, the service reads dates in the account's zone and returns UTC.

import { Temporal } from "temporal-polyfill";
import { nearest } from "./nearest.ts";

/** Whether this is the name of a time zone (IANA, as `Europe/Berlin`). */
export function isZone(name: string): boolean {
  // Temporal takes a whole date for a zone as well.
  if (/^\d/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** The zone that is probably meant by `Berlin` or `Europe/Berln`; null for none. */
export function nearestZone(name: string): string | null {
  const zones = Intl.supportedValuesOf("timeZone");
  const place = name.toLowerCase().replaceAll(" ", "_");
  return zones.find((zone) => zone.toLowerCase().endsWith(`/${place}`)) ?? nearest(name, zones);
}

type Conversion = (time: string, zone: string) => string;

/**
 * The instant (UTC, `2027-03-31T21:59:00Z`) of a wall time (`2027-03-31T23:59`) in a zone. A time that the clocks skip
 * moves forward (docs/service.md, "Dates and time zones"), and one that they show twice means the first.
 */
export const instantOf = converter("compatible");

/** The same, but a time that the clocks show twice means the second. */
export const laterInstantOf = converter("later");

function converter(disambiguation: "compatible" | "later"): Conversion {
  return remembered((wall, zone) =>
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation }).toInstant().toString(),
  );
}

/** Whether clocks in a zone show the wall time of this instant twice. */
export function isRepeated(instant: string, zone: string): boolean {
  const wall = wallTimeOf(instant, zone);
  return instantOf(wall, zone) !== laterInstantOf(wall, zone);
}

/** The wall time (`2027-03-31T23:59`, seconds only where there are any) that clocks in a zone show at an instant. */
export const wallTimeOf = remembered((instant, zone) => {
  const wall = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime();
  return wall.toString({ smallestUnit: wall.second === 0 ? "minute" : "second" });
});

const MOST_REMEMBERED = 1000;

/** The same conversion, done once for each time: the links of a campaign share their dates, and Temporal is slow. */
function remembered(convert: Conversion): Conversion {
  const known = new Map<string, string>();
  return (time, zone) => {
    const id = `${time} ${zone}`;
    const found = known.get(id);
    if (found !== undefined) return found;
    const result = convert(time, zone);
    if (known.size === MOST_REMEMBERED) known.clear();
    known.set(id, result);
    return result;
  };
}

/** Whether two names mean one zone: `Europe/Kiev` and `Europe/Kyiv` do. */
export function isSameZone(one: string, other: string): boolean {
  const instant = Temporal.Instant.fromEpochMilliseconds(0);
  return instant.toZonedDateTimeISO(one).equals(instant.toZonedDateTimeISO(other));
}

/**
 * Whether the service can store an instant that is entered as this wall time. For dates before 1970, it is unknown whether the service
 * checks the entered or the stored day, so both must be in range.
 */
export function isStorable(
  { from, before }: { readonly from: string; readonly before: string },
  instant: string,
  entered: string,
): boolean {
  return instant >= from && instant < before && entered.slice(0, DAY) >= from.slice(0, DAY);
}

const DAY = "2027-03-31".length;

export const OUT_OF_RANGE = {
  message: "The service cannot store this date. It must be from 1970-01-01 to 2038-01-19, 03:14 UTC.",
  hint: "Write a date in that range, or `none`. A date without a time means 23:59.",
};

/** The distance from UTC (`+01:00`) of clocks in a zone at an instant. */
export function offsetAt(instant: string, zone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).offset;
}

/** Whether this day and time of day exist: `2027-02-30` does not. */
export function isWallTime(date: string, time: string): boolean {
  if (isUsualDate(date) && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return true;
  try {
    Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}

/** Whether a date exists, for those that need no Temporal, which takes a hundred times as long. `Date` may move one that does not exist. */
function isUsualDate(date: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(date) && new Date(date).getUTCDate() === Number(date.slice("2027-03-".length));
}

const UTC_SECONDS = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.0{1,9})?Z$/;
const SECONDS = "2027-03-31T23:59:00".length;

/** Converts an ISO instant to the canonical form; null if it is invalid. */
export function canonicalInstant(text: string): string | null {
  // The form of every date in a list, which Temporal takes long to parse.
  if (UTC_SECONDS.test(text) && isUsualDate(text.slice(0, DAY)))
    // A joined text does not keep the parts that it was made of in memory.
    return text.at(SECONDS) === "Z" ? text : [text.slice(0, SECONDS), "Z"].join("");
  try {
    return Temporal.Instant.from(text).toString();
  } catch {
    return null;
  }
}

/** The offsets of the zones in which a day begins first and last. An offset does not need the time zone data, which is slow to load. */
export const FIRST_ZONE = "+14:00";
export const LAST_ZONE = "-12:00";

/** The date (`2027-06-30`) at an instant. In an unknown zone, the date that has begun in every zone. */
export function dateAt(instant: string, zone: string | null): string {
  return wallTimeOf(instant, zone ?? LAST_ZONE).slice(0, DAY);
}
