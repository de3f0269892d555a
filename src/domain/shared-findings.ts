// Findings that the links of a family share, because they share their values.

import { groupBy } from "./collections.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { showPlace, type Place } from "./place.ts";
import { showKey, type Declaration } from "./project.ts";

/** The text of a place; equal for equal places. */
export function spotOf(place: Place | null): string {
  return place === null ? "" : showPlace(place);
}

/** A text in the quotes of messages. */
const QUOTED = /`([^`]+)`/g;

/**
 * Merges findings that differ only in the links of a family that they name, and have the same code and place. The message of the first
 * names its link.
 */
export function mergeShared(diagnostics: readonly Diagnostic[], declarations: readonly Declaration[]): Diagnostic[] {
  const patterns = new Map(
    declarations.flatMap((one) => (one.family === undefined ? [] : [[showKey(one), one.family.pattern] as const])),
  );
  if (patterns.size === 0) return [...diagnostics];
  const groups = groupBy(diagnostics, (one) => {
    const general = one.message.replaceAll(QUOTED, (written, key: string) => (patterns.has(key) ? "`…`" : written));
    return one.place === null ? one : JSON.stringify([one.code, spotOf(one.place), general]);
  });
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const count = new Set(others.flatMap(({ message }) => (message === first.message ? [] : [message]))).size;
    if (count === 0) return [first];
    const pattern = [...first.message.matchAll(QUOTED)].flatMap(([, key = ""]) => patterns.get(key) ?? [])[0];
    const rest = `${count} other${count === 1 ? "" : "s"} of the family \`${pattern}\``;
    return [{ ...first, message: `${first.message.replace(/\.$/, "")} (and ${rest}).` }];
  });
}
