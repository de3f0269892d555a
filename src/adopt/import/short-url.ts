// A short URL as spreadsheets have them -> its domain and alias.

export interface ShortUrl {
  readonly domain: string;
  readonly alias: string;
}

const SHORT_URL = /^(?:https?:\/\/)?([^/?#@\s]+\.[^/?#@\s]+)\/([^/?#\s]+)\/?$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The parts of `https://go.example.com/spring`, with or without its scheme; null for what has not that form. */
export function shortUrlOf(text: string): ShortUrl | null {
  const [, domain, alias] = SHORT_URL.exec(text) ?? [];
  return domain === undefined || alias === undefined ? null : { domain: domain.toLowerCase(), alias: decoded(alias) };
}

/** The alias of a cell that may hold a whole short URL, or its path. */
export function aliasOf(text: string): string {
  if (ADDRESS.test(text)) return shortUrlOf(text)?.alias ?? text;
  return text.replace(/^\/+/, "").replace(/(?<=[^/])\/+$/, "");
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
