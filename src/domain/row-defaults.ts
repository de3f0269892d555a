// What most rows of the field table have in common.

import type { Wire } from "./field.ts";

/** A field that goes by the codec of its kind, under these names. */
export function documented(sent: string, returned: string = sent, filter: string | null = null): Wire {
  return { sent, returned, filter, form: "plain" };
}

/** A field that may be left out and changed later. */
export const OPTIONAL = {
  required: false,
  updatable: true,
  opens: null,
  visitors: false,
  called: null,
  columns: [],
} as const;

/** A field that must be given, and can be changed but not cleared. */
export const REQUIRED = {
  required: true,
  updatable: true,
  opens: null,
  visitors: false,
  called: null,
  columns: [],
  default: null,
} as const;
