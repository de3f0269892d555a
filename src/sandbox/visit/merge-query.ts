// The query of the short URL, merged into that of the destination (observed.md, "What a visitor meets").
import { decode } from "../forms.ts";

/**
 * The destination with the visitor's parameters. What both name has the visitor's value; the rest stays byte for byte,
 * and the fragment at the end. Of two that say the same name the service's document does not say which wins.
 * @param query as it came, without `?`, one character a byte
 */
export function mergeQuery(destination: string, query: string): string {
  const added = query.split("&").filter(Boolean).map(asciiOnly);
  if (added.length === 0) return destination;
  const [, base = "", own = "", fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(destination) ?? [];
  const names = new Set(added.map(nameOf));
  const kept = own.split("&").filter((pair) => pair !== "" && !names.has(nameOf(pair)));
  return `${base}?${[...kept, ...added].join("&")}${fragment}`;
}

const nameOf = (pair: string): string => decode(Buffer.from(pair.split("=", 1)[0] ?? "").toString("latin1"));

/** Bytes that a URL may not hold as they are. */
const asciiOnly = (pair: string): string =>
  pair.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
