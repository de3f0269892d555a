// What a person writes to name a short link: its whole address, its key, or its alias alone.

/** `domain` is null where only the alias was given. */
export interface ShortUrl {
  /** A host, or what else stands before the slash: a label or an id of a domain. */
  readonly domain: string | null;
  readonly alias: string;
  /** Without `?`. */
  readonly query: string;
}

/** What keeps a text from naming a link, and what to do. */
export interface NoShortUrl {
  readonly problem: string;
  readonly hint: string;
}

const EXAMPLE = "Write it as https://go.example.com/spring, go.example.com/spring, or spring.";

/** Reads `https://go.example.com/spring?a=1`, `go.example.com/spring` or `spring`. */
export function readShortUrl(written: string): ShortUrl | NoShortUrl {
  const text = written.trim();
  const [, scheme, rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(text) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return { problem: `\`${text}\` is no address of a short link: those begin with https://.`, hint: EXAMPLE };
  // What stands behind `#` never leaves the browser.
  const [, path = "", query = ""] = /^([^?#]*)(?:\?([^#]*))?/.exec(rest) ?? [];
  const parts = path.replace(/\/+$/, "").split("/");
  const [domain = "", alias = "", ...more] = parts;
  if (path === "") return { problem: "No short link is named.", hint: EXAMPLE };
  if (more.length > 0) return { problem: `\`${text}\` has more than one slash behind its domain.`, hint: EXAMPLE };
  if (parts.length === 1) {
    if (scheme !== undefined || path.endsWith("/"))
      return { problem: `\`${text}\` names a domain, and no link on it.`, hint: EXAMPLE };
    return { domain: null, alias: decoded(domain), query };
  }
  if (domain === "" || /[\s@]/.test(domain))
    return { problem: `\`${text}\` has no domain before the slash.`, hint: EXAMPLE };
  return { domain: decoded(domain.replace(/:\d+$/, "")), alias: decoded(alias), query };
}

/** The name of a host in the one form that all its spellings have; of what is no host, in small letters. */
export function hostName(text: string): string {
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return text.toLowerCase();
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
