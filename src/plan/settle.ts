// Puts both sides in one canonical form: references as shown names, dates as instants, keys as identities.

import type { Desired, Live, References, Zones } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { InstantRow } from "../domain/field.ts";
import type { LiveRow, LiveState } from "../domain/live.ts";
import { comparePlaces, compareText, showPlace, type Place } from "../domain/place.ts";
import { showKey, type Declaration, type Declared, type Project, type Tombstone } from "../domain/project.ts";
import { FIELDS } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { instantOf, wallTimeOf } from "../domain/zone.ts";
import { directories, type Directory } from "./directory.ts";
import { unknownAccountZone } from "./guards.ts";
import { Keys, nameOf, PixelNames } from "./names.ts";

/** Both sides, ready to be compared, and what stands in the way. */
export interface Settled {
  readonly desired: readonly Desired[];
  readonly live: readonly Live[];
  readonly tombstones: readonly { readonly tombstone: Tombstone; readonly identity: string; readonly key: string }[];
  readonly references: References;
  readonly zones: Zones;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settles the files against the rows that were read. With any error in `diagnostics` nothing may be planned. */
export function settle(project: Project, state: LiveState): Settled {
  const side = sideOf(project, state);
  const { keys, domains, spaces, pixels, zones, diagnostics } = side;
  const desired = project.declarations.map((declaration) => settleDeclaration(declaration, side));
  diagnostics.push(...checkIdentities(desired));
  return {
    desired,
    live: [...state.pixels, ...state.links].map((row) => settleRow(row, side)),
    tombstones: project.tombstones.map((tombstone) => ({ tombstone, ...keys.of(tombstone) })),
    references: { domains: domains.ids, spaces: spaces.ids, pixels: pixels.ids },
    zones,
    diagnostics,
  };
}

/** Puts rows that are read later in the same canonical form as those of `state`. */
export function canonicalRows(project: Project, state: LiveState): (row: LiveRow) => Live {
  const side = sideOf(project, state);
  return (row) => settleRow(row, side);
}

interface Side {
  readonly domains: Directory;
  readonly spaces: Directory;
  readonly pixels: PixelNames;
  readonly keys: Keys;
  readonly zones: Zones;
  readonly diagnostics: Diagnostic[];
}

function sideOf(project: Project, state: LiveState): Side {
  const { domains, spaces } = directories(project, state);
  return {
    domains,
    spaces,
    pixels: new PixelNames(project.declarations, state.pixels),
    keys: new Keys(domains),
    zones: settleZones(project, state),
    diagnostics: [...domains.diagnostics, ...spaces.diagnostics],
  };
}

function settleZones(project: Project, state: LiveState): Zones {
  const account = project.accountZone ?? state.accountZone;
  return { account, files: project.zone ?? account ?? "UTC" };
}

function settleDeclaration(declaration: Declaration, side: Side): Desired {
  const values = new Map<string, Value>();
  const places = new Map<string, Place>();
  for (const [path, declared] of declaration.fields) {
    const value = settleValue(declaration, path, declared, side);
    places.set(path, declared.place);
    if (value !== undefined) values.set(path, value);
  }
  const { kind, secrets, unspecified, place, protect } = declaration;
  const renamedFrom = declaration.renamedFrom && {
    ...side.keys.of(declaration.renamedFrom),
    place: declaration.renamedFrom.place,
  };
  return { kind, ...side.keys.of(declaration), values, places, secrets, unspecified, place, protect, renamedFrom };
}

/** The canonical value of a declared one, or undefined with a diagnostic where the account knows of none. */
function settleValue(
  declaration: Declaration,
  path: string,
  { value, place }: Declared,
  side: Side,
): Value | undefined {
  const row = FIELDS[declaration.kind].find((candidate) => candidate.path === path);
  if (row?.kind === "reference" && typeof value === "string") {
    const directory = row.to === "domain" ? side.domains : side.spaces;
    const id = directory.idOf(value);
    return id === undefined ? undefined : directory.shown(id);
  }
  if (row?.kind === "references" && Array.isArray(value)) {
    const names = value.map((name) => settlePixel(String(name), declaration, place, side));
    return [...new Set(names.filter((name) => name !== undefined))].toSorted(compareText);
  }
  if (row?.kind === "instant" && typeof value === "string") return settleInstant(row, value, place, side);
  return value;
}

function settlePixel(
  name: string,
  declaration: Declaration,
  place: Place,
  { pixels, diagnostics }: Side,
): string | undefined {
  const found = pixels.ofMention(name);
  if (found === undefined) {
    const message = `\`${showKey(declaration)}\` uses the pixel \`${name}\`, which is neither declared nor live.`;
    const meant = pixels.nearest(name);
    const hint = meant === null ? "Declare it under `pixels`, or correct the name." : `Did you mean \`${meant}\`?`;
    diagnostics.push(error("unknown-pixel", message, place, hint));
  }
  return found;
}

function settleInstant(row: InstantRow, wall: string, place: Place, { zones, diagnostics }: Side): Value | undefined {
  if (zones.account === null) {
    diagnostics.push(unknownAccountZone(place));
    return undefined;
  }
  const instant = instantOf(wall, zones.files);
  const accountWall = wallTimeOf(instant, zones.account);
  // What the account's clocks show twice is taken for the first of the two (observed.md, "Writing").
  if (instantOf(accountWall, zones.account) !== instant) {
    const message = `The clocks of ${zones.account}, in which the service takes dates, show this moment twice, and it would take the first.`;
    diagnostics.push(error("date-twice", message, place, "Choose a time an hour earlier or later."));
    return undefined;
  }
  // The limits were met on the account's clocks and in UTC, which nobody could tell apart: both must hold.
  if ([instant, accountWall].every((moment) => moment >= row.from && moment < row.before)) return instant;
  const message = `The service can't hold this date: it must lie from ${row.from.slice(0, 10)} to before ${row.before.slice(0, 10)}.`;
  diagnostics.push(error("date-out-of-range", message, place, "Choose a date in that span, or `none`."));
  return undefined;
}

/** A reading in canonical form. */
function settleRow(row: LiveRow, side: Side): Live {
  const values = new Map(row.values);
  for (const field of FIELDS[row.kind]) {
    const named = row.references.get(field.path);
    if (named === undefined) continue;
    if (field.kind === "references") {
      values.set(field.path, named.map(({ id, name }) => side.pixels.ofRow(id, name)).toSorted(compareText));
    } else if (field.kind === "reference") {
      const [first] = named;
      values.set(
        field.path,
        first === undefined
          ? null
          : ((field.to === "domain" ? side.domains : side.spaces).shown(first.id) ?? first.name),
      );
    }
  }
  return { kind: row.kind, id: row.id, ...side.keys.ofRow(row, nameOf(row)), values, clicks: row.clicks };
}

/** Two texts may mean one domain only to the service: then two declarations meet here and not in the files alone. */
function checkIdentities(desired: readonly Desired[]): Diagnostic[] {
  const seen = new Map<string, Desired>();
  return desired
    .toSorted((a, b) => comparePlaces(a.place, b.place))
    .flatMap((one) => {
      const first = seen.get(one.identity);
      seen.set(one.identity, first ?? one);
      if (first === undefined) return [];
      const message = `\`${one.key}\` is already declared at ${showPlace(first.place)}: to the service they are one.`;
      return [error("duplicate-key", message, one.place, "Keep one of the two.")];
    });
}
