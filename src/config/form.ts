// What a value of a project or resource file may be. Files are checked with these forms, and the JSON Schemas for editors are made from them.

import type { ResourceKind } from "../domain/table.ts";
import { formatInline, type MapNode } from "./yaml.ts";

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
interface TextForm {
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
}

/** An empty list or map is refused where it could mean "nothing" or "anything". */
export interface SizeForm {
  readonly isFilled?: true;
  readonly most?: { readonly count: number; readonly message: string };
}

interface ListForm extends SizeForm {
  readonly item: Form;
}

/** A map with only these keys, or with any keys that match `key` and have values of this form. */
export interface MapForm extends SizeForm {
  readonly keys?: ReadonlyMap<string, Form>;
  readonly required?: readonly string[];
  readonly key?: KeyForm;
  readonly value?: Form;
  /** What is wrong with a map whose keys are all known. */
  readonly problem?: (map: MapNode) => string | null;
  readonly keywords?: Keywords;
}

export interface KeyForm {
  readonly message: string;
  readonly pattern: RegExp;
  /** Only editors check it: its reader explains more. */
  readonly isForEditors?: true;
  readonly keywords?: Keywords;
  /** The probable fix of another key. */
  readonly hint?: (key: string) => string | null;
}

/** The form with more to show in editors. */
export function shown(form: Form, more: Keywords): Form {
  return { ...form, shown: { ...form.shown, ...more } };
}

/** The form of a key, with more to show. The message of lists and maps has the examples. */
export function about(description: string, examples: readonly unknown[], form: Form, more: Keywords = {}): Form {
  const message = form.message === BY_EXAMPLE ? exampleMessage(form, examples) : form.message;
  return shown({ ...form, message }, { description, examples, ...more });
}

const BY_EXAMPLE = "";

/** More keys would hide the example. */
const MOST_KEYS = 8;

function exampleMessage({ text: word, list, map, kind }: Form, examples: readonly unknown[]): string {
  const types = [word && "`none`", list && "a list", map && "a map"].filter(Boolean);
  const written = examples.map((example) => `\`${formatInline(example)}\``);
  const keys = kind === undefined && map?.required === undefined ? [...(map?.keys?.keys() ?? [])] : [];
  const isShown =
    keys.length > MOST_KEYS || keys.every((key) => written.some((example) => example.includes(` ${key}: `)));
  const more = isShown ? "" : ` Allowed keys: ${keys.join(", ")}.`;
  return `This must be ${types.join(" or ")}, such as ${written.join(" or ")}.${more}`;
}

export function orEmpty(form: Form): Form {
  return { ...form, empty: true };
}

/** A map with only these keys. */
export function block(
  keys: Readonly<Record<string, Form>>,
  { kind, message = BY_EXAMPLE, ...more }: Omit<MapForm, "keys"> & Partial<Pick<Form, "kind" | "message">> = {},
): Form {
  return { message, ...(kind && { kind }), map: { keys: new Map(Object.entries(keys)), ...more } };
}

/** A map with any keys. */
export function mapOf(value: Form, more: Omit<MapForm, "value"> = {}): Form {
  return { message: BY_EXAMPLE, map: { value, ...more } };
}

/** Editors show the description for each item. */
export function listOf(item: Form, description: string, more: SizeForm = {}): Form {
  return { message: BY_EXAMPLE, list: { item: shown(item, { description }), ...more } };
}

/** A text. It may look like a number or a word of YAML. */
export const text: Form = { message: "This must be text.", text: {}, isAsWritten: true };

/** A text that is not empty. */
export function textLike(message: string): Form {
  return { ...stringOf(message), isAsWritten: true };
}

/** A text that is not empty, and that does not look like a number or a word of YAML. */
export function stringOf(message: string): Form {
  return textThat((written) => written.trim() !== "", message, { minLength: 1 });
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp, message: string): Form {
  return textThat((written) => pattern.test(written), message, { pattern: pattern.source });
}

/** A text that fits. `keywords` repeat the rule for editors. */
export function textThat(fits: (written: string) => boolean, message: string, keywords: Keywords): Form {
  return { message, text: { problem: (written) => (fits(written) ? null : message), keywords } };
}

/** A list of texts that are not empty. The description is a noun phrase. */
export function textList(description: string, more: SizeForm = {}): Form {
  const item = textLike(`This must be ${description.charAt(0).toLowerCase()}${description.slice(1)}`);
  return listOf(item, description, more);
}

/** One of some words. Editors show the meaning of each. */
export function wordOf(words: readonly string[], meanings: Readonly<Record<string, string>> | null = null): Form {
  const form: Form = { message: `This must be one of: ${words.join(", ")}.`, text: { words } };
  return meanings === null ? form : shown(form, { markdownEnumDescriptions: words.map((word) => meanings[word]) });
}

export const flag: Form = { message: "This must be `true` or `false`.", flag: true };

/** A date. Whether the calendar has it is checked when it is read. */
export const date: Form = matching(/^\d{4}-\d{2}-\d{2}$/, "This must be a date (YYYY-MM-DD).");
