// Which live records a filter or a search of the lists selects (docs/service.md, "Search and filters"), decided from the record itself.

import type { LiveRecord, Named } from "./live.ts";
import { statusesOf, type Status } from "./status.ts";
import { DESTINATION_FIELD, KEY_FIELD, REFERENCE_FIELD, TYPE_FIELD } from "./table.ts";
import { fold, foldName, longestOf } from "./fold.ts";

/** A domain, space or pixel: by its id if that is known, else by its name. */
export type ReferenceFilter = { readonly id: number } | { readonly name: string };

/** Null matches any record. */
export interface Filter {
  readonly search: { readonly text: string; readonly in: string } | null;
  readonly status: Status | null;
  readonly domain: ReferenceFilter | null;
  readonly space: ReferenceFilter | "none" | null;
  readonly pixel: ReferenceFilter | null;
  readonly type: string | null;
}

export const NO_FILTER: Filter = { search: null, status: null, domain: null, space: null, pixel: null, type: null };

export type Passes = (record: LiveRecord) => boolean;

/** A test for each filter that is set. `now` is the instant (canonical form) for expiration. */
export function filterTests({ search, status, domain, space, pixel, type }: Filter, now: string): Passes[] {
  const wanted = fold(search?.text ?? "");
  const tests: readonly (Passes | null)[] = [
    search && ((record) => fold(searchedText(record, search.in)).includes(wanted)),
    status && ((record) => statusesOf(record, now).includes(status)),
    refersTo(REFERENCE_FIELD.domain, domain),
    refersTo(REFERENCE_FIELD.space, space),
    refersTo(REFERENCE_FIELD.pixel, pixel),
    type === null ? null : ({ values }) => values.get(TYPE_FIELD) === type,
  ];
  return tests.filter((test) => test !== null);
}

function refersTo(path: string, wanting: ReferenceFilter | "none" | null): Passes | null {
  if (wanting === null) return null;
  if (wanting === "none") return ({ references }) => references.get(path)?.length === 0;
  const isMeant = (one: Named): boolean => ("id" in wanting ? one.id === wanting.id : sameName(one.name, wanting.name));
  return ({ references }) => references.get(path)?.some(isMeant) === true;
}

/** Whether two names of domains or spaces are the same. */
export function sameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

/** The orders of the lists (docs/service.md, "Lists"): by id, or by clicks. */
export type Sort = "desc" | "asc" | "max" | "min";

/** Equal clicks are ordered by id; records with unknown clicks come last. */
export function sortRecords(records: readonly LiveRecord[], sort: Sort): LiveRecord[] {
  if (sort === "asc") return records.toSorted((a, b) => a.id - b.id);
  if (sort === "desc") return records.toSorted((a, b) => b.id - a.id);
  const rank = ({ clicks }: LiveRecord): number => (clicks === null ? Infinity : sort === "max" ? -clicks : clicks);
  return records.toSorted((a, b) => (rank(a) === rank(b) ? a.id - b.id : rank(a) - rank(b)));
}

/** The title of the destination can be searched, although it is not a field. */
const TITLE = "title";

/** Where a link can be searched (docs/service.md, "Search and filters"), the default first. */
export const SEARCHED_FIELDS: readonly string[] = [TITLE, KEY_FIELD.link, DESTINATION_FIELD];

/** Empty for none or unknown. */
function searchedText(record: LiveRecord, field: string): string {
  const value = record.kind === "link" && field === TITLE ? record.title : record.values.get(field);
  return typeof value === "string" ? value : "";
}

/**
 * A search text that finds all records with this text. Wildcards find more, but a backslash escapes the next character, so texts are cut
 * there. Null if nothing is left.
 */
export function searchable(wanted: string): string | null {
  return longestOf(wanted.split("\\").map((part) => part.trim()));
}
