// What an explanation of a visit rests on: the documented interface, what a running service was seen to do, or nothing.

/** `documented`: interface.md says it. `observed`: a running service did so (observed.md). `unknown`: nobody has seen it. */
export type Basis = "documented" | "observed" | "unknown";

/** By a word for programs: what it rests on, and a sentence or two. */
export const NOTES = {
  "over-url": { basis: "documented", says: "An expired link leads to its expiration URL." },
  "over-first": {
    basis: "observed",
    says: "Whether a link has expired is decided first: one that is disabled or has a password still goes to its expiration URL.",
  },
  "over-page": {
    basis: "observed",
    says: "Without an expiration URL the service shows a page that says the link has expired.",
  },
  "over-when": {
    basis: "observed",
    says: "A link has expired from that minute on, or with the visit after as many clicks as its limit. Visits of programs are not counted.",
  },
  "over-query": {
    basis: "unknown",
    says: "Nobody has observed whether the short URL's query is merged into an expiration URL: here it is not.",
  },
  "off-page": { basis: "observed", says: "A disabled link shows a page that says so, and leads nowhere." },
  "off-or-lock": {
    basis: "unknown",
    says: "Nobody has observed which page a link shows that is disabled and has a password.",
  },
  "lock-page": { basis: "observed", says: "A page asks for the password first." },
  destination: { basis: "documented", says: "The link's own destination." },
  redirect: {
    basis: "observed",
    says: "The redirect is a lasting one (301): browsers keep it, so people who came before may go where it led then.",
  },
  "group-documented": { basis: "documented", says: "Visitors can be sent elsewhere by such a group." },
  "group-undocumented": {
    basis: "observed",
    says: "The service's document does not list the number that puts this group in force; it was seen to work.",
  },
  "told-by": {
    basis: "observed",
    says: "By what the service tells a visitor's country, platform or language is not in its document.",
  },
  "no-match": { basis: "observed", says: "Visitors for whom the group has nothing go to the link's own destination." },
  "group-idle": { basis: "observed", says: "Groups that are not in force are kept and not asked." },
  "key-twice": {
    basis: "unknown",
    says: "A key is in the group twice. Nobody has observed which one counts: here it is the first.",
  },
  turns: { basis: "observed", says: "Each in turn, and the link's own destination is one more turn at the end." },
  "whose-turn": { basis: "unknown", says: "Whose turn it is only the service knows." },
  "other-word": { basis: "unknown", says: "linkform does not know what this group of a later version does." },
  "pixel-page": { basis: "observed", says: "A page between loads the pixels, and goes on." },
  query: { basis: "observed", says: "The short URL's query is merged into the destination's." },
  "query-twice": {
    basis: "unknown",
    says: "Nobody has observed whose value wins where both name a parameter: here it is the short URL's.",
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
