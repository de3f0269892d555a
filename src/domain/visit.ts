// What each version of the service does on a visit to a short URL, and how each fact is known (docs/service.md, "What a visitor sees";
// docs/service-compatibility.md, "What visitors get").

import type { Software } from "./software.ts";
import { listText } from "./words.ts";

/** Checks that can stop a visitor before the destination. */
export type Gate = "expired" | "disabled" | "password" | "warning";

export interface VisitRules {
  /** The gates in the order in which the version checks them. It has no others. */
  readonly gates: readonly Gate[];
  /** What a link's language keys are compared with. */
  readonly language: "first two letters" | "whole header";
  /** Where people go if a rotation is active. */
  readonly rotation: "entries in turn" | "own destination";
  /** Target groups that were never measured. */
  readonly unmeasured: readonly string[];
}

const SINCE_4_9: VisitRules = {
  gates: ["disabled", "expired", "password"],
  language: "first two letters",
  rotation: "entries in turn",
  unmeasured: [],
};

export const VISIT_RULES: Readonly<Record<Software, VisitRules>> = {
  "4.1": { ...SINCE_4_9, gates: ["expired", "password", "disabled"] },
  "4.9": SINCE_4_9,
  "44": SINCE_4_9,
  // Language and rotation are doubtful: this version was measured on the libraries of version 44.
  "49": {
    gates: ["expired", "password", "warning"],
    language: "whole header",
    rotation: "own destination",
    unmeasured: ["continent"],
  },
};

/** `version 4.1`, `versions 4.9 and 44`. */
export function nameVersions(versions: readonly Software[]): string {
  return `version${versions.length === 1 ? "" : "s"} ${listText(versions)}`;
}

interface Note {
  /** Why a fact may be wrong for a service: observed only on an installation that can differ from others, or never observed. */
  readonly basis: "doubtful" | "unknown";
  readonly says: string;
}

/** What an answer is based on without being certain, by the code that JSON has. docs/explain.md has the other facts. */
export const NOTES = {
  "whole-language": {
    basis: "doubtful",
    says: "Version 49 compares the whole `Accept-Language` with the key. Most browsers send more than a language, such as `de-DE,de;q=0.9`, so they match no key.",
  },
  "group-unmeasured": { basis: "unknown", says: "Nobody has observed which visitors match a key of this group." },
  "whose-turn": { basis: "unknown", says: "Only the service knows which turn is next." },
  "rotation-unused": {
    basis: "doubtful",
    says: "Version 49 sends every visitor to the link's own destination and only counts the turns of the rotation.",
  },
  "other-word": { basis: "unknown", says: "linkform does not know what this group of a later version does." },
  "two-rows": { basis: "unknown", says: "Nobody has observed which of two links with the same key answers." },
} as const satisfies Readonly<Record<string, Note>>;

export type NoteCode = keyof typeof NOTES;
