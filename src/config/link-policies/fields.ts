// The fields that a policy can require: where a link has them, and which of their values can be compared.

import type { FieldSpec } from "../../domain/field.ts";
import { nearest } from "../../domain/nearest.ts";
import type { Place } from "../../domain/place.ts";
import type { Declaration, Declared } from "../../domain/project.ts";
import { DESTINATION_FIELD, FIELDS, GROUPS, groupFields, KEY_FIELD, TARGETS } from "../../domain/table.ts";
import { UTM_KEYS, utmParametersIn, type UtmKey } from "../../domain/utm.ts";
import { allWords, wordOf } from "../../domain/wire.ts";
import type { Labels } from "../keys.ts";

/** What a link sets for a field. */
export interface SetField {
  readonly place: Place;
  /** The values, as texts that can be compared with allowed values. */
  readonly values: readonly string[];
}

export interface RequirableField {
  /** What the link or its defaults set; null if they do not set it. */
  readonly read: (link: Declaration) => SetField | null;
  /** An allowed value in the form of `values`, or the values of the field and the nearest of them if it is not one. Null if values cannot be compared. */
  readonly allowed:
    | ((
        written: string,
      ) => { readonly value: string } | { readonly meant: string | null; readonly words: readonly string[] })
    | null;
  /** Whether `defaults` can set it. */
  readonly hasDefaults: boolean;
}

export type FieldLabels = Readonly<Record<"domain" | "space", Labels>>;

/** All fields that a policy can require, by path. A group is set if any of its fields is. */
export function requirableFields(labels: FieldLabels): ReadonlyMap<string, RequirableField> {
  const specs = FIELDS.link.filter(({ path }) => path !== KEY_FIELD.link);
  const groups = Object.keys(GROUPS);
  return new Map([
    ...specs.map((spec) => [spec.path, fieldOf(spec, labels)] as const),
    ...groups.map((group) => [group, groupOf(groupFields(group).map((spec) => fieldOf(spec, labels)))] as const),
    ...UTM_KEYS.map((key) => [`utm.${key}`, utmOf(key)] as const),
    ...Object.entries(UNSENT),
  ]);
}

/** Keys that are never sent to the service. */
const UNSENT: Readonly<Record<string, RequirableField>> = {
  note: { read: ({ note }) => note && { place: note.place, values: [] }, allowed: null, hasDefaults: false },
  protect: { read: ({ protect }) => protect && { place: protect, values: [] }, allowed: null, hasDefaults: false },
  owner: {
    read: ({ owners, place }) => (owners.length === 0 ? null : { place, values: owners }),
    allowed: (written) => ({ value: written.trim() }),
    hasDefaults: true,
  },
  review_by: {
    read: ({ reviewBy }) => reviewBy && { place: reviewBy.place, values: [] },
    allowed: null,
    hasDefaults: true,
  },
};

/** A UTM value, whether it is in `utm` or a parameter of the URL. */
function utmOf(key: UtmKey): RequirableField {
  return {
    read: ({ fields, utm }) => {
      const declared = fields.get(DESTINATION_FIELD);
      const url = typeof declared?.value === "string" ? declared.value : "";
      const values = utmParametersIn(url).flatMap((one) => (one.key === key && one.value !== "" ? [one.value] : []));
      const place = utm.get(key)?.place ?? declared?.place;
      return values.length === 0 || place === undefined ? null : { place, values };
    },
    allowed: (written) => ({ value: written.trim() }),
    hasDefaults: true,
  };
}

function fieldOf(spec: FieldSpec, labels: FieldLabels): RequirableField {
  const text = textIn(spec, labels);
  return {
    read: ({ fields }) => {
      const declared = fields.get(spec.path);
      if (declared === undefined || !isSet(spec, declared)) return null;
      return { place: declared.place, values: text === null ? [] : [text(String(declared.value))] };
    },
    allowed: text === null ? null : (written) => allowedValue(spec, text(written.trim())),
    hasDefaults: true,
  };
}

function groupOf(members: readonly RequirableField[]): RequirableField {
  const read: RequirableField["read"] = (link) => {
    const found = members.map((member) => member.read(link)).find((one) => one !== null);
    return found === undefined ? null : { place: found.place, values: [] };
  };
  return { read, allowed: null, hasDefaults: true };
}

/** `none` and an empty list do not set a field. A flag is set by both of its values. */
function isSet(spec: FieldSpec, { value }: Declared): boolean {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return false;
  if (spec.kind === "secret") return value === true;
  return spec.path !== TARGETS.active.path || value !== TARGETS.active.default;
}

/** Brings a value into a form that can be compared; null for kinds of fields whose values cannot. */
function textIn(spec: FieldSpec, labels: FieldLabels): ((text: string) => string) | null {
  switch (spec.kind) {
    case "reference":
      return (text) => labels[spec.to].labelOf(text);
    case "text":
    case "flag":
    case "count":
      return (text) => text;
    case "word":
      return (text) => wordOf(spec, text) ?? text;
    case "secret":
    case "references":
    case "instant":
    case "map":
    case "list":
      return null;
    default:
      return spec satisfies never;
  }
}

function allowedValue(
  spec: FieldSpec,
  value: string,
): { readonly value: string } | { readonly meant: string | null; readonly words: readonly string[] } {
  const words = spec.kind === "word" ? allWords(spec) : spec.kind === "flag" ? ["true", "false"] : null;
  return words === null || words.includes(value) ? { value } : { meant: nearest(value, words), words };
}
