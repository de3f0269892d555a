// What a line says of many alike changes.

import type { Common } from "../../view/similar-changes.ts";
import type { Edit } from "../../view/edits.ts";
import { showItem } from "../../view/confusables.ts";
import { isSetSecret, showWords, type Word } from "../../view/values.ts";
import { code, shortened } from "./inline.ts";
import { fieldName, pairText, valueText, WHOLE, type Room } from "./values.ts";

/** How what was and what is are put: a plan says what becomes, drift what is declared and what is live. */
export type Tense = "plan" | "apply" | "drift";

const ROOM: Room = { value: 120, common: WHOLE.common };

/** One sentence, without its first capital. */
export function statementText(edits: readonly Edit[], tense: Tense): string {
  return `${edits.map((edit) => editText(edit, tense)).join("; ")}.`;
}

function becomes(before: string, after: string, tense: Tense): string {
  if (tense === "drift") return `${before} is declared, ${after} is live`;
  return `${before} ${tense === "apply" ? "became" : "becomes"} ${after}`;
}

function editText(edit: Edit, tense: Tense): string {
  const name = fieldName(edit.path);
  const pair = (before: string, after: string): string => {
    const [old, next] = showWords(before, after);
    return becomes(shownText(old), shownText(next), tense);
  };
  switch (edit.form) {
    case "value":
      return valuePair(name, edit.before, edit.after, tense);
    case "host":
      return `host of ${name}: ${pair(edit.before, edit.after)}`;
    case "scheme":
      return `${name}: ${pair(edit.before, edit.after)}`;
    case "start":
      return `beginning of ${name}: ${pair(edit.before, edit.after)}`;
    case "parameter":
      return `${name}, query parameter ${code(edit.name)}: ${pair(edit.before, edit.after)}`;
    case "appended":
      return `${name}: ${shownText(edit.query)} is ${tense === "drift" ? "live, and not declared, at the end of" : "added to"} its query`;
    case "removed":
      return `${name}: ${shownText(edit.pair)} is ${tense === "drift" ? "declared, and not live, in" : "removed from"} its query`;
    case "items":
      return itemsText(name, edit.added, edit.removed, tense);
    case "becomes":
      return `${name} is ${valueText(edit.after, ROOM)}${tense === "drift" ? " live, and declared otherwise" : tense === "apply" ? " now" : " from now on"}`;
    default:
      return edit satisfies never;
  }
}

function shownText(text: string): string {
  return text === "" ? code('""') : code(shortened(text, ROOM.value));
}

function valuePair(name: string, before: Word, after: Word, tense: Tense): string {
  if (isSetSecret(before) && isSetSecret(after)) return `${name} is sent again`;
  if (typeof before === "string" && typeof after === "string" && before !== "" && after !== "")
    return tense === "drift"
      ? `${name}: ${pairText(...showWords(before, after), ROOM)} (declared → live)`
      : `${name}: ${pairText(...showWords(before, after), ROOM)}`;
  return `${name}: ${becomes(valueText(before, ROOM), valueText(after, ROOM), tense)}`;
}

function itemsText(name: string, added: readonly string[], removed: readonly string[], tense: Tense): string {
  const show = showItem([...added, ...removed]);
  const [comes, goes] =
    tense === "drift" ? ["is live, and not declared", "is declared, and not live"] : ["is added", "is removed"];
  const each = (items: readonly string[], what: string): string[] =>
    items.map((item) => `${code(shortened(show(item), ROOM.value))} ${what}`);
  return `${name}: ${[...each(added, comes), ...each(removed, goes)].join(", ")}`;
}

/** What many new ones have in common. */
export function commonText(common: readonly Common[]): string {
  const told = common.map(({ path, value, host }) => {
    if (host !== null) return `${fieldName(path)} on ${shownText(host)}`;
    return `${fieldName(path)} ${valueText(value, ROOM)}`;
  });
  return told.length === 0 ? "alike." : `${told.join(", ")}.`;
}
