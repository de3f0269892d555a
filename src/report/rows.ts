// The fields of a change as rows: the value before and after, with the parts that differ.

import { diffArrays } from "diff";
import { fieldAt, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Pair } from "../domain/value.ts";
import { isAddress, webAddress, type Piece, type Row, type Value } from "./blocks.ts";
import { itemFormatter, shown, isList, isMap, isMarker, isSetSecret, showWord, showWords, splitUtmWords } from "./values.ts";
import type { WordChange } from "./values.ts";
import type { ShownChange } from "./document.ts";

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
  const wholeOf = (label: string, text: string): Row => rowOf(label, "whole", null, valueOf(text, false));
  if (isMap(after)) return fieldOf(path, Object.entries(after).map(([name, text]) => wholeOf(name, shown(text))));
  if (!isList(after) || after.length === 0) return wholeOf(path, showWord(after));
  const items = after.map(shown);
  return after.some(isAddress) ? fieldOf(path, items.map((item) => wholeOf("", item))) : wholeOf(path, items.join(", "));
}

export function changedRow(kind: ResourceKind, { path, before, after }: WordChange): Row {
  if (isSetSecret(before) && isSetSecret(after))
    return rowOf(path, "changed", valueOf("(set)", false), valueOf("(set, sent again)", false));
  if (isMap(before) && isMap(after)) return fieldOf(path, entryParts(Object.entries(before), Object.entries(after), true));
  if (isList(before) && isList(after)) {
    if (fieldAt(kind, path)?.kind === "list") return fieldOf(path, sequenceParts(before, after));
    const named = (items: readonly string[]): Pair[] => items.map((item) => [item, item]);
    return fieldOf(path, entryParts(named(before), named(after), false));
  }
  const [old, next] = showWords(before, after);
  if (typeof before === "string" && typeof after === "string") return rowOf(path, "changed", ...pair(old, next));
  return rowOf(path, "changed", valueOf(old, !isMarker(before)), valueOf(next, !isMarker(after)));
}

/** The target groups that differ, or the items of a list without order. */
function entryParts(was: readonly Pair[], is: readonly Pair[], hasNames: boolean): Row[] {
  const [before, after] = [new Map(was), new Map(is)];
  const show = itemFormatter([...before.values(), ...after.values()]);
  // A name is no link, even if it looks like an address.
  const value = (text: string): Value =>
    hasNames ? valueOf(show(text), true) : { pieces: [{ text: show(text), differs: true }] };
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
      if (removed) return rowOf("", "removed", valueOf(show(item), true), null);
      return rowOf("", added ? "added" : "kept", null, valueOf(show(item), added));
    }),
  );
}

function rowOf(label: string, how: Row["how"], before: Value | null, after: Value | null): Row {
  return { label, how, before, after, parts: [] };
}

function fieldOf(label: string, parts: readonly Row[]): Row {
  return { ...rowOf(label, "changed", null, null), parts };
}

/** `differs`: a text without a counterpart. */
function valueOf(text: string, differs: boolean, pieces: readonly Piece[] = [{ text, differs }]): Value {
  const href = webAddress(text);
  return href === null ? { pieces } : { pieces, href };
}

/** Two texts with their differences marked, or marked as a whole if they have too little in common. */
function pair(before: string, after: string): [Value, Value] {
  const compared = compareTexts(before, after);
  return [valueOf(before, true, compared?.before), valueOf(after, true, compared?.after)];
}

const WORDS = /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

/** Texts that need more edits have little in common. */
const MAX_STEPS = 200;

/** The smallest common share of the longer text for which marks are useful. */
const MIN_SHARED = 0.3;

/** Null for texts that have too little in common. */
export function compareTexts(before: string, after: string): Record<"before" | "after", readonly Piece[]> | null {
  const steps = diffArrays(before.match(WORDS) ?? [], after.match(WORDS) ?? [], { maxEditLength: MAX_STEPS });
  if (steps === undefined) return null;
  const sideWithout = (other: "added" | "removed"): Piece[] =>
    steps.flatMap((step) => (step[other] ? [] : { text: step.value.join(""), differs: step.added || step.removed }));
  const compared = { before: sideWithout("added"), after: sideWithout("removed") };
  const shared = compared.before.reduce((sum, { text, differs }) => sum + (differs ? 0 : text.length), 0);
  return shared < MIN_SHARED * Math.max(before.length, after.length) ? null : compared;
}
