// Many alike changes found, so that a line can stand for them: what it says is all that becomes of each.

import type { ResourceKind } from "../domain/table.ts";
import { groupBy } from "../domain/collections.ts";
import { editsOf, hostOf, type Edit } from "./edits.ts";
import type { Word, WordChange } from "./values.ts";

/** A change to be held against others. */
export interface Collapsible {
  readonly kind: ResourceKind;
  readonly words: readonly WordChange[];
  /** What else must be the same for two of them to be alike; null for what must stand alone. */
  readonly apart: string | null;
}

export interface Collapsed<Item, Said> {
  /** The biggest first. */
  readonly groups: readonly { readonly said: readonly Said[]; readonly items: readonly Item[] }[];
  /** What is like no others, in its order. */
  readonly rest: readonly Item[];
}

/** So many alike changes are better told in a line. */
const LEAST = 5;

/** So many that are wholly new, or go: a line says not all of these. */
const LEAST_WHOLE = 20;

/** Groups updates by what becomes of their values. */
export function collapseEdits<Item extends Collapsible>(items: readonly Item[]): Collapsed<Item, Edit> {
  const counts = new Map<string, number>();
  const all = items.map(({ kind, apart, words }) => {
    const edits = words.map((word) =>
      editsOf(kind, word).map((edit) => ({ edit, key: JSON.stringify([kind, apart, edit]) })),
    );
    for (const { key } of edits.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
    return edits;
  });
  const countOf = ({ key }: { readonly key: string }): number => counts.get(key) ?? 0;
  const keyed = items.map((item, at) => {
    // Of each value, the description that fits most changes; the most exact of these.
    const said = all[at]?.flatMap((edits) => edits.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, 1)) ?? [];
    const isAlone = item.apart === null || said.length === 0;
    return { item, said: said.map(({ edit }) => edit), key: isAlone ? null : said.map(({ key }) => key).join("") };
  });
  return collapse(keyed, LEAST);
}

/** Groups of at least so many with the same key. A null key stands alone. */
function collapse<Item, Said>(
  all: readonly { readonly item: Item; readonly said: readonly Said[]; readonly key: string | null }[],
  least: number,
): Collapsed<Item, Said> {
  const groups = [...groupBy(all, ({ key }) => key)].flatMap(([key, those]) =>
    key === null || those.length < least ? [] : [{ said: those[0]?.said ?? [], items: those.map(({ item }) => item) }],
  );
  const taken = new Set(groups.flatMap((group) => group.items));
  return {
    groups: groups.toSorted((a, b) => b.items.length - a.items.length),
    rest: all.flatMap(({ item }) => (taken.has(item) ? [] : [item])),
  };
}

/** What many new objects have in common: a field's value, or of an address only the host. */
export interface Common {
  readonly path: string;
  readonly value: Word | null;
  readonly host: string | null;
}

/** Groups what is new by all that it has; of addresses only the hosts must be the same. */
export function collapseWhole<Item extends Collapsible>(items: readonly Item[]): Collapsed<Item, Common> {
  const keyed = items.map((item) => {
    const { kind, apart, words } = item;
    const key = JSON.stringify([kind, apart, words.map(({ path, after }) => [path, lookOf(after)])]);
    return { item, said: [], key: apart === null ? null : key };
  });
  const { groups, rest } = collapse<Item, Common>(keyed, LEAST_WHOLE);
  return { groups: groups.map((group) => ({ ...group, said: commonOf(group.items) })), rest };
}

function lookOf(word: Word): unknown {
  return typeof word === "string" ? { host: hostOf(word), text: hostOf(word) === null ? word : null } : word;
}

function commonOf(items: readonly Collapsible[]): Common[] {
  return (items[0]?.words ?? []).map(({ path, after }, at) => {
    const isSame = items.every(({ words }) => JSON.stringify(words[at]?.after) === JSON.stringify(after));
    const host = isSame || typeof after !== "string" ? null : hostOf(after);
    return { path, value: isSame ? after : null, host };
  });
}
