// What is known about a link from its declaration, or from its live record.

import type { FieldSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText, type Place } from "../domain/place.ts";
import type { Declaration } from "../domain/project.ts";
import type { Value, Values } from "../domain/value.ts";
import type { Doubt, UnknownReason } from "../domain/visit.ts";
import { instantOf } from "../domain/zone.ts";

/** A field as far as it is known; `place` is null if no file declares it. */
export type Fact =
  | { readonly isKnown: true; readonly value: Value; readonly place: Place | null; readonly parts: readonly Place[] }
  | { readonly isKnown: false; readonly why: UnknownReason };

/** What is known about a link. */
export interface Facts {
  readonly of: (field: FieldSpec) => Fact;
  /** Clicks so far; null if unknown. */
  readonly clicks: number | null;
  /** The zone of its dates is unknown, and UTC is assumed. */
  readonly isZoneGuessed: boolean;
}

/** A known or assumed value. */
export interface ResolvedFact {
  readonly value: Value;
  readonly place: Place | null;
  readonly parts: readonly Place[];
  readonly doubts: readonly Doubt[];
}

/** The fact, or the field's default with a doubt. */
export function resolveFact(field: FieldSpec, facts: Facts): ResolvedFact {
  const fact = facts.of(field);
  return fact.isKnown
    ? { value: fact.value, place: fact.place, parts: fact.parts, doubts: [] }
    : { value: field.default, place: null, parts: [], doubts: [{ path: field.path, why: fact.why }] };
}

/**
 * A link as the files declare it. `zone` is the zone of their dates; null if unknown. An undeclared field has its default, or is unknown
 * if it keeps its live value.
 */
export function declaredFacts(declaration: Declaration, zone: string | null, clicks: number | null): Facts {
  const { unspecified } = declaration;
  return {
    clicks,
    isZoneGuessed: zone === null,
    of: (field) => {
      const declared = declaredFact(declaration, field, zone);
      if (declared !== null) return declared;
      if (unspecified === "keep") return { isKnown: false, why: "kept" };
      return field.opens === null ? knownFact(field.default) : { isKnown: false, why: "silent" };
    },
  };
}

/** A live link. */
export function liveFacts(record: LiveRecord, clicks: number | null): Facts {
  const values = valuesOf(record);
  return {
    clicks,
    isZoneGuessed: false,
    of: ({ path }) => {
      const value = values.get(path);
      return value === undefined ? unknownFact(record, path) : knownFact(value);
    },
  };
}

/** Why the value of a live field is unknown. */
function unknownFact({ unreadable }: Pick<LiveRecord, "unreadable">, path: string): Fact {
  return { isKnown: false, why: unreadable.some((one) => one.path === path) ? "unreadable" : "not returned" };
}

function knownFact(value: Value): Fact {
  return { isKnown: true, value, place: null, parts: [] };
}

function declaredFact(declaration: Declaration, field: FieldSpec, zone: string | null): Fact | null {
  const declared = declaration.fields.get(field.path);
  if (declared === undefined) return null;
  const { place, parts = [] } = declared;
  return { isKnown: true, value: canonical(field, declared.value, zone), place, parts };
}

/** Converts the wall time of a date to an instant. */
function canonical(field: FieldSpec, value: Value, zone: string | null): Value {
  return field.kind === "instant" && typeof value === "string" ? instantOf(value, zone ?? "UTC") : value;
}

function valuesOf({ values, references }: LiveRecord): Values {
  return {
    has: (path) => values.has(path) || references.has(path),
    get: (path) => {
      const value = values.get(path);
      return value === undefined
        ? references
            .get(path)
            ?.map(({ name }) => name)
            .toSorted(compareText)
        : value;
    },
  };
}
