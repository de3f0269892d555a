// The `links` and `meta` objects around a page of a list (transcripts, "links: …").
import type { Software } from "./service.ts";

export interface Page {
  /** The list's address without a query. */
  readonly path: string;
  /** What the links repeat; null is left out. */
  readonly parameters: readonly (readonly [name: string, value: string | null])[];
  readonly number: number;
  readonly size: number;
  /** Rows on this page, and in the whole list. */
  readonly count: number;
  readonly total: number;
}

/** What stands around the rows: addresses of other pages, and counts. 4.1 has `per_page` as text, later versions as a number. */
export function pageFrame(page: Page, software: Software): { links: object; meta: object } {
  const { path, number, size, count, total } = page;
  const last = Math.max(1, Math.ceil(total / size));
  const fixed = [...page.parameters, ["per_page", String(size)] as const].flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${rawUrlEncode(value)}`],
  );
  const url = (to: number): string => `${path}?${[...fixed, `page=${to}`].join("&")}`;
  const previous = number > 1 ? url(number - 1) : null;
  const next = number < last ? url(number + 1) : null;
  const first = (number - 1) * size + 1;
  return {
    links: { first: url(1), last: url(last), prev: previous, next },
    meta: {
      current_page: number,
      from: count === 0 ? null : first,
      last_page: last,
      ...(software !== "4.1" && { links: buttons(number, last, url, previous, next) }),
      path,
      per_page: software === "4.1" ? String(size) : size,
      to: count === 0 ? null : first + count - 1,
      total,
    },
  };
}

/** The page buttons of `meta.links`, which 4.1 lacks; long lists skip the middle, as the framework's paginator does. */
function buttons(
  current: number,
  last: number,
  url: (to: number) => string,
  previous: string | null,
  next: string | null,
): object[] {
  const page = (to: number): object => ({ url: url(to), label: String(to), active: to === current });
  const gap = { url: null, label: "...", active: false };
  return [
    { url: previous, label: "&laquo; Previous", active: false },
    ...windows(current, last).flatMap((pages, at) => [...(at === 0 ? [] : [gap]), ...pages.map(page)]),
    { url: next, label: "Next &raquo;", active: false },
  ];
}

/** The runs of page numbers between which there is a gap. */
function windows(current: number, last: number): number[][] {
  const run = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  if (last < 14) return [run(1, last)];
  if (current <= 7) return [run(1, 10), run(last - 1, last)];
  if (current > last - 7) return [run(1, 2), run(last - 9, last)];
  return [run(1, 2), run(current - 3, current + 3), run(last - 1, last)];
}

function rawUrlEncode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
