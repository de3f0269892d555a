// The fields of a change as rows: the value before and after, with the parts that differ.

import { diffArrays } from "diff";
import { fieldAt, type ResourceKind } from "../domain/table.ts";
import type { Piece, Row, Value } from "./blocks.ts";
import { distinguishPair, itemFormatter, shown } from "./confusables.ts";
import { webAddress } from "./spans.ts";
import { compareAddresses, compareParts, compareTexts, isAddress, type PartDiff } from "./text-diff.ts";
import { isList, isMap, isMarker, isSetSecret, showWord, showWords, type Word, type WordChange } from "./values.ts";

/** The rows of a field of a created or deleted object: only its value. */
export function wholeRows({ path, after }: WordChange): Row[] {
  const field = (value: Value | null): Row => ({ label: path, part: null, before: null, after: value });
  if (isMap(after))
    return [
      field(null),
      ...Object.entries(after).map(([name, text]) => partRow(name, "kept", null, whole(shown(text)))),
    ];
  if (!isList(after) || after.length === 0) return [field(whole(showWord(after)))];
  if (!after.some(isAddress)) return [field(whole(after.map(shown).join(", ")))];
  return [field(null), ...after.map((item) => partRow("", "kept", null, whole(shown(item))))];
}

/** The rows of a changed field. */
export function changedRows(kind: ResourceKind, { path, before, after }: WordChange): Row[] {
  const field = (old: Value | null, next: Value | null): Row => ({ label: path, part: null, before: old, after: next });
  if (isSetSecret(before) && isSetSecret(after)) return [field(whole("(set)"), whole("(set, sent again)"))];
  if (isMap(before) && isMap(after)) {
    const parts = compareParts(new Map(Object.entries(before)), new Map(Object.entries(after)));
    return [field(null, null), ...partRows(parts)];
  }
  if (isList(before) && isList(after)) {
    const hasOrder = fieldAt(kind, path)?.kind === "list";
    return [field(null, null), ...(hasOrder ? sequenceRows(before, after) : setRows(before, after))];
  }
  if (typeof before === "string" && typeof after === "string") return textRows(before, after, field);
  return [field(wordValue(before), wordValue(after))];
}

function textRows(before: string, after: string, field: (old: Value, next: Value) => Row): Row[] {
  const [old, next] = before === "" || after === "" ? showWords(before, after) : distinguishPair(before, after);
  const address = isAddress(before) && isAddress(after) ? compareAddresses(old, next) : null;
  if (address === null) return [field(...pair(old, next))];
  return [field(...pair(address.page.before, address.page.after)), ...partRows(address.parameters)];
}

function setRows(before: readonly string[], after: readonly string[]): Row[] {
  const show = itemFormatter([...before, ...after]);
  const [old, next] = [new Set(before), new Set(after)];
  return [
    ...after.filter((item) => !old.has(item)).map((item) => partRow("", "added", null, nameValue(show(item)))),
    ...before.filter((item) => !next.has(item)).map((item) => partRow("", "removed", nameValue(show(item)), null)),
    ...keptRow(after.filter((item) => old.has(item)).map(show)),
  ];
}

/** A name, which is no link even if it looks like an address. */
function nameValue(text: string): Value {
  return { pieces: [{ text, differs: true }] };
}

/** A list whose order has a meaning: all of its items. */
function sequenceRows(before: readonly string[], after: readonly string[]): Row[] {
  const show = itemFormatter([...before, ...after]);
  return diffArrays([...before], [...after]).flatMap(({ value, added, removed }) =>
    value.map((item) => {
      if (added) return partRow("", "added", null, replaced(show(item)));
      if (removed) return partRow("", "removed", replaced(show(item)), null);
      return partRow("", "kept", whole(show(item)), whole(show(item)));
    }),
  );
}

/** Target groups, or the parameters of an address. */
function partRows(parts: readonly PartDiff[]): Row[] {
  const changed = parts.flatMap(({ name, before, after }) => {
    if (before === after) return [];
    if (before === undefined) return partRow(name, "added", null, replaced(shown(after ?? "")));
    if (after === undefined) return partRow(name, "removed", replaced(shown(before)), null);
    const [old, next] = before === "" || after === "" ? showWords(before, after) : distinguishPair(before, after);
    return partRow(name, "changed", ...pair(old, next));
  });
  return [...changed, ...keptRow(parts.filter(({ before, after }) => before === after).map(({ name }) => name))];
}

const MAX_NAMED = 6;

/** Unchanged parts in one row: by name if there are few. */
function keptRow(names: readonly string[]): Row[] {
  if (names.length === 0) return [];
  const label = names.length > MAX_NAMED ? `${names.length} others unchanged` : `${names.join(", ")} unchanged`;
  return [partRow(label, "kept", null, null)];
}

function partRow(label: string, part: NonNullable<Row["part"]>, before: Value | null, after: Value | null): Row {
  return { label, part, before, after };
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

function wordValue(word: Word): Value {
  return isMarker(word) ? whole(showWord(word)) : replaced(showWord(word));
}

/** Two texts with their differences marked, or marked as a whole if they have too little in common. */
function pair(before: string, after: string): [Value, Value] {
  if (before === after) return [whole(before), whole(after)];
  const compared = compareTexts(before, after);
  if (compared === null) return [replaced(before), replaced(after)];
  return [valueOf(before, compared.before), valueOf(after, compared.after)];
}
