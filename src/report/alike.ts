// Two texts that differ must not look the same: letters that look like others are written by their number where it matters.

import { visible } from "./unseen.ts";

/** Words, emoji with all that belongs to them, and single signs. */
const WORDS =
  /\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d]*|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

/** Latin letters and common signs, and what of other scripts most typefaces draw like them. */
const ALIKE: Readonly<Record<string, string>> = {
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
const LIKE = new Map(Object.entries(ALIKE).flatMap(([sign, others]) => Array.from(others, (other) => [other, sign])));

/** What a text looks like: the same for texts that a reader can hardly tell apart. */
function looksLike(text: string): string {
  const seen = text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(seen, (sign) => LIKE.get(sign) ?? sign).join("");
}

/**
 * A text as it is shown beside others: words that look like another one there, and are not it, have all their signs beyond
 * ASCII written by number.
 */
export function apart(text: string, others: readonly string[]): string {
  const beside = new Set(others.flatMap((other) => other.match(WORDS) ?? []));
  const looks = new Map<string, Set<string>>();
  for (const word of beside) looks.set(looksLike(word), (looks.get(looksLike(word)) ?? new Set()).add(word));
  const told = text.replaceAll(WORDS, (word) => {
    const alike = looks.get(looksLike(word));
    const isUnclear = alike !== undefined && (alike.size > 1 || !alike.has(word));
    return isUnclear ? word.replaceAll(/\P{ASCII}/gu, numbered) : word;
  });
  return visible(told);
}

function numbered(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}

const USER_INFO = /(?<=^[a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*(?=@)/i;
const MASK = "•••";
const OTHER_MASK = `${MASK}(other)`;

/** An address without who logs in where it leads: whoever follows the link gets it, but a report is read by others. */
function withoutUser(text: string): string {
  return text.replace(USER_INFO, MASK);
}

/** Two texts that differ, so that this is seen. */
export function tellApart(before: string, after: string): readonly [before: string, after: string] {
  const users = [before, after].map((text) => USER_INFO.exec(text)?.[0]);
  const isOther = users.every((user) => user !== undefined) && users[0] !== users[1];
  const next = isOther ? after.replace(USER_INFO, OTHER_MASK) : withoutUser(after);
  const old = withoutUser(before);
  return [apart(old, [next]), apart(next, [old])];
}

/** A value that stands by itself. */
export function shown(text: string): string {
  return visible(withoutUser(text));
}

/** The items of two lists, each as it is shown beside the others. */
export function showItem(all: readonly string[]): (item: string) => string {
  const others = [...new Set(all.map(withoutUser))];
  return (item) => apart(withoutUser(item), others);
}
