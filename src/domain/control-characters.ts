// Signs that a terminal obeys or does not show. Apart from words.ts, which every start of the program would load otherwise.

/** What belongs to an emoji: its variant, and what joins several to one. */
const OF_EMOJI =
  "(?<=\\p{Extended_Pictographic})\\ufe0f|(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})";
/**
 * Signs that a terminal obeys or does not show: control and bidirectional ones, other ends of lines, halves of characters,
 * signs of no width, and all spaces but the common one.
 */
const UNSEEN = `(?! |${OF_EMOJI})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Default_Ignorable_Code_Point}\\u2800]`;
const EACH_UNSEEN = new RegExp(UNSEEN, "gu");
const SOME_UNSEEN = new RegExp(UNSEEN, "u");

/** Most texts: all of their signs are seen, and none is obeyed. */
const SEEN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/;

/** Whether a text holds a sign that a terminal obeys or does not show. */
export function hasUnseen(text: string): boolean {
  return !SEEN.test(text) && SOME_UNSEEN.test(text);
}

/** Puts something in the place of each sign that a terminal obeys or does not show. */
export function replaceUnseen(text: string, show: (codePoint: number, sign: string) => string): string {
  if (SEEN.test(text)) return text;
  return text.replaceAll(EACH_UNSEEN, (sign) => show(sign.codePointAt(0) ?? 0, sign));
}

/** What would be obeyed or can't be seen is shown by its number: values come from the service and from pull requests. */
export function visible(text: string): string {
  return replaceUnseen(text, (codePoint) => `\\u{${codePoint.toString(16)}}`);
}
