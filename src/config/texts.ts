// Texts and dates in the files, with their places.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Mention } from "../domain/project.ts";
import { isWallTime } from "../domain/zone.ts";
import { textOf, type TreeNode } from "./yaml.ts";

/** The texts of a list, or a text alone, as written, so `2` stays "2". The schema has reported other values. */
export function textsIn(node: TreeNode | undefined): Mention[] {
  if (node === undefined) return [];
  return (node.type === "list" ? node.items : [node]).flatMap((item) => {
    const text = textOf(item);
    return text === null ? [] : [{ text, place: item.place }];
  });
}

/** A date (`2027-03-31`). Null for other texts, which the schema has reported, and for a date that does not exist, which this reports. */
export function dateIn(node: TreeNode | undefined, diagnostics: Diagnostic[]): Mention | null {
  const text = textOf(node);
  if (node === undefined || text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  if (isWallTime(text, "00:00")) return { text, place: node.place };
  diagnostics.push(error("no-such-date", `\`${text}\` does not exist in the calendar.`, node.place, "Fix the date."));
  return null;
}
