// The requests that a change takes, and the fields of each.

import type { Change, WrittenChange, FieldChange } from "../domain/change.ts";
import { fieldAt, type ResourceKind } from "../domain/table.ts";

/** The fields that a change sends: for a replacement, all fields of the new link. */
export function sentFields(change: Change): readonly FieldChange[] {
  return change.action === "replace" ? change.stored : change.fields;
}

/** The fields of each request that writes this change's record. */
export function writesOf(change: WrittenChange): readonly (readonly FieldChange[])[] {
  return change.action === "update" ? splitCalls(change.kind, change.fields) : [sentFields(change)];
}

/**
 * The fields of an update, grouped by request. Most updates take one. A secret that cannot be cleared together with the new
 * value of another field is cleared first, in its own request (`worksWith` in the field table).
 */
export function splitCalls(kind: ResourceKind, fields: readonly FieldChange[]): FieldChange[][] {
  const apart = fields.filter(({ path, after }) => {
    const spec = fieldAt(kind, path);
    if (spec?.kind !== "secret" || spec.worksWith === null || after !== spec.default) return false;
    const { path: other, value } = spec.worksWith;
    return fields.some((field) => field.path === other && field.after === value);
  });
  const together = fields.filter((field) => !apart.includes(field));
  return [...apart.map((field) => [field]), together].filter((group) => group.length > 0);
}

/**
 * The number of requests of these changes. The first delete of a kind tries the documented path first, which all known
 * instances refuse (docs/service.md, "Delete paths").
 */
export function countCalls(changes: readonly Change[]): number {
  const kindsDeleted = new Set(
    changes.flatMap(({ action, kind }) => (action === "delete" || action === "replace" ? [kind] : [])),
  );
  const firstTries = [...kindsDeleted].reduce((sum, kind) => sum + DELETE_CALLS[kind], 0);
  return changes.reduce((sum, change) => sum + callsOf(change), firstTries + confirmations(changes));
}

/** The first store and the first update of each kind are read back. */
function confirmations(changes: readonly Change[]): number {
  const writes = changes.flatMap(({ action, kind }) =>
    action === "delete" ? [] : [`${kind} ${action === "update" ? "update" : "store"}`],
  );
  return new Set(writes).size;
}

/** A record is read before it is deleted. For a pixel, so are the links that use it. */
const DELETE_CALLS: Readonly<Record<ResourceKind, number>> = { link: 2, pixel: 3 };

function callsOf(change: Change): number {
  switch (change.action) {
    case "create":
      return 1;
    case "delete":
      return DELETE_CALLS[change.kind];
    case "update":
      return splitCalls(change.kind, change.fields).length * (change.isGuarded ? 2 : 1);
    case "replace":
      return 1 + DELETE_CALLS[change.kind];
    default:
      return change satisfies never;
  }
}
