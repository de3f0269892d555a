// Where a visitor goes, and why: the whole of observed.md, "What a visitor meets", without a socket.
import { activeGroup, entriesOf, isExpired } from "./link-state.ts";
import { mergeQuery } from "./merge-query.ts";
import type { Service } from "../service.ts";
import type { Link, Pixel } from "../state.ts";
import type { GroupName } from "../targets.ts";
import type { Visitor } from "./visitor.ts";

/** Which of a link's destinations it is. */
export type Choice =
  | { readonly by: "none" }
  | { readonly by: "match" | "no match"; readonly group: Exclude<GroupName, "rotation">; readonly key: string | null }
  /** From 1; the link's own url is the last. */
  | { readonly by: "slot"; readonly slot: number; readonly slots: number };

export type Outcome =
  /** null: there is a page for it. */
  | { readonly kind: "expired"; readonly to: string | null }
  | { readonly kind: "disabled" }
  | { readonly kind: "password"; readonly wasWrong: boolean }
  /** Sent on: by a page where there are pixels, else at once. */
  | { readonly kind: "sent on"; readonly to: string; readonly choice: Choice; readonly pixels: readonly Pixel[] };

/** @param query of the short URL, as it came, without `?` */
export function decide(link: Link, visitor: Visitor, query: string, service: Service): Outcome {
  if (isExpired(link, service.now())) return { kind: "expired", to: link.expiration_url || null };
  // Of a disabled link with a password the observations do not say which page is shown.
  if (link.disabled === 1) return { kind: "disabled" };
  if (link.password !== null && visitor.password !== link.password) {
    return { kind: "password", wasWrong: visitor.password !== null };
  }
  const { to, choice } = choose(link, visitor);
  const pixels = link.pixels.flatMap((id) => service.store.pixels.get(id) ?? []);
  return { kind: "sent on", to: mergeQuery(to, query), choice, pixels };
}

function choose(link: Link, visitor: Visitor): { readonly to: string; readonly choice: Choice } {
  const group = activeGroup(link);
  if (group === null) return { to: link.url, choice: { by: "none" } };
  const entries = entriesOf(link[group]);
  if (group === "rotation") {
    const slots = entries.length + 1;
    const choice = { by: "slot", slot: Math.min(link.last_rotation + 1, slots), slots } as const;
    return { to: entries[link.last_rotation]?.value ?? link.url, choice };
  }
  const key = visitor[group];
  // Keys may be there twice; the first one counts.
  const match = entries.find((entry) => entry.key === key);
  return { to: match?.value ?? link.url, choice: { by: match === undefined ? "no match" : "match", group, key } };
}

/**
 * The link after the visit: a click more unless it was a bot, and the next slot's turn, which the observations do not say
 * of bots. Who is not sent on leaves no trace.
 */
export function visited(link: Link, visitor: Visitor, outcome: Outcome): Link {
  if (outcome.kind !== "sent on") return link;
  const { choice } = outcome;
  return {
    ...link,
    clicks: link.clicks + (visitor.isBot ? 0 : 1),
    last_rotation: choice.by === "slot" ? choice.slot % choice.slots : link.last_rotation,
  };
}
