// The requests that a change takes, and the fields of each.

import type { Change, FieldChange, Update, WrittenChange } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import type { ListPage, LiveState } from "../domain/live.ts";
import { fieldAt, KINDS, type ResourceKind } from "../domain/table.ts";
import { domainOf } from "./names.ts";
import { inRunOrder } from "./order.ts";

/** The fields that a change sends: for a replacement, all fields of the new link. */
export function sentFields(change: Change): readonly FieldChange[] {
  return change.action === "replace" ? change.stored : change.fields;
}

/** The fields of each request that writes this change's record. */
export function writesOf(change: WrittenChange): readonly (readonly FieldChange[])[] {
  return change.action === "update" ? splitCalls(change.kind, change.fields) : [sentFields(change)];
}

/**
 * The fields of an update, grouped by request. Most updates take one. A secret that cannot be cleared together with the new
 * value of another field is cleared first, in its own request (`worksWith` in the field table).
 */
export function splitCalls(kind: ResourceKind, fields: readonly FieldChange[]): FieldChange[][] {
  const apart = fields.filter(({ path, after }) => {
    const spec = fieldAt(kind, path);
    if (spec?.kind !== "secret" || spec.worksWith === null || after !== spec.default) return false;
    const { path: other, value } = spec.worksWith;
    return fields.some((field) => field.path === other && field.after === value);
  });
  const together = fields.filter((field) => !apart.includes(field));
  return [...apart.map((field) => [field]), together].filter((group) => group.length > 0);
}

/** The page of each update that shares it with others, so that one request reads their records again. Unread lists have none. */
export function sharedPages(changes: readonly Change[], state: LiveState): ReadonlyMap<Change, ListPage> {
  const shared = new Map<Change, ListPage>();
  for (const kind of KINDS) {
    const updates = changes.filter((change) => change.kind === kind).filter(needsRecentRead);
    const pages = updates.length > 1 ? pagesById(kind, state) : new Map<number, ListPage>();
    for (const [page, members] of groupBy(updates, ({ live }) => pages.get(live.id)))
      if (page !== undefined && members.length > 1) for (const member of members) shared.set(member, page);
  }
  return shared;
}

/** Whether a change needs a recent reading of its record. For all others, the record is read directly before the request. */
export function needsRecentRead(change: Change): change is Update {
  return change.action === "update" && !change.isGuarded;
}

/** The page of each record, by its position in the list of all records or of a domain. */
function pagesById(kind: ResourceKind, state: LiveState): Map<number, ListPage> {
  const domain = kind === "pixel" || state.isWhole ? null : state.domain;
  if (kind === "link" && !state.isWhole && domain === null) return new Map();
  const ids = (kind === "link" ? state.links : state.pixels)
    .filter((record) => domain === null || domainOf(record)?.id === domain)
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
  const pages: ListPage[] = [];
  return new Map(
    ids.map((id, at) => {
      const number = Math.floor(at / state.sizes[kind].perPage) + 1;
      return [id, (pages[number] ??= { number, domain })];
    }),
  );
}

/** The requests a minute that most services accept (docs/service.md, "Rate limit"). */
const PER_MINUTE = 60;

/**
 * The number of requests of these changes. The first delete of a kind tries the documented path first, which all known
 * instances refuse (docs/service.md, "Delete paths").
 *
 * It assumes that the changes begin directly after the account was read, that 60 requests are sent within seconds, and that linkform
 * then waits for the next minute. Each wait makes the readings of records too old, so that their next updates need another one.
 */
export function countCalls(changes: readonly Change[], state: LiveState): number {
  const pages = sharedPages(changes, state);
  const minuteOfRead = new Map<Change | ListPage, number>();
  let calls = 0;
  for (const change of inRunOrder(changes, pages).flat()) {
    const minute = Math.floor((state.requests + calls) / PER_MINUTE);
    const read = pages.get(change) ?? change;
    if (needsRecentRead(change) && minute !== (minuteOfRead.get(read) ?? 0)) {
      minuteOfRead.set(read, minute);
      calls += 1;
    }
    calls += callsOf(change);
  }
  const kindsDeleted = new Set(
    changes.flatMap(({ action, kind }) => (action === "delete" || action === "replace" ? [kind] : [])),
  );
  const firstTries = [...kindsDeleted].reduce((sum, kind) => sum + DELETE_CALLS[kind], 0);
  const writes = changes.flatMap(({ action, kind }) =>
    action === "delete" ? [] : [`${kind} ${action === "update" ? "update" : "store"}`],
  );
  // The first store and the first update of each kind are read back.
  return calls + firstTries + new Set(writes).size;
}

/** A record is read before it is deleted. For a pixel, so are the links that use it. */
const DELETE_CALLS = { link: 2, pixel: 3 };

function callsOf(change: Change): number {
  if (change.action === "delete") return DELETE_CALLS[change.kind];
  const writes = writesOf(change).length;
  if (change.action !== "update") return writes + (change.action === "replace" ? DELETE_CALLS[change.kind] : 0);
  // Before each further request of an update, the record is read again.
  return needsRecentRead(change) ? 2 * writes - 1 : 2 * writes;
}
