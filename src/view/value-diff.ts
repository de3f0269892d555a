// Values and how they differ, as data for every format.

import { diffArrays } from "diff";
import { fieldAt, type ResourceKind } from "../domain/table.ts";
import { shown, itemFormatter, distinguishPair } from "./confusables.ts";
import { compareAddresses, compareParts, isAddress, type ComparedAddress, type PartDiff } from "./text-diff.ts";
import { isList, isMap, isSetSecret, showWord, showWords, type Word, type WordChange } from "./values.ts";

/** A single value. `text` is the whole value on one line, as in a file. */
export type ValueView = { readonly text: string } & (
  | { readonly kind: "map"; readonly entries: readonly (readonly [key: string, value: string])[] }
  | { readonly kind: "list"; readonly items: readonly string[]; readonly hasAddress: boolean }
  | { readonly kind: "text"; readonly isAddress: boolean }
  /** A number or boolean. */
  | { readonly kind: "literal" }
  /** `none`, `(set)` or `(unknown)`. */
  | { readonly kind: "mark" }
);

export function viewValue(word: Word): ValueView {
  const text = showWord(word);
  if (isMap(word))
    return { kind: "map", text, entries: Object.entries(word).map(([key, value]) => [key, shown(value)]) };
  if (isList(word)) return { kind: "list", text, items: word.map(shown), hasAddress: word.some(isAddress) };
  if (typeof word === "string") return { kind: "text", text, isAddress: isAddress(text) };
  return { kind: typeof word === "number" || typeof word === "boolean" ? "literal" : "mark", text };
}

export interface ItemDiff {
  readonly text: string;
  readonly change: "added" | "removed" | "kept";
}

/** Two texts, made distinguishable. `address` has their parts if both are addresses that differ in their parameters. */
export interface TextDiff {
  readonly before: string;
  readonly after: string;
  readonly isAddress: boolean;
  readonly address: ComparedAddress | null;
}

/** How the value of a field differs. */
export type ValueDiff =
  /** A password that is set on both sides and is sent again. */
  | { readonly kind: "resent" }
  /** Target groups, key by key. The values are raw: see `diffText`. */
  | { readonly kind: "map"; readonly parts: readonly PartDiff<string>[] }
  /** Lists whose order has no meaning. */
  | {
      readonly kind: "set";
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly kept: readonly string[];
    }
  /** Lists whose order has a meaning. */
  | {
      readonly kind: "sequence";
      readonly items: readonly ItemDiff[];
      readonly before: ValueView;
      readonly after: ValueView;
    }
  | ({ readonly kind: "text" } & TextDiff)
  /** Values that cannot be compared in parts. */
  | { readonly kind: "replaced"; readonly before: ValueView; readonly after: ValueView };

export function diffValue(kind: ResourceKind, { path, before, after }: WordChange): ValueDiff {
  if (isSetSecret(before) && isSetSecret(after)) return { kind: "resent" };
  if (isMap(before) && isMap(after))
    return { kind: "map", parts: compareParts(new Map(Object.entries(before)), new Map(Object.entries(after))) };
  if (isList(before) && isList(after))
    return fieldAt(kind, path)?.kind === "list" ? diffSequence(before, after) : diffSet(before, after);
  if (typeof before === "string" && typeof after === "string") return { kind: "text", ...diffText(before, after) };
  return { kind: "replaced", before: viewValue(before), after: viewValue(after) };
}

export function diffText(before: string, after: string): TextDiff {
  const [old, next] = before === "" || after === "" ? showWords(before, after) : distinguishPair(before, after);
  const areAddresses = isAddress(before) && isAddress(after);
  return {
    before: old,
    after: next,
    isAddress: areAddresses,
    address: areAddresses ? compareAddresses(old, next) : null,
  };
}

function diffSet(before: readonly string[], after: readonly string[]): ValueDiff {
  const [old, next] = [new Set(before), new Set(after)];
  const show = itemFormatter([...before, ...after]);
  return {
    kind: "set",
    added: after.filter((item) => !old.has(item)).map(show),
    removed: before.filter((item) => !next.has(item)).map(show),
    kept: after.filter((item) => old.has(item)).map(show),
  };
}

function diffSequence(before: readonly string[], after: readonly string[]): ValueDiff {
  const show = itemFormatter([...before, ...after]);
  const items = diffArrays([...before], [...after]).flatMap(({ value, added, removed }) =>
    value.map((item): ItemDiff => ({ text: show(item), change: added ? "added" : removed ? "removed" : "kept" })),
  );
  return { kind: "sequence", items, before: viewValue(before), after: viewValue(after) };
}
