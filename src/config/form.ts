// What a value of a project or resource file may be. Files are checked with these forms, and the JSON Schemas for editors are made from them.

import type { ResourceKind } from "../domain/table.ts";
import type { MapNode } from "./yaml.ts";

/** Keywords of JSON Schema. */
export type Keywords = Readonly<Record<string, unknown>>;

/** A value that is one of these types. `message` says what it must be, for a value of any other type. */
export interface Form {
  readonly message: string;
  readonly text?: TextForm;
  /** A number or boolean is a text, as it is written in the source. */
  readonly isAsWritten?: true;
  readonly number?: NumberForm;
  readonly flag?: true;
  /** `null`, `~` or nothing. */
  readonly empty?: true;
  readonly list?: ListForm;
  readonly map?: MapForm;
  /** The block of a link or pixel. */
  readonly kind?: ResourceKind;
  /** A secret, which a file must not contain. Messages do not repeat it. */
  readonly isSecret?: true;
  /** The word that clears it, where `null` does not. */
  readonly clearedBy?: string | undefined;
  /** Its values are checked for each link of a family, once the placeholders in them are replaced. */
  readonly isTemplate?: true;
  /** What editors show: `description`, `examples`, `default` and others. */
  readonly shown?: Keywords;
}

/** Texts: only these words, as they are written, or those without a problem. `keywords` repeat the rule for editors. */
export interface TextForm {
  readonly words?: readonly string[];
  readonly problem?: (text: string) => string | null;
  readonly keywords?: Keywords;
}

/** Numbers: only these, or those from `least` to `most`. */
export interface NumberForm {
  readonly words?: readonly number[];
  readonly isWhole?: true;
  readonly least?: number;
  readonly most?: number;
  /** It must be more than 0. */
  readonly isPositive?: true;
}

export interface ListForm {
  readonly item: Form;
  /** An empty list is refused where it could mean "nothing" or "anything". */
  readonly isFilled?: true;
  readonly most?: { readonly count: number; readonly message: string };
}

/** A map with only these keys, or with any keys that match `key` and have values of this form. */
export interface MapForm {
  readonly keys?: ReadonlyMap<string, Form>;
  readonly required?: readonly string[];
  readonly key?: KeyForm;
  readonly value?: Form;
  /** What is wrong with a map whose keys are all known. `keywords` repeat the rule for editors. */
  readonly problem?: (map: MapNode) => string | null;
  readonly keywords?: Keywords;
}

/** A key of a map that matches a pattern. */
export interface KeyForm {
  readonly message: string;
  readonly pattern: RegExp;
  /** Only editors check it: its reader explains more. */
  readonly isForEditors?: true;
  readonly keywords?: Keywords;
  /** The probable fix of another key. */
  readonly hint?: (key: string) => string | null;
}

export const NOT_EMPTY = "This must have at least one item.";

/** For a map that must have a key. */
export const FILLED = {
  problem: ({ entries }: MapNode): string | null => (entries.length === 0 ? "This must have at least one key." : null),
  keywords: { minProperties: 1 },
} as const;

/** The form with more to show in editors. */
export function shown(form: Form, more: Keywords): Form {
  return { ...form, shown: { ...form.shown, ...more } };
}

/** The form of a key with its description, its examples, and more to show. */
export function about(description: string, examples: readonly unknown[], form: Form, more: Keywords = {}): Form {
  return shown(form, { description, examples, ...more });
}

export function orEmpty(form: Form): Form {
  return { ...form, empty: true };
}

/** A map with only these keys. */
export function block(
  keys: Readonly<Record<string, Form>>,
  message = `This must be a map with any of these keys: ${Object.keys(keys).join(", ")}.`,
  { kind, ...more }: Omit<MapForm, "keys"> & Pick<Form, "kind"> = {},
): Form {
  return { message, ...(kind !== undefined && { kind }), map: { keys: new Map(Object.entries(keys)), ...more } };
}

/** A map with any keys. */
export function mapOf(value: Form, message: string, more: Omit<MapForm, "value"> = {}): Form {
  return { message, map: { value, ...more } };
}

export function listOf(item: Form, message: string, more: Omit<ListForm, "item"> = {}): Form {
  return { message, list: { item, ...more } };
}

/** A text. It may look like a number or a word of YAML. */
export const text: Form = { message: "This must be text.", text: {}, isAsWritten: true };

/** A text that is not empty. */
export function textLike(message: string): Form {
  return { ...stringOf(message), isAsWritten: true };
}

/** A text that is not empty, and that does not look like a number or a word of YAML. */
export function stringOf(message: string): Form {
  return {
    message,
    text: { problem: (written) => (written.trim() === "" ? message : null), keywords: { minLength: 1 } },
  };
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp, message: string): Form {
  const problem = (written: string): string | null => (pattern.test(written) ? null : message);
  return { message, text: { problem, keywords: { pattern: pattern.source } } };
}

/** A list of texts that are not empty. `item` and `list` say what each must be, as the rest of a sentence; editors show `description`. */
export function textList(item: string, description: string, list: string, more: Omit<ListForm, "item"> = {}): Form {
  return listOf(shown(textLike(`This must be ${item}.`), { description }), `This must be ${list}.`, more);
}

/** One of some words. Editors show the meaning of each. */
export function wordOf(words: readonly string[], meanings: Readonly<Record<string, string>> | null = null): Form {
  const form: Form = { message: `This must be one of: ${words.join(", ")}.`, text: { words } };
  return meanings === null ? form : shown(form, { markdownEnumDescriptions: words.map((word) => meanings[word]) });
}

export const flag: Form = { message: "This must be `true` or `false`.", flag: true };

/** A date. Whether the calendar has it is checked when it is read. */
export const date: Form = matching(/^\d{4}-\d{2}-\d{2}$/, "This must be a date (YYYY-MM-DD).");
