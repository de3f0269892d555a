// What to say of a key that can't stand where it does.

import type { FieldSpec } from "../domain/field.ts";
import { blockFields, KEY_FIELD, pathsOf, type ResourceKind } from "../domain/table.ts";
import { sentNames } from "../domain/wire.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import { policyKeys } from "./policy-schema.ts";

/** `meant` is the known key that this one most likely stands for. */
export interface UnknownKey {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly meant: string | null;
}

/** Keys that only the project file has: the other sections may stand in both. */
const PROJECT_KEYS = [
  "version",
  "service",
  "timezone",
  "domains",
  "spaces",
  "files",
  "rules",
  ...Object.keys(policyKeys),
];

/** The kind of resource whose fields stand in the block at a path; null for any other block. */
export function kindAt(path: readonly PropertyKey[]): ResourceKind | null {
  if (path.length !== 2) return null;
  if (path[0] === "pixels") return "pixel";
  return path[0] === "links" || (path[0] === "defaults" && path[1] === "link") ? "link" : null;
}

/** Describes an unknown key of the block at `path`, which knows the keys `known`. */
export function describeUnknownKey(key: string, path: readonly PropertyKey[], known: readonly string[]): UnknownKey {
  const kind = kindAt(path);
  const isRoot = path.length === 0;
  if (isRoot && PROJECT_KEYS.includes(key) && !known.includes("version")) {
    const message = `\`${key}\` belongs to the project file; this is a resource file.`;
    return unknown(message, `Move \`${key}\` there, or remove it here.`);
  }
  const isRule = path.length === 1 && path[0] === "rules";
  const message = isRule ? `There is no rule \`${key}\`.` : `\`${key}\` is not a key that can stand here.`;
  if (key.trim() !== key) return unknown(message, "It has a special space around it: indent with plain spaces.");
  if ((isRoot || path[0] === "service") && /^(api[_-]?)?(key|token)$/i.test(key))
    return unknown(
      message,
      "The API key never stands in a file: set LINKFORM_API_KEY, with a new key if this was committed.",
    );
  if (kind !== null && key === KEY_FIELD[kind])
    return unknown(message, `The ${key} of a ${kind} is the key of its block.`);
  if (kind === "link" && path[0] === "defaults" && key === "protect")
    return unknown(message, "Write it in each link, or its globs under `protect` in the project file.");
  const row = kind === "pixel" ? undefined : blockFields("link").find((candidate) => isNameOf(key, candidate));
  const written = row === undefined ? null : pathOf(key, row);
  if (kind === "link" && written !== null) return unknown(message, `Write it as ${written}.`, written);
  if (path[0] === "defaults" && path.length === 1 && row !== undefined)
    return unknown(message, "Fields of links stand one level deeper: `defaults: { link: … }`.");
  if (isRoot && row !== undefined)
    return unknown(message, "Write it in a link, or for all of them under `defaults: { link: … }`.");
  const meant = nearestOrLonger(key, known);
  if (meant !== null) return unknown(message, `Did you mean \`${meant}\`?`, meant);
  return unknown(message, `Known here: ${known.join(", ")}.`);
}

function unknown(message: string, hint: string, meant: string | null = null): UnknownKey {
  return { code: "unknown-key", message, hint, meant };
}

/** Whether a key is what a field is called somewhere else: its last step, or its name in the service's interface. */
function isNameOf(key: string, row: FieldSpec): boolean {
  return [...pathsOf(row), ...sentNames(row)].some((name) => name === key || name.endsWith(`.${key}`));
}

/** How a field is written in a file. */
function pathOf(key: string, row: FieldSpec): string {
  const isTime = row.kind === "instant" && (key === row.sentTime || row.timePath.endsWith(`.${key}`));
  const [group, name] = (isTime ? row.timePath : row.path).split(".");
  return name === undefined ? `\`${group}\`` : `\`${group}: { ${name}: … }\``;
}
