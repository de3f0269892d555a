// Lines of text with parts that each format marks in its own syntax.

import { visible } from "../domain/control-characters.ts";
import type { Line, Span } from "./blocks.ts";

export function code(text: string, href: string | null = null): Span {
  return href === null ? { text, as: "code" } : { text, as: "code", href };
}

export function strong(text: string): Span {
  return { text, as: "strong" };
}

/** A sentence that may contain foreign text, with code in backticks. */
export function prose(text: string): Line {
  return [{ text, as: "prose" }];
}

export function line(parts: TemplateStringsArray, ...values: readonly (string | Span | Line)[]): Span[] {
  const spans: Span[] = [];
  for (const [at, part] of parts.entries())
    for (const one of [part, values[at] ?? ""].flat())
      spans.push(typeof one === "string" ? { text: one, as: "text" } : one);
  return spans.filter(({ text }) => text !== "");
}

/** A line without its marks, with invisible characters shown. */
export function plainText(spans: Line): string {
  return spans.map(({ text }) => visible(text)).join("");
}

export function joinLines(lines: readonly Line[], between: string): Span[] {
  return lines.flatMap((spans, at) => (at === 0 ? spans : [{ text: between, as: "text" as const }, ...spans]));
}

/** The address that a text is, if a browser can open it; null for another text. */
export function webAddress(text: string): string | null {
  return /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i.test(text) && !/\p{Cs}|\\u\{|•/u.test(text) ? text : null;
}

/** Whether a text begins as an address, of a web page or of an app. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/./i.test(text);
}

/** Cuts out the middle of a text that has more than `max` UTF-16 units. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor(max / 4);
  return `${trimSurrogates(text.slice(0, max - tail - 1))}…${trimSurrogates(text.slice(-tail))}`;
}

/** Removes the halves of characters that a cut leaves at the ends. */
export function trimSurrogates(text: string): string {
  return text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
