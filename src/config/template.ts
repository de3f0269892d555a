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

/** A text without braces, a text in braces, or a brace alone. */
const PIECES = /[^{}]+|\{[^}]*\}|[{}]/g;
const PLACEHOLDER = new RegExp(
  `^\\{(${PLACEHOLDER_NAME.source.slice(1, -1)})(?:\\.(${PLACEHOLDER_NAME.source.slice(1, -1)}))?\\}$`,
);

/** Splits a string into texts and placeholders, in linear time: it ends at the first brace that is not closed. */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  for (const [piece] of text.matchAll(PIECES)) {
    const [, dimension, attribute = null] = PLACEHOLDER.exec(piece) ?? [];
    if (dimension !== undefined) parts.push({ text: piece, dimension, attribute });
    else if (/^[{}]/.test(piece)) return { parts: [text], problem: problemOf(piece) };
    else parts.push(piece);
  }
  return { parts, problem: null };
}

function problemOf(piece: string): NonNullable<Template["problem"]> {
  const inner = /^[{\s]*([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)?)[\s}]*$/.exec(piece)?.[1];
  const hint =
    inner === undefined
      ? "In a family, braces are only for placeholders such as `{region}`. In a URL, write %7B and %7D."
      : `Write \`{${inner}}\`.`;
  return { part: piece.length > 60 ? piece.charAt(0) : piece, hint };
}
