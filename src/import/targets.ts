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

/** Whether cells are secrets, which are never shown or written. */
export function isSecretTarget(target: Target | null): boolean {
  return target?.to === "field" && target.field.kind === "secret";
}

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

const NOTE: Target = { to: "note", ...named(NOTE_PATH, ["notes", "comment", "comments", "remark", "remarks", "memo"]) };

/** Names that some exports use for the short URL, and others for the destination. */
export const AMBIGUOUS_NAMES: ReadonlySet<string> = new Set(["link", "links", "url"]);

const TARGETS: Readonly<Record<ResourceKind, readonly Target[]>> = {
  link: [
    ...fieldTargets("link"),
    { to: "key", ...named(KEY_PATH, SHORT_URL_NAMES) },
    // Sheets and analytics tools also write `campaign source`, and `campaign name` for the campaign itself.
    ...UTM_KEYS.map((key): Target => {
      return { to: "utm", ...named(utmPath(key), [`campaign ${key === "campaign" ? "name" : key}`]), key };
    }),
    { to: "secrets", ...named(SECRETS_PATH, []) },
    { to: "owner", ...named(OWNER_PATH, ["owners"]) },
    { to: "review", ...named(REVIEW_PATH, ["review date"]) },
    NOTE,
  ],
  pixel: [...fieldTargets("pixel"), NOTE],
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
  const words = key === "iOS" ? [key, "iphone"] : [key];
  const names = words.flatMap((word) => [`${word} url`, `${word} link`]);
  return { to: "member", ...named(`${field.path}.${key}`, names), field, key };
}

/** Normalizes a name: `Long URL`, `long_url` and `longUrl` are equal. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, "");
}

function fieldTargets(kind: ResourceKind): Target[] {
  return FIELDS[kind].flatMap((spec): Target[] => {
    const own = spec.called === null ? spec.columns : [spec.called, ...spec.columns];
    // `url` is the last name to match: beside a `Target` column, it is often the short URL.
    const isLast = spec.path === DESTINATION_FIELD;
    const names = (isLast ? [...own, spec.path] : [spec.path, ...own]).map(normalizedName);
    const field: Target = { to: "field", path: spec.path, names, field: spec };
    if (spec.kind === "map") return [field, ...spec.keys.words.map((word) => memberTarget(spec, word))];
    if (spec.kind !== "instant") return [field];
    return [field, { to: "time", ...named(spec.timePath, spec.timeColumns), field: spec }];
  });
}

/** A target is also recognized by its path. */
function named(path: string, others: readonly string[]): Pick<Target, "path" | "names"> {
  return { path, names: [path, ...others].map(normalizedName) };
}
