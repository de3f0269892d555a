// The fields of a change as rows: the value before and after, with the parts that differ.

import { diffArrays } from "diff";
import { fieldAt, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { isAddress, webAddress, type Piece, type Row, type Value } from "./blocks.ts";
import { itemFormatter, shown } from "./confusables.ts";
import type { ShownChange } from "./document.ts";
import { compareTexts } from "./text-diff.ts";
import { isList, isMap, isMarker, isSetSecret, showWord, showWords, splitUtmWords } from "./values.ts";
import type { Word, WordChange } from "./values.ts";

export function isWhole({ action }: ShownChange): boolean {
  return action === "create" || action === "delete";
}

/** The words that a report shows. The destination of a deleted link stays one text: nobody checks its UTM values any more. */
export function wordsOf(change: ShownChange): readonly WordChange[] {
  const { action, fields, lost = [] } = change;
  if (action === "update" || action === "replace") return splitUtmWords(fields);
  const words = action === "create" ? fields : lost.map(({ path, value }) => ({ path, before: null, after: value }));
  const own = words.filter((word) => !isInKey(change, word));
  return action === "create" ? splitUtmWords(own) : own;
}

function isInKey({ kind, key }: ShownChange, { path, after }: WordChange): boolean {
  if (typeof after !== "string") return false;
  if (path === KEY_FIELD[kind]) return kind === "pixel" ? key === after : key.endsWith(`/${after}`);
  return kind === "link" && path === REFERENCE_FIELD.domain && key.startsWith(`${after}/`);
}

export function wholeRow({ path, after }: WordChange): Row {
  const rowWith = (label: string, text: string): Row => rowOf(label, "whole", null, whole(text));
  const isLong = isList(after) && after.some(isAddress);
  const named = isMap(after) ? Object.entries(after) : isLong ? after.map((item) => ["", item] as const) : [];
  const parts = named.map(([name, text]) => rowWith(name, shown(text)));
  if (isMap(after) || isLong) return fieldOf(path, parts);
  return rowWith(path, isList(after) && after.length > 0 ? after.map(shown).join(", ") : showWord(after));
}

export function changedRow(kind: ResourceKind, { path, before, after }: WordChange): Row {
  if (isSetSecret(before) && isSetSecret(after))
    return rowOf(path, "changed", whole("(set)"), whole("(set, sent again)"));
  if (isMap(before) && isMap(after))
    return fieldOf(path, entryParts(new Map(Object.entries(before)), new Map(Object.entries(after)), true));
  if (isList(before) && isList(after)) {
    const isOrdered = fieldAt(kind, path)?.kind === "list";
    const named = (items: readonly string[]): Map<string, string> => new Map(items.map((item) => [item, item]));
    const parts = isOrdered ? sequenceParts(before, after) : entryParts(named(before), named(after), false);
    return fieldOf(path, parts);
  }
  const [old, next] = showWords(before, after);
  if (typeof before === "string" && typeof after === "string") return rowOf(path, "changed", ...pair(old, next));
  return rowOf(path, "changed", wordValue(before, old), wordValue(after, next));
}

/** The target groups that differ, or the items of a list without order. */
function entryParts(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, hasNames: boolean): Row[] {
  const show = itemFormatter([...before.values(), ...after.values()]);
  // A name is no link, even if it looks like an address.
  const value = (text: string): Value =>
    hasNames ? replaced(show(text)) : { pieces: [{ text: show(text), differs: true }] };
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((name): Row[] => {
    const [old, next, label] = [before.get(name), after.get(name), hasNames ? name : ""];
    if (old === next) return [];
    if (old === undefined) return [rowOf(label, "added", null, value(next ?? ""))];
    if (next === undefined) return [rowOf(label, "removed", value(old), null)];
    return [rowOf(label, "changed", ...pair(...showWords(old, next)))];
  });
}

/** A list whose order has a meaning: all of its items. */
function sequenceParts(before: readonly string[], after: readonly string[]): Row[] {
  const show = itemFormatter([...before, ...after]);
  return diffArrays([...before], [...after]).flatMap(({ value, added, removed }) =>
    value.map((item) => {
      if (added) return rowOf("", "added", null, replaced(show(item)));
      if (removed) return rowOf("", "removed", replaced(show(item)), null);
      return rowOf("", "kept", null, whole(show(item)));
    }),
  );
}

function rowOf(label: string, how: Row["how"], before: Value | null, after: Value | null): Row {
  return { label, how, before, after, parts: [] };
}

function fieldOf(label: string, parts: readonly Row[]): Row {
  return { ...rowOf(label, "changed", null, null), parts };
}

function valueOf(text: string, pieces: readonly Piece[]): Value {
  const href = webAddress(text);
  return href === null ? { pieces } : { pieces, href };
}

function whole(text: string): Value {
  return valueOf(text, [{ text, differs: false }]);
}

/** A text without a counterpart. */
function replaced(text: string): Value {
  return valueOf(text, [{ text, differs: true }]);
}

function wordValue(word: Word, text: string): Value {
  return isMarker(word) ? whole(text) : replaced(text);
}

/** Two texts with their differences marked, or marked as a whole if they have too little in common. */
function pair(before: string, after: string): [Value, Value] {
  const compared = compareTexts(before, after);
  if (compared === null) return [replaced(before), replaced(after)];
  return [valueOf(before, compared.before), valueOf(after, compared.after)];
}
