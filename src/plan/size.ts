// Refuses in the plan what is too large for the service, because the service would store a part of it without an error
// (docs/service.md, "Size limits").

import type { Change, FieldChange } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { Place } from "../domain/place.ts";
import { fieldAt } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { sentFields, splitCalls } from "./calls.ts";

/** A form with more variables is answered with 200, and the rest of them dropped. */
const MOST_VARIABLES = 1000;

/** A target group that takes more bytes of JSON is answered with 500. */
const MOST_GROUP_BYTES = 65_535;

/** Refuses changes that the service would store cut short, or fail at. */
export function tooLarge(changes: readonly Change[]): Diagnostic[] {
  return changes.flatMap((change) => {
    if (change.action === "delete") return [];
    return [...tooManyVariables(change), ...groupsTooLarge(change)];
  });
}

type WrittenSize = Exclude<Change, { action: "delete" }>;

function tooManyVariables(change: WrittenSize): Diagnostic[] {
  const fields = sentFields(change);
  const calls = change.action === "update" ? splitCalls(change.kind, fields) : [fields];
  return calls.flatMap((sent) => {
    const sizes = sent.map((field) => ({ field, count: variablesOf(change, field) }));
    const sum = sizes.reduce((total, { count }) => total + count, 0);
    if (sum <= MOST_VARIABLES) return [];
    const [largest] = sizes.toSorted((a, b) => b.count - a.count);
    const path = largest?.field.path ?? "";
    const message = `\`${change.key}\` takes ${sum} form variables. The service reads ${MOST_VARIABLES} and drops the rest without a word.`;
    const hint = `Shorten \`${path}\`, which takes ${largest?.count ?? 0} of them.`;
    return [error("too-many-variables", message, placeOf(change, path), hint)];
  });
}

function groupsTooLarge(change: WrittenSize): Diagnostic[] {
  return sentFields(change).flatMap(({ path, after }) => {
    const row = rowOf(change, path);
    if (row?.kind !== "map" && row?.kind !== "list") return [];
    const bytes = storedBytes(after);
    if (bytes <= MOST_GROUP_BYTES) return [];
    const message = `\`${path}\` of \`${change.key}\` takes ${bytes} bytes as the service stores it, and it holds ${MOST_GROUP_BYTES}.`;
    return [error("group-too-large", message, placeOf(change, path), "Take entries out, or shorten their addresses.")];
  });
}

function rowOf({ kind }: Change, path: string): FieldSpec | undefined {
  return fieldAt(kind, path);
}

function placeOf({ desired, source }: WrittenSize, path: string): Place {
  return desired.declared.get(path)?.place ?? source;
}

/** How many variables of a form a field is sent as. */
function variablesOf(change: Change, { path, after }: FieldChange): number {
  const row = rowOf(change, path);
  const entries = Array.isArray(after) ? after.length : 0;
  switch (row?.kind) {
    case "map":
      return Math.max(entries, 1) * 2;
    case "list":
    case "references":
      return Math.max(entries, 1);
    case "instant":
      return 2;
    case "text":
    case "secret":
    case "flag":
    case "count":
    case "word":
    case "reference":
      return 1;
    case undefined:
      return 0;
    default:
      return row satisfies never;
  }
}

/** The bytes of a group in the service's JSON, which escapes slashes and all that is not ASCII. */
function storedBytes(value: Value): number {
  const entries = Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? { value: item } : { key: item[0], value: item[1] }))
    : [];
  const json = JSON.stringify(entries);
  return json.length + (json.match(/\//g)?.length ?? 0) + (json.match(/[^\x20-\x7e]/g)?.length ?? 0) * 5;
}
