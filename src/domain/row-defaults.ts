// What most rows of the field table have in common.

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
