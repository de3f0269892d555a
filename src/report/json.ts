// JSON that can be shown on a terminal: what it would obey or not show is escaped, and means the same.

import { replaceUnseen } from "./unseen.ts";

/** A value as JSON. `indent`: spaces for each level; 0: on one line. */
export function jsonText(value: unknown, indent: number): string {
  return replaceUnseen(JSON.stringify(value, null, indent), (_, sign) => (sign === "\n" ? sign : escapeOf(sign)));
}

/** Signs beyond the basic plane are two units. */
function escapeOf(sign: string): string {
  return sign
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
