// PHP's reading of form bodies and query strings.
import type { Names } from "./service.ts";

/** A field's value: text, null (was empty), or the content of brackets in the name. */
export type Value = string | null | Form;
export type Form = Map<string, Value>;

/** PHP ignores all variables after this number, without an error (`max_input_vars`; docs/service.md, "Size limits"). */
const MAX_VARIABLES = 1000;

/**
 * Reads `application/x-www-form-urlencoded` with PHP's brackets, trims every text but `password`, and makes empty ones null.
 * @param bytes the body or query string, one character a byte (latin1)
 */
export function parseForm(bytes: string): Form {
  const form: Form = new Map();
  for (const pair of bytes.split("&").filter(Boolean).slice(0, MAX_VARIABLES)) {
    const equals = pair.includes("=") ? pair.indexOf("=") : pair.length;
    const [base = "", ...keys] = splitName(decode(pair.slice(0, equals)));
    if (base !== "") put(form, base, keys, clean(base, decode(pair.slice(equals + 1))));
  }
  return form;
}

/** A field's text; null if it is absent, empty or has brackets. */
export function textAt(form: Form, field: string): string | null {
  const value = form.get(field);
  return typeof value === "string" ? value : null;
}

/** The fields of a form by their names in the state, without those that this version does not have. @param sent their wire names */
export function ownForm(form: Form, sent: Names): Form {
  const own: Form = new Map();
  for (const [name, wire = ""] of Object.entries(sent)) {
    const value = form.get(wire);
    if (value !== undefined) own.set(name, value);
  }
  return own;
}

/** `country[0][key]` → country, 0, key. A bracket that is never closed belongs to the name, as in PHP. */
function splitName(name: string): string[] {
  const found = /^ *([^[]+)((?:\[[^\]]*\])*)/.exec(name);
  if (found === null) return [];
  const [matched, base = "", groups = ""] = found;
  const rest = groups === "" ? name.slice(matched.length) : "";
  return [
    `${base}${rest}`.replace(/[ .[]/g, "_"),
    ...Array.from(groups.matchAll(/\[([^\]]*)\]/g), ([, key]) => key ?? ""),
  ];
}

function put(form: Form, key: string, rest: readonly string[], value: Value): void {
  const name = key === "" ? String(nextIndex(form)) : key;
  const [next, ...others] = rest;
  if (next === undefined) {
    form.set(name, value);
    return;
  }
  const existing = form.get(name);
  const inner: Form = existing instanceof Map ? existing : new Map();
  form.set(name, inner);
  put(inner, next, others, value);
}

function nextIndex(form: Form): number {
  return Math.max(-1, ...[...form.keys()].filter((key) => /^\d+$/.test(key)).map(Number)) + 1;
}

function clean(field: string, raw: string): string | null {
  const value = field === "password" ? raw : raw.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, "");
  return value === "" ? null : value;
}

/** Undoes `%XX` and `+`. @param encoded one character a byte (latin1) */
export function decode(encoded: string): string {
  const bytes = encoded
    .replace(/\+/g, " ")
    .replace(/%([0-9a-f]{2})/gi, (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

/**
 * The destination with the visitor's parameters. Without a named parameter it stays as it is stored. With one it is put together
 * from scheme, host, path and the merged query: port, user info and fragment are lost. Arrays and numbers as names have no special meaning
 * here, unlike in the service (docs/service.md, "Query parameters of the short URL").
 * @param query as it came, without `?`
 */
export function mergeQuery(destination: string, query: string): string {
  const asked = [...new URLSearchParams(query)].filter(([name]) => name !== "");
  const parts = PARTS.exec(destination);
  if (asked.length === 0 || parts === null) return destination;
  const [, scheme = "", host = "", path = "/", own = ""] = parts;
  const merged = new Map(new URLSearchParams(own));
  for (const [name, value] of asked) {
    // An empty parameter removes the destination's.
    if (value.trim() === "") merged.delete(name);
    else merged.set(name, value.trim());
  }
  return `${scheme}://${host}${path}?${new URLSearchParams([...merged]).toString()}`;
}

/** Scheme, user info, host, port, path, query, fragment. */
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?([^/?#]*?)(?::\d*)?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is;

export const percent = (byte: string): string => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
