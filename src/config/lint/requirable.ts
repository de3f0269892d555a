// The fields that a policy can require: where a link has them, and which of their values can be compared.

import type { FieldSpec } from "../../domain/field.ts";
import type { Place } from "../../domain/place.ts";
import type { Declaration } from "../../domain/project.ts";
import { DESTINATION_FIELD, FIELDS, GROUPS, groupFields, KEY_FIELD, TARGETS } from "../../domain/table.ts";
import { UTM_KEYS, utmParametersIn } from "../../domain/utm.ts";
import type { Value } from "../../domain/value.ts";
import { allWords, wordOf } from "../../domain/wire.ts";
import type { ProjectLabels } from "./blocks.ts";

/** The place of a value, and the value as texts that can be compared with allowed ones. */
interface SetField {
  readonly place: Place;
  readonly values: readonly string[];
}

export interface RequirableField {
  /** What the link or its defaults set; null if they do not set it. */
  readonly read: (link: Declaration) => SetField | null;
  /** Brings an allowed value into the form of `values`; null if values cannot be compared. */
  readonly textOf: ((written: string) => string) | null;
  /** The only values that the field can have; null for any. */
  readonly words: readonly string[] | null;
  /** Whether `defaults` cannot set it. */
  readonly isOnlyInLinks?: true;
}

/** All fields that a policy can require, by path. A group is set if any of its fields is. */
export function requirableFields(labels: ProjectLabels): ReadonlyMap<string, RequirableField> {
  const fieldOf = (spec: FieldSpec): RequirableField => {
    const textOf = comparable(spec, labels);
    const read = ({ fields }: Declaration): SetField | null => {
      const declared = fields.get(spec.path);
      if (declared === undefined || !isSet(spec, declared.value)) return null;
      return { place: declared.place, values: textOf === null ? [] : [textOf(String(declared.value))] };
    };
    return { read, textOf, words: wordsOf(spec) };
  };
  const groupOf = (members: readonly RequirableField[]): RequirableField =>
    incomparable((link) => members.map(({ read }) => read(link)).find((one) => one !== null)?.place ?? null);
  return new Map([
    ...FIELDS.link.flatMap((spec) => (spec.path === KEY_FIELD.link ? [] : [[spec.path, fieldOf(spec)] as const])),
    ...Object.keys(GROUPS).map((group) => [group, groupOf(groupFields(group).map(fieldOf))] as const),
    ...UTM_KEYS.map((key) => [`utm.${key}`, anyText((link) => utmIn(link, key))] as const),
    ["note", { ...incomparable(({ note }) => note?.place ?? null), isOnlyInLinks: true }],
    ["protect", { ...incomparable(({ protect }) => protect), isOnlyInLinks: true }],
    ["owner", anyText(({ owners, place }) => (owners.length === 0 ? null : { place, values: owners }))],
    ["review_by", incomparable(({ reviewBy }) => reviewBy?.place ?? null)],
  ]);
}

/** A field whose values cannot be compared, from the place where a link sets it. */
function incomparable(placeIn: (link: Declaration) => Place | null): RequirableField {
  const read = (link: Declaration): SetField | null => {
    const place = placeIn(link);
    return place && { place, values: [] };
  };
  return { read, textOf: null, words: null };
}

function anyText(read: RequirableField["read"]): RequirableField {
  return { read, textOf: (written) => written, words: null };
}

/** A UTM value, whether it is in `utm` or a parameter of the URL. */
function utmIn({ fields, utm }: Declaration, key: (typeof UTM_KEYS)[number]): SetField | null {
  const declared = fields.get(DESTINATION_FIELD);
  const url = typeof declared?.value === "string" ? declared.value : "";
  const values = utmParametersIn(url).flatMap((one) => (one.key === key && one.value !== "" ? [one.value] : []));
  const place = utm.get(key)?.place ?? declared?.place;
  return values.length === 0 || place === undefined ? null : { place, values };
}

/** `none` and an empty list do not set a field. A flag is set by both of its values. */
function isSet(spec: FieldSpec, value: Value): boolean {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return false;
  if (spec.kind === "secret") return value === true;
  return spec.path !== TARGETS.active.path || value !== TARGETS.active.default;
}

/** Brings a value into a form that can be compared; null for kinds of fields whose values cannot. */
function comparable(spec: FieldSpec, labels: ProjectLabels): ((text: string) => string) | null {
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

function wordsOf(spec: FieldSpec): readonly string[] | null {
  return spec.kind === "word" ? allWords(spec) : spec.kind === "flag" ? ["true", "false"] : null;
}
