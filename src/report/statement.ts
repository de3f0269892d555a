// The sentence that describes many similar changes.

import { itemFormatter } from "./confusables.ts";
import type { CommonField, ValueEdit } from "./similar-changes.ts";
import { code, joinLines, line, shorten, type Span } from "./spans.ts";
import { fieldName, pairSpans, valueSpans, NO_LIMITS, type SpanLimits } from "./value-spans.ts";
import { isSetSecret, showWords, type Word } from "./values.ts";

/** Whether the sentence describes the future, the past, or declared and live values. */
export type Tense = "plan" | "apply" | "drift";

const ROOM: SpanLimits = { value: 120, common: NO_LIMITS.common };

/** Describes how each object changes. Starts with a lowercase letter. */
export function editStatement(edits: readonly ValueEdit[], tense: Tense): Span[] {
  return line`${joinLines(
    edits.map((edit) => editSpans(edit, tense)),
    "; ",
  )}.`;
}

function becomes(before: readonly Span[], after: readonly Span[], tense: Tense): Span[] {
  if (tense === "drift") return line`${before} is declared, ${after} is live`;
  return line`${before} ${tense === "apply" ? "became" : "becomes"} ${after}`;
}

function editSpans(edit: ValueEdit, tense: Tense): Span[] {
  const name = fieldName(edit.path);
  const pair = (before: string, after: string): Span[] => {
    const [old, next] = showWords(before, after);
    return becomes([quoted(old)], [quoted(next)], tense);
  };
  switch (edit.form) {
    case "value":
      return valuePair(name, edit.before, edit.after, tense);
    case "host":
      return line`host of ${name}: ${pair(edit.before, edit.after)}`;
    case "scheme":
      return line`${name}: ${pair(edit.before, edit.after)}`;
    case "start":
      return line`start of ${name}: ${pair(edit.before, edit.after)}`;
    case "parameter":
      return line`${name}, query parameter ${code(edit.name)}: ${pair(edit.before, edit.after)}`;
    case "appended":
      return line`${name}: ${quoted(edit.query)} is ${tense === "drift" ? "live but not declared at the end of" : "added to"} its query`;
    case "removed":
      return line`${name}: ${quoted(edit.pair)} is ${tense === "drift" ? "declared but not live in" : "removed from"} its query`;
    case "items":
      return line`${name}: ${itemSpans(edit.added, edit.removed, tense)}`;
    case "becomes":
      return tense === "drift"
        ? line`${name}: ${valueSpans(edit.after, ROOM)} is live, and other values are declared`
        : line`${name} ${tense === "apply" ? "became" : "becomes"} ${valueSpans(edit.after, ROOM)}`;
    default:
      return edit satisfies never;
  }
}

function quoted(text: string): Span {
  return code(text === "" ? '""' : shorten(text, ROOM.value));
}

function valuePair(name: readonly Span[], before: Word, after: Word, tense: Tense): Span[] {
  if (isSetSecret(before) && isSetSecret(after)) return line`${name} is sent again`;
  if (typeof before === "string" && typeof after === "string" && before !== "" && after !== "")
    return line`${name}: ${pairSpans(...showWords(before, after), ROOM)}${tense === "drift" ? " (declared → live)" : ""}`;
  return line`${name}: ${becomes(valueSpans(before, ROOM), valueSpans(after, ROOM), tense)}`;
}

function itemSpans(added: readonly string[], removed: readonly string[], tense: Tense): Span[] {
  const show = itemFormatter([...added, ...removed]);
  const [comes, goes] =
    tense === "drift" ? ["is live but not declared", "is declared but not live"] : ["is added", "is removed"];
  const each = (items: readonly string[], what: string): Span[][] =>
    items.map((item) => line`${code(shorten(show(item), ROOM.value))} ${what}`);
  return joinLines([...each(added, comes), ...each(removed, goes)], ", ");
}

/** Describes what created or deleted objects have in common. */
export function commonStatement(common: readonly CommonField[]): Span[] {
  if (common.length === 0) return line`alike.`;
  const fields = common.map(({ path, value, host }) =>
    host === null ? line`${fieldName(path)} ${valueSpans(value, ROOM)}` : line`${fieldName(path)} on ${quoted(host)}`,
  );
  return line`${joinLines(fields, ", ")}.`;
}
