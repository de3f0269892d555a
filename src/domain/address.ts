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
export const ROUGH_ADDRESS: RegExp = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^\s{}|/?#][^\s{}|]*$/;

/** Of an IPv6 address in brackets, this checks only the characters. */
const ADDRESS = new RegExp(
  `^[a-zA-Z][a-zA-Z0-9+.\\-]*:\\/\\/(?:${USER}(?::${USER})?@)?(?:${HOST}|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]+)?` +
    `${partOf("\\/", CHARACTERS.path)}${partOf("\\?", CHARACTERS.query)}${partOf("#", CHARACTERS.fragment)}$`,
  "u",
);

const NOT_IN_HOST = new RegExp(`[^${IN_HOST}]`, "u");
const refusedIn = (part: Tail): RegExp => new RegExp(`%(?![0-9A-Fa-f]{2})|[^${CHARACTERS[part]}%]`, "gu");
const NOT_IN: Readonly<Record<Tail, RegExp>> = {
  path: refusedIn("path"),
  query: refusedIn("query"),
  fragment: refusedIn("fragment"),
};

/** What is wrong with an address, and how to fix it. The texts do not have its user info, which may be a password. */
export interface AddressProblem {
  /** The end of a sentence about the address. */
  readonly is: string;
  readonly hint: string | null;
  /** The address that was probably meant; null if that is not clear. */
  readonly meant: string | null;
  /** The part with the mistake, or the address from there on; null for the whole address. */
  readonly mark: string | null;
}

/** A problem, and its offset in the address. */
interface FoundProblem {
  readonly is: string;
  readonly at?: number;
  readonly hint: string;
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

function joined({ scheme, user, host, port, path, query, fragment }: AddressParts): string {
  return `${scheme}${user}${host}${port}${path}${query}${fragment}`;
}

function isStored(address: string): boolean {
  if (!ADDRESS.test(address)) return false;
  const inBrackets = /^[^/]*\/\/[^/?#]*?(\[[^\]]*\])/.exec(address)?.[1];
  return inBrackets === undefined || parseUrl(`https://${inBrackets}/`) !== null;
}

/** Why the service refuses an address; null if it stores it. */
export function addressProblem(address: string): AddressProblem | null {
  if (isStored(address)) return null;
  const parts = partsOf(address);
  if (parts === null) return schemeProblem(address);
  const { is, at, hint } = problemIn(parts, address);
  const fixed = parts.host === "" ? schemeProblem(address).meant : (withoutDouble(address) ?? joined(corrected(parts)));
  const meant = fixed !== null && isStored(fixed) && !PLACEHOLDER.test(address) ? fixed : null;
  const mark = at === undefined ? null : address.slice(at);
  return { is, mark, meant, hint: meant === null ? hint : writeInstead(meant) };
}

function writeInstead(address: string): string {
  return `Write \`${withoutUser(address)}\`.`;
}

function withoutUser(address: string): string {
  return address.replace(/^([^/?#]*:\/\/)[^/?#]*@/, "$1•••@");
}

const NEEDS_HOST = "The service accepts only URLs with `://` and a host.";
const PLACEHOLDER = /\$\{?\w|\{\{/;
const NOT_REPLACED = "Placeholders are not replaced. Write the complete URL.";
const FORM = "Write it in the form of https://example.com:8443/page?key=value#part.";

function problemIn(parts: AddressParts, address: string): FoundProblem {
  const { scheme, user, host, port } = parts;
  if (withoutDouble(address) !== null) return { is: "has two schemes", hint: FORM };
  if (PLACEHOLDER.test(address)) return { is: "has a placeholder, which the service refuses", hint: NOT_REPLACED };
  if (host === "") return { is: "has no host", hint: NEEDS_HOST };
  let at = scheme.length + user.length;
  const inHost = host.startsWith("[") ? -1 : host.search(NOT_IN_HOST);
  if (inHost >= 0) return characterProblem(address, "host", at + inHost);
  at += host.length + port.length;
  for (const part of TAILS) {
    const index = parts[part].slice(1).search(NOT_IN[part]);
    if (index >= 0) return characterProblem(address, part, at + 1 + index);
    at += parts[part].length;
  }
  return { is: "is not an address that the service stores", hint: FORM };
}

/** The service refuses the character at this offset. */
function characterProblem(address: string, part: Tail | "host", at: number): FoundProblem {
  const character = String.fromCodePoint(address.codePointAt(at) ?? 0);
  const what = character === "%" && part !== "host" ? "a `%` without two hexadecimal digits" : characterName(character);
  return { is: `has ${what} in its ${part}, which the service refuses`, at, hint: "Remove this character." };
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

/** The parts with the probable host, and with escapes. Existing escapes stay. */
function corrected(parts: AddressParts): AddressParts {
  const { host, port, path, query, fragment } = parts;
  return {
    ...parts,
    host: probableHost(host),
    port: port === ":" ? "" : port,
    // Browsers treat a backslash after the host as a slash.
    path: escaped(path.replace(/^\\/, "/"), "path"),
    query: escaped(query, "query"),
    fragment: escaped(fragment, "fragment"),
  };
}

/** Runs of letters that are not ASCII are escaped as a whole, as browsers do. */
function escaped(part: string, name: Tail): string {
  const bare = part.slice(1).replaceAll(PASTED, "");
  const plain = bare.replaceAll(/[^\p{ASCII}]+/gu, (run) =>
    /[^\p{L}\p{N}]/u.test(run) ? encodeURIComponent(run) : run,
  );
  return part.slice(0, 1) + plain.replaceAll(NOT_IN[name], (one) => encodeURIComponent(one));
}

/** International names with characters that the service refuses have a form in ASCII. */
function probableHost(host: string): string {
  if (!NOT_IN_HOST.test(host) || host.startsWith("[")) return host;
  const dotted = host.replaceAll(",", ".").replaceAll(PASTED, "");
  const url = NOT_IN_HOST.test(dotted) ? parseUrl(`https://${dotted}/`) : null;
  return url === null ? dotted : url.href === `https://${url.hostname}/` ? url.hostname : host;
}

/** A text without `scheme://`, or without a host behind it. */
function schemeProblem(text: string): AddressProblem {
  const is = "must be a URL with a scheme, such as https://example.com/page";
  const problem = (hint: string | null, meant: string | null = null): AddressProblem => ({
    is,
    hint,
    meant,
    mark: null,
  });
  if (PLACEHOLDER.test(text)) return problem(NOT_REPLACED);
  if (/^[“”„«‘’]/.test(text)) return problem("Use straight quotes, or remove the quotes.");
  const [, scheme = "https", rest] = /^(?:(https?)(?::[/\\]*|[/\\]{2,})|\/\/)(?=[^/\\])(.+)$/is.exec(text) ?? [];
  const isBare = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#].*)?$/su.test(text);
  if (rest !== undefined || isBare) {
    const whole = `${scheme}://${rest ?? text}`;
    const meant = isStored(whole) ? whole : whole === text ? null : (addressProblem(whole)?.meant ?? null);
    if (meant !== null) return problem(isBare ? `Add the scheme: ${meant}.` : writeInstead(meant), meant);
  }
  if (/\s/.test(text)) return problem("A URL cannot contain spaces. Write them as %20.");
  return problem(/^[a-z][a-z0-9+.-]*:/i.test(text) ? NEEDS_HOST : null);
}

/** The fix of an address with two schemes; null for other addresses. */
function withoutDouble(address: string): string | null {
  const [, scheme, rest] = /^https?:\/\/(https?):?\/\/+(.+)$/is.exec(address) ?? [];
  return rest === undefined ? null : `${scheme}://${rest}`;
}

const WEB = ["https", "http"] as const;

/** A probable mistake in an address that the service stores; null if there is none. */
export function addressTypo(address: string): AddressProblem | null {
  const parts = partsOf(address);
  if (parts === null) return null;
  const typo = (is: string, mark: string | null, meant: string): AddressProblem => {
    return { is, mark, meant, hint: `Did you mean \`${withoutUser(meant)}\`?` };
  };
  const scheme = parts.scheme.slice(0, -"://".length);
  const steps = WEB.map((one) => ({ one, count: stepsBetween(scheme.toLowerCase(), one) }));
  const similar = steps.some(({ count }) => count === 0) ? undefined : steps.find(({ count }) => count === 1)?.one;
  if (similar !== undefined)
    return typo(`has the scheme \`${scheme}\``, `${scheme}:`, joined({ ...parts, scheme: `${similar}://` }));
  const single = withoutDouble(address);
  if (single !== null) return typo("has two schemes", null, single);
  if (!address.includes("&amp;")) return null;
  return typo("has `&amp;` instead of `&`", "&amp;", address.replaceAll("&amp;", "&"));
}
