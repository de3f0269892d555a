// PHP's reading of form bodies and query strings, and the clean-up that the framework does on what was read.
import type { Names } from "./dialect.ts";

/** A field's value: text, null (was empty), or what brackets in the name have built. */
export type Value = string | null | Form;
export type Form = Map<string, Value>;

/** PHP ignores all variables after this number, without an error (`max_input_vars`; docs/service.md, "Size limits"). */
const MAX_VARIABLES = 1000;

/**
 * Reads `application/x-www-form-urlencoded` with PHP's brackets, trims every text but `password`, and makes empty ones null.
 * @param bytes the body or query string, one character a byte (latin1)
 */
export function parseForm(bytes: string): Form {
  return parsePairs(bytes, decode, clean);
}

/** The same with other ways to decode a text and to clean a value, which is given with the name before its brackets. */
export function parsePairs(
  bytes: string,
  decoded: (encoded: string) => string,
  cleaned: (base: string, value: string) => string | null,
): Form {
  const form: Form = new Map();
  for (const pair of bytes.split("&").filter(Boolean).slice(0, MAX_VARIABLES)) {
    const equals = pair.includes("=") ? pair.indexOf("=") : pair.length;
    const [base = "", ...keys] = splitName(decoded(pair.slice(0, equals)));
    if (base !== "") put(form, base, keys, cleaned(base, decoded(pair.slice(equals + 1))));
  }
  return form;
}

/** A field's text; null when it is absent, empty or built of brackets. */
export function text(form: Form, field: string): string | null {
  const value = form.get(field);
  return typeof value === "string" ? value : null;
}

/** The fields of a form under their own names; those that have none in this version are ignored. @param sent their names on the wire */
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
  const byte = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(encoded.replace(/\+/g, " ").replace(/%([0-9a-f]{2})/gi, byte), "latin1").toString();
}
