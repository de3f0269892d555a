// Two texts that differ must not look the same: letters that look like others are written by their number where it matters.

import { visible } from "../domain/control-characters.ts";

/** Words, emoji with all that belongs to them, and single signs. */
const WORDS =
  /\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d]*|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

/** Latin letters and common signs, and what of other scripts most typefaces draw like them. */
const CONFUSABLES: Readonly<Record<string, string>> = {
  a: "аɑα",
  b: "Ьƅ",
  c: "сϲ",
  d: "ԁ",
  e: "еҽ",
  g: "ɡց",
  h: "һհ",
  i: "іıι",
  j: "јϳ",
  k: "кκ",
  l: "ӏ",
  n: "ոп",
  o: "оοօ",
  p: "рρ",
  q: "ԛ",
  r: "г",
  s: "ѕ",
  t: "τ",
  u: "υս",
  v: "νѵ",
  w: "ԝѡ",
  x: "хχ",
  y: "уγү",
  A: "АΑ",
  B: "ВΒ",
  C: "СϹ",
  E: "ЕΕ",
  G: "Ԍ",
  H: "НΗ",
  I: "ІΙӀ",
  J: "Ј",
  K: "КΚ",
  M: "МΜ",
  N: "Ν",
  O: "ОΟ",
  P: "РΡ",
  S: "Ѕ",
  T: "ТΤ",
  X: "ХΧ",
  Y: "УΥҮ",
  Z: "Ζ",
  "-": "‐‒–—−",
  "/": "∕⁄",
  ".": "․",
  "'": "’ʼ′",
};

const ASCII_OF = new Map(
  Object.entries(CONFUSABLES).flatMap(([sign, others]) => Array.from(others, (other) => [other, sign])),
);

/** What a text looks like: the same for texts that a reader can hardly tell apart. */
function skeleton(text: string): string {
  const seen = text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(seen, (sign) => ASCII_OF.get(sign) ?? sign).join("");
}

/**
 * A text as it is shown beside others: words that look like another one there, and are not it, have all their signs beyond
 * ASCII written by number.
 */
export function distinguish(text: string, others: readonly string[]): string {
  const strange = hasNonAscii(text) ? wordsOf(text).filter(hasNonAscii) : [];
  // There is nothing to be written by its number.
  if (strange.length === 0) return visible(text);
  // By what these look like: the words beside that look so.
  const looks = new Map(strange.map((word) => [skeleton(word), new Set<string>()]));
  for (const word of others.flatMap(wordsOf)) looks.get(hasNonAscii(word) ? skeleton(word) : word)?.add(word);
  const isUnclear = (word: string): boolean => {
    const alike = looks.get(skeleton(word));
    return alike !== undefined && alike.size > 0 && (alike.size > 1 || !alike.has(word));
  };
  const unclear = new Set(strange.filter(isUnclear));
  if (unclear.size === 0) return visible(text);
  return visible(
    text.replaceAll(WORDS, (word) => (unclear.has(word) ? word.replaceAll(/\P{ASCII}/gu, codePointText) : word)),
  );
}

/** Whether a text has signs beyond ASCII: all others look like themselves only. */
function hasNonAscii(text: string): boolean {
  return /[\u0080-\uffff]/.test(text);
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

function codePointText(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)@/i;
const MASKED = "$1•••@";
const OTHER_MASKED = "$1•••(other)@";

/** An address without who logs in where it leads: whoever follows the link gets it, but a report is read by others. */
function maskUser(text: string): string {
  return text.replace(USER_INFO, MASKED);
}

/** The same of every address in a text, each of which ends at a quotation mark at the latest. */
export function maskUsers(text: string): string {
  return text.replaceAll(/(?<=:\/\/)[^\s/?#"']*(?=@)/g, "•••");
}

/** Two texts that differ, so that this is seen. */
export function distinguishPair(before: string, after: string): readonly [before: string, after: string] {
  const users = [before, after].map((text) => USER_INFO.exec(text)?.[2]);
  const isOther = users.every((user) => user !== undefined) && users[0] !== users[1];
  const next = isOther ? after.replace(USER_INFO, OTHER_MASKED) : maskUser(after);
  const old = maskUser(before);
  return [distinguish(old, [next]), distinguish(next, [old])];
}

/** A value that stands by itself. */
export function shown(text: string): string {
  return visible(maskUser(text));
}

/** The items of two lists, each as it is shown beside the others. */
export function itemFormatter(all: readonly string[]): (item: string) => string {
  const others = [...new Set(all.map(maskUser))];
  return (item) => distinguish(maskUser(item), others);
}
