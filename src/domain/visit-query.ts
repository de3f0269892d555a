// The query of a short URL, merged into that of the destination as running services do it (PHP's `parse_str` and
// `http_build_query`). Texts are handled as bytes, one character each, because an escape need not be UTF-8.

/** A part of a destination that no visitor with a query gets. */
export type LostPart = "port" | "user info" | "fragment";

/** The destination for a visitor, and how it differs from the one that is stored. */
export interface Merged {
  readonly to: string;
  /** False without a named parameter in the query: the destination is as it is stored. */
  readonly isRebuilt: boolean;
  /** Names that both have: the visitor's value is taken. */
  readonly replaced: readonly string[];
  /** Names that the visitor sends empty, which removes them. */
  readonly removed: readonly string[];
  readonly lost: readonly LostPart[];
}

/** A destination in its parts. `port` and `userInfo` are empty where it has none; so is `fragment`, which begins with `#`. */
interface UrlParts {
  readonly scheme: string;
  readonly userInfo: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** Merges a query, which is without `?`, into a destination. */
export function mergeQuery(destination: string, query: string): Merged {
  const asked = parseQuery(query);
  const parts = partsOf(destination);
  if (asked.size === 0 || parts === null)
    return { to: destination, isRebuilt: false, replaced: [], removed: [], lost: [] };
  const merged = new Map(parseQuery(parts.query));
  const both = [...asked].filter(([name]) => merged.has(name));
  for (const [name, value] of asked) {
    const sent = withoutEmpty(value);
    // A name keeps its place; only a removed one loses it.
    if (sent === null) merged.delete(name);
    else merged.set(name, sent);
  }
  const text = writeQuery(merged);
  const isRemoved = ([name]: readonly [string, QueryValue]): boolean => !merged.has(name);
  const named = (pairs: readonly (readonly [string, QueryValue])[]): string[] => pairs.map(([name]) => textOf(name));
  return {
    to: `${parts.scheme}://${parts.host}${parts.path === "" ? "/" : parts.path}${text === "" ? "" : `?${text}`}`,
    isRebuilt: true,
    replaced: named(both.filter((pair) => !isRemoved(pair))),
    removed: named(both.filter(isRemoved)),
    lost: lostParts(destination),
  };
}

/** What a destination loses as soon as a visitor comes with a query. The port that its scheme has anyway is no loss. */
export function lostParts(destination: string): LostPart[] {
  const parts = partsOf(destination);
  if (parts === null) return [];
  const isUsual = USUAL_PORT[parts.scheme.toLowerCase()] === parts.port;
  return [
    ...(parts.port === "" || isUsual ? [] : (["port"] as const)),
    ...(parts.userInfo === "" ? [] : (["user info"] as const)),
    ...(parts.fragment === "" ? [] : (["fragment"] as const)),
  ];
}

const USUAL_PORT: Readonly<Record<string, string>> = { http: "80", https: "443" };

function partsOf(destination: string): UrlParts | null {
  const [whole, scheme = "", authority = "", path = "", query = "", fragment = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(destination) ?? [];
  if (whole === undefined) return null;
  const at = authority.lastIndexOf("@");
  const [, host = "", port = ""] = /^(.*?)(?::(\d*))?$/s.exec(authority.slice(at + 1)) ?? [];
  return { scheme, userInfo: authority.slice(0, Math.max(at, 0)), host, port, path, query, fragment };
}

/** A parameter's value: text, or what brackets in the name have built. */
type QueryValue = string | Parameters;
type Parameters = Map<string, QueryValue>;

/** Reads a query as `parse_str` does: of a name given twice the last value counts, `x[]` is numbered. */
function parseQuery(query: string): Parameters {
  const parameters: Parameters = new Map();
  for (const pair of bytesOf(query).split("&")) {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const [base, ...keys] = keysOf(decoded(name));
    if (base !== undefined) place(parameters, base, keys, decoded(value));
  }
  return parameters;
}

/** `x[a][]` as x, a and an empty key; dots and spaces in a name become `_`. Nothing for what has no name. */
function keysOf(name: string): string[] {
  const [, base = "", brackets = ""] = /^ *([^[]*)(.*)$/s.exec(name) ?? [];
  if (base === "") return [];
  const keys: string[] = [];
  let rest = brackets;
  while (rest.startsWith("[")) {
    const end = rest.indexOf("]");
    // A bracket that is never closed belongs to the name.
    if (end < 0) return keys.length === 0 ? [plain(`${base}${rest}`)] : [plain(base), ...keys];
    keys.push(rest.slice(1, end));
    rest = rest.slice(end + 1);
  }
  return [plain(base), ...keys];
}

function plain(name: string): string {
  return name.replaceAll(/[ .[]/g, "_");
}

function place(into: Parameters, name: string, keys: readonly string[], value: string): void {
  const key = name === "" ? nextNumber(into) : name;
  const [next, ...others] = keys;
  if (next === undefined) {
    into.set(key, value);
    return;
  }
  const there = into.get(key);
  const inner: Parameters = there instanceof Map ? there : new Map();
  into.set(key, inner);
  place(inner, next, others, value);
}

function nextNumber(parameters: Parameters): string {
  const numbers = [...parameters.keys()].filter((key) => /^\d+$/.test(key)).map(Number);
  return String(Math.max(-1, ...numbers) + 1);
}

/** A visitor's value without what is empty in it; null where nothing is left. */
function withoutEmpty(value: QueryValue): QueryValue | null {
  if (typeof value === "string") return value === "" ? null : value;
  const kept = [...value].flatMap(([key, one]): [string, QueryValue][] => {
    const sent = withoutEmpty(one);
    return sent === null ? [] : [[key, sent]];
  });
  return kept.length === 0 ? null : new Map(kept);
}

function writeQuery(parameters: Parameters): string {
  const write = (name: string, value: QueryValue): string[] =>
    typeof value === "string"
      ? [`${name}=${encoded(value)}`]
      : [...value].flatMap(([key, one]) => write(`${name}%5B${encoded(key)}%5D`, one));
  return [...parameters].flatMap(([name, value]) => write(encoded(name), value)).join("&");
}

/** The text in UTF-8, a character for each byte. */
function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** The way back, for people. */
function textOf(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

function decoded(text: string): string {
  return text
    .replaceAll("+", " ")
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function encoded(bytes: string): string {
  return bytes
    .replaceAll(/[^A-Za-z0-9_. -]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`)
    .replaceAll(" ", "+");
}
