// What lists call a change: its key, and the id where several rows share that key.

import type { ResourceKind } from "../domain/table.ts";

/** A change of a plan or a document, as far as its name needs it. */
export interface Nameable {
  readonly kind: ResourceKind;
  readonly key: string;
  /** The live row; null before a create. */
  readonly id: number | null;
}

/** Names a change in a list. */
export type NameOf = (one: Nameable) => string;

/** Returns a function that names each of these changes so that no two rows have one name. */
export function changeNames(all: readonly Nameable[]): NameOf {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return (one) => {
    const isShared = one.id !== null && (counts.get(nameOf(one)) ?? 0) > 1;
    return isShared ? `${one.key} #${one.id}` : one.key;
  };
}

function nameOf({ kind, key }: Nameable): string {
  return `${kind} ${key}`;
}
