// The pages of a list that show the records of several updates, so that one request reads them all again.

import { groupBy } from "../domain/collections.ts";
import type { Change, Update } from "../domain/change.ts";
import type { ListPage, LiveState } from "../domain/live.ts";
import type { ResourceKind } from "../domain/table.ts";
import { domainOf } from "./names.ts";

/** The page of each update whose page has more updates. Records of a list that was not read have no page. */
export function sharedPages(changes: readonly Change[], state: LiveState): ReadonlyMap<Change, ListPage> {
  const shared = new Map<Change, ListPage>();
  for (const kind of ["link", "pixel"] as const) {
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

/** The page of each record, by its position in the list that was read: that of all records, or that of a domain. */
function pagesById(kind: ResourceKind, state: LiveState): Map<number, ListPage> {
  const domain = kind === "pixel" || state.isWhole ? null : state.domain;
  if (kind === "link" && !state.isWhole && domain === null) return new Map();
  const ids = [...state.links, ...state.pixels, ...state.unreadable]
    .filter((record) => record.kind === kind && (domain === null || domainOf(record)?.id === domain))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
  const pages = new Map<number, ListPage>();
  for (let number = 1, at = 0; at < ids.length; number += 1, at += state.sizes[kind].perPage) {
    const page = { number, domain };
    for (const id of ids.slice(at, at + state.sizes[kind].perPage)) pages.set(id, page);
  }
  return pages;
}
