// Lists: search, order, pages, and the `links` and `meta` around a page (docs/service.md, "Lists").
import { percent, textAt } from "./forms.ts";
import { json, type Reply } from "./reply.ts";
import { containing } from "./fold.ts";
import type { ApiRequest, Software } from "./service.ts";

type Searchable = "name" | "title" | "alias" | "url";

interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly view: (row: Row) => object;
  /** The fields that can be searched, by default the name. The first one is searched if the query names none. */
  readonly searchable?: readonly [Searchable, ...Searchable[]];
  /** Filters that the links to other pages repeat. */
  readonly kept?: readonly string[];
}

/**
 * The page that the query requests, with the addresses of other pages and counts (transcripts, "links: …"). One after the last is
 * empty. 4.1 has `per_page` as text, and no buttons for the pages.
 */
export function list<T extends { readonly id: number } & { readonly [Field in Searchable]?: string | null }>(
  request: ApiRequest,
  { rows: all, view, searchable = ["name"], kept = [] }: Listing<T>,
): Reply {
  const { query, service } = request;
  const { software } = service;
  const isOld = software === "4.1";
  const search = textAt(query, "search");
  const asked = textAt(query, service.dialect.searchBy);
  const named = searchable.find((name) => name === asked);
  const searchBy = named ?? searchable[0];
  // By id only: in any other order, paging repeats and loses rows (docs/service.md, "Lists").
  const direction = textAt(query, "sort") === "asc" ? "asc" : "desc";
  const size = pageSize(textAt(query, "per_page"), software);
  const number = Number(/^[1-9]\d{0,8}$/.exec(textAt(query, "page") ?? "")?.[0] ?? 1);

  const matches = search === null ? null : containing(search);
  const rows = all
    .filter(({ [searchBy]: value }) => matches === null || (typeof value === "string" && matches(value)))
    .toSorted((a, b) => (direction === "asc" ? a.id - b.id : b.id - a.id));
  const total = rows.length;
  const last = Math.max(1, Math.ceil(total / size));
  const start = (number - 1) * size;
  const shown = rows.slice(start, start + size);

  // 4.1 only repeats a search field that the query names.
  const repeated: readonly (readonly [name: string, value: string | null])[] = [
    ["search", search],
    isOld ? ["by", named ?? null] : ["search_by", searchBy],
    ...kept.map((name) => [name, textAt(query, name)] as const),
    ["sort_by", isOld ? null : "id"],
    ["sort", direction],
    ["per_page", String(size)],
  ];
  const fixed = repeated.map(([name, value]) => (value === null ? "" : `${name}=${rawUrlEncode(value)}&`)).join("");
  const path = `${request.origin}${request.path}`;
  const url = (to: number): string => `${path}?${fixed}page=${to}`;
  const [prev, next] = [number > 1 ? url(number - 1) : null, number < last ? url(number + 1) : null];
  // The service skips the middle of a long list; here, a long list ends early.
  const buttons = Array.from({ length: Math.min(last, 13) }, (_, at) => {
    return { url: url(at + 1), label: String(at + 1), active: at + 1 === number };
  });
  const previousButton = { url: prev, label: "&laquo; Previous", active: false };
  const nextButton = { url: next, label: "Next &raquo;", active: false };
  const meta = {
    current_page: number,
    from: shown.length === 0 ? null : start + 1,
    last_page: last,
    ...(!isOld && { links: [previousButton, ...buttons, nextButton] }),
    path,
    per_page: isOld ? String(size) : size,
    to: shown.length === 0 ? null : start + shown.length,
    total,
  };
  const links = { first: url(1), last: url(last), prev, next };
  return json(200, { data: shown.map(view), links, meta, status: 200 });
}

/** An invalid number silently becomes the default of 10. */
function pageSize(asked: string | null, software: Software): number {
  const size = /^\d{1,3}$/.test(asked ?? "") ? Number(asked) : 10;
  const fits = software === "4.1" ? size >= 10 && size <= 100 : [10, 25, 50, 100].includes(size);
  return fits ? size : 10;
}

const rawUrlEncode = (value: string): string => encodeURIComponent(value).replace(/[!'()*]/g, percent);
