// Values as a person writes them in a file.

import { stringify } from "yaml";

/** A value on one line of YAML: `{ env: LINKFORM_SECRET_SPRING }`. */
export function asWritten(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}
