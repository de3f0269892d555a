// Reads a list to its end, or its beginning, and refuses one that is not complete (promise 5).

import * as z from "zod";
import { parseUrl } from "../domain/hosts.ts";
import { ServiceError } from "../errors.ts";
import type { RequestOutcome, Transport } from "./transport.ts";
import { decodeAs, natural } from "./wire.ts";

export interface Page<Row = unknown> {
  readonly rows: readonly Row[];
  readonly number: number;
  readonly last: number;
  /** Rows on all pages. */
  readonly total: number;
  /** The parameters that the page's links repeat: those that the version knows. Null if the page has no links. */
  readonly parameters: ReadonlySet<string> | null;
}

const envelope = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ current_page: natural, last_page: natural, total: natural }),
  // The addresses of other pages are not used: they are built from the Host header, and lack a filter.
  links: z.object({ first: z.string() }).nullish().catch(null),
});

/** Throws `ServiceError("shape")` for anything but a page. */
export function decodePage(what: string, { json }: Pick<RequestOutcome, "json">): Page {
  const { data, meta, links } = decodeAs(envelope, json, `a page of ${what}`);
  const first = links ? parseUrl(links.first) : null;
  return {
    rows: data,
    number: meta.current_page,
    last: meta.last_page,
    total: meta.total,
    parameters: first && new Set(first.searchParams.keys()),
  };
}

/** The documented maximum (docs/service.md, "Lists"). */
export const PER_PAGE = 100;

const PAGES_AT_ONCE = 8;

/** The number of times that a list is read from the start if it changes meanwhile. */
const READINGS = 4;

export interface Listed<Row> {
  /** Ascending by id. */
  readonly records: readonly Row[];
  /** Rows on a full page: the number that was requested, or the service's own. */
  readonly perPage: number;
}

/** A list of which the first page has been read. */
export interface OpenedList<Row> {
  readonly records: readonly Row[];
  /** The number of rows, and of pages. */
  readonly total: number;
  readonly pages: number;
  /** Reads the rest, and checks that nothing is missing. */
  whole(): Promise<Listed<Row>>;
  /**
   * Reads on in the order of the call until `isEnough` accepts the rows, or to the end. Null if the service does not keep the order, or
   * if the list shrank: then only `whole` gives a reliable result.
   */
  begin(isEnough: (rows: readonly Row[]) => boolean): Promise<ListStart<Row> | null>;
}

/** `decode` throws for a row that cannot be decoded. */
export interface ListCall<Row> {
  readonly path: string;
  /** Filters, as the service names them. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** The order of the first pages; ascending by id by default. */
  readonly order?: Order;
  readonly decode: (json: unknown) => Row;
  /** Gets each page before its rows are decoded; may throw to refuse it. */
  readonly onPage?: (page: Page) => void;
}

/** By id: the only orders in which a list can be read page by page (docs/service.md, "Lists"). */
export type Order = "asc" | "desc";

class InconsistentList extends Error {}

/**
 * Opens a list. Pages are cut by position: if a row is deleted meanwhile, another row moves to a page that was read already. So a reading
 * is accepted only if the number of rows is the last total, no row comes twice, and no total or page number went down. Otherwise
 * everything is read again. Rows that others add come last, because the order is by id, and are read too.
 */
export async function openList<Row extends { readonly id: number }>(
  transport: Transport,
  call: ListCall<Row>,
): Promise<OpenedList<Row>> {
  const { order = "asc" } = call;
  const askIn = async (sort: Order, number: number): Promise<Page<Row>> => {
    const query = { ...call.query, sort, per_page: PER_PAGE, page: number };
    const page = decodePage(call.path, await transport.send({ method: "GET", path: call.path, query }));
    call.onPage?.(page);
    return { ...page, rows: page.rows.map(call.decode) };
  };
  const ask = (number: number): Promise<Page<Row>> => askIn("asc", number);
  const first = await askIn(order, 1);
  // The order of the rows does not matter if all are on one page.
  const isUsable = order === "asc" || first.last === 1;
  const whole = async (): Promise<Listed<Row>> => {
    const seen: string[] = [];
    const onPage = (read: number, pages: number): void =>
      transport.options.onPage?.(call, { path: call.path, read, pages });
    try {
      for (let start = isUsable ? first : await ask(1); ; start = await ask(1)) {
        try {
          return await new ListReading(ask, start, onPage).complete();
        } catch (cause) {
          if (!(cause instanceof InconsistentList)) throw cause;
          seen.push(cause.message);
          if (seen.length === READINGS) throw incomplete(call.path, seen);
          transport.options.tell?.({ what: "reread", path: call.path, because: cause.message });
        }
      }
    } finally {
      transport.options.onPage?.(call, null);
    }
  };
  return {
    records: first.rows,
    total: first.total,
    pages: first.last,
    whole,
    begin: (isEnough) => readStart((number) => askIn(order, number), first, order, isEnough),
  };
}

function incomplete(path: string, seen: readonly string[]): ServiceError {
  const readings = [...new Set(seen)].join("; ");
  return new ServiceError(
    "incomplete-list",
    `linkform could not read the complete list ${path} in ${seen.length} attempts: ${readings}.`,
    { hint: "Somebody else may be deleting records. Run the command again later." },
  );
}

class ListReading<Row extends { readonly id: number }> {
  readonly #ask: (number: number) => Promise<Page<Row>>;
  readonly #pages = new Map<number, Page<Row>>();
  readonly #first: Page<Row>;
  readonly #onPage: (read: number, pages: number) => void;
  /** The greatest total and the greatest last page that any page reported. */
  #total = 0;
  #last = 0;

  constructor(
    ask: (number: number) => Promise<Page<Row>>,
    first: Page<Row>,
    onPage: (read: number, pages: number) => void,
  ) {
    this.#ask = ask;
    this.#first = first;
    this.#onPage = onPage;
    this.#keep(1, first, first);
  }

  async complete(): Promise<Listed<Row>> {
    await this.#readUpTo(this.#first.last);
    if (this.#hasGrown()) await this.#readEnd(this.#pages.size);
    const rows = this.#rows();
    if (rows.length !== this.#total)
      throw new InconsistentList(`the number of rows was ${rows.length}, but the total was ${this.#total}`);
    const given = this.#pages.size > 1 ? this.#first.rows.length : PER_PAGE;
    return { records: rows.toSorted((a, b) => a.id - b.id), perPage: given };
  }

  async #read(number: number): Promise<Page<Row>> {
    const before = { total: this.#total, last: this.#last };
    const page = await this.#ask(number);
    this.#keep(number, page, before);
    return page;
  }

  /** Checks a page against its number, and against the totals before its request, which can only have grown. */
  #keep(number: number, page: Page<Row>, before: { readonly total: number; readonly last: number }): void {
    if (page.number !== number) throw new InconsistentList(`page ${number} was returned as page ${page.number}`);
    if (page.total < before.total)
      throw new InconsistentList(`its total changed from ${before.total} to ${page.total}`);
    if (page.last < before.last)
      throw new InconsistentList(`its last page changed from ${before.last} to ${page.last}`);
    if (page.rows.length === 0 && page.last > 1 && number <= page.last)
      throw new InconsistentList(`page ${number} of ${page.last} is empty`);
    this.#total = Math.max(this.#total, page.total);
    this.#last = Math.max(this.#last, page.last);
    this.#pages.set(number, page);
    this.#onPage(this.#pages.size, this.#last);
  }

  /** The first page that fails ends the reading: more requests would be wasted (promise 8). */
  async #readUpTo(last: number): Promise<void> {
    let next = 2;
    const readOn = async (): Promise<void> => {
      try {
        while (next <= last) await this.#read(next++);
      } catch (cause) {
        next = Infinity;
        throw cause;
      }
    };
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, readOn));
  }

  /** Whether rows were added since the first page was read that are not among those that were read. */
  #hasGrown(): boolean {
    return this.#last > this.#pages.size || this.#total > Math.max(this.#first.total, this.#rows().length);
  }

  /** Added rows are on the page that was the last one, and on the pages after it. */
  async #readEnd(last: number): Promise<void> {
    for (let number = last; number <= this.#last; number += 1) await this.#read(number);
  }

  #rows(): Row[] {
    const rows = [...this.#pages.values()].flatMap((page) => page.rows);
    const ids = new Set<number>();
    for (const { id } of rows) {
      if (ids.has(id)) throw new InconsistentList(`row ${id} appeared twice`);
      ids.add(id);
    }
    return rows;
  }
}

/** Rows in the order in which they were asked for. */
export interface ListStart<Row> {
  readonly records: readonly Row[];
  /** Whether these are all rows. */
  readonly isAll: boolean;
  /** The total when the reading began. */
  readonly total: number;
}

/**
 * Reads page after page until there are enough rows. Pages are cut by position: if a row is added at the start, rows come twice, and if
 * one is deleted, a row is skipped. So the ids must be in order, none may come twice unless the list has grown, and the total may not
 * shrink. Otherwise the result is null.
 */
export async function readStart<Row extends { readonly id: number }>(
  ask: (number: number) => Promise<Page<Row>>,
  first: Page<Row>,
  order: Order,
  isEnough: (rows: readonly Row[]) => boolean,
): Promise<ListStart<Row> | null> {
  const isBehind = (row: Row, last: Row | undefined): boolean =>
    last === undefined || (order === "asc" ? row.id > last.id : row.id < last.id);
  const rows: Row[] = [];
  const { total } = first;
  let most = total;
  for (let number = 1, page = first; ; number += 1, page = await ask(number)) {
    if (page.number !== number || page.total < most) return null;
    most = page.total;
    const before = rows.at(-1);
    const fresh = page.rows.filter((row) => isBehind(row, before));
    if (fresh.length < page.rows.length && most === total) return null;
    if (fresh.some((row, at) => !isBehind(row, fresh[at - 1]))) return null;
    rows.push(...fresh);
    const isAll = number >= page.last;
    if (isAll && rows.length < total) return null;
    if (isAll || isEnough(rows)) return { records: rows, isAll, total };
    if (page.rows.length === 0) return null;
  }
}
