// Reading the rows that are wanted: the service narrows the list where it is seen to understand, and each row is judged on our side.

import {
  contains,
  filterTests,
  searchable,
  SEARCHED_FIELDS,
  searchedText,
  type Filter,
  type Passes,
  type ReferenceFilter,
} from "../domain/filter.ts";
import type { LiveRecord } from "../domain/live.ts";
import { statusesOf } from "../domain/status.ts";
import { KEY_FIELD, REFERENCE_FIELD, TYPE_FIELD, type ResourceKind } from "../domain/table.ts";
import { plural, showCount } from "../view/counts.ts";
import type { Manner, Reader, ListFilter } from "../service/service.ts";
import type { Detail } from "../session/read-links.ts";

/** What is read, and how. */
export interface Request {
  readonly kind: ResourceKind;
  readonly filter: Filter;
  /** The instant (canonical form) at which expiry is judged. */
  readonly now: string;
  readonly order: NonNullable<Manner["order"]>;
  readonly perPage: number;
  /** So many rows are enough, the first ones in the order; null: all. */
  readonly enough: number | null;
  /** Filters that were seen to work, by their names: what is found out is kept here, where many lists are read alike. */
  readonly proven?: Set<string>;
}

export interface ListResult {
  /** All that are wanted, or in the order at least as many as are enough. */
  readonly rows: readonly LiveRecord[];
  /** There are no others. */
  readonly isAll: boolean;
  /** How many are wanted, whether read or not; null where that is not known. */
  readonly total: number | null;
  /** How many the service counts, which is as many where it does not ignore a filter; null where it does not say. */
  readonly counted: number | null;
}

/**
 * Reads what is wanted. A filter that a version ignores gives too much, which is left out here. One that it takes for something
 * else may leave out what is wanted, so an answer is believed only
 *
 *     if there are rows, all are wanted, and of a search one shows that the right field was searched;
 *     else if it has every wanted row of the first page of all, and a row of that page is found when it is
 *     looked up in just the same way, by what it has itself.
 *
 * Where that is not so, all rows are read.
 */
export async function readWanted(reader: Reader, request: Request, detail: Detail): Promise<ListResult> {
  const { kind, filter, now } = request;
  const tests = filterTests(filter, now);
  const isWanted: Passes = (row) => [...tests.values()].every((passes) => passes(row));
  const asked = wantedOf(kind, filter);
  const isNarrowed = Object.keys(asked).length > 0;
  const answer = await readList(reader, asked, request, isWanted, detail);
  const all: ListResult = { ...answer, rows: answer.rows.filter(isWanted), total: totalOf(answer, tests) };
  detail(`Read ${plural(answer.rows.length, kind)}, of which ${showCount(all.rows.length)} are wanted.`);
  const names = `${Object.keys(asked).join()} ${filter.search?.in ?? ""}`;
  if (!isNarrowed || shows(answer.rows, tests, filter) || request.proven?.has(names) === true) return all;
  detail("That does not show that the service filters as it should: looking at the first page without a filter.");
  const first = await reader.open(kind, {}, { perPage: request.perPage });
  const missed = first.rows.some((row) => isWanted(row) && !isInside(row, answer, request));
  if (first.pages !== 1 && !missed && (await understands(reader, request, first.rows, detail))) {
    request.proven?.add(names);
    return all;
  }
  if (first.pages !== 1) detail("It does not filter as it should: reading all, and filtering here.");
  const { rows } = await first.whole();
  const wanted = rows.filter(isWanted);
  return { rows: wanted, isAll: true, total: wanted.length, counted: null };
}

/** An answer, in the order that was asked for. */
type FilteredList = Omit<ListResult, "total">;

async function readList(
  reader: Reader,
  asked: ListFilter,
  { kind, order, perPage, enough }: Request,
  isWanted: Passes,
  detail: Detail,
): Promise<FilteredList> {
  const opened = await reader.open(kind, asked, { perPage, ...(enough !== null && { order }) });
  const given = opened.rows.length;
  if ((opened.pages ?? 1) > 1 && given < perPage)
    detail(`The service gives ${plural(given, "row")} in a request where ${showCount(perPage)} were asked for.`);
  const beginning = enough === null ? null : await opened.begin((rows) => rows.filter(isWanted).length >= enough);
  if (beginning !== null) return { ...beginning, counted: beginning.total };
  const { rows } = await opened.whole();
  return { rows, isAll: true, counted: rows.length };
}

/**
 * How many are wanted, where all were read or no filter is asked for. Of an answer that goes on nobody knows what the service counts:
 * it may ignore a filter, and the rows that were read be wanted by chance.
 */
function totalOf({ rows, isAll, counted }: FilteredList, tests: ReadonlyMap<keyof Filter, Passes>): number | null {
  if (isAll) return rows.filter((row) => [...tests.values()].every((passes) => passes(row))).length;
  return tests.size === 0 ? counted : null;
}

/** What the service can be asked for: an id, and texts without what means something to its search. */
function wantedOf(kind: ResourceKind, { search, status, domain, space, pixel, type }: Filter): ListFilter {
  const id = (wanting: ReferenceFilter | null): number | null =>
    wanting !== null && "id" in wanting ? wanting.id : null;
  const [domainId, pixelId] = [id(domain), id(pixel)];
  const spaceId = space === "none" ? 0 : id(space);
  const containing = search === null ? null : searchable(search.text);
  return {
    ...(domainId !== null && { domain: domainId }),
    ...(spaceId !== null && { space: spaceId }),
    ...(pixelId !== null && { pixel: pixelId }),
    ...(status !== null && { status }),
    ...(type !== null && { type }),
    ...(search !== null && containing !== null && { containing, ...(kind === "link" && { searched: search.in }) }),
  };
}

/**
 * Whether an answer shows by itself that every filter was understood. That the type of pixels is ignored is known of one version
 * (docs/service.md, "Search and filters"): then all are there.
 */
function shows(rows: readonly LiveRecord[], tests: ReadonlyMap<keyof Filter, Passes>, { search }: Filter): boolean {
  const others = [...tests].filter(([name]) => name !== "type" && name !== "search").map(([, passes]) => passes);
  const isFiltered = rows.length > 0 && rows.every((row) => others.every((passes) => passes(row)));
  return isFiltered && (search === null || rows.some((row) => isOnlyIn(row, search)));
}

/**
 * Whether a row has a text where it is searched, and nowhere else that could have been searched instead. Nothing tells of a
 * text with signs that stand for others: the service may have found it anywhere.
 */
function isOnlyIn(row: LiveRecord, { text, in: field }: NonNullable<Filter["search"]>): boolean {
  if (/[%_]/.test(text)) return false;
  const holds = contains(text);
  const fields = row.kind === "link" ? SEARCHED_FIELDS : [KEY_FIELD.pixel];
  const found = fields.filter((one) => holds(searchedText(row, one) ?? ""));
  return found.length === 1 && found[0] === field;
}

/** Whether an answer has a row, or ended before it. */
function isInside(row: LiveRecord, { rows, isAll }: FilteredList, { order }: Request): boolean {
  if (rows.some(({ id }) => id === row.id)) return true;
  const last = rows.at(-1);
  return !isAll && last !== undefined && (order === "asc" ? row.id > last.id : row.id < last.id);
}

/**
 * Whether the service finds one of these rows, the first of all by id, by the same filters with what the row has itself. Its
 * first page is enough: by id, no row comes later here than among all.
 */
async function understands(
  reader: Reader,
  { kind, filter, now, perPage }: Request,
  rows: readonly LiveRecord[],
  detail: Detail,
): Promise<boolean> {
  for (const row of rows) {
    const own = ownFilter(row, filter, now);
    if (own === null) continue;
    const probe = await reader.open(kind, wantedOf(kind, own), { perPage });
    const isFound = probe.rows.some(({ id }) => id === row.id);
    if (isFound) detail(`Its filters work: ${kind} ${row.id} is found by them.`);
    return isFound;
  }
  return false;
}

/** The filters with what a row has itself; null where it has nothing that would tell. */
function ownFilter(row: LiveRecord, filter: Filter, now: string): Filter | null {
  const { domain, space, pixel } = REFERENCE_FIELD;
  const own = (path: string): ReferenceFilter | null => {
    const id = row.references.get(path)?.[0]?.id;
    return id === undefined ? null : { id };
  };
  const search = filter.search === null ? null : ownSearch(row, filter.search.in);
  const statuses = statusesOf(row, now);
  const type = row.values.get(TYPE_FIELD);
  const filled: Filter = {
    search,
    status: filter.status === null ? null : (statuses.find((one) => one === filter.status) ?? statuses[0] ?? null),
    domain: filter.domain === null ? null : own(domain),
    space: filter.space === null ? null : filter.space === "none" && own(space) === null ? "none" : own(space),
    pixel: filter.pixel === null ? null : own(pixel),
    type: filter.type === null || typeof type !== "string" ? null : type,
  };
  const isLike =
    (filter.space === "none") === (filled.space === "none") &&
    Object.entries(filter).every(([name, value]) => {
      const mine = Object.entries(filled).find(([other]) => other === name)?.[1] ?? null;
      return (value === null) === (mine === null);
    });
  return isLike ? filled : null;
}

/** A text that a row has in one field and in none of the others; null where there is none. */
function ownSearch(row: LiveRecord, field: string): Filter["search"] {
  const text = searchedText(row, field) ?? "";
  const [longest = ""] = (text.match(/[a-z0-9-]{2,}/gi) ?? []).toSorted((a, b) => b.length - a.length);
  const whole = searchable(text);
  for (const one of [longest, whole])
    if (one !== null && one !== "" && isOnlyIn(row, { text: one, in: field })) return { text: one, in: field };
  return null;
}
