// What is known about a link from its declaration or its live record, and what is assumed.

import type { FieldSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText, type Place } from "../domain/place.ts";
import type { Declaration } from "../domain/project.ts";
import type { Value } from "../domain/value.ts";
import { instantOf } from "../domain/zone.ts";
import type { SideDocument } from "../report/json/explain.ts";

export interface Fact {
  readonly path: string;
  readonly value: Value;
  /** Null if no file declares it. */
  readonly place: Place | null;
  /** The places of the entries of a group. */
  readonly parts: readonly Place[];
  /** Why the default is assumed; null if the value is known. */
  readonly unknown: SideDocument["unknown"][number]["why"] | null;
}

export interface Facts {
  readonly of: (field: FieldSpec) => Fact;
  /** Clicks so far; null if unknown. */
  readonly clicks: number | null;
}

/** A link as the files declare it, with dates in `zone`. An undeclared field has its default, or is unknown if it keeps its live value. */
export function declaredFacts({ fields, unspecified }: Declaration, zone: string, clicks: number | null): Facts {
  return {
    clicks,
    of: (field) => {
      const declared = fields.get(field.path);
      if (declared !== undefined) {
        const { value, place, parts = [] } = declared;
        const isWall = field.kind === "instant" && typeof value === "string";
        return { ...known(field, isWall ? instantOf(value, zone) : value), place, parts };
      }
      if (unspecified === "keep") return assumed(field, "kept");
      return field.opens === null ? known(field, field.default) : assumed(field, "silent");
    },
  };
}

/** A live link. A field that the service does not return, or whose value is invalid, is unknown. */
export function liveFacts({ values, references, unreadable }: LiveRecord, clicks: number | null): Facts {
  return {
    clicks,
    of: (field) => {
      const { path } = field;
      const names = references.get(path)?.map(({ name }) => name);
      const value = values.has(path) ? values.get(path) : names?.toSorted(compareText);
      if (value !== undefined) return known(field, value);
      return assumed(field, unreadable.some((one) => one.path === path) ? "unreadable" : "not returned");
    },
  };
}

function known({ path }: FieldSpec, value: Value): Fact {
  return { path, value, place: null, parts: [], unknown: null };
}

function assumed(field: FieldSpec, unknown: NonNullable<Fact["unknown"]>): Fact {
  return { ...known(field, field.default), unknown };
}
