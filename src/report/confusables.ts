// Shows texts that differ so that they look different: look-alike characters are shown by code point if they would be confused.

import { visible } from "../domain/control-characters.ts";

/** Words, emoji sequences and single characters. */
const WORDS =
  /\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d]*|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

/** ASCII characters, each with the characters that most typefaces draw like it. */
const CONFUSABLES = [
  "aаɑα bЬƅ cсϲ dԁ eеҽ gɡց hһհ iіıι jјϳ kкκ lӏ nոп oоοօ pрρ qԛ rг sѕ tτ",
  "uυս vνѵ wԝѡ xхχ yуγү AАΑ BВΒ CСϹ EЕΕ GԌ HНΗ IІΙӀ JЈ KКΚ MМΜ NΝ OОΟ PРΡ",
  "SЅ TТΤ XХΧ YУΥҮ ZΖ -‐‒–—− /∕⁄ .․ '’ʼ′",
]
  .flatMap((all) => all.split(" "))
  .flatMap(([ascii = "", ...others]) => others.map((other) => [other, ascii] as const));

const ASCII_OF = new Map(CONFUSABLES);

/** Maps texts that look the same to the same text. */
function skeleton(text: string): string {
  const normalized = text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(normalized, (character) => ASCII_OF.get(character) ?? character).join("");
}

/**
 * A text to show next to others. Words that look like another word there have all their characters beyond ASCII shown by code
 * point.
 */
export function distinguish(text: string, others: readonly string[]): string {
  const suspects = wordsOf(text).filter(hasNonAscii);
  if (suspects.length === 0) return visible(text);
  // The words of the other texts, by what they look like.
  const bySkeleton = new Map(suspects.map((word) => [skeleton(word), new Set<string>()]));
  for (const word of others.flatMap(wordsOf)) bySkeleton.get(hasNonAscii(word) ? skeleton(word) : word)?.add(word);
  const isConfusable = (word: string): boolean => {
    const lookalikes = bySkeleton.get(skeleton(word));
    return lookalikes !== undefined && lookalikes.size > 0 && (lookalikes.size > 1 || !lookalikes.has(word));
  };
  const confusable = new Set(suspects.filter(isConfusable));
  if (confusable.size === 0) return visible(text);
  return visible(
    text.replaceAll(WORDS, (word) => (confusable.has(word) ? word.replaceAll(/\P{ASCII}/gu, codePointText) : word)),
  );
}

function hasNonAscii(text: string): boolean {
  return /[\u0080-\uffff]/.test(text);
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

function codePointText(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)@/i;
const MASKED = "$1•••@";
const OTHER_MASKED = "$1•••(other)@";

/** Hides the user name and password of a destination, because a report has more readers than the link. */
function maskUser(text: string): string {
  return text.replace(USER_INFO, MASKED);
}

/** Hides them in every address of a text. An address ends at a quotation mark at the latest. */
export function maskUsers(text: string): string {
  return text.replaceAll(/(?<=:\/\/)[^\s/?#"']*(?=@)/g, "•••");
}

/** Two texts that differ, shown so that the difference is visible. */
export function distinguishPair(before: string, after: string): readonly [before: string, after: string] {
  const users = [before, after].map((text) => USER_INFO.exec(text)?.[2]);
  const isOther = users.every((user) => user !== undefined) && users[0] !== users[1];
  const next = isOther ? after.replace(USER_INFO, OTHER_MASKED) : maskUser(after);
  const old = maskUser(before);
  return [distinguish(old, [next]), distinguish(next, [old])];
}

/** A single value as reports show it. */
export function shown(text: string): string {
  return visible(maskUser(text));
}

/** Formats the items of two lists so that different items look different. */
export function itemFormatter(all: readonly string[]): (item: string) => string {
  const others = [...new Set(all.map(maskUser))];
  return (item) => distinguish(maskUser(item), others);
}
