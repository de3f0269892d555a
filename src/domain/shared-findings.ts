// Findings that the links of a family share, because they share their values.

import { groupBy } from "./collections.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { showPlace, type Place } from "./place.ts";
import { showKey, type Declaration } from "./project.ts";

/** The text of a place; equal for equal places. */
export function spotOf(place: Place | null): string {
  return place === null ? "" : showPlace(place);
}

/**
 * Merges findings that differ only in the links of a family that they name, and have the same code and place. The message of the first
 * names its link.
 */
export function mergeShared(diagnostics: readonly Diagnostic[], declarations: readonly Declaration[]): Diagnostic[] {
  const patterns = new Map(declarations.flatMap((one) => spotsOf(one)));
  if (patterns.size === 0) return [...diagnostics];
  const keys = new Set(declarations.flatMap((one) => (one.family === undefined ? [] : [showKey(one)])));
  const general = (message: string): string =>
    message.replaceAll(/`([^`]+)`/g, (written, key: string) => (keys.has(key) ? "`…`" : written));
  const groups = groupBy(diagnostics, (one) => {
    const spot = spotOf(one.place);
    return patterns.has(spot) ? JSON.stringify([one.code, spot, general(one.message)]) : one;
  });
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const count = new Set(others.flatMap(({ message }) => (message === first.message ? [] : [message]))).size;
    if (count === 0) return [first];
    const rest = `${count} other${count === 1 ? "" : "s"} of the family \`${patterns.get(spotOf(first.place))}\``;
    return [{ ...first, message: `${first.message.replace(/\.$/, "")} (and ${rest}).` }];
  });
}

/** Every place of a link in a family, with the alias of the family. */
function spotsOf({ family, place, fields, renamedFrom }: Declaration): [spot: string, pattern: string][] {
  if (family === undefined) return [];
  const own = [...fields.values()].flatMap((one) => [one.place, ...(one.items?.values() ?? []), ...(one.parts ?? [])]);
  return [place, ...own, ...(renamedFrom === null ? [] : [renamedFrom.place])].map((one) => [
    spotOf(one),
    family.pattern,
  ]);
}
