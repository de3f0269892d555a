// The field table: every fact about a field stands in one of its rows, and nowhere else.

import type { Example, FieldSpec } from "./field.ts";
import { LINK_FIELDS } from "./link-fields.ts";
import { PIXEL_FIELDS } from "./pixel-fields.ts";

export type ResourceKind = "link" | "pixel";

/** The rows of a kind of resource, in the order in which they are shown. */
export const FIELDS: Readonly<Record<ResourceKind, readonly FieldSpec[]>> = { link: LINK_FIELDS, pixel: PIXEL_FIELDS };

const BY_PATH: Readonly<Record<ResourceKind, ReadonlyMap<string, FieldSpec>>> = {
  link: new Map(LINK_FIELDS.map((row) => [row.path, row])),
  pixel: new Map(PIXEL_FIELDS.map((row) => [row.path, row])),
};

/** The row of a field, by its path. */
export function fieldAt(kind: ResourceKind, path: string): FieldSpec | undefined {
  return BY_PATH[kind].get(path);
}

const CALLED = new Map([...LINK_FIELDS, ...PIXEL_FIELDS].map(({ path, called }) => [path, called]));

/** What people call a field who read no files; null where its path says it. */
export function calledAt(path: string): string | null {
  return CALLED.get(path) ?? null;
}

/** The key paths by which a file says a field: of an instant, its date and its time of day. */
export function pathsOf(row: FieldSpec): readonly string[] {
  return row.kind === "instant" ? [row.path, row.timePath] : [row.path];
}

/** What can be declared; links name pixels. */
export const KINDS: readonly ResourceKind[] = ["pixel", "link"];

/** The section of a file in which blocks of a kind stand. */
export const SECTION: Readonly<Record<ResourceKind, "links" | "pixels">> = { pixel: "pixels", link: "links" };

/** The field that stands in a block's key instead of in the block. */
export const KEY_FIELD: Readonly<Record<ResourceKind, string>> = { link: "alias", pixel: "name" };

/** The rows that a block spells out: all but the one in its key. */
export function blockFields(kind: ResourceKind): readonly FieldSpec[] {
  return FIELDS[kind].filter((row) => row.path !== KEY_FIELD[kind]);
}

/** What a link can refer to. */
export type Referent = "domain" | "space" | "pixel";

function referenceTo(to: Referent): string {
  const row = LINK_FIELDS.find(
    ({ kind, ...rest }) => (kind === "reference" || kind === "references") && "to" in rest && rest.to === to,
  );
  if (row === undefined) throw new Error(`no field of a link refers to a ${to}`);
  return row.path;
}

/** The field of a link that refers to its domain, its space, or its pixels. */
export const REFERENCE_FIELD: Readonly<Record<Referent, string>> = {
  domain: referenceTo("domain"),
  space: referenceTo("space"),
  pixel: referenceTo("pixel"),
};

/** The field of a link that says where it leads. */
export const DESTINATION_FIELD: string = destination();

function destination(): string {
  const row = LINK_FIELDS.find((one) => one.kind === "text" && one.isAddress && one.required);
  if (row === undefined) throw new Error("no field of a link says where it leads");
  return row.path;
}

/** The field of a pixel that says which network it belongs to: lists are filtered by it. */
export const TYPE_FIELD: string = typeField();

function typeField(): string {
  const row = PIXEL_FIELDS.find(({ kind, required }) => kind === "word" && required);
  if (row === undefined) throw new Error("no field of a pixel says its type");
  return row.path;
}

/** The flags of a link that keep its short URL from answering. */
export const ENDING_FLAGS: readonly string[] = LINK_FIELDS.flatMap((row) =>
  row.kind === "flag" && row.breaksUrl ? [row.path] : [],
);

/** Fields with a dotted path stand in a group. */
interface FieldGroup {
  readonly about: string;
  readonly example: Example;
  /** True: the nearest layer that has the group decides all of its fields. False: the layers' keys are merged. */
  readonly replacesAsWhole: boolean;
  /** The field that says which member is in force; a member that is alone is so by itself. */
  readonly active: string | null;
}

export const GROUPS: Readonly<Record<string, FieldGroup>> = {
  expiration: {
    about: "When the link stops redirecting to its url: by date and time, or by clicks. `none` clears all of it.",
    example: { date: "2027-03-31", url: "https://example.com/over" },
    replacesAsWhole: false,
    active: null,
  },
  targeting: {
    about:
      "Other destinations for some visitors. Replaced as a whole. If there is only one group, it is active by default.",
    example: { country: { DE: "https://example.com/de" } },
    replacesAsWhole: true,
    active: "targeting.active",
  },
};

/** The rows of a group of a link. */
export function groupFields(group: string): readonly FieldSpec[] {
  return LINK_FIELDS.filter(({ path }) => path.startsWith(`${group}.`));
}
