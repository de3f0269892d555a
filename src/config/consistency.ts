// Mistakes that need all declarations: duplicate keys, and declarations that contradict each other.

import { groupBy } from "../domain/collections.ts";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { comparePlaces, showPlace, type Place } from "../domain/place.ts";
import { pixelNamesOf, showKey, type Declaration, type Tombstone, type WrittenKey } from "../domain/project.ts";
import { checkKeys } from "../domain/renames.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Labels } from "./keys.ts";

/** Checks the declarations and tombstones of a project together. */
export function checkConsistency(
  declarations: readonly Declaration[],
  tombstones: readonly Tombstone[],
  domains: Labels,
): Diagnostic[] {
  const identified = (key: WrittenKey): { identity: string; key: string; place: Place } => ({
    identity: domains.keyIdentity(key),
    key: showKey(key),
    place: key.place,
  });
  const nodes = declarations.map((one) => ({
    kind: one.kind,
    ...identified(one),
    renamedFrom: one.renamedFrom && identified(one.renamedFrom),
  }));
  const sorted = tombstones.toSorted((a, b) => comparePlaces(a.place, b.place));
  const absent = sorted.map((tombstone) => ({ ...identified(tombstone), tombstone }));
  const byKey = groupBy(sorted, (key) => domains.keyIdentity(key));
  return [
    ...checkKeys(nodes, absent),
    ...[...byKey.values()].flatMap((same) => same.flatMap((one, at) => absentTwice(one, same.slice(0, at)))),
    ...checkPixelReferences(declarations, tombstones),
  ];
}

/** Several tombstones of one key are valid only if each has another id. */
function absentTwice(tombstone: Tombstone, others: readonly Tombstone[]): Diagnostic[] {
  const rival = others.find(({ id }) => id === null || tombstone.id === null || id === tombstone.id);
  if (!rival) return [];
  const message = `\`${showKey(tombstone)}\` already has a tombstone at ${showPlace(rival.place)}.`;
  return [besides(error("duplicate-key", message, tombstone.place, "Keep one of the two."), rival.place, "first here")];
}

/** Reports links that use a pixel which a tombstone deletes or a declaration renames. */
function checkPixelReferences(declarations: readonly Declaration[], tombstones: readonly Tombstone[]): Diagnostic[] {
  const leaving = new Map<string, { place: Place; end: string; hint: string }>();
  for (const { kind, id, name, place } of tombstones) {
    const hint = "Remove the pixel from this link, or remove the tombstone.";
    if (kind === "pixel" && id === null) leaving.set(fold(name), { place, end: "deleted", hint });
  }
  // In a chain of renames, another pixel takes the old name, so that name stays.
  const declared = declaredPixels(declarations);
  for (const { renamedFrom: from, name } of declarations)
    if (from?.kind === "pixel" && !declared.has(fold(from.name)))
      leaving.set(fold(from.name), { place: from.place, end: "renamed", hint: `Use the new name, \`${name}\`.` });
  return pixelReferences(declarations).flatMap(({ name, link, place }) => {
    const gone = leaving.get(fold(name));
    if (!gone) return [];
    const { place: at, end, hint } = gone;
    const message = `\`${showKey(link)}\` uses the pixel \`${name}\`, which is ${end} at ${showPlace(at)}.`;
    return [besides(error("pixel-goes-away", message, place, hint), at, `${end} here`)];
  });
}

interface PixelReference {
  readonly name: string;
  readonly link: Declaration;
  readonly place: Place;
}

/** Pixels that links use and no file declares. Only the service knows whether they exist. */
export function undeclaredPixels(declarations: readonly Declaration[]): PixelReference[] {
  const declared = declaredPixels(declarations);
  return pixelReferences(declarations).filter(({ name }) => !declared.has(fold(name)));
}

function declaredPixels(declarations: readonly Declaration[]): Set<string> {
  return new Set(declarations.flatMap(({ kind, name }) => (kind === "pixel" ? [fold(name)] : [])));
}

function pixelReferences(declarations: readonly Declaration[]): PixelReference[] {
  return declarations.flatMap((link) => {
    const { parts, place = link.place } = link.fields.get(REFERENCE_FIELD.pixel) ?? {};
    return pixelNamesOf(link).map((name, at) => ({ name, link, place: parts?.[at] ?? place }));
  });
}
