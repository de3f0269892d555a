// What of a former object the service would not take back as it was, or would take to mean something else.

import type { FieldSpec } from "../domain/field.ts";
import type { Snapshot } from "../domain/receipt.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import { instantOf, isStorable, MINUTES, wallTimeOf } from "../domain/zone.ts";
import { heldAt, type Held } from "./live.ts";

/** Whether a value can be entered so that it means the same. Without the zone the planner says that it is missing. */
export function canBeSent(row: FieldSpec, held: Held, accountZone: string | null): boolean {
  if (row.kind !== "instant" || !("value" in held) || typeof held.value !== "string" || accountZone === null)
    return true;
  const wall = wallTimeOf(held.value, accountZone);
  return isStorable(row, held.value, wall) && wall.length === MINUTES && instantOf(wall, accountZone) === held.value;
}

/** Whether a link had expired by a limit that begins to count anew; where the clicks are not known, it may have. */
export function isOver(kind: ResourceKind, former: Snapshot, clicks: number | null): boolean {
  return FIELDS[kind].some((row) => {
    const held = heldAt(former, row.path);
    if (row.kind !== "count" || row.opens?.when !== "expired" || held === undefined || !("value" in held)) return false;
    return typeof held.value === "number" && (clicks === null || clicks >= held.value);
  });
}
