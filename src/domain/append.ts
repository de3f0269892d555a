// Appends lists of any length.

/** Appends every item. `push(...items)` puts each item on the call stack, which ends at about 100,000. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
