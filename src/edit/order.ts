// Where a new entry belongs among those that a map has, and is to have.

import type { CollectionChange, Spot } from "./changes.ts";
import type { FreshItem } from "./fresh.ts";
import type { Collection, SequenceItem } from "./syntax.ts";

/** A spot, and which of those that are added there it is beside. */
export interface Beside {
  readonly spot: Spot;
  readonly added: { readonly fresh: FreshItem; readonly side: Spot["side"] } | null;
}

/** The spot for a name: behind the last one that comes before it in `order`, before the first that comes after it, or last. */
export function spotAmong(
  { items }: Collection,
  change: CollectionChange | undefined,
  name: string,
  order: readonly string[] | null,
): Beside {
  const present = items.flatMap((item) => presentAt(item, change));
  const { index, side } = positionAmong(
    present.map((one) => one.name),
    name,
    order,
  );
  const beside = present[index];
  if (beside === undefined) return { spot: { item: items.at(-1) ?? null, side: "after" }, added: null };
  return { spot: beside.spot(side), added: beside.fresh && { fresh: beside.fresh, side } };
}

/** A name that a map is to have: where something beside it goes, and what it is if it is added. */
interface PresentKeys {
  readonly name: string;
  readonly spot: (side: Spot["side"]) => Spot;
  readonly fresh: FreshItem | null;
}

/** An item, where it stays, and what is added around it. */
function presentAt(item: SequenceItem, change: CollectionChange | undefined): PresentKeys[] {
  const added = (change?.added ?? []).filter(({ spot }) => spot.item === item);
  const at = (side: Spot["side"]): PresentKeys[] =>
    added.flatMap(({ spot, fresh }) =>
      spot.side === side ? [{ name: fresh.key ?? "", spot: () => spot, fresh }] : [],
    );
  const isGone = item.name === null || change?.removed.has(item) === true;
  const own = isGone ? [] : [{ name: item.name, spot: (side: Spot["side"]) => ({ item, side }), fresh: null }];
  return [...at("before"), ...own, ...at("after")];
}

/** Which of the names it is put behind or before. */
export function positionAmong(
  names: readonly string[],
  name: string,
  order: readonly string[] | null,
): { readonly index: number; readonly side: "before" | "after" } {
  const end = { index: names.length - 1, side: "after" } as const;
  const rank = order?.indexOf(name) ?? -1;
  if (order === null || rank < 0) return end;
  const ranks = names.map((one) => order.indexOf(one));
  const behind = ranks.findLastIndex((one) => one >= 0 && one < rank);
  if (behind >= 0) return { index: behind, side: "after" };
  const before = ranks.findIndex((one) => one > rank);
  return before >= 0 ? { index: before, side: "before" } : end;
}
