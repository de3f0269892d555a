// A line of text with parts that each format marks in its own syntax.

/** `code` is user text, or text to copy; `strong code` is emphasized. */
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

/** A template tag that concatenates spans and plain strings. */
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

/** Concatenates lines with a separator. */
export function joinLines(lines: readonly (readonly Span[])[], between: string): Span[] {
  return lines.flatMap((spans, at) => (at === 0 ? spans : [{ text: between, as: "text" as const }, ...spans]));
}

/** Cuts out the middle of a text that has more than `max` UTF-16 units. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor(max / 4);
  return `${trimSurrogates(text.slice(0, max - tail - 1))}…${trimSurrogates(text.slice(-tail))}`;
}

/** A path keeps at least this number of characters, any other part at most this number. */
const MIN_PART = 24;
const MAX_ADDRESS = 400;

/** Cuts out the middle of a path and of parameters. The host and the UTM parameters stay whole, because approvers compare them. */
export function shortenAddress(text: string, max: number): string {
  if (text.length <= max) return text;
  const [, host = "", path = "", query = "", fragment = ""] =
    /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(text) ?? [];
  const parameters = query.split("&").map((pair) => (/^\??utm_/i.test(pair) ? pair : shorten(pair, MIN_PART)));
  const end = `${parameters.join("&")}${shorten(fragment, MIN_PART)}`;
  const room = Math.max(MIN_PART, max - host.length - end.length);
  return shorten(`${host}${shorten(path, room)}${end}`, Math.max(max, MAX_ADDRESS));
}

/** Removes the halves of characters that a cut leaves at the ends. */
export function trimSurrogates(text: string): string {
  return text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
