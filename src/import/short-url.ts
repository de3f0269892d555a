// A short URL as spreadsheets have them -> its domain and alias.

export interface SheetShortUrl {
  readonly domain: string;
  readonly alias: string;
}

const SHORT_URL = /^(?:https?:\/\/)?([^/?#@\s]+\.[^/?#@\s]+)\/([^/?#\s]+)\/?$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The parts of `https://go.example.com/spring`, with or without its scheme; null for what has not that form. */
export function shortUrlOf(text: string): SheetShortUrl | null {
  const [, domain, alias] = SHORT_URL.exec(text) ?? [];
  return domain === undefined || alias === undefined ? null : { domain: domain.toLowerCase(), alias: decoded(alias) };
}

/** What a cell says of a key: a whole short URL, a label of a domain before an alias, or the alias alone. Empty is what it does not say. */
export function keyIn(text: string): SheetShortUrl {
  const short = shortUrlOf(text);
  if (short !== null) return short;
  if (ADDRESS.test(text)) return { domain: "", alias: text };
  const bare = text.replace(/^\/+/, "").replace(/(?<=[^/])\/+$/, "");
  const slash = bare.lastIndexOf("/");
  return { domain: bare.slice(0, Math.max(slash, 0)), alias: bare.slice(slash + 1) };
}

/** A domain, of which some write the whole address. */
export function domainOf(text: string): string {
  return text.replace(/^https?:\/\//i, "").replace(/\/+$/, "");
}

/** Whether a text is an address with its scheme. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
