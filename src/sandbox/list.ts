// Lists: what is searched, in which order, and how much of it a page holds (observed.md, "Lists").
import { text } from "./forms.ts";
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
  /** What `sort=max` and `sort=min` go by; without it there is no such order. */
  readonly clicks?: (row: Row) => number;
}

/** The page that the query asks for; one past the last is empty. */
export function list<Row extends { readonly id: number }>(request: ApiRequest, listing: Listing<Row>): Reply {
  const { query } = request;
  const { software } = request.service;
  const search = text(query, "search");
  const by = searchedField(text(query, software === "4.1" ? "by" : "search_by"), listing);
  const order = sortOrder(text(query, "sort"), listing);
  const size = pageSize(text(query, "per_page"), software);
  const number = Number(/^[1-9]\d{0,8}$/.exec(text(query, "page") ?? "")?.[0] ?? 1);

  const rows = found(listing.rows, search, by.value).toSorted(comparison(order, number, listing));
  const shown = rows.slice((number - 1) * size, number * size);

  const kept = (listing.kept ?? []).map((name) => [name, text(query, name)] as const);
  const parameters: Page["parameters"] =
    software === "4.1"
      ? [["search", search], ["by", by.asked], ...kept, ["sort", order]]
      : [["search", search], ["search_by", by.name], ...kept, ["sort_by", "id"], ["sort", order]];
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

function sortOrder<Row>(asked: string | null, { clicks }: Listing<Row>): string {
  const orders = clicks === undefined ? ["asc", "desc"] : ["asc", "desc", "max", "min"];
  return orders.find((order) => order === asked) ?? "desc";
}

/** `max` and `min` have no tie-break: here every page scatters ties anew, so that paging repeats and loses rows. */
function comparison<Row extends { readonly id: number }>(
  order: string,
  page: number,
  { clicks = (): number => 0 }: Listing<Row>,
): (a: Row, b: Row) => number {
  if (order === "asc") return (a, b) => a.id - b.id;
  if (order === "desc") return (a, b) => b.id - a.id;
  const sign = order === "min" ? 1 : -1;
  const scatter = (row: Row): number => Math.imul(row.id * page, 0x9e3779b1);
  return (a, b) => sign * (clicks(a) - clicks(b)) || scatter(a) - scatter(b);
}

/** What is out of range silently becomes the default of 10. */
function pageSize(asked: string | null, software: Software): number {
  const size = /^\d{1,3}$/.test(asked ?? "") ? Number(asked) : 10;
  const fits = software === "4.1" ? size >= 10 && size <= 100 : [10, 25, 50, 100].includes(size);
  return fits ? size : 10;
}
