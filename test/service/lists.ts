// Lists in every form in which services of this kind give them, page by page.

import { linkRow, type Asked, type Reply } from "./server.ts";

/** One page of a list, before it has a form. */
export interface Cut {
  readonly rows: readonly unknown[];
  readonly number: number;
  /** At least 1. */
  readonly last: number;
  readonly total: number;
  /** The address of another page. */
  readonly at: (number: number) => string;
}

export type Form = (cut: Cut) => Reply;

/** How an answer says where the list ends: on every page, on all pages of a list of several, or not at all. */
type End = "said" | "said of several" | "not said";

export interface KnownForm {
  readonly name: string;
  readonly form: Form;
  readonly end: End;
  /** Whether a row that is gone shows in what the pages say. */
  readonly hasTotal: boolean;
}

const nextOf = ({ number, last, at }: Cut): string | null => (number < last ? at(number + 1) : null);
const previousOf = ({ number, at }: Cut): string | null => (number > 1 ? at(number - 1) : null);

/** As recorded (docs/service.md, "Lists"); 4.9 has `per_page` as a number, and buttons. */
export const recorded =
  (version: "4.1" | "4.9"): Form =>
  (cut) => {
    const { rows, number, last, total, at } = cut;
    const links = { first: at(1), last: at(last), prev: previousOf(cut), next: nextOf(cut) };
    const counts = { current_page: number, from: rows.length === 0 ? null : 1, last_page: last, to: null, total };
    const meta = version === "4.1" ? { per_page: "100" } : { per_page: 100, links: buttons(cut) };
    return { json: { data: rows, links, meta: { ...counts, path: at(1).split("?")[0], ...meta }, status: 200 } };
  };

function buttons(cut: Cut): object[] {
  const pages = Array.from({ length: cut.last }, (_, at) => at + 1);
  return [
    { url: previousOf(cut), label: "&laquo; Previous", active: false },
    ...pages.map((page) => ({ url: cut.at(page), label: String(page), active: page === cut.number })),
    { url: nextOf(cut), label: "Next &raquo;", active: false },
  ];
}

const counts = ({ number, last, total }: Cut): object => ({ current_page: number, last_page: last, total });

/** As GitHub does it: no header where there is one page, and the last page names those before it only. */
function linkHeader(cut: Cut): string | null {
  const { number, last, at } = cut;
  if (last === 1 && number === 1) return null;
  const after = number < last ? [`<${at(number + 1)}>; rel="next", <${at(last)}>; rel="last"`] : [];
  const before = number > 1 ? [`<${at(number - 1)}>; rel="prev", <${at(1)}>; rel="first"`] : [];
  return [...before, ...after].join(", ");
}

function withLinks(cut: Cut, json: unknown): Reply {
  const link = linkHeader(cut);
  return { json, ...(link === null ? {} : { headers: { link } }) };
}

export const FORMS: readonly KnownForm[] = [
  { name: "the recorded envelope of 4.1", form: recorded("4.1"), end: "said", hasTotal: true },
  { name: "the recorded envelope of 4.9", form: recorded("4.9"), end: "said", hasTotal: true },
  {
    name: "counts as texts, without links",
    form: ({ rows, number, last, total }) => ({
      json: { data: rows, meta: { current_page: `${number}`, last_page: `${last}`, total: `${total}` } },
    }),
    end: "said",
    hasTotal: true,
  },
  {
    name: "next_page_url, and counts beside the rows",
    form: (cut) => ({ json: { data: cut.rows, ...counts(cut), next_page_url: nextOf(cut) } }),
    end: "said",
    hasTotal: true,
  },
  {
    name: "next_page_url, counts and buttons beside the rows",
    form: (cut) => ({
      json: { ...counts(cut), data: cut.rows, links: buttons(cut), next_page_url: nextOf(cut), per_page: 100 },
    }),
    end: "said",
    hasTotal: true,
  },
  {
    name: "counts beside the rows, and a meta without any",
    form: (cut) => ({ json: { data: cut.rows, ...counts(cut), meta: { filter: "all" } } }),
    end: "said",
    hasTotal: true,
  },
  {
    name: "next_page_url and the page's number",
    form: (cut) => ({
      json: { data: cut.rows, current_page: cut.number, next_page_url: nextOf(cut), prev_page_url: previousOf(cut) },
    }),
    end: "said",
    hasTotal: false,
  },
  {
    name: "next_page_url alone",
    form: (cut) => ({ json: { data: cut.rows, next_page_url: nextOf(cut) } }),
    end: "said",
    hasTotal: false,
  },
  {
    name: "next_page_url and a list of buttons",
    form: (cut) => ({ json: { data: cut.rows, next_page_url: nextOf(cut), links: buttons(cut) } }),
    end: "said",
    hasTotal: false,
  },
  {
    name: "links.next alone",
    form: (cut) => ({ json: { data: cut.rows, links: { next: nextOf(cut) } } }),
    end: "said",
    hasTotal: false,
  },
  {
    name: "the last page's number alone",
    form: ({ rows, last }) => ({ json: { data: rows, last_page: last } }),
    end: "said",
    hasTotal: false,
  },
  {
    name: "the total alone",
    form: ({ rows, total }) => ({ json: { data: rows, total } }),
    end: "not said",
    hasTotal: true,
  },
  { name: "data alone", form: ({ rows }) => ({ json: { data: rows } }), end: "not said", hasTotal: false },
  {
    name: "data with a Link header",
    form: (cut) => withLinks(cut, { data: cut.rows }),
    end: "said of several",
    hasTotal: false,
  },
  { name: "a bare array", form: ({ rows }) => ({ json: rows }), end: "not said", hasTotal: false },
  {
    name: "a bare array with a Link header",
    form: (cut) => withLinks(cut, cut.rows),
    end: "said of several",
    hasTotal: false,
  },
];

/** The page that a request asks for. */
export function numberOf({ path }: Asked): number {
  return Number(new URL(path, "http://list.test").searchParams.get("page"));
}

/** A page of a list of these ids; `at` is how the answer writes the address of another page. */
export function cutPage(
  ids: readonly number[],
  number: number,
  size: number,
  at: Cut["at"] = (page) => `http://127.0.0.1/api/v1/links?sort=asc&per_page=${size}&page=${page}`,
): Cut {
  const rows = ids.slice((number - 1) * size, number * size).map((id) => linkRow(id));
  return { rows, number, last: Math.max(1, Math.ceil(ids.length / size)), total: ids.length, at };
}

/** 1 to `count`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
