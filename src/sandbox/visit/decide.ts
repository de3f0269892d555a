// Which link a short URL means, and which destination a visitor gets (docs/service.md, "What a visitor sees").
import { activeGroup, entriesOf, hasHole, type Domain, type Link } from "../state.ts";
import { decode } from "../forms.ts";
import { serverError } from "../reply.ts";
import type { Software } from "../service.ts";
import type { Visitor } from "./visitor.ts";
import { domainToASCII } from "node:url";
import type { Store } from "../store.ts";

export type Gate = "expired" | "disabled" | "password" | "warning";

/** The differences between the versions for visitors. */
interface Rules {
  /**
   * What can keep a visitor from the destination, in the order in which it is decided (docs/service.md, "Order of the
   * checks").
   */
  readonly order: readonly Gate[];
  /** Both ends of the active period must be set. */
  readonly hasPeriod: boolean;
  /**
   * Of `Accept-Language`, what is compared with a key. `DE` alone matches nothing, `DE-DE` matches `de` (docs/service.md, "Which
   * target a visitor gets").
   */
  readonly language: (header: string) => string;
  /** Whether a rotation uses its entries. */
  readonly rotates: boolean;
}

const SINCE_4_9: Rules = {
  order: ["disabled", "expired", "password"],
  hasPeriod: false,
  language: (header) => (header.length > 2 ? header.slice(0, 2).toLowerCase() : header),
  rotates: true,
};

export const RULES: Readonly<Record<Software, Rules>> = {
  "4.1": { ...SINCE_4_9, order: ["expired", "password", "disabled"] },
  "4.9": SINCE_4_9,
  "44": SINCE_4_9,
  "49": { order: ["expired", "password", "warning"], hasPeriod: true, language: (header) => header, rotates: false },
};

/** Where a visitor goes who is not kept from the destination. `turn`: that of the rotation, from 1; null for none. */
export interface Destination {
  readonly to: string;
  readonly turn: number | null;
}

/** @throws FrameworkError 500 for a rotation with a hole */
export function destinationOf(link: Link, visitor: Visitor, { language, rotates }: Rules): Destination {
  const group = activeGroup(link);
  if (group === null || visitor.isCrawler) return { to: link.url, turn: null };
  const entries = entriesOf(link[group]);
  if (group === "rotation") {
    if (hasHole(link.rotation)) throw serverError();
    // The last turn is the link's own url.
    const turn = Math.min(link.last_rotation + 1, entries.length + 1);
    return { to: (rotates ? entries[turn - 1]?.value : undefined) ?? link.url, turn };
  }
  const key = group === "language" && visitor.language !== null ? language(visitor.language) : visitor[group];
  // Of two entries with one key, the last one counts (docs/service.md, "Targeting").
  return { to: entries.findLast((entry) => entry.key === key)?.value ?? link.url, turn: null };
}

export interface ShortUrl {
  readonly domain: Domain;
  /** Empty: the domain's front page. */
  readonly alias: string;
  /** Null if there is no such link. */
  readonly link: Link | null;
}

/** Paths of the service's own interface, for any names of domains. */
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

/** In a path, a plus sign is literal. */
const decodePart = (part: string): string => decode(part.replaceAll("+", "%2B"));
