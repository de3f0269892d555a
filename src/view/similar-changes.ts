// Many alike changes found, so that a line can stand for them: what it says is all that becomes of each.

import type { ResourceKind } from "../domain/table.ts";
import { groupBy } from "../domain/collections.ts";
import { editsOf, FORMS, hostOf, type Edit } from "./edits.ts";
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

/** Of a change to many fields no more ways are tried than these. */
const MOST_WAYS = 64;

/** Groups updates by what becomes of their values. */
export function collapseEdits<Item extends Collapsible>(items: readonly Item[]): Collapsed<Item, Edit> {
  const ways = new Map<string, { said: readonly Edit[]; items: Item[]; rank: number }>();
  for (const { item, edits } of commonEdits(items)) {
    for (const { said, key } of waysOf(edits)) {
      const way = ways.get(key);
      if (way === undefined) ways.set(key, { said, items: [item], rank: rankOf(said) });
      else way.items.push(item);
    }
  }
  // Sorted stably: those as big and as telling stand as the first of their changes do.
  const known = [...ways.values()]
    .filter(({ items: those }) => those.length >= LEAST)
    .toSorted((a, b) => b.items.length - a.items.length || a.rank - b.rank);
  const taken = new Set<Item>();
  const groups = known.flatMap(({ said, items: those }) => {
    const free = those.filter((item) => !taken.has(item));
    if (free.length < LEAST) return [];
    for (const item of free) taken.add(item);
    return [{ said, items: free }];
  });
  return {
    groups: groups.toSorted((a, b) => b.items.length - a.items.length),
    rest: items.filter((item) => !taken.has(item)),
  };
}

/** An edit, and a text that is the same for the same edit of changes that may be alike. */
interface KeyedEdit {
  readonly edit: Edit;
  readonly key: string;
}

/** Of each change that may stand with others, and of each of its values, the edits that enough others have as well. */
function commonEdits<Item extends Collapsible>(
  items: readonly Item[],
): { readonly item: Item; readonly edits: readonly (readonly KeyedEdit[])[] }[] {
  const counts = new Map<string, number>();
  const all = items.flatMap((item) => {
    if (item.apart === null || item.words.length === 0) return [];
    const begin = JSON.stringify([item.kind, item.apart]);
    const edits = item.words.map((word) =>
      editsOf(item.kind, word).map((edit): KeyedEdit => ({ edit, key: begin + JSON.stringify(edit) })),
    );
    for (const { key } of edits.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [{ item, edits }];
  });
  return all.flatMap(({ item, edits }) => {
    const common = edits.map((those) => those.filter(({ key }) => (counts.get(key) ?? 0) >= LEAST));
    return common.every((those) => those.length > 0) ? [{ item, edits: common }] : [];
  });
}

interface Explanation {
  readonly said: readonly Edit[];
  readonly key: string;
}

/** Every way to say all that becomes of a change: an edit of each of its values. */
function waysOf(edits: readonly (readonly KeyedEdit[])[]): readonly Explanation[] {
  let ways: readonly Explanation[] = [{ said: [], key: "" }];
  for (const those of edits) {
    ways = ways
      .flatMap(({ said, key }) => those.map((next) => ({ said: [...said, next.edit], key: key + next.key })))
      .slice(0, MOST_WAYS);
  }
  return ways;
}

function rankOf(edits: readonly Edit[]): number {
  return edits.reduce((rank, { form }) => rank + FORMS.indexOf(form), 0);
}

/** What many new objects have in common: a field's value, or of an address only the host. */
export interface Common {
  readonly path: string;
  readonly value: Word | null;
  readonly host: string | null;
}

/** Groups what is new by all that it has; addresses are held against each other by their hosts. */
export function collapseWhole<Item extends Collapsible>(items: readonly Item[]): Collapsed<Item, Common> {
  const all = groupBy(items, ({ kind, apart, words }) =>
    apart === null ? null : JSON.stringify([kind, apart, words.map(({ path, after }) => [path, lookOf(after)])]),
  );
  const groups = [...all].flatMap(([key, those]) =>
    key === null || those.length < LEAST_WHOLE ? [] : [{ said: commonOf(those), items: those }],
  );
  const taken = new Set(groups.flatMap((group) => group.items));
  return {
    groups: groups.toSorted((a, b) => b.items.length - a.items.length),
    rest: items.filter((item) => !taken.has(item)),
  };
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
