// Values as the files write them and as reports show them: texts that differ look different.

import type { Change, FieldChange, Live, Plan, Zones } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { DESTINATION_FIELD, fieldAt, FIELDS, pathsOf, type ResourceKind } from "../domain/table.ts";
import { applyUtm, splitUtm, UTM_KEYS, type UtmValues } from "../domain/utm.ts";
import { pairsOf, textsOf, type Pair, type Value } from "../domain/value.ts";
import { groupBy } from "../domain/collections.ts";
import { codePoint, visible } from "../domain/control-characters.ts";
import { instantOf, offsetAt, wallTimeOf } from "../domain/zone.ts";
import type { FieldWords } from "../apply/options.ts";

/** A value as JSON shows it. An object is a target group, the state of a secret, or `{ unknown: true }` if the service returns no value. */
export type Word = string | number | boolean | null | readonly string[] | Readonly<Record<string, string | true>>;

export interface WordChange {
  readonly path: string;
  readonly before: Word;
  readonly after: Word;
}

/** A field change as the files write it. Date and time are two paths there; each is listed if it differs. */
export function wordChanges(kind: ResourceKind, field: FieldChange, zones: Zones, isNew: boolean): WordChange[] {
  const spec = fieldAt(kind, field.path);
  if (spec === undefined) return [];
  const missing: Word = isNew ? null : { unknown: true };
  const wordsOf = (value: Value | undefined): Word[] => {
    if (value === undefined) return [missing, missing];
    return spec.kind === "instant" ? clockOf(value, zones) : [wordOf(spec, value)];
  };
  const [before, after] = [wordsOf(field.before), wordsOf(field.after)];
  return pathsOf(spec)
    .map((path, part) => ({ path, before: before[part] ?? null, after: after[part] ?? null }))
    .filter((one) => spec.kind !== "instant" || one.before !== one.after);
}

/** In the time zone of the files. When clocks are set back, a time occurs twice. The second one is shown with its UTC offset. */
function clockOf(value: Value, { files }: Zones): Word[] {
  if (typeof value !== "string") return [null, null];
  const wall = wallTimeOf(value, files);
  const [date = null, time = null] = wall.split("T");
  return [date, instantOf(wall, files) === value ? time : `${time} ${offsetAt(value, files)}`];
}

function wordOf(spec: Exclude<FieldSpec, { kind: "instant" }>, value: Value): Word {
  switch (spec.kind) {
    case "secret":
      return { secret: value === true ? "set" : "unset" };
    case "map":
      return Object.fromEntries(numberDuplicates(pairsOf(value)));
    case "references":
    case "list":
      return textsOf(value);
    case "text":
    case "flag":
    case "count":
    case "word":
    case "reference":
      return typeof value === "object" ? null : value;
    default:
      return spec satisfies never;
  }
}

/** Pairs by name. The service keeps duplicate names, so the second one is called `name (2)`. */
function numberDuplicates(pairs: Iterable<Pair>): Map<string, string> {
  const named = new Map<string, string>();
  for (const [name, value] of pairs) {
    let unique = name;
    for (let number = 2; named.has(unique); number += 1) unique = `${name} (${number})`;
    named.set(unique, value);
  }
  return named;
}

/** Shows UTM values apart from the address of a destination. A URL stays complete if linkform would write its parameters in another way. */
export function splitUtmWords(words: readonly WordChange[]): readonly WordChange[] {
  return words.flatMap((word) => (word.path === DESTINATION_FIELD ? destinationWords(word) : [word]));
}

function destinationWords(word: WordChange): WordChange[] {
  const [before, after] = [destinationParts(word.before), destinationParts(word.after)];
  if (before === null || after === null || before.utm.size + after.utm.size === 0) return [word];
  const address = { path: word.path, before: before.address, after: after.address };
  const values = UTM_KEYS.flatMap((key): WordChange[] => {
    const [old, next] = [before.utm.get(key), after.utm.get(key)];
    if (old === undefined && next === undefined) return [];
    return [{ path: `utm.${key}`, before: old ?? before.rest, after: next ?? after.rest }];
  });
  const isChange = (one: WordChange): boolean => JSON.stringify(one.before) !== JSON.stringify(one.after);
  return [address, ...values].filter(isChange);
}

/** The address and the UTM values; null if they do not result in the same URL again. `rest` is the value of the keys that are missing. */
function destinationParts(url: Word): { readonly address: Word; readonly utm: UtmValues; readonly rest: Word } | null {
  if (typeof url !== "string") return { address: url, utm: new Map(), rest: url };
  const { address, utm } = splitUtm(url);
  return applyUtm(address, utm).url === url ? { address, utm, rest: null } : null;
}

/** What is shown for no value: `none`, `(set)`, `(unset)` or `(unknown)`. */
function markerOf(word: Word): string | null {
  if (word === null) return "none";
  if (typeof word !== "object" || isList(word)) return null;
  if (word["unknown"] === true) return "(unknown)";
  return word["secret"] === "set" || word["secret"] === "unset" ? `(${word["secret"]})` : null;
}

export function showWord(word: Word): string {
  if (isList(word)) return `[${word.map(shown).join(", ")}]`;
  if (!isMap(word))
    return typeof word === "string" && word !== "" ? shown(word) : (markerOf(word) ?? JSON.stringify(word));
  const entries = Object.entries(word).map(([key, value]) => `${visible(key)}: ${shown(value)}`);
  return `{ ${entries.join(", ")} }`;
}

export function showWords(before: Word, after: Word): readonly [before: string, after: string] {
  if (typeof before === "string" && typeof after === "string" && before !== "" && after !== "")
    return distinguishPair(before, after);
  return [showWord(before), showWord(after)];
}

export function isSetSecret(word: Word): boolean {
  return markerOf(word) === "(set)";
}

export function isList(word: Word): word is readonly string[] {
  return Array.isArray(word);
}

export function isMarker(word: Word): boolean {
  return markerOf(word) !== null;
}

export function isMap(word: Word): word is Readonly<Record<string, string>> {
  return typeof word === "object" && !isList(word) && !isMarker(word);
}

export function fieldWords(
  { zones }: Pick<Plan, "zones">,
  { kind }: Pick<Change, "kind">,
  fields: readonly FieldChange[],
): FieldWords[] {
  const words = fields.flatMap((field) => wordChanges(kind, field, zones, false));
  return words.map(({ path, before, after }) => {
    const [first, second] = showWords(before, after);
    return { path, before: first, after: second };
  });
}

export function liveWords({ kind, values }: Pick<Live, "kind" | "values">, zones: Zones): ReadonlyMap<string, Word> {
  return new Map(
    FIELDS[kind].flatMap((spec): [string, Word][] => {
      const after = values.get(spec.path);
      if (after === undefined) return pathsOf(spec).map((path) => [path, { unknown: true }]);
      const words = wordChanges(kind, { path: spec.path, before: undefined, after }, zones, false);
      return words.map((word) => [word.path, word.after]);
    }),
  );
}

const WORDS =
  /\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d]*|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

/** ASCII characters, each with the characters that most typefaces draw like it. */
const ASCII_OF = new Map(
  [
    "aаɑα bЬƅ cсϲ dԁ eеҽ gɡց hһհ iіıι jјϳ kкκ lӏ nոп oоοօ pрρ qԛ rг sѕ tτ",
    "uυս vνѵ wԝѡ xхχ yуγү AАΑ BВΒ CСϹ EЕΕ GԌ HНΗ IІΙӀ JЈ KКΚ MМΜ NΝ OОΟ PРΡ",
    "SЅ TТΤ XХΧ YУΥҮ ZΖ -‐‒–—− /∕⁄ .․ '’ʼ′",
  ]
    .flatMap((all) => all.split(" "))
    .flatMap(([ascii = "", ...others]) => others.map((other) => [other, ascii] as const)),
);

/** The same for texts that look the same. */
function skeleton(text: string): string {
  if (!hasNonAscii(text)) return text;
  const normalized = text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(normalized, (character) => ASCII_OF.get(character) ?? character).join("");
}

function hasNonAscii(text: string): boolean {
  return /[\u0080-\uffff]/.test(text);
}

/** Shows texts beside each other. In words that look like another word there, characters beyond ASCII are shown by code point. */
function distinguisher(texts: readonly string[]): (text: string) => string {
  if (!texts.some(hasNonAscii)) return visible;
  const words = new Set(texts.flatMap((text) => text.match(WORDS) ?? []));
  const alike = groupBy(words, skeleton);
  const show = (word: string): string =>
    alike.get(skeleton(word))?.length === 1 ? word : word.replaceAll(/\P{ASCII}/gu, codePoint);
  return (text) => visible(text.replaceAll(WORDS, show));
}

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)@/i;

/** Hides the user name and password of a destination, because a report has more readers than the link. */
function maskUser(text: string): string {
  return text.replace(USER_INFO, "$1•••@");
}

/** Hides them in every address of a text. An address ends at a quotation mark at the latest. */
export function maskUsers(text: string): string {
  return text.replaceAll(/(?<=:\/\/)[^\s/?#"']*(?=@)/g, "•••");
}

export function distinguishPair(before: string, after: string): readonly [before: string, after: string] {
  const [user, other] = [before, after].map((text) => USER_INFO.exec(text)?.[2]);
  const isOther = user !== undefined && other !== undefined && user !== other;
  const next = isOther ? after.replace(USER_INFO, "$1•••(other)@") : maskUser(after);
  const old = maskUser(before);
  const show = distinguisher([old, next]);
  return [show(old), show(next)];
}

export function shown(text: string): string {
  return visible(maskUser(text));
}

/** Formats the items of two lists so that different items look different. */
export function itemFormatter(all: readonly string[]): (item: string) => string {
  const show = distinguisher(all.map(maskUser));
  return (item) => show(maskUser(item));
}
