// What a column of a spreadsheet can mean: a field, a whole key, a note; and what such columns are called.

import type { FieldSpec, InstantSpec, MapSpec } from "../domain/field.ts";
import { DESTINATION_FIELD, FIELDS, type ResourceKind } from "../domain/table.ts";

/** `path` is what people write for it: `url`, `expiration.time`, `key`, `note`. */
export type Target = { readonly path: string; readonly names: readonly string[] } & (
  | { readonly to: "field"; readonly row: FieldSpec }
  | { readonly to: "time"; readonly row: InstantSpec }
  /** The destination of one key of a map, as `targeting.platform.iOS`. */
  | { readonly to: "member"; readonly row: MapSpec; readonly key: string }
  /** Domain and alias together, as a short URL has them. */
  | { readonly to: "key" }
  /** Which secrets a link has, by their paths: all that `list` can say of them. */
  | { readonly to: "secrets" }
  /** For people; never sent. */
  | { readonly to: "note" }
);

/** What a link's whole key is called. */
export const KEY_PATH = "key";

/** The column that names the secrets of a link. */
export const SECRETS_PATH = "secrets";
export const NOTE_PATH = "note";

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

/** What one service calls its short URL, and others the destination. */
export const UNSURE_NAMES: ReadonlySet<string> = new Set(["link", "links"]);

/** Columns that tell of a link and are nothing that a file could say: they are left out, and nobody misses them. */
const TOLD_ONLY = [
  "id",
  "clicks",
  "total clicks",
  "click count",
  "hits",
  "visits",
  "status",
  "created",
  "created at",
  "created on",
  "date created",
  "creation date",
  "created by",
  "updated",
  "updated at",
  "modified",
  "last updated",
  "declared",
  "timestamp",
  "ip",
  // Of rows that an import has left out.
  "reason",
];

const TARGETS: Readonly<Record<ResourceKind, readonly Target[]>> = {
  link: [
    ...fieldTargets("link"),
    { to: "key", path: KEY_PATH, names: namesOf(KEY_PATH, SHORT_URL_NAMES) },
    { to: "secrets", path: SECRETS_PATH, names: [SECRETS_PATH] },
    note(),
  ],
  pixel: [...fieldTargets("pixel"), note()],
};

/** All that columns can mean, in the order in which they are looked for. */
export function targetsOf(kind: ResourceKind): readonly Target[] {
  return TARGETS[kind];
}

/** What a person means by a word such as `url` or `expiration.date`; undefined where that is nothing. */
export function targetAt(kind: ResourceKind, path: string): Target | undefined {
  const wanted = path.trim().toLowerCase();
  return TARGETS[kind].find((target) => target.path.toLowerCase() === wanted) ?? memberAt(kind, path.trim());
}

/** Of a map whose keys are too many to list, any that it can have. */
function memberAt(kind: ResourceKind, path: string): Target | undefined {
  for (const row of FIELDS[kind]) {
    if (row.kind !== "map" || !path.toLowerCase().startsWith(`${row.path}.`)) continue;
    const written = path.slice(row.path.length + 1);
    const key = [written, written.toUpperCase(), written.toLowerCase()].find((one) => row.keys.pattern.test(one));
    if (key !== undefined) return memberTarget(row, key);
  }
  return undefined;
}

/** A column of addresses is often called as the visitors whom it is for: `iOS`, `iosURL`. */
function memberTarget(row: MapSpec, key: string): Target {
  const path = `${row.path}.${key}`;
  return { to: "member", path, names: namesOf(path, [key, `${key} url`, `${key} link`]), row, key };
}

/** Whether a column of this name is one that nobody could want in a file. */
export function isReportedOnly(name: string): boolean {
  return TOLD_ONLY_NAMES.has(squashed(name));
}

const TOLD_ONLY_NAMES: ReadonlySet<string> = new Set(TOLD_ONLY.map(squashed));

/** A name without what people write in different ways: `Long URL`, `long_url` and `longUrl` are one. */
export function squashed(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, "");
}

function fieldTargets(kind: ResourceKind): Target[] {
  return FIELDS[kind].flatMap((row): Target[] => {
    const own = row.called === null ? row.columns : [row.called, ...row.columns];
    // Where there is a second column of addresses, `URL` may be the short one: see `byName`.
    const names = row.path === DESTINATION_FIELD ? [...own.map(squashed), squashed(row.path)] : namesOf(row.path, own);
    const field: Target = { to: "field", path: row.path, names, row };
    if (row.kind === "map") return [field, ...row.keys.words.map((word) => memberTarget(row, word))];
    if (row.kind !== "instant") return [field];
    return [field, { to: "time", path: row.timePath, names: namesOf(row.timePath, row.timeColumns), row }];
  });
}

function note(): Target {
  return { to: "note", path: NOTE_PATH, names: namesOf(NOTE_PATH, NOTE_NAMES) };
}

function namesOf(path: string, others: readonly string[]): string[] {
  return [path, ...others].map(squashed);
}
