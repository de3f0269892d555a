// The order in which a person looks for a link: by domain, then by alias, without regard to case and accents.

import { fold } from "../domain/fold.ts";
import { compareText } from "../domain/place.ts";

/** What a block is found by. Pixels have no domain. */
export interface SortKey {
  readonly domain: string | null;
  readonly name: string;
  /** The name as the service compares it. */
  readonly folded: string;
}

/** A key to sort by. */
export function sortKey(domain: string | null, name: string): SortKey {
  return { domain, name, folded: fold(name) };
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
