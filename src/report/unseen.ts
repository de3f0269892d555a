// Signs that a terminal obeys or does not show. Apart from words.ts, which every start of the program would load otherwise.

/**
 * Signs that a terminal obeys or does not show: control and bidirectional ones, other ends of lines, the mark of a byte order,
 * and halves of characters.
 */
const UNSEEN = "[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]";
const EACH_UNSEEN = new RegExp(UNSEEN, "gu");
const SOME_UNSEEN = new RegExp(UNSEEN, "u");

/** Whether a text holds a sign that a terminal obeys or does not show. */
export function hasUnseen(text: string): boolean {
  return SOME_UNSEEN.test(text);
}

/** Puts something in the place of each sign that a terminal obeys or does not show. */
export function replaceUnseen(text: string, show: (codePoint: number, sign: string) => string): string {
  return text.replaceAll(EACH_UNSEEN, (sign) => show(sign.codePointAt(0) ?? 0, sign));
}

/** Control and bidirectional characters are shown, not obeyed: values come from the service and from pull requests. */
export function visible(text: string): string {
  return replaceUnseen(text, (codePoint) => `\\u{${codePoint.toString(16)}}`);
}
