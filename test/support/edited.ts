// Applies the description of a change to a value: what a reader of the report would do.

import type { ValueEdit } from "../../src/report/similar-changes.ts";
import { isList, type Word } from "../../src/report/values.ts";

/** The value that an edit makes of another one; null where it says nothing of such a value. */
export function edited(edit: ValueEdit, before: Word): Word {
  switch (edit.form) {
    case "value":
      return JSON.stringify(before) === JSON.stringify(edit.before) ? edit.after : null;
    case "becomes":
      return edit.after;
    case "items":
      return isList(before) ? [...before.filter((item) => !edit.removed.includes(item)), ...edit.added] : null;
    case "host":
    case "scheme":
    case "parameter":
    case "appended":
    case "removed":
    case "start":
      return editedTexts(edit, before);
    default:
      return edit satisfies never;
  }
}

function editedTexts(edit: TextEdit, before: Word): Word {
  if (typeof before === "string") return editedText(edit, before);
  if (isList(before)) return before.map((text) => editedText(edit, text) ?? text);
  if (before === null || typeof before !== "object") return null;
  return Object.fromEntries(
    Object.entries(before).map(([key, text]) => [key, text === true ? text : (editedText(edit, text) ?? text)]),
  );
}

type TextEdit = Exclude<ValueEdit, { readonly form: "value" | "becomes" | "items" }>;

function editedText(edit: TextEdit, text: string): string | null {
  const { scheme, host, page, query, fragment } = partsOf(text);
  const again = (pairs: readonly string[]): string =>
    `${page}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}${fragment}`;
  switch (edit.form) {
    case "host":
    case "scheme": {
      if ((edit.form === "host" ? host : scheme) !== edit.before) return null;
      const rest = text.slice(text.indexOf(host, scheme.length) + host.length);
      const user = text.slice(scheme.length, text.length - rest.length - host.length);
      return edit.form === "host" ? `${scheme}${user}${edit.after}${rest}` : `${edit.after}${user}${host}${rest}`;
    }
    case "start":
      return text.startsWith(edit.before) && /^([/?#]|$)/.test(text.slice(edit.before.length))
        ? `${edit.after}${text.slice(edit.before.length)}`
        : null;
    case "appended":
      return again([...query, edit.query]);
    case "parameter":
      return again(query.map((pair) => (nameOf(pair) === edit.name ? `${edit.name}=${edit.after}` : pair)));
    case "removed":
      return again(query.filter((pair) => pair !== edit.pair));
    default:
      return edit satisfies never;
  }
}

interface AddressPieces {
  /** With `://`. */
  readonly scheme: string;
  readonly host: string;
  /** All before the query. */
  readonly page: string;
  readonly query: readonly string[];
  /** With its sign. */
  readonly fragment: string;
}

function partsOf(text: string): AddressPieces {
  const [, page = text, asked = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)/i.exec(page) ?? [];
  const query = asked.length < 2 ? [] : asked.slice(1).split("&");
  return { scheme, host: authority.slice(authority.lastIndexOf("@") + 1), page, query, fragment };
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}
