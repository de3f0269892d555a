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

/** As recorded from 4.1 (docs/service.md, "Lists"). The other versions: test/contract. */
export function recorded({ rows, number, last, total, at }: Cut): Reply {
  const [prev, next] = [number > 1 ? at(number - 1) : null, number < last ? at(number + 1) : null];
  const links = { first: at(1), last: at(last), prev, next };
  const counts = { current_page: number, from: rows.length === 0 ? null : 1, last_page: last, to: null, total };
  const meta = { ...counts, path: at(1).split("?")[0], per_page: "100" };
  return { json: { data: rows, links, meta, status: 200 } };
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
