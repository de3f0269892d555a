// Where a visitor goes, and why, without a socket (observed.md, "What a visitor sees"; corners a to f).
import { activeGroup, entriesOf, hasHole, isExpired, isSet } from "./link-state.ts";
import { mergeQuery } from "./merge-query.ts";
import type { Service, Software } from "../service.ts";
import type { Link, Pixel } from "../state.ts";
import type { GroupName } from "../targets.ts";
import type { Visitor } from "./visitor.ts";

/** Which of a link's destinations it is. */
export type Choice =
  | { readonly by: "none" }
  | { readonly by: "crawler" }
  | { readonly by: "match" | "no match"; readonly group: Exclude<GroupName, "rotation">; readonly key: string | null }
  /** From 1; the link's own url is the last. */
  | { readonly by: "slot"; readonly slot: number; readonly slots: number };

export type SentOn =
  | { readonly kind: "sent on"; readonly to: string; readonly choice: Choice }
  /** A rotation with a hole: a 500. */
  | { readonly kind: "broken" };

export type Outcome =
  /** null: there is a page for it. */
  | { readonly kind: "expired"; readonly to: string | null }
  | { readonly kind: "disabled" }
  | { readonly kind: "password"; readonly wasWrong: boolean }
  /** A page asks whether the pixels may be loaded. */
  | { readonly kind: "consent"; readonly pixels: readonly Pixel[]; readonly accepted: string; readonly refused: SentOn }
  /** They may: a page loads them, and goes on to the link's own url. */
  | { readonly kind: "tracked"; readonly pixels: readonly Pixel[]; readonly to: string }
  | SentOn;

type Gate = "expired" | "disabled" | "password";

/** What can keep a visitor from the destination, in the order in which it is decided (corners a). */
const ORDER: Readonly<Record<Software, readonly Gate[]>> = {
  "4.1": ["expired", "password", "disabled"],
  "4.9": ["disabled", "expired", "password"],
  "44": ["disabled", "expired", "password"],
  "49": ["expired", "password"],
};

/** @param query of the short URL, as it came, without `?` */
export function decide(link: Link, visitor: Visitor, query: string, service: Service): Outcome {
  for (const gate of ORDER[service.software]) {
    const held = holdAt(gate, link, visitor, service.now());
    if (held !== null) return held;
  }
  const pixels = link.pixels.flatMap((id) => service.store.pixels.get(id) ?? []);
  // Who accepts goes past the targets, and without the query.
  if (pixels.length > 0 && visitor.consent === "accepted") return { kind: "tracked", pixels, to: link.url };
  const onward = choose(link, visitor, query);
  return pixels.length > 0 && visitor.consent === null
    ? { kind: "consent", pixels, accepted: link.url, refused: onward }
    : onward;
}

function holdAt(gate: Gate, link: Link, visitor: Visitor, now: string): Outcome | null {
  switch (gate) {
    case "expired":
      return isExpired(link, now) ? { kind: "expired", to: link.expiration_url || null } : null;
    case "disabled":
      return link.disabled === 1 ? { kind: "disabled" } : null;
    case "password":
      return isSet(link.password) && visitor.password !== link.password
        ? { kind: "password", wasWrong: visitor.password !== null }
        : null;
    default:
      return gate satisfies never;
  }
}

function choose(link: Link, visitor: Visitor, query: string): SentOn {
  const sentOn = (to: string, choice: Choice): SentOn => ({ kind: "sent on", to: mergeQuery(to, query), choice });
  const group = activeGroup(link);
  if (group === null) return sentOn(link.url, { by: "none" });
  if (visitor.isCrawler) return sentOn(link.url, { by: "crawler" });
  const entries = entriesOf(link[group]);
  if (group === "rotation") {
    if (hasHole(link.rotation)) return { kind: "broken" };
    const slots = entries.length + 1;
    const slot = Math.min(link.last_rotation + 1, slots);
    return sentOn(entries[link.last_rotation]?.value ?? link.url, { by: "slot", slot, slots });
  }
  const key = visitor[group];
  // Of two entries with one key the last counts (corners b).
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
    last_rotation: choice?.by === "slot" ? choice.slot % choice.slots : link.last_rotation,
  };
}
