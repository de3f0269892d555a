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

/** Two texts, made distinguishable. */
export interface TextDiff {
  readonly before: string;
  readonly after: string;
  readonly isAddress: boolean;
  /** Only for addresses that differ in their parameters. */
  readonly address: { readonly page: ComparedAddress["page"]; readonly parameters: PartsDiff } | null;
}

/** Target groups or parameters of an address. Their names are raw. */
export interface PartsDiff {
  readonly changed: readonly ChangedPart[];
  readonly kept: readonly string[];
}

export type ChangedPart = { readonly name: string } & (
  | { readonly change: "added" | "removed"; readonly text: string }
  | { readonly change: "changed"; readonly diff: TextDiff }
);

/** How the value of a field differs. */
export type ValueDiff =
  /** A password that is set on both sides and is sent again. */
  | { readonly kind: "resent" }
  /** Target groups. */
  | { readonly kind: "map"; readonly parts: PartsDiff }
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
    return {
      kind: "map",
      parts: diffParts(compareParts(new Map(Object.entries(before)), new Map(Object.entries(after)))),
    };
  if (isList(before) && isList(after))
    return fieldAt(kind, path)?.kind === "list" ? diffSequence(before, after) : diffSet(before, after);
  if (typeof before === "string" && typeof after === "string") return { kind: "text", ...diffText(before, after) };
  return { kind: "replaced", before: viewValue(before), after: viewValue(after) };
}

function diffText(before: string, after: string): TextDiff {
  const [old, next] = before === "" || after === "" ? showWords(before, after) : distinguishPair(before, after);
  const areAddresses = isAddress(before) && isAddress(after);
  const address = areAddresses ? compareAddresses(old, next) : null;
  return {
    before: old,
    after: next,
    isAddress: areAddresses,
    address: address && { page: address.page, parameters: diffParts(address.parameters) },
  };
}

function diffParts(parts: readonly PartDiff[]): PartsDiff {
  return {
    changed: parts.filter(({ before, after }) => before !== after).map(diffPart),
    kept: parts.filter(({ before, after }) => before === after).map(({ name }) => name),
  };
}

function diffPart({ name, before, after }: PartDiff): ChangedPart {
  if (before === undefined || after === undefined)
    return { name, change: before === undefined ? "added" : "removed", text: shown(before ?? after ?? "") };
  return { name, change: "changed", diff: diffText(before, after) };
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
