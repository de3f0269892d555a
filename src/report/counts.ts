// Counts and times in sentences.

import { isDisabling } from "../domain/change.ts";
import type { ResourceKind } from "../domain/table.ts";
import { plural, showCount } from "../domain/words.ts";
import { wallTimeOf } from "../domain/zone.ts";
import type { ChangeDocument } from "./json/schema.ts";

/** Without zeros. The words of `order` come first, then the others as they appear. */
export function countEach<Word>(words: readonly Word[], order: readonly Word[] = []): ReadonlyMap<Word, number> {
  const counts = new Map(order.map((word) => [word, 0]));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > 0));
}

/** `3 dead, 1 unknown`. */
export function countWords(words: readonly string[], order: readonly string[]): string {
  return [...countEach(words, order)].map(([word, count]) => `${showCount(count)} ${word}`).join(", ");
}

/** `3 new links and 1 new pixel`; empty for none. */
export function kindsText({ link, pixel }: Readonly<Record<ResourceKind, number>>, adjective: string = ""): string {
  const counts = Object.entries({ link, pixel }).filter(([, count]) => count > 0);
  return counts.map(([kind, count]) => plural(count, `${adjective}${kind}`)).join(" and ");
}

/** In the order of the output. */
const KINDS = ["create", "rename", "move", "disable", "update", "delete"] as const;

type Countable = Pick<ChangeDocument, "action" | "reason" | "fields">;

export function kindOf({ action, reason, fields }: Countable): (typeof KINDS)[number] {
  if (action === "replace") return "move";
  if (action !== "update") return action;
  if (reason === "renamed") return "rename";
  return isDisabling(fields) ? "disable" : "update";
}

/** `1 to rename, 2 other updates`, or `1 renamed` if they are done. An update that is also a rename counts as a rename. */
export function countsText(changes: readonly Countable[], areDone: boolean): string {
  const counts = countEach(changes.map(kindOf), KINDS);
  const isOther = counts.has("rename") || counts.has("move") || counts.has("disable");
  return [...counts]
    .map(([kind, count]) => {
      if (kind === "update" && isOther) return plural(count, "other update");
      return `${showCount(count)} ${areDone ? `${kind.replace(/e$/, "")}ed` : `to ${kind}`}`;
    })
    .join(", ");
}

export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `2027-03-01 12:00 (Europe/Berlin)`. */
export function timeText(instant: string, zone: string): string {
  return `${wallTimeOf(instant, zone).replace("T", " ")} (${zone})`;
}

/** A canonical instant in UTC, to the minute. */
export function showInstant(instant: string): string {
  return `${instant.slice(0, "YYYY-MM-DDTHH:MM".length).replace("T", " ")} UTC`;
}

/** `4 s`, `3 min 12 s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const rest = whole % 60;
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}
