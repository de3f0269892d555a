// Splits new links into files.

import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { compareText } from "../domain/place.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";

/** One file for each domain, for each space, or for all links. */
export const SPLITS = ["domain", "space", "file"] as const;
export type Split = (typeof SPLITS)[number];

/** The links of one file. `otherwise` is used if `name` is not a valid file name. */
interface LinkGroup {
  readonly name: string;
  readonly otherwise: string;
  readonly members: readonly Live[];
}

/** Splits links into files, sorted by name. The default is one file for each domain. */
export function splitLinks(links: readonly Live[], split: Split | null): LinkGroup[] {
  const by = split ?? (new Set(links.map(domainOf)).size > 1 ? "domain" : "file");
  switch (by) {
    case "domain":
      return named(groupBy(links, domainOf), by);
    case "space":
      return named(groupBy(links, spaceOf), by, "no-space");
    case "file":
      return [{ name: "links", otherwise: "links", members: links }];
    default:
      return by satisfies never;
  }
}

function domainOf({ values }: Live): string | null {
  return textOrNull(values.get(REFERENCE_FIELD.domain));
}

function spaceOf({ values }: Live): string | null {
  return textOrNull(values.get(REFERENCE_FIELD.space));
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The groups by name, with unnamed links first. */
function named(groups: ReadonlyMap<string | null, readonly Live[]>, what: string, nothing = what): LinkGroup[] {
  return [...groups]
    .toSorted(([a], [b]) => Number(b === null) - Number(a === null) || compareText(a ?? "", b ?? ""))
    .map(([name, members]) => ({ name: name ?? nothing, otherwise: what, members }));
}
