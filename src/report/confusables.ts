// Shows texts that differ so that they look different: look-alike characters are shown by code point if they would be confused.

import { groupBy } from "../domain/collections.ts";
import { codePoint, visible } from "../domain/control-characters.ts";

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
