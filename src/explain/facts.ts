// What is known about a link from its declaration or its live record, and what is assumed.

import { groupBy } from "../domain/collections.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText, type Place } from "../domain/place.ts";
import type { Declaration } from "../domain/project.ts";
import type { Value } from "../domain/value.ts";
import { instantOf } from "../domain/zone.ts";
import { fieldAt } from "../domain/table.ts";
import { listText } from "../report/counts.ts";
import type { SideDocument } from "../report/json/explain.ts";

/** Something unknown that was assumed. */
export type Doubt = SideDocument["unknown"][number];

/** A known value, or the default that is assumed. `place` is null if no file declares it. */
export interface Fact {
  readonly value: Value;
  readonly place: Place | null;
  /** The places of the entries of a group. */
  readonly parts: readonly Place[];
  /** Empty if the value is known. */
  readonly doubts: readonly Doubt[];
}

/** What is known about a link. */
export interface Facts {
  readonly of: (field: FieldSpec) => Fact;
  /** Clicks so far; null if unknown. */
  readonly clicks: number | null;
  /** The zone of its dates is unknown, and UTC is assumed. */
  readonly isZoneGuessed: boolean;
}

/**
 * A link as the files declare it. `zone` is the zone of their dates; null if unknown. An undeclared field has its default, or is unknown
 * if it keeps its live value.
 */
export function declaredFacts({ fields, unspecified }: Declaration, zone: string | null, clicks: number | null): Facts {
  return {
    clicks,
    isZoneGuessed: zone === null,
    of: (field) => {
      const declared = fields.get(field.path);
      if (declared !== undefined) {
        const { value, place, parts = [] } = declared;
        return { value: canonical(field, value, zone), place, parts, doubts: [] };
      }
      if (unspecified === "keep") return assumed(field, "kept");
      return field.opens === null ? known(field.default) : assumed(field, "silent");
    },
  };
}

/** A live link. A field that the service does not return, or whose value is invalid, is unknown. */
export function liveFacts({ values, references, unreadable }: LiveRecord, clicks: number | null): Facts {
  return {
    clicks,
    isZoneGuessed: false,
    of: (field) => {
      const { path } = field;
      const names = references.get(path)?.map(({ name }) => name);
      const value = values.has(path) ? values.get(path) : names?.toSorted(compareText);
      if (value !== undefined) return known(value);
      return assumed(field, unreadable.some((one) => one.path === path) ? "unreadable" : "not returned");
    },
  };
}

function known(value: Value): Fact {
  return { value, place: null, parts: [], doubts: [] };
}

function assumed({ path, default: value }: FieldSpec, why: Doubt["why"]): Fact {
  return { ...known(value), doubts: [{ path, why }] };
}

/** Converts the wall time of a date to an instant. */
function canonical(field: FieldSpec, value: Value, zone: string | null): Value {
  return field.kind === "instant" && typeof value === "string" ? instantOf(value, zone ?? "UTC") : value;
}

const LIVE = "This answer assumes the default. Pass `--live` to see the link in the account.";

/** A sentence for each reason. `fields` names the unknown fields. */
const TEXTS: Readonly<Record<Doubt["why"], (fields: string, paths: readonly string[]) => string>> = {
  silent: (_, paths) => {
    const states = new Set(paths.flatMap((path) => fieldAt("link", path)?.opens?.state ?? []));
    return `The files do not say whether the link ${listText([...states], "or")}, so an apply keeps the live state. ${LIVE}`;
  },
  kept: (fields) => `\`unspecified: keep\` keeps the live value of ${fields}, which no file shows. ${LIVE}`,
  "not returned": (fields) => `The service does not return ${fields}. This answer assumes the default.`,
  unreadable: (fields) =>
    `linkform cannot read ${fields} in the response of the service. This answer assumes the default.`,
  clicks: () =>
    "The files do not contain the number of clicks. This answer assumes fewer clicks than the limit. Pass `--clicks N` to try another number.",
  zone: () =>
    "The files do not set a time zone, and the answer depends on it. This answer assumes UTC. Set `service.account_timezone`.",
};

/** One sentence for each reason. */
export function doubtTexts(doubts: readonly Doubt[]): string[] {
  const byReason = groupBy(doubts, ({ why }) => why);
  return (["silent", "kept", "not returned", "unreadable", "clicks", "zone"] as const).flatMap((why) => {
    const paths = byReason.get(why)?.map(({ path }) => path) ?? [];
    return paths.length === 0 ? [] : [TEXTS[why](paths.map((path) => `\`${path}\``).join(", "), paths)];
  });
}
