// Keys of links and pixels on the command line.

import { fold } from "./fold.ts";
import type { ResourceKind } from "./table.ts";

/** `kind` and `domain` are null if the user left them out. */
export interface NamedKey {
  readonly text: string;
  readonly kind: ResourceKind | null;
  readonly domain: string | null;
  /** The alias. For the name of a pixel, see `nameFor`. */
  readonly name: string;
}

/**
 * Parses `go.example.com/spring`, an alias or a pixel's name alone, or a short URL, whose query and fragment are ignored. A prefix `link:`
 * or `pixel:` gives the kind.
 */
export function readNamedKey(text: string): NamedKey {
  const [prefix = "", word] = /^(link|pixel):(?=.)/.exec(text) ?? [];
  const kind = word === "link" || word === "pixel" ? word : null;
  const rest = text.slice(prefix.length);
  if (kind === "pixel") return { text, kind, domain: null, name: rest };
  const isAddress = /^https?:\/\/./i.test(rest);
  const bare = isAddress ? decodePercent(rest.replace(/^https?:\/\/|[?#].*$/gis, "").replace(/\/+$/, "")) : rest;
  const slash = bare.lastIndexOf("/");
  const domain = slash < 0 ? null : bare.slice(0, slash);
  return { text, kind: isAddress ? "link" : kind, domain, name: bare.slice(slash + 1) };
}

/** The alias or name of an object of this kind; null if the key cannot mean one. In the name of a pixel, a slash is an ordinary character. */
export function nameFor({ kind, domain, name }: NamedKey, wanted: ResourceKind): string | null {
  if (kind !== null && kind !== wanted) return null;
  return wanted === "link" || domain === null ? name : `${domain}/${name}`;
}

/** Whether a key can mean an object of this kind with this alias or name. */
export function meansName(key: NamedKey, kind: ResourceKind, name: string): boolean {
  const own = nameFor(key, kind);
  return own !== null && fold(own) === fold(name);
}

/** Decodes `%20` and the like. A text with an invalid escape stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
