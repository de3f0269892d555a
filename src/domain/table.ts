// The field table: every fact about a field stands in one of its rows, and nowhere else.

import type { FieldRow } from "./field.ts";
import { LINK_FIELDS } from "./link-fields.ts";
import { PIXEL_FIELDS } from "./pixel-fields.ts";

export type ResourceKind = "link" | "pixel";

/** The rows of a kind of resource, in the order in which they are shown. */
export const FIELDS: Readonly<Record<ResourceKind, readonly FieldRow[]>> = { link: LINK_FIELDS, pixel: PIXEL_FIELDS };

/** The field that stands in a block's key instead of in the block. */
export const KEY_FIELD: Readonly<Record<ResourceKind, string>> = { link: "alias", pixel: "name" };

/** The rows that a block spells out: all but the one in its key. */
export function blockFields(kind: ResourceKind): readonly FieldRow[] {
  return FIELDS[kind].filter((row) => row.path !== KEY_FIELD[kind]);
}
