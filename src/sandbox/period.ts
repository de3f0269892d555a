// The active period of a link: which version 49 has instead of an expiration date (docs/service.md, "Dates and time zones").
import { type Form, text } from "./forms.ts";
import { serverError } from "./reply.ts";
import { type Check, isDay, type Rule } from "./rules.ts";
import type { Link } from "./state.ts";
import { wallToInstant } from "./zone.ts";

/**
 * The instant (ISO, UTC) that a text means: a date, with or without a time, in the zone unless it has an offset of its own.
 * Null: it is no date.
 */
function parseInstant(value: string, zone: string): string | null {
  const found =
    /^(\d{4}-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d))?(?:\.\d+)?\s?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
      value,
    );
  const [, date = "", time = "00:00", seconds = "00", offset] = found ?? [];
  if (!isDay(date)) return null;
  if (offset === undefined) {
    return new Date(Date.parse(wallToInstant(date, time, zone)) + Number(seconds) * 1000).toISOString();
  }
  const instant = new Date(`${date}T${time}:${seconds}${offset.replace(/^(...)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

/**
 * Both are needed for a store, and a start always needs its end in the same request; an end alone is stored by an update.
 * @param link the link to be updated; undefined for a store
 */
export function periodRules(form: Form, link: Link | undefined, zone: string): Rule[] {
  const start = text(form, "starts_at");
  const end = text(form, "ends_at");
  const isDate: Check = (value) => (parseInstant(value, zone) === null ? { phrase: "date" } : undefined);
  const beforeEnd: Check = (value) => {
    const [starts, ends] = [parseInstant(value, zone), end === null ? null : parseInstant(end, zone)];
    return starts !== null && ends !== null && starts < ends
      ? undefined
      : { phrase: "before", limit: "active period end at" };
  };
  return [
    {
      field: "starts_at",
      feature: "expiration",
      requiredWith: link === undefined && start === null && end !== null ? "ends_at" : undefined,
      checks: [isDate, beforeEnd],
    },
    { field: "ends_at", feature: "expiration", checks: [isDate] },
  ];
}

/** The link with the instants that were sent; an empty one is cleared. @throws FrameworkError 500 before 1970 and from 2038 on */
export function assignPeriod(link: Link, form: Form, zone: string): Link {
  const { starts_at: before, ...rest } = link;
  const start = form.has("starts_at") ? storable(form, "starts_at", zone) : before;
  return {
    ...rest,
    ...(start != null && { starts_at: start }),
    ends_at: form.has("ends_at") ? storable(form, "ends_at", zone) : link.ends_at,
  };
}

function storable(form: Form, field: string, zone: string): string | null {
  const sent = text(form, field);
  const instant = sent === null ? null : parseInstant(sent, zone);
  if (sent === null || instant === null) return null;
  const isOut = [sent, instant].some((moment) => moment < "1970-01-01" || moment >= "2038-01-01");
  if (isOut) throw serverError();
  return instant;
}
