// What is known of a link whose visitors are followed.

import type { FieldSpec } from "./field.ts";
import type { Place } from "./place.ts";
import type { Pair, Value } from "./value.ts";

/** A field as far as it is known; `place` is null where no file says it. */
export type Fact =
  | { readonly isKnown: true; readonly value: Value; readonly place: Place | null; readonly parts: readonly Place[] }
  | { readonly isKnown: false; readonly why: Unsaid };

/**
 * Why a field is not known: the files are silent and leave it as it is, keep it on purpose, or the service does not return it, or
 * returns a value without a meaning.
 */
type Unsaid = "silent" | "kept" | "not returned" | "unreadable";

/** What is known of a link. */
export interface Facts {
  readonly of: (row: FieldSpec) => Fact;
  /** Clicks so far; null where nobody says. */
  readonly clicks: number | null;
  /** Nobody says in which zone its dates are: they are taken for UTC's. */
  readonly isZoneGuessed: boolean;
}

/** What was taken for granted because it is not known. */
export interface Doubt {
  readonly path: string;
  readonly why: Unsaid | "clicks" | "zone";
}

/** A value to go on with. */
export interface Taken {
  readonly value: Value;
  readonly place: Place | null;
  readonly parts: readonly Place[];
  readonly doubts: readonly Doubt[];
}

/** The fact, or the field's default with a doubt. */
export function taken(row: FieldSpec, facts: Facts): Taken {
  const fact = facts.of(row);
  return fact.isKnown
    ? { value: fact.value, place: fact.place, parts: fact.parts, doubts: [] }
    : { value: row.default, place: null, parts: [], doubts: [{ path: row.path, why: fact.why }] };
}

/** The texts of a list. */
export function texts(value: Value): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The pairs of a map. */
export function pairs(value: Value): Pair[] {
  return Array.isArray(value) ? value.filter((item): item is Pair => typeof item !== "string") : [];
}
