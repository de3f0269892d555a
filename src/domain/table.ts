// The field table: every fact about a field is in one of its entries, and nowhere else.

import type { CountSpec, Example, FieldSpec, ListSpec, MapSpec, ReferencesSpec, TextSpec, WordSpec } from "./field.ts";
import { LINK_FIELDS } from "./link-fields.ts";
import { PIXEL_FIELDS } from "./pixel-fields.ts";

export type ResourceKind = "link" | "pixel";

/** One for links, and one for pixels. */
export type PerKind<One> = Readonly<Record<ResourceKind, One>>;

/** The fields of links and pixels, in the order in which they are shown. */
export const FIELDS: PerKind<readonly FieldSpec[]> = { link: LINK_FIELDS, pixel: PIXEL_FIELDS };

export function eachKind<One>(make: (kind: ResourceKind) => One): PerKind<One> {
  return { link: make("link"), pixel: make("pixel") };
}

const BY_PATH = eachKind((kind) => new Map(FIELDS[kind].map((field) => [field.path, field])));

export function fieldAt(kind: ResourceKind, path: string): FieldSpec | undefined {
  return BY_PATH[kind].get(path);
}

/** The name of a field for readers who do not know the files; null if its path is clear. */
export function calledAt(path: string): string | null {
  return (fieldAt("link", path) ?? fieldAt("pixel", path))?.called ?? null;
}

/** The key paths of a field in a file. An instant has two, for date and time. */
export function pathsOf(field: FieldSpec): readonly string[] {
  return field.kind === "instant" ? [field.path, field.timePath] : [field.path];
}

/** In the order in which they are read: links refer to pixels. */
export const KINDS: readonly ResourceKind[] = ["pixel", "link"];

export const SECTION: PerKind<"links" | "pixels"> = { pixel: "pixels", link: "links" };

export const KEY_FIELD: PerKind<string> = { link: "alias", pixel: "name" };

/** The fields inside a block: all but its key. */
export function blockFields(kind: ResourceKind): readonly FieldSpec[] {
  return BLOCK_FIELDS[kind];
}

const BLOCK_FIELDS = eachKind((kind) => FIELDS[kind].filter(({ path }) => path !== KEY_FIELD[kind]));

/** What a link refers to. */
export type Referent = "domain" | "space" | "pixel";

/** The field of a link that refers to them. */
export const REFERENCE_FIELD: Readonly<Record<Referent, string>> = {
  domain: "domain",
  space: "space",
  pixel: "pixels",
};

/** The field of a pixel with its network. Lists are filtered by it. */
export const TYPE_FIELD = "type";

function linkField<Kind extends FieldSpec["kind"]>(path: string, kind: Kind): Extract<FieldSpec, { kind: Kind }> {
  const isMeant = (field?: FieldSpec): field is Extract<FieldSpec, { kind: Kind }> => field?.kind === kind;
  const found = fieldAt("link", path);
  if (!isMeant(found)) throw new Error(`links have no ${kind} \`${path}\``);
  return found;
}

/** The destination, whose rules every other address follows. */
export const DESTINATION = linkField("url", "text");
export const DESTINATION_FIELD = DESTINATION.path;

/** The id of a pixel in its network. */
export const PIXEL_VALUE_FIELD = "value";

export const EXPIRATION_DATE = linkField("expiration.date", "instant");
export const START_DATE = linkField("expiration.start", "instant");
export const CLICK_LIMIT: CountSpec = linkField("expiration.clicks", "count");
export const EXPIRATION_URL = linkField("expiration.url", "text");
export const DISABLED = linkField("disabled", "flag");
export const SENSITIVE = linkField("sensitive", "flag");
export const PASSWORD = linkField("password", "secret");
export const PIXELS: ReferencesSpec = linkField("pixels", "references");

/** The flags that stop a short URL from working. */
export const ENDING_FLAGS: readonly string[] = LINK_FIELDS.flatMap((field) =>
  field.kind === "flag" && field.breaksUrl ? [field.path] : [],
);

/** Fields with a dotted path are in a group. */
interface FieldGroup {
  readonly about: string;
  readonly example: Example;
  /** True: the nearest layer that has the group decides all of its fields. False: the layers' keys are merged. */
  readonly replacesAsWhole: boolean;
  /** The field with the active member. A member that is alone is active by default. */
  readonly active: string | null;
}

export const GROUPS: Readonly<Record<string, FieldGroup>> = {
  expiration: {
    about: "When the link expires: at a date and time, or after a number of clicks. `none` clears all of this.",
    example: { date: "2027-03-31", url: "https://example.com/over" },
    replacesAsWhole: false,
    active: null,
  },
  targeting: {
    about:
      "Other destinations for some visitors. The nearest `targeting` replaces the others as a whole. If it has only one group, that group is active by default.",
    example: { country: { DE: "https://example.com/de" } },
    replacesAsWhole: true,
    active: "targeting.active",
  },
};

/** The fields of a group of a link. */
export function groupFields(group: string): readonly FieldSpec[] {
  return LINK_FIELDS.filter(({ path }) => path.startsWith(`${group}.`));
}

/** A group of destinations: by a key of the visitor, or in turn. */
export type TargetSpec = MapSpec | ListSpec;

/** The word that activates a target group, and the groups by their word. */
export const TARGETS: { readonly active: WordSpec; readonly byWord: ReadonlyMap<string, TargetSpec> } = {
  active: linkField("targeting.active", "word"),
  byWord: new Map(
    groupFields("targeting").flatMap((field) =>
      field.kind === "map" || field.kind === "list" ? [[field.path.slice("targeting.".length), field] as const] : [],
    ),
  ),
};

export const LANGUAGE = linkField("targeting.language", "map");

/** Why a text is not a valid value, as a sentence about "this"; null if it is valid. */
export function textProblem(field: TextSpec, written: string): string | null {
  if (!field.pattern.test(written)) return `This must be ${field.shape}.`;
  // The service counts characters (docs/service.md, "Text and numbers"). UTF-16 units are never fewer.
  if (written.length <= field.longest) return null;
  const length = [...written].length;
  return length > field.longest ? `This has ${length} characters, but the maximum is ${field.longest}.` : null;
}
