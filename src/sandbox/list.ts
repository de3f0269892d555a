// Lists: search, order, pages, and the `links` and `meta` around a page (docs/service.md, "Lists").
import { DIALECTS } from "./dialect.ts";
import { percent, textAt } from "./forms.ts";
import { json, type Reply } from "./reply.ts";
import { containing } from "./fold.ts";
import type { ApiRequest, Software } from "./service.ts";

export interface Listing<Row> {
  readonly rows: readonly Row[];
  /** A row as the list returns it. */
  readonly view: (row: Row) => object;
  /** The fields that can be searched. The first one is the default. */
  readonly searchable: Readonly<Record<string, (row: Row) => string | null>>;
  /** Filters that the links to other pages repeat. */
  readonly kept?: readonly string[];
}

/** The page that the query requests. One after the last is empty. */
export function list<T extends { readonly id: number }>(request: ApiRequest, listing: Listing<T>): Reply {
  const { query, service } = request;
  const { software } = service;
  const isOld = software === "4.1";
  const search = textAt(query, "search");
  const asked = textAt(query, DIALECTS[software].searchBy);
  const fields = Object.entries(listing.searchable);
  const named = fields.find(([name]) => name === asked);
  const [searchBy, searched] = named ?? fields[0] ?? ["id", (): null => null];
  // By id only: in any other order, paging repeats and loses rows (docs/service.md, "Lists").
  const direction = textAt(query, "sort") === "asc" ? "asc" : "desc";
  const size = pageSize(textAt(query, "per_page"), software);
  const number = Number(/^[1-9]\d{0,8}$/.exec(textAt(query, "page") ?? "")?.[0] ?? 1);

  const matches = search === null ? null : containing(search);
  const rows = listing.rows
    .filter((row) => {
      const value = searched(row);
      return matches === null || (value !== null && matches(value));
    })
    .toSorted((a, b) => (direction === "asc" ? a.id - b.id : b.id - a.id));
  const shown = rows.slice((number - 1) * size, number * size);

  // 4.1 only repeats a search field that the query names.
  const parameters: readonly Parameter[] = [
    ["search", search],
    isOld ? ["by", named === undefined ? null : searchBy] : ["search_by", searchBy],
    ...(listing.kept ?? []).map((name): Parameter => [name, textAt(query, name)]),
    ["sort_by", isOld ? null : "id"],
    ["sort", direction],
    ["per_page", String(size)],
  ];
  const frame = pageFrame(`${request.origin}${request.path}`, parameters, number, size, rows.length, software);
  return json(200, { data: shown.map(listing.view), ...frame, status: 200 });
}

/** An invalid number silently becomes the default of 10. */
function pageSize(asked: string | null, software: Software): number {
  const size = /^\d{1,3}$/.test(asked ?? "") ? Number(asked) : 10;
  const fits = software === "4.1" ? size >= 10 && size <= 100 : [10, 25, 50, 100].includes(size);
  return fits ? size : 10;
}

/** A parameter that the links repeat; none for null. */
type Parameter = readonly [name: string, value: string | null];

/**
 * The addresses of other pages, and counts (transcripts, "links: …"). 4.1 has `per_page` as text, later versions as a number.
 * @param path the list's address without a query
 */
function pageFrame(
  path: string,
  parameters: readonly Parameter[],
  number: number,
  size: number,
  total: number,
  software: Software,
): { links: object; meta: object } {
  const last = Math.max(1, Math.ceil(total / size));
  const fixed = parameters.flatMap(([name, value]) => (value === null ? [] : [`${name}=${rawUrlEncode(value)}`]));
  const url = (to: number): string => `${path}?${[...fixed, `page=${to}`].join("&")}`;
  const previous = number > 1 ? url(number - 1) : null;
  const next = number < last ? url(number + 1) : null;
  const first = (number - 1) * size + 1;
  const isEmpty = first > total;
  return {
    links: { first: url(1), last: url(last), prev: previous, next },
    meta: {
      current_page: number,
      from: isEmpty ? null : first,
      last_page: last,
      ...(software !== "4.1" && { links: buttons(number, last, url, previous, next) }),
      path,
      per_page: software === "4.1" ? String(size) : size,
      to: isEmpty ? null : Math.min(first + size - 1, total),
      total,
    },
  };
}

/** The page buttons of `meta.links`, which 4.1 lacks. The service skips the middle of a long list; here, a long list ends early. */
function buttons(
  current: number,
  last: number,
  url: (to: number) => string,
  previous: string | null,
  next: string | null,
): object[] {
  return [
    { url: previous, label: "&laquo; Previous", active: false },
    ...Array.from({ length: Math.min(last, 13) }, (_, at) => {
      return { url: url(at + 1), label: String(at + 1), active: at + 1 === current };
    }),
    { url: next, label: "Next &raquo;", active: false },
  ];
}

const rawUrlEncode = (value: string): string => encodeURIComponent(value).replace(/[!'()*]/g, percent);
