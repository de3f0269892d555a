// Groups similar changes under a description that is complete for each of them, such as "the host old.example.com becomes
// new.example.com".

import { fieldAt, type ResourceKind } from "../domain/table.ts";
import { groupBy } from "../domain/collections.ts";
import { isList, type Word, type WordChange } from "./values.ts";
import { isAddress } from "./text-diff.ts";

/** A change that can be shown together with similar ones. */
export interface Collapsible {
  readonly kind: ResourceKind;
  readonly words: readonly WordChange[];
  /** Only changes with the same text are grouped; null for a change that is shown alone. */
  readonly groupKey: string | null;
  /** The alias of a link's family; null if it is in none. */
  readonly family: string | null;
}

export interface Collapsed<Item, Part> {
  /** The largest first. */
  readonly groups: readonly { readonly description: readonly Part[]; readonly items: readonly Item[] }[];
  /** The items that are in no group, in their order. */
  readonly rest: readonly Item[];
}

/** The smallest group of updates. */
const MIN_SIMILAR = 5;

/**
 * The smallest group of created or deleted objects that are in no family. It is larger because the line leaves out some of their values.
 */
const MIN_WHOLE = 20;

/** The start of the paths of UTM values. */
const UTM_PATH = "utm.";

/** Groups updates by how their values change. */
export function collapseEdits<Item extends Collapsible>(items: readonly Item[]): Collapsed<Item, ValueEdit> {
  const counts = new Map<string, number>();
  const all = items.map(({ kind, groupKey, words }) => {
    const edits = words.map((word) =>
      editsOf(kind, word).map((edit) => ({ edit, key: JSON.stringify([kind, groupKey, edit]) })),
    );
    for (const { key } of edits.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
    return edits;
  });
  const countOf = ({ key }: { readonly key: string }): number => counts.get(key) ?? 0;
  const keyed = items.map((item, at) => {
    // For each value, the description that fits the most changes. `toSorted` is stable, so the most exact of them comes first.
    const chosen = all[at]?.flatMap((edits) => edits.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, 1)) ?? [];
    const isAlone = item.groupKey === null || chosen.length === 0;
    return {
      item,
      description: chosen.map(({ edit }) => edit),
      key: isAlone ? null : chosen.map(({ key }) => key).join(""),
    };
  });
  return collapse(keyed, () => MIN_SIMILAR);
}

/** Groups items with the same key if there are at least `minOf` one of them. Items with a null key are not grouped. */
function collapse<Item, Part>(
  all: readonly { readonly item: Item; readonly description: readonly Part[]; readonly key: string | null }[],
  minOf: (item: Item) => number,
): Collapsed<Item, Part> {
  const groups = [...groupBy(all, ({ key }) => key)].flatMap(([key, members]) => {
    const [first] = members;
    return key === null || first === undefined || members.length < minOf(first.item)
      ? []
      : [{ description: first.description, items: members.map(({ item }) => item) }];
  });
  const grouped = new Set(groups.flatMap((group) => group.items));
  return {
    groups: groups.toSorted((a, b) => b.items.length - a.items.length),
    rest: all.flatMap(({ item }) => (grouped.has(item) ? [] : [item])),
  };
}

/** A field that many created or deleted objects have in common: its value or, for addresses, at least the host. */
export interface CommonField {
  readonly path: string;
  readonly value: Word | null;
  readonly host: string | null;
}

/** Groups created or deleted objects by all their values. Of addresses, only the hosts are compared, of UTM values, only the keys. */
export function collapseWhole<Item extends Collapsible>(items: readonly Item[]): Collapsed<Item, CommonField> {
  const keyed = items.map((item) => {
    const { kind, groupKey, words, family } = item;
    const key = JSON.stringify([kind, groupKey, family, words.map((word) => [word.path, comparableValue(word)])]);
    return { item, description: [], key: groupKey === null ? null : key };
  });
  const { groups, rest } = collapse<Item, CommonField>(keyed, ({ family }) =>
    family === null ? MIN_WHOLE : MIN_SIMILAR,
  );
  return { groups: groups.map((group) => ({ ...group, description: commonFields(group.items) })), rest };
}

/** Links of a campaign are similar, although their UTM values differ. */
function comparableValue({ path, after: word }: WordChange): unknown {
  if (path.startsWith(UTM_PATH)) return null;
  return typeof word === "string" ? { host: hostOf(word), text: hostOf(word) === null ? word : null } : word;
}

function commonFields(items: readonly Collapsible[]): CommonField[] {
  return (items[0]?.words ?? []).flatMap(({ path, after }, at) => {
    const isSame = items.every(({ words }) => JSON.stringify(words[at]?.after) === JSON.stringify(after));
    const host = isSame || typeof after !== "string" ? null : hostOf(after);
    return isSame || host !== null ? [{ path, value: isSame ? after : null, host }] : [];
  });
}

/** A complete description of how a value changes. */
export type ValueEdit = { readonly path: string } & (Detail | WholeEdit);

type WholeEdit =
  | { readonly form: "value"; readonly before: Word; readonly after: Word }
  /** For any previous value. */
  | { readonly form: "becomes"; readonly after: Word };

type Detail =
  /** In an address, or in each address of a list or target group with this host. The host includes the port. */
  | { readonly form: "host" | "scheme"; readonly before: string; readonly after: string }
  /** The only query parameter of this name. */
  | { readonly form: "parameter"; readonly name: string; readonly before: string; readonly after: string }
  /** `a=1&b=2`: added to the query. */
  | { readonly form: "appended"; readonly query: string }
  /** `a=1`: the only query parameter of its name. */
  | { readonly form: "removed"; readonly pair: string }
  /** For a list whose order has no meaning. */
  | { readonly form: "items"; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** The start of an address, up to a path separator. */
  | { readonly form: "start"; readonly before: string; readonly after: string };

/** The descriptions of a change, the most exact first. */
function editsOf(kind: ResourceKind, { path, before, after }: WordChange): ValueEdit[] {
  const isSet = fieldAt(kind, path)?.kind === "references";
  const detail = isSet && isList(before) && isList(after) ? itemsEdit(before, after) : textEdit(before, after);
  return [
    { path, form: "value", before, after },
    ...(detail === null ? [] : [{ path, ...detail }]),
    { path, form: "becomes", after },
  ];
}

function itemsEdit(before: readonly string[], after: readonly string[]): Detail {
  const added = after.filter((item) => !before.includes(item));
  return { form: "items", added, removed: before.filter((item) => !after.includes(item)) };
}

function textEdit(before: Word, after: Word): Detail | null {
  if (typeof before === "string" && typeof after === "string")
    return isAddress(before) && isAddress(after) ? addressEdit(before, after) : null;
  return hostEdit(before, after);
}

interface AddressPieces {
  /** With `://`. */
  readonly scheme: string;
  /** With `@`. */
  readonly user: string;
  readonly host: string;
  /** Everything after the host. */
  readonly rest: string;
  /** Everything before the query. */
  readonly page: string;
  readonly query: readonly string[];
  /** With `#`. */
  readonly fragment: string;
}

function parseAddress(text: string): AddressPieces {
  const [, page = text, query = "", fragment = ""] = /^([^?#]*(?:\?(?=#|$))?)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)/i.exec(page) ?? [];
  const user = authority.slice(0, authority.lastIndexOf("@") + 1);
  const host = authority.slice(user.length);
  const rest = text.slice(scheme.length + authority.length);
  return { scheme, user, host, rest, page, query: query === "" ? [] : query.slice(1).split("&"), fragment };
}

/** The host of an address, with its port; null for other texts. */
export function hostOf(text: string): string | null {
  return isAddress(text) ? parseAddress(text).host : null;
}

function addressEdit(before: string, after: string): Detail | null {
  const [old, next] = [parseAddress(before), parseAddress(after)];
  if (old.user === next.user && old.rest === next.rest) {
    if (old.scheme === next.scheme) return { form: "host", before: old.host, after: next.host };
    if (old.host === next.host) return { form: "scheme", before: old.scheme, after: next.scheme };
  }
  return old.page === next.page && old.fragment === next.fragment
    ? queryEdit(old.query, next.query)
    : startEdit(before, after);
}

function queryEdit(old: readonly string[], next: readonly string[]): Detail | null {
  const same = old.findIndex((pair, at) => pair !== next[at]);
  if (same < 0) return { form: "appended", query: next.slice(old.length).join("&") };
  const [was = "", is = ""] = [old[same], next[same]];
  const name = parameterName(was);
  if (old.filter((pair) => parameterName(pair) === name).length > 1) return null;
  const isRest = (skipped: number): boolean =>
    old.slice(same + 1).join("&") === next.slice(same + skipped).join("&") && old.length - 1 === next.length - skipped;
  if (isRest(0)) return { form: "removed", pair: was };
  return isRest(1) && parameterName(is) === name && was.includes("=") && is.includes("=")
    ? { form: "parameter", name, before: parameterValue(was), after: parameterValue(is) }
    : null;
}

function parameterName(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}

function parameterValue(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1);
}

/** The shortest starts that differ, cut at a path separator. */
function startEdit(before: string, after: string): Detail | null {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const tail = before.slice(before.length - same);
  const cut = tail.search(/[/?#]/);
  const rest = cut < 0 ? 0 : tail.length - cut;
  const [old, next] = [before.slice(0, before.length - rest), after.slice(0, after.length - rest)];
  // A start must contain at least part of the host.
  const isStart = [old, next].every((text) => /^[^/]*:\/\/[^/]/.test(text));
  return isStart ? { form: "start", before: old, after: next } : null;
}

/** For lists and target groups in which only one host changes. */
function hostEdit(before: Word, after: Word): Detail | null {
  const [old, next] = [entriesOf(before), entriesOf(after)];
  const found = old.find(([, text], at) => text !== next[at]?.[1])?.[1];
  if (found === undefined || old.length !== next.length) return null;
  const at = old.findIndex(([, text]) => text === found);
  const edit = { form: "host" as const, before: hostOf(found) ?? "", after: hostOf(next[at]?.[1] ?? "") ?? "" };
  const isEdited = old.every(([key, text], index) => {
    const [otherKey, other = ""] = next[index] ?? [];
    if (key !== otherKey) return false;
    if (hostOf(text) !== edit.before) return text === other;
    const { scheme, user, rest } = parseAddress(text);
    return other === `${scheme}${user}${edit.after}${rest}`;
  });
  return isEdited && edit.before !== "" && edit.after !== "" ? edit : null;
}

function entriesOf(word: Word): [key: string, text: string][] {
  if (word === null || typeof word !== "object") return [];
  return Object.entries(word).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : []));
}
