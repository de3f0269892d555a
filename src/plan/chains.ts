// Declarations that renames tie together: the row of each key is to have the next one.

import type { Desired } from "../domain/change.ts";

/** Several declarations, each of which is renamed from the key of the one before it. */
export type Chain = readonly Desired[];

/** The chains among these declarations; one that nothing is renamed from, and that is not renamed, is in none. */
export function chainsOf(desired: readonly Desired[]): Chain[] {
  const successors = new Map<string, Desired>();
  for (const one of desired) if (one.renamedFrom !== null) successors.set(one.renamedFrom.identity, one);
  if (successors.size === 0) return [];
  const declared = new Set(desired.map(({ identity }) => identity));
  return desired.flatMap((one) => {
    const isTied = one.renamedFrom !== null || successors.has(one.identity);
    const isFirst = one.renamedFrom === null || !declared.has(one.renamedFrom.identity);
    return isTied && isFirst ? [chainFrom(one, successors)] : [];
  });
}

function chainFrom(first: Desired, successors: ReadonlyMap<string, Desired>): Chain {
  const chain: Desired[] = [];
  // Of keys that are declared twice, which is an error by itself, a chain might lead back.
  let one: Desired | undefined = first;
  while (one !== undefined && !chain.includes(one)) {
    chain.push(one);
    one = successors.get(one.identity);
  }
  return chain;
}

/** The same declarations, each with its place in its chain. */
export function withChains(desired: readonly Desired[]): readonly Desired[] {
  const chains = chainsOf(desired);
  if (chains.length === 0) return desired;
  const places = new Map(
    chains.flatMap((chain) =>
      chain.map((one, at) => [one, { first: chain[0]?.identity ?? one.identity, at }] as const),
    ),
  );
  return desired.map((one) => ({ ...one, chain: places.get(one) ?? null }));
}
