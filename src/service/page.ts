// Reads one page of a list (docs/service.md, "Lists").

import { parseUrl } from "../domain/hosts.ts";
import * as z from "zod";
import type { RequestOutcome } from "./transport.ts";
import { decodeAs, whole } from "./wire.ts";

export interface Page {
  readonly rows: readonly unknown[];
  readonly number: number;
  readonly last: number;
  /** Rows on all pages. */
  readonly total: number;
  /** The parameters that the page's links repeat: those that the version knows. Null if the page has no links. */
  readonly parameters: ReadonlySet<string> | null;
}

const envelope = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ current_page: whole, last_page: whole, total: whole }),
  // The addresses of other pages are not used: they are built from the Host header, and lack a filter.
  links: z.object({ first: z.string() }).nullish().catch(null),
});

/** Reads a page. Throws `ServiceError("shape")` for anything else. */
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
