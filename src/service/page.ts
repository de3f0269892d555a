// One page of a list, in each of the forms that services of this kind give it.

import * as z from "zod";
import { describe } from "./quote.ts";
import type { Answered } from "./transport.ts";
import { shapeError, whole } from "./wire.ts";

/** A page; what the answer does not say is null. */
export interface Page {
  readonly rows: readonly unknown[];
  readonly number: number | null;
  readonly last: number | null;
  readonly total: number | null;
  /** The number of the page after this one; "none" where the answer says that there is none. */
  readonly next: number | "none" | null;
}

/** What tells of the other pages, where an envelope has it: under `meta` (observed.md, "Bodies"), or beside `data`. */
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
  links: z.union([z.object({ next: link }), z.array(z.unknown())]).optional(),
});

/**
 * Reads a page: the recorded envelope, one with `next_page_url`, or a bare list with or without Link headers (RFC 8288).
 * Of the address of a next page only its number is taken. Throws `ServiceError("shape")` for anything else.
 */
export function decodePage(what: string, { json, header }: Answered): Page {
  const next = nextOfHeader(header("link"));
  if (Array.isArray(json)) {
    const last = numberIn(what, linkOf(header("link"), "last"));
    return { rows: json, number: null, last, total: null, next: next === "none" ? next : numberIn(what, next) };
  }
  const answer = envelope.safeParse(json);
  if (!answer.success) throw shapeError(`a page of ${what}`, describe(json, false));
  const { data, meta, links, next_page_url, ...beside } = answer.data;
  const said = meta ?? beside;
  const nested = links !== undefined && !Array.isArray(links) ? links.next : undefined;
  const address = next_page_url === undefined ? nested : next_page_url;
  return {
    rows: data,
    number: said.current_page ?? null,
    last: said.last_page ?? null,
    total: said.total ?? null,
    next: address === null || (address === undefined && next === "none") ? "none" : numberIn(what, address ?? next),
  };
}

/** The address of the next page in a Link header; "none" where there is a header without one. */
function nextOfHeader(text: string | null): string | null {
  return text === null ? null : (linkOf(text, "next") ?? "none");
}

function linkOf(text: string | null, relation: string): string | null {
  for (const [, address = "", parameters = ""] of (text ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/).includes(relation)) return address;
  }
  return null;
}

/** An address is no more than the place of a number: whatever else it says, requests go where they always go. */
function numberIn(what: string, address: string | null): number | null {
  if (address === null) return null;
  const anywhere = "http://page.invalid";
  const text = URL.canParse(address, anywhere) ? new URL(address, anywhere).searchParams.get("page") : null;
  const number = whole.safeParse(text ?? "");
  if (number.success) return number.data;
  throw shapeError(`the link from one page of ${what} to the next`, "it has no `page=` with a number");
}
