// Which link a short URL means, where its visitor goes, and why (docs/service.md, "What a visitor sees").
import {
  activeGroup,
  entriesOf,
  hasHole,
  isExpired,
  isSet,
  type ActiveGroup,
  type Domain,
  type Link,
  type Pixel,
} from "../state.ts";
import { decode, mergeQuery } from "../forms.ts";
import type { Service, Software } from "../service.ts";
import type { Visitor } from "./visitor.ts";
import { domainToASCII } from "node:url";
import type { Store } from "../store.ts";

/** Which of a link's destinations it is. */
export type Choice =
  | { readonly by: "none" }
  | { readonly by: "crawler" }
  | { readonly by: "match" | "no match"; readonly group: Exclude<ActiveGroup, "rotation">; readonly key: string | null }
  /** A turn of a rotation, from 1; the link's own url is the last. `unused`: the visitor goes there, whatever the turn. */
  | { readonly by: "slot" | "unused"; readonly slot: number; readonly slots: number };

export type SentOn =
  | { readonly kind: "sent on"; readonly to: string; readonly choice: Choice }
  /** A rotation with a hole: a 500. */
  | { readonly kind: "broken" };

export type Outcome =
  /** null: there is a page for it. */
  | { readonly kind: "expired"; readonly to: string | null }
  | { readonly kind: "disabled" }
  | { readonly kind: "password"; readonly wasWrong: boolean }
  /** A page warns of sensitive content. */
  | { readonly kind: "warning" }
  /** A page asks whether the pixels may be loaded. */
  | { readonly kind: "consent"; readonly pixels: readonly Pixel[]; readonly accepted: string; readonly refused: SentOn }
  /** They may: a page loads them, and goes on to the link's own url. */
  | { readonly kind: "tracked"; readonly pixels: readonly Pixel[]; readonly to: string }
  | SentOn;

type Gate = "expired" | "disabled" | "password" | "warning";

/** What differs between the versions for visitors. */
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
  /** Whether a rotation sends anybody to its entries. */
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

/** @param query of the short URL, as it came, without `?` */
export function decide(link: Link, visitor: Visitor, query: string, service: Service): Outcome {
  const rules = RULES[service.software];
  for (const gate of rules.order) {
    const held = holdAt(gate, link, visitor, isExpired(link, service.now(), rules.hasPeriod));
    if (held !== null) return held;
  }
  const pixels = link.pixels.flatMap((id) => service.store.pixels.get(id) ?? []);
  // Who accepts goes past the targets, and without the query.
  if (pixels.length > 0 && visitor.consent === "accepted") return { kind: "tracked", pixels, to: link.url };
  const onward = choose(link, visitor, (to) => mergeQuery(to, query, service.software), rules);
  return pixels.length > 0 && visitor.consent === null
    ? { kind: "consent", pixels, accepted: link.url, refused: onward }
    : onward;
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
  const sentOn = (to: string, choice: Choice): SentOn => ({ kind: "sent on", to: merged(to), choice });
  const group = activeGroup(link);
  if (group === null) return sentOn(link.url, { by: "none" });
  if (visitor.isCrawler) return sentOn(link.url, { by: "crawler" });
  const entries = entriesOf(link[group]);
  if (group === "rotation") {
    if (hasHole(link.rotation)) return { kind: "broken" };
    const slots = entries.length + 1;
    const slot = Math.min(link.last_rotation + 1, slots);
    if (!rules.rotates) return sentOn(link.url, { by: "unused", slot, slots });
    return sentOn(entries[link.last_rotation]?.value ?? link.url, { by: "slot", slot, slots });
  }
  const key = group === "language" && visitor.language !== null ? rules.language(visitor.language) : visitor[group];
  // Of two entries with one key the last counts (docs/service.md, "Targeting").
  const match = entries.findLast((entry) => entry.key === key);
  return sentOn(match?.value ?? link.url, { by: match === undefined ? "no match" : "match", group, key });
}

/** The link after the visit: a click and the next slot's turn for a person who got through. Crawlers leave no trace. */
export function visited(link: Link, visitor: Visitor, outcome: Outcome): Link {
  if (visitor.isCrawler || (outcome.kind !== "sent on" && outcome.kind !== "tracked")) return link;
  const choice = outcome.kind === "sent on" ? outcome.choice : null;
  return {
    ...link,
    clicks: link.clicks + 1,
    last_rotation: choice?.by === "slot" || choice?.by === "unused" ? choice.slot % choice.slots : link.last_rotation,
  };
}

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
