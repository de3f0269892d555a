// The status of a link: active, expired or disabled, by its flags, dates and clicks.

import { isDisabling, type FieldChange } from "./change.ts";
import type { FieldSpec } from "./field.ts";
import type { LiveRecord } from "./live.ts";
import { ENDING_FLAGS, FIELDS } from "./table.ts";

/** The states that lists can be filtered by (docs/service.md, "Search and filters"). */
export type Status = "active" | "expired" | "disabled";

const EXPIRING = FIELDS.link.filter(({ opens }) => opens?.when === "expired");

type LinkState = Pick<LiveRecord, "clicks"> & { readonly values: { get(path: string): unknown } };

/** Whether a link has expired at an instant (canonical form), by its dates or clicks. A click limit with unknown clicks is unknown. */
export function expiryOf({ values, clicks }: LinkState, now: string): "expired" | "unknown" | "not expired" {
  const reached = EXPIRING.map((field) => hasExpiredBy(field, values.get(field.path), clicks, now));
  if (reached.includes(true)) return "expired";
  return reached.includes(null) ? "unknown" : "not expired";
}

/** Whether a link has expired by this field: its end or limit is reached, or its start is not. Null if that is unknown. */
function hasExpiredBy(field: FieldSpec, value: unknown, clicks: number | null, now: string): boolean | null {
  if (field.kind === "instant") {
    if (typeof value !== "string") return false;
    return field.works === "before" ? value <= now : now < value;
  }
  if (field.kind !== "count" || typeof value !== "number") return false;
  return clicks === null ? null : clicks >= value;
}

/**
 * Whether these changed fields break a short URL that works until now: they disable the link, or let it expire. If the clicks are
 * unknown, so does a new or lower click limit.
 */
export function isEndedBy(live: LinkState, fields: readonly FieldChange[], now: string): boolean {
  const isClosed = isDisabled(live) || expiryOf(live, now) === "expired";
  return (!isClosed || isDisabling(fields)) && keepsClosed(live, fields, now);
}

/** Whether these changed fields close a link, even one that is closed already, because somebody may open it before they are sent. */
export function keepsClosed(live: LinkState, fields: readonly FieldChange[], now: string): boolean {
  if (isDisabling(fields)) return true;
  return EXPIRING.some((spec) => {
    const field = fields.find(({ path }) => path === spec.path);
    if (field === undefined) return false;
    const reached = hasExpiredBy(spec, field.after, live.clicks, now);
    const isRaised = typeof field.before === "number" && typeof field.after === "number" && field.after >= field.before;
    return reached === true || (reached === null && !isRaised);
  });
}

/**
 * The statuses of a link: active, or expired, disabled, or both. Visitors of 4.1 see the first one (docs/service.md, "Order of the
 * checks").
 */
export function statusesOf(link: LinkState, now: string): readonly Status[] {
  const isExpired = expiryOf(link, now) === "expired";
  if (isDisabled(link)) return isExpired ? ["expired", "disabled"] : ["disabled"];
  return isExpired ? ["expired"] : ["active"];
}

function isDisabled({ values }: LinkState): boolean {
  return ENDING_FLAGS.some((path) => values.get(path) === true);
}
