// Reads one page of a list, in each form that versions of the service use.

import { parseUrl } from "../domain/hosts.ts";
import * as z from "zod";
import { describe } from "../http/quote.ts";
import type { RequestOutcome } from "./transport.ts";
import { shapeError, whole } from "./wire.ts";

/** A page. Null is unknown. */
export interface Page {
  readonly rows: readonly unknown[];
  readonly number: number | null;
  readonly last: number | null;
  readonly total: number | null;
  /** The number of the next page; "none" if the response says that this is the last page. */
  readonly next: number | "none" | null;
  /** The parameters that the page's links repeat: those that the version knows. Null if the page has no links. */
  readonly parameters: ReadonlySet<string> | null;
}

/** What describes the other pages: under `meta` (docs/service.md, "Lists"), or beside `data`. */
const counts = z.object({
  current_page: whole.optional(),
  last_page: whole.optional(),
  total: whole.optional(),
});
const link = z.string().nullish();
const envelope = counts.extend({
  data: z.array(z.unknown()),
  meta: counts.optional(),
  next_page_url: link,
  // Beside `data` some services keep a list of buttons under this name.
  links: z.union([z.object({ next: link, first: z.string().nullish().catch(null) }), z.array(z.unknown())]).optional(),
});

/**
 * Reads a page: the recorded envelope, one with `next_page_url`, or a bare list with or without Link headers (RFC 8288).
 * Only the number in the address of a next page is used. Throws `ServiceError("shape")` for anything else.
 */
export function decodePage(what: string, { json, header }: RequestOutcome): Page {
  const named = readLinks(header("link"));
  if (Array.isArray(json)) {
    const last = named.get("last");
    const number = last === undefined ? null : numberIn(what, last);
    return {
      rows: json,
      number: null,
      last: number,
      total: null,
      next: readNext(what, nextAmong(named)),
      parameters: null,
    };
  }
  const answer = envelope.safeParse(json);
  if (!answer.success) throw shapeError(`a page of ${what}`, describe(json, false));
  const { data, meta, links, next_page_url, ...beside } = answer.data;
  const said = { ...beside, ...meta };
  const around = links !== undefined && !Array.isArray(links) ? links : undefined;
  return {
    rows: data,
    number: said.current_page ?? null,
    last: said.last_page ?? null,
    total: said.total ?? null,
    next: readNext(
      what,
      [next_page_url, around?.next, nextAmong(named)].find((address) => address !== undefined),
    ),
    parameters: parametersOf(around?.first ?? null),
  };
}

function parametersOf(address: string | null): ReadonlySet<string> | null {
  const url = address === null ? null : parseUrl(address);
  return url && new Set(url.searchParams.keys());
}

/** `address` is null if the response says that there is no next page, and undefined if it does not say. */
function readNext(what: string, address: string | null | undefined): Page["next"] {
  if (address === undefined) return null;
  return address === null ? "none" : numberIn(what, address);
}

/** Relations of a page to others. A proxy may add links with other relations. */
const PAGE_RELATIONS = ["first", "prev", "previous", "next", "last"];

/** The address of the next page; null if other pages are named but no next one, undefined if none are named. */
function nextAmong(links: ReadonlyMap<string, string>): string | null | undefined {
  return links.get("next") ?? (PAGE_RELATIONS.some((relation) => links.has(relation)) ? null : undefined);
}

/** `<address>`, then parameters: `; name`, `; name=value` or `; name="value"`. */
const LINK = /<([^>]*)>((?:\s*;\s*(?:[^\s=;,"<]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<]*))?)?)*)/g;
const PARAMETER = /;\s*([^\s=;,"<]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<]*))/g;

/** The addresses in a Link header (RFC 8288) by relation. A link's first `rel` counts, and may name several. */
function readLinks(text: string | null): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, address = "", parameters = ""] of (text ?? "").matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETER)].find(([, name = ""]) => name.toLowerCase() === "rel");
    for (const relation of (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/)) links.set(relation, address);
  }
  return links;
}

/** Only the page number of an address is used, so requests never go to another address. */
function numberIn(what: string, address: string): number {
  const anywhere = "http://page.invalid";
  const text = parseUrl(address, anywhere)?.searchParams.get("page");
  const number = whole.safeParse(text ?? "");
  if (number.success) return number.data;
  throw shapeError(`the link to the next page of ${what}`, "it has no number in `page=`");
}
