// Which link a short URL means: the Host header or the first part of the path names the domain, what follows the alias.
import { domainToASCII } from "node:url";
import { decode } from "../forms.ts";
import type { Domain, Link } from "../state.ts";
import type { Store } from "../store.ts";

export interface ShortUrl {
  readonly domain: Domain;
  /** Empty: the domain's front page. */
  readonly alias: string;
  /** Null where there is no such link. */
  readonly link: Link | null;
}

/** Ways that lead to the service's own interface, whatever the domains are called. */
const INTERFACE = /^\/(?:index\.php\/)?(?:api\/v1|links|pixels)\//;

/**
 * `/{alias}` with the domain as Host, its port ignored, or `/{domain}/{alias}` with any; null: neither.
 * @param path without query, as it came, one character a byte
 */
export function readShortUrl(host: string, path: string, store: Store): ShortUrl | null {
  if (INTERFACE.test(path)) return null;
  const parts = path.replace(/\/+$/, "").split("/").slice(1).map(decodePart);
  const [first = "", second = ""] = parts;
  const named = parts.length === 1 || parts.length === 2 ? domainNamed(first, store) : undefined;
  if (named !== undefined) return at(named, second, store);
  const domain = parts.length <= 1 ? domainNamed(host.replace(/:\d+$/, ""), store) : undefined;
  if (domain === undefined) return null;
  const found = at(domain, first, store);
  // The service's own page, unless a link has its name.
  return first === "login" && found.link === null ? null : found;
}

function at(domain: Domain, alias: string, store: Store): ShortUrl {
  const id = store.linkAt(domain.id, alias);
  return { domain, alias, link: (id === undefined ? undefined : store.links.get(id)) ?? null };
}

function domainNamed(name: string, store: Store): Domain | undefined {
  const wanted = hostName(name);
  return wanted === "" ? undefined : [...store.domains.values()].find((domain) => hostName(domain.name) === wanted);
}

const hostName = (name: string): string => domainToASCII(name) || name.toLowerCase();

/** In a path a plus sign is a plus sign. */
const decodePart = (part: string): string => decode(part.replaceAll("+", "%2B"));
