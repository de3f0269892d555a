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
  const domains = new Set(links.map(({ values }) => values.get(REFERENCE_FIELD.domain)));
  const by = split ?? (domains.size > 1 ? "domain" : "file");
  const nameOf = ({ values }: Live): string =>
    by === "file" ? "links" : String(values.get(REFERENCE_FIELD[by]) ?? "");
  return [...groupBy(links, nameOf)]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, members]) => ({ name: name || "no-space", otherwise: by === "file" ? "links" : by, members }));
}
