// A field's change as rows of two sides: what is, what will be, and which parts of them differ.

import { diffArrays } from "diff";
import { calledAt, fieldAt, type ResourceKind } from "../../domain/table.ts";
import { shown, showItem, tellApart } from "../../view/confusables.ts";
import {
  compareAddresses,
  compareParts,
  compareTexts,
  isAddress,
  type PartDiff,
  type TextPiece,
} from "../../view/text-diff.ts";
import { visible } from "../../domain/control-characters.ts";
import { isList, isMap, isSetSecret, showWord, showWords, type Word, type WordChange } from "../../view/values.ts";

/** One side of a row; null where there is nothing on it. */
export type RowSide = readonly TextPiece[] | null;

export interface SideRow {
  /** A field's path, or what a part of it is called; empty for an item of a list. */
  readonly label: string;
  /** What becomes of a part; null for the field itself. */
  readonly part: "added" | "removed" | "changed" | "kept" | null;
  readonly before: RowSide;
  readonly after: RowSide;
}

const MOST_NAMED = 6;

/** The rows of a value that stands alone: it comes, or goes. */
export function valueRows({ path, after }: WordChange): SideRow[] {
  const head = { label: calledAt(path) ?? path, part: null, before: null };
  if (isMap(after))
    return [
      { ...head, after: null },
      ...Object.entries(after).map(([name, value]) => part(name, "kept", null, whole(shown(value)))),
    ];
  const [first, ...rest] = isList(after) && after.some(isAddress) ? after.map(shown) : [showValue(after)];
  return [{ ...head, after: whole(first ?? "") }, ...rest.map((item) => part("", "kept", null, whole(item)))];
}

/** A word by itself: a list without the brackets of the files. */
function showValue(word: Word): string {
  return isList(word) && word.length > 0 ? word.map(shown).join(", ") : showWord(word);
}

/** The rows of a value that changes. */
export function changeRows(kind: ResourceKind, { path, before, after }: WordChange): SideRow[] {
  const head = { label: calledAt(path) ?? path, part: null };
  const alone = (old: RowSide, next: RowSide): SideRow[] => [{ ...head, before: old, after: next }];
  if (isSetSecret(before) && isSetSecret(after)) return alone(whole(showWord(before)), whole("(set, sent again)"));
  const isEmptyHead = { ...head, before: null, after: null };
  if (isMap(before) && isMap(after)) {
    const parts = compareParts(new Map(Object.entries(before)), new Map(Object.entries(after)));
    return [isEmptyHead, ...partRows(parts)];
  }
  if (isList(before) && isList(after)) {
    const isOrdered = fieldAt(kind, path)?.kind === "list";
    return [isEmptyHead, ...(isOrdered ? sequenceRows(before, after) : setRows(before, after))];
  }
  const [old, next] = showWords(before, after);
  if (typeof before !== "string" || typeof after !== "string")
    return alone(differing(before, old), differing(after, next));
  const compared = isAddress(before) && isAddress(after) ? compareAddresses(old, next) : null;
  if (compared === null) return alone(...pieces(old, next));
  const { page, parameters } = compared;
  return [...alone(...pieces(page.before, page.after)), ...partRows(parameters)];
}

function part(label: string, how: Exclude<SideRow["part"], null>, before: RowSide, after: RowSide): SideRow {
  return { label: visible(label), part: how, before, after };
}

function whole(text: string): RowSide {
  return [{ text, differs: false }];
}

/** A text that the other side has nothing of. */
function other(text: string): RowSide {
  return [{ text, differs: true }];
}

/** A value that the other side has not; what stands for one that is not there is no text of it. */
function differing(word: Word, text: string): RowSide {
  const isValue = typeof word === "string" || typeof word === "number" || typeof word === "boolean" || isList(word);
  return isValue ? other(text) : whole(text);
}

/** Two texts as they are shown, with what differs marked: all of them where they have too little in common. */
function pieces(before: string, after: string): [RowSide, RowSide] {
  if (before === after) return [whole(before), whole(after)];
  const compared = compareTexts(before, after);
  return compared === null ? [other(before), other(after)] : [compared.before, compared.after];
}

function partRows(parts: readonly PartDiff<string>[]): SideRow[] {
  const kept = parts.flatMap(({ name, before, after }) => (before === after ? [name] : []));
  const rows = parts
    .filter(({ before, after }) => before !== after)
    .map(({ name, before, after }) => {
      if (before === undefined) return part(name, "added", null, other(shown(after ?? "")));
      if (after === undefined) return part(name, "removed", other(shown(before)), null);
      return part(name, "changed", ...pieces(...tellApart(before, after)));
    });
  return [...rows, ...keptRows(kept)];
}

function setRows(before: readonly string[], after: readonly string[]): SideRow[] {
  const [old, next] = [new Set(before), new Set(after)];
  const show = showItem([...before, ...after]);
  return [
    ...after.filter((item) => !old.has(item)).map((item) => part("", "added", null, other(show(item)))),
    ...before.filter((item) => !next.has(item)).map((item) => part("", "removed", other(show(item)), null)),
    ...keptRows(after.filter((item) => old.has(item)).map(show)),
  ];
}

/** In their order, with those that stay between them. */
function sequenceRows(before: readonly string[], after: readonly string[]): SideRow[] {
  const show = showItem([...before, ...after]);
  return diffArrays([...before], [...after]).flatMap(({ value, added, removed }) =>
    value.map((item) => {
      const text = show(item);
      if (added) return part("", "added", null, other(text));
      return removed ? part("", "removed", other(text), null) : part("", "kept", whole(text), whole(text));
    }),
  );
}

/** What stays, in one row: by name where there are few. */
function keptRows(names: readonly string[]): SideRow[] {
  if (names.length === 0) return [];
  const text = names.length > MOST_NAMED ? `${names.length} others unchanged` : `${names.join(", ")} unchanged`;
  return [part(text, "kept", null, null)];
}
