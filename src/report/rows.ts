// The fields of changes: as rows with the values before and after, and as a sentence about changes that are alike.

import { diffArrays } from "diff";
import { groupBy } from "../domain/collections.ts";
import { calledAt, fieldAt, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Pair } from "../domain/value.ts";
import { code, isAddress, joinLines, line, webAddress } from "./blocks.ts";
import type { Line, Piece, Row, Span, Value } from "./blocks.ts";
import { countEach } from "./counts.ts";
import type { ShownChange } from "./document.ts";
import { isList, isMap, isMarker, isSetSecret, itemFormatter, shown } from "./values.ts";
import { showWord, showWords, splitUtmWords, type Word, type WordChange } from "./values.ts";

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
  const partsOf = (named: readonly Pair[]): Row[] => named.map(([name, text]) => wholeOf(name, shown(text)));
  if (isMap(after)) return fieldOf(path, partsOf(Object.entries(after)));
  if (!isList(after) || after.length === 0) return wholeOf(path, showWord(after));
  if (after.some(isAddress)) return fieldOf(path, partsOf(after.map((item) => ["", item])));
  return wholeOf(path, after.map(shown).join(", "));
}

export function changedRow(kind: ResourceKind, { path, before, after }: WordChange): Row {
  if (isSetSecret(before) && isSetSecret(after))
    return rowOf(path, "changed", valueOf("(set)", false), valueOf("(set, sent again)", false));
  if (isMap(before) && isMap(after))
    return fieldOf(path, entryParts(Object.entries(before), Object.entries(after), true));
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

export interface Member {
  readonly change: ShownChange;
  readonly words: readonly WordChange[];
  /** For each field, the descriptions of its change; empty for new and deleted objects. */
  readonly edits: readonly (readonly Edit[])[];
}

export interface Group {
  readonly members: readonly [Member, ...Member[]];
  /** What is the same for all of them; empty for nothing. */
  readonly statement: Line;
  /** How each of them changes. */
  readonly edits: readonly Edit[];
  /** The fields whose values differ between them: those after a create, or those before an update. */
  readonly differing: ReadonlySet<string>;
}

const MIN_SIMILAR = 5;

/** Whether a sentence describes the future, the past, or declared and live values. */
export type Tense = "plan" | "apply" | "drift";

/** Changes are similar if they set the same values or change the same start of addresses, and new objects if they have the same fields. */
export function groupSimilar(
  all: readonly ShownChange[],
  tense: Tense,
): { readonly groups: readonly Group[]; readonly rest: readonly ShownChange[] } {
  const members = all.map((change): Member => {
    const words = wordsOf(change);
    return { change, words, edits: isWhole(change) ? [] : words.map(editsOf) };
  });
  const counts = countEach(members.flatMap(({ edits }) => edits.flat()).map((edit) => JSON.stringify(edit)));
  const countOf = (edit: Edit): number => counts.get(JSON.stringify(edit)) ?? 0;
  // For each field, the description that fits the most changes.
  const chosen = (one: Member): Edit[] =>
    one.edits.flatMap((edits) => edits.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, 1));
  const byKey = groupBy(members, (one) => {
    const { change, words } = one;
    const { action, kind, drift, owner, origin, because, trips, family } = change;
    if (change.previous_key !== null || (words.length === 0 && !isWhole(change))) return Symbol("alone");
    const about = [action, kind, origin, because, trips, ...(drift === undefined ? [] : [drift, owner])];
    return JSON.stringify([about, isWhole(change) ? [family?.pattern, words.map(shapeOf)] : chosen(one)]);
  });
  const groups = [...byKey.values()].flatMap(([first, ...others]): Group[] =>
    first === undefined || others.length + 1 < MIN_SIMILAR ? [] : [groupOf([first, ...others], chosen(first), tense)],
  );
  const grouped = new Set(groups.flatMap((group) => group.members.map(({ change }) => change)));
  return {
    groups: groups.toSorted((a, b) => b.members.length - a.members.length),
    rest: all.filter((one) => !grouped.has(one)),
  };
}

/** Created objects are alike if they have the same fields, and the same hosts in addresses. */
function shapeOf({ path, after: word }: WordChange): unknown {
  if (typeof word === "string") return [path, originOf(word)];
  return [path, isMap(word) ? Object.entries(word).map(([name, text]) => [name, originOf(text)]) : word];
}

/** New and deleted objects have no edits. They are described by the values that all of them have. */
function groupOf(members: Group["members"], edits: readonly Edit[], tense: Tense): Group {
  const isNew = edits.length === 0;
  const differing = new Set<string>();
  const lines = members[0].words.flatMap(({ path, before, after }, at): Line[] => {
    const edit = edits[at];
    const values = members.map((one) => JSON.stringify(isNew ? one.words[at]?.after : one.words[at]?.before));
    if (edit?.start === undefined && new Set(values).size > 1) differing.add(path);
    if (edit !== undefined) return [editLine(edit, differing.has(path) ? undefined : before, tense)];
    return differing.has(path) ? [] : [line`${fieldName(path)} ${wordSpan(after)}`];
  });
  const statement = lines.length === 0 ? [] : line`${joinLines(lines, isNew ? ", " : "; ")}.`;
  return { members, statement, edits, differing };
}

/** A complete description of how a field changes. */
export interface Edit {
  readonly path: string;
  readonly after: Word;
  /** The start of an address that becomes `after`: scheme and host, or more. Left out if all of the value does. */
  readonly start?: string;
}

/** The most exact description first. */
function editsOf({ path, before, after }: WordChange): Edit[] {
  const starts = typeof before === "string" && typeof after === "string" ? startsOf(before, after) : null;
  return [{ path, after }, ...(starts === null ? [] : [{ path, start: starts[0], after: starts[1] }])];
}

/** The scheme, user and host of an address. */
function originOf(text: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(text)?.[0] ?? null;
}

/** Two addresses up to their common end, which is at most the path and what follows it. */
function startsOf(before: string, after: string): [before: string, after: string] | null {
  const [old, next] = [originOf(before), originOf(after)];
  if (old === null || next === null || before === after) return null;
  const [rest, other] = [before.slice(old.length), after.slice(next.length)];
  if (rest === other) return [old, next];
  const ends = Array.from(rest.matchAll(/[/?#]/g), ({ index }) => rest.slice(index));
  const end = ends.find((one) => other.endsWith(one));
  return end === undefined ? null : [before.slice(0, -end.length), after.slice(0, -end.length)];
}

/** `previous`: the value before, if all have the same. */
function editLine(edit: Edit, previous: Word | undefined, tense: Tense): Line {
  const name = fieldName(edit.path);
  if (edit.start !== undefined) {
    const [before, after] = showWords(edit.start, edit.after);
    const part = originOf(edit.start) === edit.start ? "host" : "start";
    return line`${part} of ${name}: ${becomesLine([code(before)], [code(after)], tense)}`;
  }
  if (previous === undefined)
    return tense === "drift"
      ? line`${name}: ${wordSpan(edit.after)} is declared, and other values are live`
      : line`${name} ${tense === "apply" ? "became" : "becomes"} ${wordSpan(edit.after)}`;
  if (isSetSecret(previous) && isSetSecret(edit.after)) return line`${name} is sent again`;
  const [before, after] = showWords(previous, edit.after);
  return line`${name}: ${becomesLine([wordSpan(previous, before)], [wordSpan(edit.after, after)], tense)}`;
}

/** Drift is shown with the declared value first. */
function becomesLine(before: Line, after: Line, tense: Tense): Line {
  if (tense === "drift") return line`${after} is declared, ${before} is live`;
  return line`${before} ${tense === "apply" ? "became" : "becomes"} ${after}`;
}

export function fieldName(path: string): Span {
  const name = calledAt(path);
  return name === null ? code(path) : { text: name, as: "text" };
}

/** A value as it is shown, by default on its own. Only a marker is a word of linkform, whatever the text looks like. */
export function wordSpan(word: Word, text: string = showWord(word)): Span {
  return isMarker(word) ? { text, as: "text" } : code(text, webAddress(text));
}
