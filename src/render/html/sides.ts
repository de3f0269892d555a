// The value of a field, or how it differs, as rows of two sides with the differing parts marked.

import { visible } from "../../domain/control-characters.ts";
import { calledAt, type ResourceKind } from "../../domain/table.ts";
import { shown } from "../../view/confusables.ts";
import { compareTexts, type PartDiff, type TextPiece } from "../../view/text-diff.ts";
import { diffText, diffValue, viewValue, type TextDiff, type ValueView } from "../../view/value-diff.ts";
import type { WordChange } from "../../view/values.ts";

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

/** The rows of a value that stands alone. */
export function valueRows({ path, after }: WordChange): SideRow[] {
  const head = { label: calledAt(path) ?? path, part: null, before: null };
  const value = viewValue(after);
  if (value.kind === "map")
    return [{ ...head, after: null }, ...value.entries.map(([name, text]) => part(name, "kept", null, whole(text)))];
  if (value.kind !== "list" || value.items.length === 0) return [{ ...head, after: whole(value.text) }];
  if (!value.hasAddress) return [{ ...head, after: whole(value.items.join(", ")) }];
  const [first = "", ...rest] = value.items;
  return [{ ...head, after: whole(first) }, ...rest.map((item) => part("", "kept", null, whole(item)))];
}

/** The rows of a value that changes. */
export function changeRows(kind: ResourceKind, change: WordChange): SideRow[] {
  const label = calledAt(change.path) ?? change.path;
  const row = (before: RowSide, after: RowSide): SideRow => ({ label, part: null, before, after });
  const diff = diffValue(kind, change);
  switch (diff.kind) {
    case "resent":
      return [row(whole("(set)"), whole("(set, sent again)"))];
    case "map":
      return [row(null, null), ...partRows(diff.parts)];
    case "set":
      return [
        row(null, null),
        ...diff.added.map((text) => part("", "added", null, other(text))),
        ...diff.removed.map((text) => part("", "removed", other(text), null)),
        ...keptRows(diff.kept),
      ];
    case "sequence":
      return [row(null, null), ...diff.items.map(({ text, change: how }) => itemRow(text, how))];
    case "text":
      return textRows(diff, row);
    case "replaced":
      return [row(replacedSide(diff.before), replacedSide(diff.after))];
    default:
      return diff satisfies never;
  }
}

function itemRow(text: string, how: "added" | "removed" | "kept"): SideRow {
  if (how === "added") return part("", how, null, other(text));
  return how === "removed" ? part("", how, other(text), null) : part("", how, whole(text), whole(text));
}

function textRows({ before, after, address }: TextDiff, row: (old: RowSide, next: RowSide) => SideRow): SideRow[] {
  if (address === null) return [row(...pieces(before, after))];
  const { page, parameters } = address;
  return [row(...pieces(page.before, page.after)), ...partRows(parameters)];
}

function part(label: string, how: Exclude<SideRow["part"], null>, before: RowSide, after: RowSide): SideRow {
  return { label: visible(label), part: how, before, after };
}

function whole(text: string): RowSide {
  return [{ text, differs: false }];
}

/** A text of which the other side has nothing. */
function other(text: string): RowSide {
  return [{ text, differs: true }];
}

/** A value of which the other side has nothing. What only stands for a value is not marked. */
function replacedSide({ kind, text }: ValueView): RowSide {
  return kind === "mark" || kind === "map" ? whole(text) : other(text);
}

/** Two texts as they are shown, with the difference marked; all of them if they have too little in common. */
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
      const diff = diffText(before, after);
      return part(name, "changed", ...pieces(diff.before, diff.after));
    });
  return [...rows, ...keptRows(kept)];
}

/** What stays, in one row: by name if there are few. */
function keptRows(names: readonly string[]): SideRow[] {
  if (names.length === 0) return [];
  const text = names.length > MOST_NAMED ? `${names.length} others unchanged` : `${names.join(", ")} unchanged`;
  return [part(text, "kept", null, null)];
}
