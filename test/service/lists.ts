// Lists as the service returns them, page by page.

import { linkRow, type Asked, type Reply } from "./server.ts";

/** One page of a list. */
interface Cut {
  readonly rows: readonly unknown[];
  readonly number: number;
  /** At least 1. */
  readonly last: number;
  readonly total: number;
  /** The address of another page. */
  readonly at: (number: number) => string;
}

const nextOf = ({ number, last, at }: Cut): string | null => (number < last ? at(number + 1) : null);
const previousOf = ({ number, at }: Cut): string | null => (number > 1 ? at(number - 1) : null);

/** As recorded (docs/service.md, "Lists"); 4.9 has `per_page` as a number, and buttons. */
export function recorded(cut: Cut, version: "4.1" | "4.9" = "4.1"): Reply {
  const { rows, number, last, total, at } = cut;
  const links = { first: at(1), last: at(last), prev: previousOf(cut), next: nextOf(cut) };
  const counts = { current_page: number, from: rows.length === 0 ? null : 1, last_page: last, to: null, total };
  const meta = version === "4.1" ? { per_page: "100" } : { per_page: 100, links: buttons(cut) };
  return { json: { data: rows, links, meta: { ...counts, path: at(1).split("?")[0], ...meta }, status: 200 } };
}

function buttons(cut: Cut): object[] {
  const pages = Array.from({ length: cut.last }, (_, at) => at + 1);
  return [
    { url: previousOf(cut), label: "&laquo; Previous", active: false },
    ...pages.map((page) => ({ url: cut.at(page), label: String(page), active: page === cut.number })),
    { url: nextOf(cut), label: "Next &raquo;", active: false },
  ];
}

/** The page that a request is for. */
export function numberOf({ path }: Asked): number {
  return Number(new URL(path, "http://list.test").searchParams.get("page"));
}

/** A page of a list of these ids. */
export function cutPage(ids: readonly number[], number: number, size: number): Cut {
  const rows = ids.slice((number - 1) * size, number * size).map((id) => linkRow(id));
  const at = (page: number): string => `http://127.0.0.1/api/v1/links?sort=asc&per_page=${size}&page=${page}`;
  return { rows, number, last: Math.max(1, Math.ceil(ids.length / size)), total: ids.length, at };
}

/** 1 to `count`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
