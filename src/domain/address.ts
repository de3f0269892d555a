// The addresses that the service stores (docs/service.md, "Addresses"), and what was probably meant by another one.

import { hasUnseen } from "./control-characters.ts";
import { parseUrl } from "./hosts.ts";
import { stepsBetween } from "./nearest.ts";

const LETTER = "\\p{L}\\p{N}";
const ESCAPE = "%[0-9A-Fa-f]{2}";
const USER = `(?:[${LETTER}_.\\-]|${ESCAPE})+`;
const IN_HOST = `${LETTER}\\p{S}_.\\-`;
const HOST = `[${IN_HOST}]+[${LETTER}]\\.?`;
const IN_PATH = `${LETTER}\\-._~!$&'()*+,;=:@\\/`;
/** The characters of each part, apart from percent escapes. */
const CHARACTERS = { path: IN_PATH, query: `${IN_PATH}?\\[\\]`, fragment: `${IN_PATH}?` } as const;

type Tail = keyof typeof CHARACTERS;
const TAILS: readonly Tail[] = ["path", "query", "fragment"];

const partOf = (mark: string, characters: string): string => `(?:${mark}(?:[${characters}]|${ESCAPE})*)?`;

/** The part of the grammar that editors check. */
export const ROUGH_ADDRESS = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^\s{}|/?#][^\s{}|]*$/;

/** Of an IPv6 address in brackets, this checks only the characters. */
const ADDRESS = new RegExp(
  `^[a-zA-Z][a-zA-Z0-9+.\\-]*:\\/\\/(?:${USER}(?::${USER})?@)?(?:${HOST}|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]+)?` +
    `${partOf("\\/", CHARACTERS.path)}${partOf("\\?", CHARACTERS.query)}${partOf("#", CHARACTERS.fragment)}$`,
  "u",
);

const NOT_IN_HOST = new RegExp(`[^${IN_HOST}]`, "u");
const refusedIn = (part: Tail): RegExp => new RegExp(`%(?![0-9A-Fa-f]{2})|[^${CHARACTERS[part]}%]`, "gu");
const NOT_IN = { path: refusedIn("path"), query: refusedIn("query"), fragment: refusedIn("fragment") } as const;

/** The texts do not have the user info of the address, which may be a password. */
export interface AddressProblem {
  /** The end of a sentence about the address. */
  readonly is: string;
  readonly hint: string | null;
  /** The mistake, or the address from there on; null for the whole address. */
  readonly mark: string | null;
}

type AddressParts = Readonly<Record<"scheme" | "user" | "host" | "port" | Tail, string>>;

/** Each part has its mark: the colon of a port, the `@` of user info. Parts that are missing are empty. */
function partsOf(address: string): AddressParts | null {
  const [, scheme, authority = "", path = "", query = "", fragment = ""] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(address) ?? [];
  if (scheme === undefined) return null;
  const afterUser = authority.lastIndexOf("@") + 1;
  const [, host = "", port = ""] = /^(\[[^\]]*\]?|.*?)(:[^:]*)?$/s.exec(authority.slice(afterUser)) ?? [];
  return { scheme, user: authority.slice(0, afterUser), host, port, path, query, fragment };
}

function isStored(address: string): boolean {
  if (!ADDRESS.test(address)) return false;
  const host = partsOf(address)?.host ?? "";
  return !host.startsWith("[") || parseUrl(`https://${host}/`) !== null;
}

/** Why the service refuses an address; null if it stores it. */
export function addressProblem(address: string): AddressProblem | null {
  if (isStored(address)) return null;
  const parts = partsOf(address);
  const found = parts === null ? schemeProblem(address) : problemIn(parts, address);
  const meant = meantBy(address);
  if (meant === null) return found;
  return { ...found, hint: BARE.test(address) ? `Add the scheme: ${meant}.` : `Write \`${withoutUser(meant)}\`.` };
}

/** The address that was probably meant; null if that is not clear. */
export function meantBy(text: string): string | null {
  if (PLACEHOLDER.test(text) || QUOTE.test(text)) return null;
  if ((partsOf(text)?.host ?? "") !== "") {
    const fixed = withoutDouble(text) ?? corrected(text);
    return fixed !== null && isStored(fixed) ? fixed : null;
  }
  const [, scheme = "https", rest] = /^(?:(https?)(?::[/\\]*|[/\\]{2,})|\/\/)(?=[^/\\])(.+)$/is.exec(text) ?? [];
  if (rest === undefined && !BARE.test(text)) return null;
  const whole = `${scheme}://${rest ?? text}`;
  return isStored(whole) ? whole : whole === text ? null : meantBy(whole);
}

function withoutUser(address: string): string {
  return address.replace(/^([^/?#]*:\/\/)[^/?#]*@/, "$1•••@");
}

const NEEDS_HOST = "The service accepts only URLs with `://` and a host.";
const PLACEHOLDER = /\$\{?\w|\{\{/;
const NOT_REPLACED = "Placeholders are not replaced. Write the complete URL.";
const FORM = "Write it in the form of https://example.com:8443/page?key=value#part.";
const QUOTE = /^[“”„«‘’]/;
/** An address without a scheme. */
const BARE = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#].*)?$/su;

function problem(is: string, hint: string | null, mark: string | null = null): AddressProblem {
  return { is, hint, mark };
}

function problemIn(parts: AddressParts, address: string): AddressProblem {
  const { scheme, user, host, port } = parts;
  if (withoutDouble(address) !== null) return problem("has two schemes", FORM);
  if (PLACEHOLDER.test(address)) return problem("has a placeholder, which the service refuses", NOT_REPLACED);
  if (host === "") return problem("has no host", NEEDS_HOST);
  let at = scheme.length + user.length;
  const inHost = host.startsWith("[") ? -1 : host.search(NOT_IN_HOST);
  if (inHost >= 0) return characterProblem(address, "host", at + inHost);
  at += host.length + port.length;
  for (const part of TAILS) {
    const index = parts[part].slice(1).search(NOT_IN[part]);
    if (index >= 0) return characterProblem(address, part, at + 1 + index);
    at += parts[part].length;
  }
  return problem("is not an address that the service stores", FORM);
}

function characterProblem(address: string, part: Tail | "host", at: number): AddressProblem {
  const character = String.fromCodePoint(address.codePointAt(at) ?? 0);
  const what = character === "%" && part !== "host" ? "a `%` without two hexadecimal digits" : characterName(character);
  const is = `has ${what} in its ${part}, which the service refuses`;
  return problem(is, "Remove this character.", address.slice(at));
}

/** The name of a character in messages: with its code point if it cannot be seen or is easily confused. */
function characterName(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  if (character === " ") return "a space";
  if (hasUnseen(character) || /[`\p{M}]/u.test(character)) return `the character ${code}`;
  return character > "\x7f" ? `\`${character}\` (${code})` : `\`${character}\``;
}

/** Characters that are hardly there on purpose. Joiners and the tags of flags belong to words and emoji. */
const PASTED = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** The address as browsers read it, with escapes for what the service refuses; null if browsers refuse it, too. */
function corrected(address: string): string | null {
  const parts = partsOf(parseUrl(address.replaceAll(PASTED, ""))?.href ?? "");
  if (parts === null) return null;
  const { scheme, user, host, port } = parts;
  const tails = TAILS.map((name) => {
    const part = parts[name];
    return part.slice(0, 1) + part.slice(1).replaceAll(NOT_IN[name], (one) => encodeURIComponent(one));
  });
  return `${scheme}${user}${host}${port}${tails.join("")}`;
}

function schemeProblem(text: string): AddressProblem {
  const is = "must be a URL with a scheme, such as https://example.com/page";
  if (PLACEHOLDER.test(text)) return problem(is, NOT_REPLACED);
  if (QUOTE.test(text)) return problem(is, "Use straight quotes, or remove the quotes.");
  if (/\s/.test(text)) return problem(is, "A URL cannot contain spaces. Write them as %20.");
  return problem(is, /^[a-z][a-z0-9+.-]*:/i.test(text) ? NEEDS_HOST : null);
}

/** The fix of an address with two schemes; null for other addresses. */
function withoutDouble(address: string): string | null {
  const [, scheme, rest] = /^https?:\/\/(https?):?\/\/+(.+)$/is.exec(address) ?? [];
  return rest === undefined ? null : `${scheme}://${rest}`;
}

/** A probable mistake in an address that the service stores; null if there is none. */
export function addressTypo(address: string): AddressProblem | null {
  const parts = partsOf(address);
  if (parts === null) return null;
  const typo = (is: string, mark: string | null, meant: string): AddressProblem =>
    problem(is, `Did you mean \`${withoutUser(meant)}\`?`, mark);
  const scheme = parts.scheme.slice(0, -"://".length);
  const similar = ["https", "http"].find((one) => stepsBetween(scheme.toLowerCase(), one) === 1);
  if (similar !== undefined && !/^https?$/i.test(scheme))
    return typo(`has the scheme \`${scheme}\``, `${scheme}:`, `${similar}${address.slice(scheme.length)}`);
  const single = withoutDouble(address);
  if (single !== null) return typo("has two schemes", null, single);
  if (!address.includes("&amp;")) return null;
  return typo("has `&amp;` instead of `&`", "&amp;", address.replaceAll("&amp;", "&"));
}
