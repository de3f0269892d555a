// Placeholders in the strings of a family: `{name}`, or `{name.attribute}`.

export interface Placeholder {
  /** As written, with braces. */
  readonly text: string;
  readonly dimension: string;
  readonly attribute: string | null;
}

export interface Template {
  /** Texts and placeholders, in order. */
  readonly parts: readonly (string | Placeholder)[];
  /** The first brace that does not belong to a placeholder; null if there is none. */
  readonly problem: { readonly part: string; readonly hint: string } | null;
}

/** The names of dimensions and attributes. */
export const PLACEHOLDER_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Splits a string into texts and placeholders, in linear time. */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  let rest = 0;
  for (let at = text.search(/[{}]/); at >= 0 && at < text.length; at = nextBrace(text, rest)) {
    const end = text[at] === "{" ? text.indexOf("}", at) : -1;
    const inner = end < 0 ? "" : text.slice(at + 1, end);
    const [dimension = "", attribute = null, ...more] = inner.split(".");
    const isValid =
      more.length === 0 && PLACEHOLDER_NAME.test(dimension) && (attribute === null || PLACEHOLDER_NAME.test(attribute));
    if (!isValid) return { parts: [text], problem: problemAt(text, at, end) };
    if (at > rest) parts.push(text.slice(rest, at));
    parts.push({ text: text.slice(at, end + 1), dimension, attribute });
    rest = end + 1;
  }
  if (rest < text.length) parts.push(text.slice(rest));
  return { parts, problem: null };
}

function nextBrace(text: string, from: number): number {
  const [open, close] = [text.indexOf("{", from), text.indexOf("}", from)];
  return open < 0 ? close : close < 0 ? open : Math.min(open, close);
}

function problemAt(text: string, at: number, end: number): { part: string; hint: string } {
  const part = end < 0 ? (text[at] ?? "") : text.slice(at, end + 1);
  const inner = /^[{\s]*([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)?)[\s}]*$/.exec(part)?.[1];
  return {
    part: part.length > 60 ? (text[at] ?? "") : part,
    hint:
      inner === undefined
        ? "In a family, braces are only for placeholders such as `{region}`. In a URL, write %7B and %7D."
        : `Write \`{${inner}}\`.`,
  };
}
