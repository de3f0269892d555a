// Writes that the service would not store whole (docs/service.md, "Size limits"). A plan with one is an error.

import type { Change, FieldChange, WrittenChange } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { fieldAt } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { writesOf } from "./calls.ts";

/** PHP's default. The service answers 200 to a form with more variables, and drops the rest. */
const MOST_VARIABLES = 1000;

/** The service answers 500 to a target group with more bytes of JSON. */
const MOST_GROUP_BYTES = 65_535;

/** Errors for changes that the service would store cut short, or fail at. */
export function checkFormLimits(changes: readonly Change[]): Diagnostic[] {
  return changes.flatMap((change) => {
    if (change.action === "delete") return [];
    const calls = writesOf(change);
    return [
      ...calls.flatMap((fields) => tooManyVariables(change, fields)),
      ...calls.flat().flatMap((field) => groupTooLarge(change, field)),
    ];
  });
}

function tooManyVariables(change: WrittenChange, fields: readonly FieldChange[]): Diagnostic[] {
  const sizes = fields.map((field) => ({ field, count: variablesOf(change, field) }));
  const sum = sizes.reduce((total, { count }) => total + count, 0);
  if (sum <= MOST_VARIABLES) return [];
  const [largest] = sizes.toSorted((a, b) => b.count - a.count);
  const path = largest?.field.path ?? "";
  const message = `\`${change.key}\` needs ${sum} form variables. The service reads ${MOST_VARIABLES} and silently ignores the rest.`;
  const hint = `Shorten \`${path}\`, which needs ${largest?.count ?? 0} of them.`;
  return [error("too-many-variables", message, placeOf(change, path), hint)];
}

function groupTooLarge(change: WrittenChange, { path, after }: FieldChange): Diagnostic[] {
  const field = fieldAt(change.kind, path);
  if (field?.kind !== "map" && field?.kind !== "list") return [];
  const bytes = storedBytes(after);
  if (bytes <= MOST_GROUP_BYTES) return [];
  const message = `\`${path}\` of \`${change.key}\` needs ${bytes} bytes, but the service stores at most ${MOST_GROUP_BYTES}.`;
  return [error("group-too-large", message, placeOf(change, path), "Remove entries, or shorten their destinations.")];
}

function placeOf({ desired, source }: WrittenChange, path: string): Place {
  return desired.declared.get(path)?.place ?? source;
}

/** The number of form variables that encode a field: entries of a map have a key and a value, instants a date and a time. */
function variablesOf({ kind }: Change, { path, after }: FieldChange): number {
  const form = fieldAt(kind, path)?.kind;
  const entries = Array.isArray(after) ? Math.max(after.length, 1) : 1;
  return form === "map" || form === "instant" ? entries * 2 : entries;
}

/** The bytes of a group in the service's JSON, which escapes slashes and everything that is not ASCII. */
function storedBytes(value: Value): number {
  const entries = Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? { value: item } : { key: item[0], value: item[1] }))
    : [];
  const json = JSON.stringify(entries);
  return json.length + (json.match(/\//g)?.length ?? 0) + (json.match(/[^\x20-\x7e]/g)?.length ?? 0) * 5;
}
