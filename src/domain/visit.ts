// A visit to a short URL as data: its steps, how it ends, what each version of the service does, and how each fact is known
// (docs/service.md, "What a visitor sees"; docs/service-compatibility.md, "What visitors get").

import type { Place } from "./place.ts";
import type { Software } from "./software.ts";
import type { TargetSpec } from "./table.ts";

/** Who comes, and when. */
export interface Visitor {
  /**
   * The key of the visitor by the word of the target group; null for a visitor without a key. Unknown properties are left out. The value
   * of the language group can be a whole `Accept-Language`.
   */
  readonly is: ReadonlyMap<string, string | null>;
  /** By its user agent: it gets no targets. */
  readonly isCrawler: boolean;
  /** An instant in canonical form. */
  readonly at: string;
}

/**
 * Why a field is unknown: it is undeclared and keeps its live value (`silent`; `kept` with `unspecified: keep`), or the service does not
 * return it, or returns an invalid value.
 */
export type UnknownReason = "silent" | "kept" | "not returned" | "unreadable";

/** Something unknown that was assumed. */
export interface Doubt {
  readonly path: string;
  readonly why: UnknownReason | "clicks" | "zone";
}

/** A destination, who is sent there, and its place in the files. */
export interface VisitorRoute {
  readonly who: Who;
  readonly to: string;
  readonly place: Place | null;
}

/** `turn` counts from 1. */
export type Who =
  | { readonly by: "all" }
  | { readonly by: "key"; readonly key: string }
  | { readonly by: "others" }
  | { readonly by: "turn"; readonly turn: number; readonly turns: number };

/** How the destination is chosen. `is`: the visitor's key, null for none; undefined if it was not given. */
export type Choice =
  | { readonly by: "none" }
  | { readonly by: "crawler" }
  | {
      readonly by: "group";
      readonly group: string;
      readonly field: TargetSpec;
      /** What the service compares with the keys; null for a rotation. */
      readonly signal: string | null;
      readonly is: string | null | undefined;
    }
  /** A rotation with an empty entry: the service fails. */
  | { readonly by: "hole" }
  /** A rotation that the version does not follow. */
  | { readonly by: "unused" }
  | { readonly by: "word"; readonly word: string };

interface StepBase {
  /** The files' line that decides; null where none does. */
  readonly place: Place | null;
  readonly notes: readonly NoteCode[];
  readonly doubts: readonly Doubt[];
  /** False behind a step that ends the visit. */
  readonly isReached: boolean;
}

export type ExpiryStep = StepBase & {
  readonly asks: "expired";
  readonly by: "start" | "date" | "clicks" | null;
  readonly starts: { readonly instant: string; readonly place: Place | null } | null;
  readonly ends: { readonly instant: string; readonly place: Place | null } | null;
  readonly limit: { readonly clicks: number; readonly place: Place | null } | null;
  readonly clicks: number | null;
  readonly over: { readonly to: string; readonly place: Place | null } | null;
};

export type VisitStep =
  | ExpiryStep
  | (StepBase & { readonly asks: "disabled" | "password" | "warning"; readonly is: boolean })
  | (StepBase & { readonly asks: "destination"; readonly choice: Choice; readonly ways: readonly VisitorRoute[] })
  | (StepBase & { readonly asks: "pixels"; readonly names: readonly string[] });

/** A page that visitors pass before they go on. */
export type PassedPage = Extract<Gate, "password" | "warning">;

/** How a visit ends. Of several ways it is one, for each visitor another. `passed`: pages before the end, in their order. */
export type End =
  | {
      readonly kind: "expired";
      readonly passed: readonly PassedPage[];
      /** The active period has not begun. */
      readonly isEarly: boolean;
      readonly to: string | null;
      readonly place: Place | null;
    }
  | { readonly kind: "disabled"; readonly passed: readonly PassedPage[] }
  | {
      readonly kind: "sent on";
      readonly passed: readonly PassedPage[];
      readonly pixels: readonly string[];
      /** Empty where the service fails. */
      readonly ways: readonly VisitorRoute[];
      /** Where visitors go who accept tracking; null without pixels. */
      readonly accepted: VisitorRoute | null;
    };

export interface Visit {
  /** In the order in which the version decides them. */
  readonly steps: readonly VisitStep[];
  readonly end: End;
}

/** The visit as a version answers it. */
export interface VersionVisit {
  readonly version: Software;
  readonly visit: Visit;
}

/** The visit as the version answers it, or `others`: as each other version does, where nobody knows the version. */
export interface Visits extends VersionVisit {
  readonly others: readonly VersionVisit[];
}

/** Checks that can stop a visitor before the destination. */
export type Gate = "expired" | "disabled" | "password" | "warning";

export interface VisitRules {
  /** The gates in the order in which the version checks them. It has no others. */
  readonly gates: readonly Gate[];
  /** What a link's language keys are compared with. */
  readonly language: "first two letters" | "whole header";
  /** The same in words; null if it is what the field table says. */
  readonly languageSignal: string | null;
  /** Where people go if a rotation is active. */
  readonly rotation: "entries in turn" | "own destination";
  /** Target groups that were never measured. */
  readonly unmeasured: readonly string[];
}

const SINCE_4_9: VisitRules = {
  gates: ["disabled", "expired", "password"],
  language: "first two letters",
  languageSignal: null,
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
    languageSignal: "the visitor's whole `Accept-Language`",
    rotation: "own destination",
    unmeasured: ["continent"],
  },
};

/** `version 4.1`, `versions 4.9 and 44`. */
export function nameVersions(versions: readonly Software[]): string {
  return `version${versions.length === 1 ? "" : "s"} ${listed(versions)}`;
}

function listed(versions: readonly Software[]): string {
  const last = versions.at(-1) ?? "";
  return versions.length < 2 ? last : `${versions.slice(0, -1).join(", ")} and ${last}`;
}

/** Why a fact may be wrong for a service: observed only on an installation that can differ from others, or never observed. */
export type Basis = "doubtful" | "unknown";

interface Note {
  readonly basis: Basis;
  /** A sentence or two. */
  readonly says: string;
}

/** What an answer is based on without being certain, by the code that JSON has. docs/explain.md has the other facts. */
export const NOTES = {
  "whole-language": {
    basis: "doubtful",
    says: "Version 49 compares the whole `Accept-Language` with the key. Most browsers send more than a language, such as `de-DE,de;q=0.9`, so they match no key.",
  },
  "group-unmeasured": {
    basis: "unknown",
    says: "Nobody has observed which visitors match a key of this group.",
  },
  "whose-turn": { basis: "unknown", says: "Only the service knows which turn is next." },
  "rotation-unused": {
    basis: "doubtful",
    says: "Version 49 sends every visitor to the link's own destination and only counts the turns of the rotation.",
  },
  "other-word": { basis: "unknown", says: "linkform does not know what this group of a later version does." },
  "two-rows": { basis: "unknown", says: "Nobody has observed which of two links with the same key answers." },
} as const satisfies Readonly<Record<string, Note>>;

export type NoteCode = keyof typeof NOTES;
