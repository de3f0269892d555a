// What an explanation of a visit rests on: the documented interface, what a running service was seen to do, or nothing.

/** `documented`: interface.md says it. `observed`: a running service did so (observed.md, corners.md). `unknown`: nobody has seen it. */
export type Basis = "documented" | "observed" | "unknown";

/** By a word for programs: what it rests on, and a sentence or two. */
export const NOTES = {
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
  order: {
    basis: "observed",
    says: "Version 4.1 checks the expiry first, then the password, then whether the link is disabled. Version 4.9 and later check whether it is disabled first, then the expiry, then the password.",
  },
  "off-page": { basis: "observed", says: "A disabled link shows a page that says so, and leads nowhere." },
  "lock-page": { basis: "observed", says: "A page asks for the password first." },
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
    says: "The service's document does not list the number that puts this group in force; it was seen to work.",
  },
  "group-empty": {
    basis: "observed",
    says: "If the active group has no destinations, every visitor goes to the link's own destination.",
  },
  "told-by": {
    basis: "observed",
    says: "By what the service tells a visitor's country, platform or language is not in its document.",
  },
  "no-match": { basis: "observed", says: "Visitors for whom the group has nothing go to the link's own destination." },
  "group-idle": { basis: "observed", says: "Groups that are not in force are kept and not asked." },
  "key-twice": { basis: "observed", says: "If a key is in the group more than once, its last entry counts." },
  turns: { basis: "observed", says: "Each in turn, and the link's own destination is one more turn at the end." },
  "whose-turn": { basis: "unknown", says: "Whose turn it is only the service knows." },
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

export type NoteCode = keyof typeof NOTES;

const WEAKEST: readonly Basis[] = ["unknown", "observed", "documented"];

/** The weakest of what some notes rest on. */
export function basisOf(codes: readonly NoteCode[]): Basis {
  return WEAKEST.find((basis) => codes.some((code) => NOTES[code].basis === basis)) ?? "documented";
}
