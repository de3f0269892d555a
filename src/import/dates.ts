// Parses the dates and times of spreadsheets. Ambiguous dates are errors.

import { canonicalInstant, isWallTime, wallTimeOf } from "../domain/zone.ts";
import type { CellProblem } from "./values.ts";

/** The order of day and month in dates like 03/04/2027. */
export type DateOrder = "DMY" | "MDY";

/** As files write it. `time` is null if the cell has none. */
interface DateAndTime {
  readonly date: string;
  readonly time: string | null;
}

const TIME =
  /^(.*?\d)(?:T|,?\s+|\s*@\s*)(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const EITHER = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;

/** The order in a column, if a number above 12 shows it; else null. */
export function orderOf(cells: readonly string[]): DateOrder | null {
  const parts = cells.flatMap((cell) => {
    const [, first, , second] = EITHER.exec(dateOf(cell)) ?? [];
    return first === undefined || second === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  const dayFirst = parts.some(([first]) => first > 12);
  const monthFirst = parts.some(([, second]) => second > 12);
  return dayFirst === monthFirst ? null : dayFirst ? "DMY" : "MDY";
}

/** `zone` is that of the project's dates; null if the project does not state it. */
export function momentOf(
  cell: string,
  order: DateOrder | null,
  zone: string | null,
): { readonly moment: DateAndTime } | { readonly problem: CellProblem } {
  const { time, offset } = timeOf(cell);
  const date = dayOf(dateOf(cell), order);
  if (date === null) return { problem: noDate(cell) };
  const wrong = (reason: string, hint = "Correct it.") => ({ problem: { reason, hint } });
  if (time === "" || !isWallTime(date, time ?? "00:00")) return wrong("is not a date and time that exists");
  if (offset === null || time === null) return { moment: { date, time } };
  if (zone === null)
    return wrong(
      "has a time zone, but the project file does not set one",
      "Set `timezone: UTC` (or your time zone) in the project file, or remove the time zone from the column.",
    );
  const instant = canonicalInstant(`${date}T${time}:00${offset}`);
  if (instant === null) return wrong("has a time zone that does not exist");
  const [day = date, clock = time] = wallTimeOf(instant, zone).split("T");
  return { moment: { date: day, time: clock } };
}

/** A time as HH:MM; null if it is none, or has a time zone, which only a date can have. */
export function clockOf(cell: string): string | null {
  const { time, offset } = timeOf(`1 ${cell}`);
  return time === null || time === "" || offset !== null || !isWallTime("2000-01-01", time) ? null : time;
}

function noDate(cell: string): CellProblem {
  if (EITHER.test(dateOf(cell)))
    return {
      reason: "is ambiguous, and no other cell of the column shows the order of day and month",
      hint: "Pass --date-format DMY for day/month/year, or MDY for month/day/year.",
    };
  return { reason: "is not a date that linkform recognizes", hint: "Write it as YYYY-MM-DD." };
}

function dateOf(cell: string): string {
  return TIME.exec(cell)?.[1] ?? cell;
}

/** The time as HH:MM (null: none, empty: invalid), and its time zone. */
function timeOf(cell: string): { readonly time: string | null; readonly offset: string | null } {
  const [, , hours, minutes, half, zone] = TIME.exec(cell) ?? [];
  if (hours === undefined || minutes === undefined) return { time: null, offset: null };
  const offset = zone === undefined ? null : /^(z|utc)$/i.test(zone) ? "Z" : zone.replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const hour = Number(hours);
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return { time: "", offset };
  const inDay = half === undefined ? hour : (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  return { time: `${String(inDay).padStart(2, "0")}:${minutes}`, offset };
}

/** YYYY-MM-DD; null if the text is no date. */
function dayOf(text: string, order: DateOrder | null): string | null {
  const [, first, , second] = EITHER.exec(text) ?? [];
  const known = order ?? (first === second ? "DMY" : null);
  const forms: (readonly [RegExp, string])[] = [
    [YEAR_FIRST, "$1-$3-$4"],
    [DAY_FIRST, "$3-$2-$1"],
    ...(known === null ? [] : [[EITHER, known === "DMY" ? "$4-$3-$1" : "$4-$1-$3"] as const]),
  ];
  const form = forms.find(([pattern]) => pattern.test(text));
  return form === undefined ? null : text.replace(...form).replaceAll(/\b\d\b/g, "0$&");
}
