// Lists: what is searched, in which order, and how much of it a page holds (docs/service.md, "Lists").
import { DIALECTS } from "./dialect.ts";
import { type Form, text } from "./forms.ts";
import { type Page, pageFrame } from "./paging.ts";
import { json, type Reply } from "./reply.ts";
import { containing } from "./search.ts";
import type { ApiRequest, Software } from "./service.ts";

export interface Listing<Row> {
  readonly rows: readonly Row[];
  /** A row as the list shows it. */
  readonly view: (row: Row) => object;
  /** The fields that can be searched; the first one is when the query names none. */
  readonly searchable: Readonly<Record<string, (row: Row) => string | null>>;
  /** Filters that survive in the links to other pages. */
  readonly kept?: readonly string[];
  /** What can be sorted by, beside the id: `sort_by` since 4.9, before only `clicks` as `sort=max` and `min`. */
  readonly sortable?: Readonly<Record<string, (row: Row) => number | string>>;
}

/** The page that the query asks for; one past the last is empty. */
export function list<Row extends { readonly id: number }>(request: ApiRequest, listing: Listing<Row>): Reply {
  const { query } = request;
  const { software } = request.service;
  const search = text(query, "search");
  const by = searchedField(text(query, DIALECTS[software].searchBy), listing);
  const order = sortOrder(query, listing, software);
  const size = pageSize(text(query, "per_page"), software);
  const number = Number(/^[1-9]\d{0,8}$/.exec(text(query, "page") ?? "")?.[0] ?? 1);

  const rows = found(listing.rows, search, by.value).toSorted(comparison(order, number));
  const shown = rows.slice((number - 1) * size, number * size);

  const kept = (listing.kept ?? []).map((name) => [name, text(query, name)] as const);
  const parameters: Page["parameters"] =
    software === "4.1"
      ? [["search", search], ["by", by.asked], ...kept, ["sort", order.name]]
      : [["search", search], ["search_by", by.name], ...kept, ["sort_by", order.by], ["sort", order.name]];
  const path = `${request.origin}${request.path}`;
  const page = { path, parameters, number, size, count: shown.length, total: rows.length };
  return json(200, { data: shown.map(listing.view), ...pageFrame(page, software), status: 200 });
}

/** A copy of the rows, or of those whose field has what is searched; a field that is null has nothing. */
function found<Row>(rows: readonly Row[], search: string | null, field: (row: Row) => string | null): Row[] {
  if (search === null) return [...rows];
  const matches = containing(search);
  return rows.filter((row) => {
    const value = field(row);
    return value !== null && matches(value);
  });
}

interface SearchedField<Row> {
  readonly name: string;
  /** Null when the query does not name it: 4.1 then leaves it out of its links. */
  readonly asked: string | null;
  readonly value: (row: Row) => string | null;
}

function searchedField<Row>(asked: string | null, { searchable }: Listing<Row>): SearchedField<Row> {
  const fields = Object.entries(searchable);
  const named = fields.find(([name]) => name === asked);
  const [name, value] = named ?? fields[0] ?? ["id", (): null => null];
  return { name, asked: named === undefined ? null : name, value };
}

interface Order<Row> {
  /** What is echoed as `sort_by` and `sort`. */
  readonly by: string;
  readonly name: string;
  readonly isAscending: boolean;
  readonly value: (row: Row) => number | string;
}

function sortOrder<Row extends { readonly id: number }>(
  query: Form,
  { sortable = {} }: Listing<Row>,
  software: Software,
): Order<Row> {
  const asked = text(query, "sort");
  const id = (row: Row): number => row.id;
  const { clicks } = sortable;
  if (software === "4.1" && clicks !== undefined && (asked === "max" || asked === "min")) {
    return { by: "clicks", name: asked, isAscending: asked === "min", value: clicks };
  }
  const by = software === "4.1" ? "id" : (text(query, "sort_by") ?? "id");
  const value = Object.entries(sortable).find(([name]) => name === by)?.[1];
  const isAscending = asked === "asc";
  return { by: value === undefined ? "id" : by, name: isAscending ? "asc" : "desc", isAscending, value: value ?? id };
}

/** Only ids have no ties. Others are not broken: here every page scatters them anew, so that paging repeats and loses rows. */
function comparison<Row extends { readonly id: number }>(
  { isAscending, value }: Order<Row>,
  page: number,
): (a: Row, b: Row) => number {
  const scatter = (row: Row): number => Math.imul(row.id * page, 0x9e3779b1);
  return (a, b) => {
    const [first, second] = isAscending ? [value(a), value(b)] : [value(b), value(a)];
    if (first === second) return scatter(a) - scatter(b);
    return first < second ? -1 : 1;
  };
}

/** What is out of range silently becomes the default of 10. */
function pageSize(asked: string | null, software: Software): number {
  const size = /^\d{1,3}$/.test(asked ?? "") ? Number(asked) : 10;
  const fits = software === "4.1" ? size >= 10 && size <= 100 : [10, 25, 50, 100].includes(size);
  return fits ? size : 10;
}
