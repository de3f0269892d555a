// JSON that is safe on a terminal and in a log: control and invisible characters are escaped.

import { escapeCommands, replaceUnseen } from "../../domain/control-characters.ts";

/** `indent`: spaces per level; 0 prints one line. */
export function jsonText(value: unknown, indent: number): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** The same for a value that is JSON already. */
export function escapeJson(text: string): string {
  return replaceUnseen(escapeCommands(text), (character) => (character === "\n" ? character : escapeOf(character)));
}

/** Each UTF-16 unit: characters beyond the basic plane are two. */
function escapeOf(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
