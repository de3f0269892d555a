// What an explanation of a visit rests on: the documented interface, what a running service was seen to do, or nothing.

import { gateOrders } from "./visit-versions.ts";

/**
 * The kinds of facts of docs/service.md. `documented`: the developer pages say it. `observed`: a running service did it.
 * `doubtful`: observed only on an installation that can differ from others. `unknown`: nobody has measured it.
 */
export type Basis = "documented" | "observed" | "doubtful" | "unknown";

interface Note {
  readonly basis: Basis;
  /** A sentence or two. */
  readonly says: string;
}

const PLAIN_NOTES = {
  "over-url": { basis: "documented", says: "An expired link leads to its expiration URL." },
  "over-page": {
    basis: "observed",
    says: "Without an expiration URL the service shows a page that says the link has expired.",
  },
  "over-when": {
    basis: "observed",
    says: "A link has expired from that minute on, or with the visit after its click limit is reached. Crawlers do not count; HEAD requests and most link checkers do.",
  },
  "over-query": { basis: "observed", says: "The short URL's query is not merged into an expiration URL." },
  "before-start": {
    basis: "observed",
    says: "Before the start of its active period, a link answers as if it had expired.",
  },
  "off-page": { basis: "observed", says: "A disabled link shows a page that says so, and leads nowhere." },
  "lock-page": { basis: "observed", says: "A page asks for the password first." },
  "warning-page": {
    basis: "observed",
    says: "A page warns of sensitive content. Visitors who confirm it go on, to the page about tracking if the link has pixels.",
  },
  destination: { basis: "documented", says: "The link's own destination." },
  redirect: {
    basis: "observed",
    says: "The redirect is a 301 with `Cache-Control: no-store`. Browsers do not keep it, so a change takes effect with the next visit.",
  },
  crawler: {
    basis: "observed",
    says: "Crawlers and link previews always go to the link's own destination, past targets and rotation. Their visits are not counted.",
  },
  "group-documented": { basis: "documented", says: "Visitors can be sent elsewhere by such a group." },
  "group-undocumented": {
    basis: "observed",
    says: "The service's document does not list the value that activates this group. The group was seen to work.",
  },
  "group-empty": {
    basis: "observed",
    says: "If the active group has no destinations, every visitor goes to the link's own destination.",
  },
  "told-by": {
    basis: "observed",
    says: "The service's document does not say how the service determines what a visitor is.",
  },
  "whole-language": {
    basis: "doubtful",
    says: "Version 49 compares the whole `Accept-Language` with the key. Most browsers send more than a language, such as `de-DE,de;q=0.9`, and match nothing.",
  },
  "group-unmeasured": {
    basis: "unknown",
    says: "Nobody has observed which visitors match a key of this group.",
  },
  "no-match": { basis: "observed", says: "Visitors for whom the group has nothing go to the link's own destination." },
  "group-idle": { basis: "observed", says: "Groups that are not in force are kept and not asked." },
  "key-twice": { basis: "observed", says: "If a key is in the group more than once, its last entry counts." },
  turns: { basis: "observed", says: "Each in turn, and the link's own destination is one more turn at the end." },
  "whose-turn": { basis: "unknown", says: "Whose turn it is only the service knows." },
  "rotation-unused": {
    basis: "doubtful",
    says: "Version 49 sends every visitor to the link's own destination and only counts the turns of the rotation.",
  },
  "rotation-hole": {
    basis: "observed",
    says: "A rotation with an empty entry answers every visit with an error (500). Only crawlers are sent on.",
  },
  "other-word": { basis: "unknown", says: "linkform does not know what this group of a later version does." },
  "pixel-page": {
    basis: "observed",
    says: "A page asks whether the visitor accepts tracking. Visitors who accept go to the link's own destination, past all targeting and without the short URL's query.",
  },
  query: {
    basis: "observed",
    says: "The short URL's query is merged into the destination's. If both have a name, the visitor's value is taken, and an empty value removes the name.",
  },
  "query-drops": {
    basis: "observed",
    says: "For a visitor with a query, the service drops the port, the user info and the fragment of the destination.",
  },
  folded: { basis: "observed", says: "Case and accents make no difference in an alias." },
  "two-rows": { basis: "unknown", says: "Nobody has observed which of two links with the same key answers." },
  missing: {
    basis: "observed",
    says: "An alias that no link has is answered with 404, or a redirect to the domain's own not-found page where it has one.",
  },
} as const;

export type NoteCode = keyof typeof PLAIN_NOTES | "order";

/** By a word for programs: what it rests on, and what it says. */
export const NOTES: Readonly<Record<NoteCode, Note>> = {
  ...PLAIN_NOTES,
  order: { basis: "observed", says: `What is checked first depends on the version (${gateOrders()}).` },
};

const WEAKEST: readonly Basis[] = ["unknown", "doubtful", "observed", "documented"];

/** The weakest of what some notes rest on. */
export function basisOf(codes: readonly NoteCode[]): Basis {
  return WEAKEST.find((basis) => codes.some((code) => NOTES[code].basis === basis)) ?? "documented";
}
