// The query of the short URL, merged into that of the destination as PHP does it (docs/service.md, "Query parameters of the
// short URL"): both are parsed, merged by name, and written again.
import { parsePairs, type Form, type Value } from "../forms.ts";

/**
 * The destination with the visitor's parameters. Without a named parameter it stays as it is stored. With one it is put together
 * from scheme, host, path and the merged query: port, user info and fragment are lost.
 * @param query as it came, without `?`, one character a byte
 */
export function mergeQuery(destination: string, query: string): string {
  const asked = parsePairs(query, decodeBytes, (_, value) => (value === "" ? null : value));
  const parts = PARTS.exec(destination);
  if (asked.size === 0 || parts === null) return destination;
  const [, scheme = "", host = "", path = "/", own = ""] = parts;
  const merged = parsePairs(Buffer.from(own).toString("latin1"), decodeBytes, (_, value) => value);
  for (const [name, value] of asked) merged.set(name, value);
  const pairs = [...merged].flatMap(([name, value]) => write(encode(name), value));
  return `${scheme}://${host}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

/** Scheme, user info, host, port, path, query, fragment. */
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?([^/?#]*?)(?::\d*)?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is;

/** A parameter, its brackets numbered; an empty one of the visitor's (null) removes the destination's. */
function write(name: string, value: Value): string[] {
  if (value === null) return [];
  if (typeof value === "string") return [`${name}=${encode(value)}`];
  return writeAll(name, value);
}

const writeAll = (name: string, values: Form): string[] =>
  [...values].flatMap(([key, value]) => write(`${name}%5B${encode(key)}%5D`, value));

/** Undoes `%XX` and `+`, one character a byte. */
const decodeBytes = (encoded: string): string =>
  encoded
    .replace(/\+/g, " ")
    .replace(/%([0-9a-f]{2})/gi, (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** PHP's `urlencode`. */
const encode = (bytes: string): string =>
  bytes
    .replace(/[^A-Za-z0-9_. -]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`)
    .replace(/ /g, "+");
