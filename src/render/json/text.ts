// JSON that can be shown on a terminal and in a log: what they would obey or not show is escaped, and means the same.

import { escapeCommands } from "../../domain/log-commands.ts";
import { replaceUnseen } from "../../domain/control-characters.ts";

/** A value as JSON. `indent`: spaces for each level; 0: on one line. */
export function jsonText(value: unknown, indent: number): string {
  const text = escapeCommands(JSON.stringify(value, null, indent));
  return replaceUnseen(text, (_, character) => (character === "\n" ? character : escapeOf(character)));
}

/** Signs beyond the basic plane are two units. */
function escapeOf(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
