// The targets of columns (a field, a key, a note), and the column names that are recognized for each.

import type { FieldSpec, InstantSpec, MapSpec } from "../domain/field.ts";
import { DESTINATION_FIELD, FIELDS, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS, type UtmKey } from "../domain/utm.ts";
import { utmPath } from "../edit/utm.ts";

/** `path` is the name in `--map`: `url`, `expiration.time`, `key`, `note`. */
export type Target = { readonly path: string; readonly names: readonly string[] } & (
  | { readonly to: "field"; readonly field: FieldSpec }
  | { readonly to: "time"; readonly field: InstantSpec }
  /** The destination for one key of a map: `targeting.platform.iOS`. */
  | { readonly to: "member"; readonly field: MapSpec; readonly key: string }
  /** Domain and alias together, as in a short URL. */
  | { readonly to: "key" }
  /** A UTM parameter: `utm.source`. */
  | { readonly to: "utm"; readonly key: UtmKey }
  /** The paths of the secrets that a link has, as `list` prints them. */
  | { readonly to: "secrets" }
  /** For people, and never sent. */
  | { readonly to: "note" | "owner" | "review" }
);

export const KEY_PATH = "key";

export const SECRETS_PATH = "secrets";
export const NOTE_PATH = "note";
export const OWNER_PATH = "owner";
export const REVIEW_PATH = "review_by";

const SHORT_URL_NAMES = [
  "custom link",
  "short url",
  "short link",
  "shortened url",
  "shortened link",
  "bitlink",
  "tiny url",
  "branded link",
  "short",
];

const NOTE_NAMES = ["notes", "comment", "comments", "remark", "remarks", "memo"];

/** Names that some exports use for the short URL, and others for the destination. */
export const AMBIGUOUS_NAMES: ReadonlySet<string> = new Set(["link", "links", "url"]);

const TARGETS: Readonly<Record<ResourceKind, readonly Target[]>> = {
  link: [
    ...fieldTargets("link"),
    { to: "key", path: KEY_PATH, names: namesOf(KEY_PATH, SHORT_URL_NAMES) },
    ...UTM_KEYS.map(utmTarget),
    { to: "secrets", path: SECRETS_PATH, names: [SECRETS_PATH] },
    { to: "owner", path: OWNER_PATH, names: namesOf(OWNER_PATH, ["owners"]) },
    { to: "review", path: REVIEW_PATH, names: namesOf(REVIEW_PATH, ["review date"]) },
    note(),
  ],
  pixel: [...fieldTargets("pixel"), note()],
};

/** In the order in which they are matched. */
export function targetsOf(kind: ResourceKind): readonly Target[] {
  return TARGETS[kind];
}

/** The target for a path like `expiration.date`. */
export function targetAt(kind: ResourceKind, path: string): Target | undefined {
  const wanted = path.trim().toLowerCase();
  return TARGETS[kind].find((target) => target.path.toLowerCase() === wanted) ?? memberAt(kind, path.trim());
}

/** The target for a key of a map, such as `targeting.country.DE`. */
function memberAt(kind: ResourceKind, path: string): Target | undefined {
  for (const field of FIELDS[kind]) {
    if (field.kind !== "map" || !path.toLowerCase().startsWith(`${field.path}.`)) continue;
    const written = path.slice(field.path.length + 1);
    const key = [written, written.toUpperCase(), written.toLowerCase()].find((one) => field.keys.pattern.test(one));
    if (key !== undefined) return memberTarget(field, key);
  }
  return undefined;
}

/** Some services name a column of destinations after its visitors: `iosURL`, or `iphoneURL` for the same visitors. */
function memberTarget(field: MapSpec, key: string): Target {
  const path = `${field.path}.${key}`;
  const words = key === "iOS" ? [key, "iphone"] : [key];
  return {
    to: "member",
    path,
    names: namesOf(
      path,
      words.flatMap((word) => [`${word} url`, `${word} link`]),
    ),
    field,
    key,
  };
}

/** Normalizes a name: `Long URL`, `long_url` and `longUrl` are equal. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, "");
}

function fieldTargets(kind: ResourceKind): Target[] {
  return FIELDS[kind].flatMap((spec): Target[] => {
    const own = spec.called === null ? spec.columns : [spec.called, ...spec.columns];
    // `url` is the last name to match: beside a `Target` column, it is often the short URL.
    const names =
      spec.path === DESTINATION_FIELD
        ? [...own.map(normalizedName), normalizedName(spec.path)]
        : namesOf(spec.path, own);
    const field: Target = { to: "field", path: spec.path, names, field: spec };
    if (spec.kind === "map") return [field, ...spec.keys.words.map((word) => memberTarget(spec, word))];
    if (spec.kind !== "instant") return [field];
    return [field, { to: "time", path: spec.timePath, names: namesOf(spec.timePath, spec.timeColumns), field: spec }];
  });
}

/** Sheets and analytics tools also write `campaign source`, and `campaign name` for the campaign itself. */
function utmTarget(key: UtmKey): Target {
  const path = utmPath(key);
  return { to: "utm", path, names: namesOf(path, [`campaign ${key === "campaign" ? "name" : key}`]), key };
}

function note(): Target {
  return { to: "note", path: NOTE_PATH, names: namesOf(NOTE_PATH, NOTE_NAMES) };
}

function namesOf(path: string, others: readonly string[]): string[] {
  return [path, ...others].map(normalizedName);
}
