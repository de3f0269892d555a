// Which link a short URL means, where its visitor goes, and why (docs/service.md, "What a visitor sees").
import { activeGroup, entriesOf, hasHole, isExpired, isSet, type Domain, type Link, type Pixel } from "../state.ts";
import { decode, mergeQuery } from "../forms.ts";
import type { Service, Software } from "../service.ts";
import type { Visitor } from "./visitor.ts";
import { domainToASCII } from "node:url";
import type { Store } from "../store.ts";

type SentOn =
  /** `turn`: that of the rotation, from 1; null for none. */
  | { readonly kind: "sent on"; readonly to: string; readonly turn: number | null }
  /** A rotation with a hole: a 500. */
  | { readonly kind: "broken" };

export type Outcome =
  /** null: a page instead. */
  | { readonly kind: "expired"; readonly to: string | null }
  | { readonly kind: "disabled" }
  | { readonly kind: "password"; readonly wasWrong: boolean }
  /** A page warns of sensitive content. */
  | { readonly kind: "warning" }
  /** A page asks whether the pixels may be loaded. */
  | { readonly kind: "consent"; readonly pixels: readonly Pixel[] }
  /** After consent, a page loads them, and continues to the link's own url. */
  | { readonly kind: "tracked"; readonly pixels: readonly Pixel[]; readonly to: string }
  | SentOn;

type Gate = "expired" | "disabled" | "password" | "warning";

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

const RULES: Readonly<Record<Software, Rules>> = {
  "4.1": { ...SINCE_4_9, order: ["expired", "password", "disabled"] },
  "4.9": SINCE_4_9,
  "44": SINCE_4_9,
  "49": { order: ["expired", "password", "warning"], hasPeriod: true, language: (header) => header, rotates: false },
};

/** @param query of the short URL, unchanged, without `?` */
export function decide(link: Link, visitor: Visitor, query: string, service: Service): Outcome {
  const rules = RULES[service.software];
  for (const gate of rules.order) {
    const held = holdAt(gate, link, visitor, isExpired(link, service.now(), rules.hasPeriod));
    if (held !== null) return held;
  }
  const pixels = link.pixels.flatMap((id) => service.store.pixels.get(id) ?? []);
  // After consent, the visitor does not get the targets or the query.
  if (pixels.length > 0 && visitor.consent === "accepted") return { kind: "tracked", pixels, to: link.url };
  if (pixels.length > 0 && visitor.consent === null) return { kind: "consent", pixels };
  return choose(link, visitor, (to) => mergeQuery(to, query), rules);
}

function holdAt(gate: Gate, link: Link, visitor: Visitor, isOver: boolean): Outcome | null {
  switch (gate) {
    case "expired":
      return isOver ? { kind: "expired", to: link.expiration_url || null } : null;
    case "disabled":
      return link.disabled === 1 ? { kind: "disabled" } : null;
    case "password":
      return isSet(link.password) && visitor.password !== link.password
        ? { kind: "password", wasWrong: visitor.password !== null }
        : null;
    case "warning":
      return link.sensitive === 1 && !visitor.isWarned ? { kind: "warning" } : null;
    default:
      return gate satisfies never;
  }
}

function choose(link: Link, visitor: Visitor, merged: (to: string) => string, rules: Rules): SentOn {
  const sentOn = (to: string = link.url, turn: number | null = null): SentOn => ({
    kind: "sent on",
    to: merged(to),
    turn,
  });
  const group = activeGroup(link);
  if (group === null || visitor.isCrawler) return sentOn();
  const entries = entriesOf(link[group]);
  if (group === "rotation") {
    if (hasHole(link.rotation)) return { kind: "broken" };
    // The last turn is the link's own url.
    const turn = Math.min(link.last_rotation + 1, entries.length + 1);
    return sentOn(rules.rotates ? entries[turn - 1]?.value : link.url, turn);
  }
  const key = group === "language" && visitor.language !== null ? rules.language(visitor.language) : visitor[group];
  // Of two entries with one key, the last one counts (docs/service.md, "Targeting").
  return sentOn(entries.findLast((entry) => entry.key === key)?.value);
}

/** The link after the visit: a click and the next turn, if a person reached the destination. Crawlers change nothing. */
export function visited(link: Link, visitor: Visitor, outcome: Outcome): Link {
  if (visitor.isCrawler || (outcome.kind !== "sent on" && outcome.kind !== "tracked")) return link;
  const turn = outcome.kind === "sent on" ? outcome.turn : null;
  return {
    ...link,
    clicks: link.clicks + 1,
    last_rotation: turn === null ? link.last_rotation : turn % (entriesOf(link.rotation).length + 1),
  };
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
