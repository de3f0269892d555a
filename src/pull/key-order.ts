// The order of links for readers: by domain, then by alias, ignoring case and accents.

import { fold } from "../domain/fold.ts";
import type { Live } from "../domain/change.ts";
import { compareText } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";

/** The parts of a key that blocks are sorted by. Pixels have no domain. */
export interface SortKey {
  readonly domain: string | null;
  readonly name: string;
  /** The name as the service compares it. */
  readonly folded: string;
}

export function sortKeyOf({ kind, values }: Pick<Live, "kind" | "values">): SortKey {
  const domain = values.get(REFERENCE_FIELD.domain);
  const name = String(values.get(KEY_FIELD[kind]) ?? "");
  return { domain: typeof domain === "string" ? domain : null, name, folded: fold(name) };
}

/** Compares keys, the same on every machine and in every locale. The domains named `first` come first, in their order. */
export function byKey(first: readonly string[] = []): (a: SortKey, b: SortKey) => number {
  const ranks = new Map(first.map((domain, rank) => [domain, rank]));
  const rankOf = ({ domain }: SortKey): number => (domain === null ? -1 : (ranks.get(domain) ?? ranks.size));
  return (a, b) =>
    rankOf(a) - rankOf(b) ||
    compareText(a.domain ?? "", b.domain ?? "") ||
    compareText(a.folded, b.folded) ||
    compareText(a.name, b.name);
}
