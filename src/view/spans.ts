// A line of text with parts that formats mark in their own way.

/** `code`: text from outside, or what people copy; `strong code`: such a text, emphasized. */
export interface Span {
  readonly text: string;
  readonly as: "text" | "code" | "strong code";
}

export function code(text: string): Span {
  return { text, as: "code" };
}

export function strong(text: string): Span {
  return { text, as: "strong code" };
}

/** Puts a line together: spans stay as they are, strings are plain text. */
export function line(parts: TemplateStringsArray, ...values: readonly (string | Span | readonly Span[])[]): Span[] {
  const spans: Span[] = [];
  const put = (value: string | Span): void => {
    const span = typeof value === "string" ? { text: value, as: "text" as const } : value;
    if (span.text !== "") spans.push(span);
  };
  for (const [at, part] of parts.entries()) {
    put(part);
    const value = values[at];
    if (value === undefined) continue;
    if (typeof value === "string" || "as" in value) put(value);
    else for (const span of value) put(span);
  }
  return spans;
}

/** Lines one after the other, with a separator between each two. */
export function joinLines(lines: readonly (readonly Span[])[], between: string): Span[] {
  return lines.flatMap((spans, at) => (at === 0 ? spans : [{ text: between, as: "text" as const }, ...spans]));
}

/** A text with its middle cut out if it has more than `most` UTF-16 units. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 4);
  return `${trimSurrogates(text.slice(0, most - tail - 1))}…${trimSurrogates(text.slice(-tail))}`;
}

/** Without the halves of characters that a cut leaves at the ends. */
export function trimSurrogates(text: string): string {
  return text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
