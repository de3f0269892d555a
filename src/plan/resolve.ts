// Puts both sides in one canonical form: references as shown names, dates as instants, keys as identities.

import { append } from "../domain/collections.ts";
import type { Desired, Live, References, UnreadableLive, Zones } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { didYouMean } from "../domain/nearest.ts";
import { compareText, type Place } from "../domain/place.ts";
import { checkKeys } from "../domain/renames.ts";
import { showKey, type Declaration, type Declared, type Project, type Tombstone } from "../domain/project.ts";
import { eachKind, fieldAt, FIELDS, type ResourceKind } from "../domain/table.ts";
import { sameValue, type EffectiveDefaults, type Value, type Values } from "../domain/value.ts";
import { instantOf, isSameZone, isStorable, laterInstantOf, OUT_OF_RANGE, wallTimeOf } from "../domain/zone.ts";
import { claimRecords, type Claim, type StaleRecord } from "./claims.ts";
import { directories, type Directory } from "./directory.ts";
import { unknownAccountZone } from "./guards.ts";
import { LiveIndex, resolveRecord } from "./live-records.ts";
import { Keys, PixelNames, type AccountNames, type Identified } from "./names.ts";
import { blockedBy, resolveUnreadable, separateUnreadable, unreadableWarning } from "./unreadable.ts";
import { tombstoneSpent, severalRecords } from "./findings.ts";

/** Both sides in canonical form. With any error in `diagnostics`, nothing may be planned. */
export interface Resolved {
  readonly project: Project;
  readonly state: LiveState;
  readonly desired: readonly Desired[];
  readonly live: readonly Live[];
  readonly claims: readonly Claim[];
  readonly staleRecords: readonly StaleRecord[];
  readonly tombstones: readonly ResolvedTombstone[];
  readonly unreadable: readonly UnreadableLive[];
  /** The places of declarations and tombstones of unreadable records. */
  readonly blockedAt: ReadonlyMap<Place, Live>;
  readonly side: AccountSide;
  readonly references: References;
  readonly zones: Zones;
  readonly diagnostics: readonly Diagnostic[];
}

interface AccountSide extends AccountNames {
  readonly domains: Directory;
  readonly pixels: PixelNames;
}

/** Resolves the files with the records that were read. */
export function resolve(project: Project, state: LiveState): Resolved {
  const { side, pixels } = sideOf(project, state);
  const links = resolveKind("link", project, state.links, side);
  const desired = pixels.desired.concat(links.desired);
  const tombstones = [...pixels.tombstones, ...links.tombstones];
  append(side.diagnostics, checkKeys(desired, tombstones));
  const claims = pixels.claims.all.concat(links.claims.all);
  const unreadable = [...links.unreadable, ...pixels.unreadable];
  const blocked = blockedBy(unreadable, claims, tombstones);
  append(side.diagnostics, blocked.diagnostics);
  append(side.diagnostics, unreadableWarning(unreadable));
  return {
    project,
    state,
    desired,
    live: pixels.live.concat(links.live),
    claims,
    staleRecords: [...pixels.claims.staleRecords, ...links.claims.staleRecords],
    tombstones,
    unreadable,
    blockedAt: blocked.records,
    side,
    references: { domains: side.domains.ids, spaces: side.spaces.ids, pixels: side.pixels.ids },
    zones: side.zones,
    diagnostics: side.diagnostics,
  };
}

/** The account with these objects in place of blocks. In `account`, too, a live pixel gets the name of the object that it becomes. */
export function withObjects(
  account: Resolved,
  claims: readonly Claim[],
  tombstones: readonly ResolvedTombstone[],
): Resolved {
  const desired = claims.map((claim) => claim.desired);
  account.side.pixels.assign(
    claims.filter((claim) => claim.desired.kind === "pixel"),
    [...namedPixels(account.unreadable), ...account.live.filter(({ kind }) => kind === "pixel")],
  );
  const blocked = blockedBy(account.unreadable, claims, []);
  return { ...account, desired, claims, tombstones, diagnostics: [...account.diagnostics, ...blocked.diagnostics] };
}

/** Pixels are resolved first, because their renames decide the meaning of names in links. */
function sideOf(project: Project, state: LiveState) {
  const { domains, spaces } = directories(project, state);
  const diagnostics = [...accountZoneProblems(project, state), ...domains.diagnostics, ...spaces.diagnostics];
  const names = new PixelNames();
  const account = project.accountZone ?? state.account?.zone ?? null;
  const zones = { account, files: project.zone ?? account ?? "UTC" };
  const side = { domains, spaces, pixels: names, keys: new Keys(domains), zones, diagnostics };
  const pixels = resolveKind("pixel", project, state.pixels, side);
  names.assign(pixels.claims.all, [...namedPixels(pixels.unreadable), ...pixels.live]);
  return { side, pixels };
}

/** The unreadable pixels whose name is valid. Links may use them. */
function namedPixels(unreadable: readonly UnreadableLive[]): Live[] {
  return unreadable.filter(({ kind, hasKey }) => kind === "pixel" && hasKey);
}

function resolveKind(kind: ResourceKind, project: Project, records: readonly LiveRecord[], side: AccountNames) {
  const sorted = separateUnreadable(records);
  const live = sorted.readable.map((record) => resolveRecord(record, side));
  const unreadable = sorted.unreadable.map((record) => resolveUnreadable(record, side));
  const byIdentity = new LiveIndex(live);
  const desired = project.declarations.flatMap((one) =>
    one.kind === kind ? resolveDeclaration(one, side, byIdentity) : [],
  );
  const tombstones = project.tombstones
    .filter((tombstone) => tombstone.kind === kind)
    .map((tombstone) => resolveTombstone(tombstone, side, byIdentity));
  return { desired, live, unreadable, tombstones, claims: claimRecords(desired, byIdentity, side.diagnostics) };
}

/** A wrong declared zone would shift every date. */
function accountZoneProblems({ accountZone }: Project, { account }: LiveState): Diagnostic[] {
  const zone = account?.zone ?? null;
  if (accountZone === null || zone === null || isSameZone(accountZone, zone)) return [];
  const message = `\`account_timezone\` is \`${accountZone}\`, but the account's time zone is \`${zone}\`.`;
  const hint = `Remove \`account_timezone\`, or write \`account_timezone: ${zone}\`.`;
  return [error("wrong-account-zone", message, null, hint)];
}

export function resolveDeclaration(declaration: Declaration, side: AccountNames, live: LiveIndex): Desired {
  const { renamedFrom } = declaration;
  const { identity, key } = side.keys.of(declaration);
  const former = renamedFrom && { ...side.keys.of(renamedFrom), place: renamedFrom.place };
  const isLive: DeclarationSide["isLive"] = (path, value) =>
    [identity, former?.identity ?? identity].some((one) =>
      live.at(one).some(({ values }) => values.get(path) === value),
    );
  return {
    ...declaration,
    identity,
    key,
    values: resolveValues(declaration, { ...side, isLive }),
    // Two texts may mean one key. That is not a rename.
    renamedFrom: former?.identity === identity ? null : former,
  };
}

/** Fields whose canonical value depends on the account. */
const ACCOUNT_FIELDS = eachKind((resource) =>
  FIELDS[resource].filter(({ kind }) => ["reference", "references", "instant"].includes(kind)),
);

interface DeclarationSide extends AccountNames {
  /** Whether a live record with the key or the former key of the declaration has this value. */
  readonly isLive: (path: string, value: Value) => boolean;
}

function resolveValues(declaration: Declaration, side: DeclarationSide): Values {
  const { kind, fields } = declaration;
  /** The values that differ from the declared ones: canonical ones, or undefined if they do not exist in the account. */
  let resolved: Map<string, Value | undefined> | null = null;
  for (const field of ACCOUNT_FIELDS[kind]) {
    const declared = fields.get(field.path);
    if (declared === undefined) continue;
    const value = resolveValue(declaration, field, declared, side);
    if (value === undefined || !sameValue(value, declared.value))
      resolved = (resolved ?? new Map()).set(field.path, value);
  }
  const get = (path: string): Value | undefined =>
    resolved?.has(path) === true ? resolved.get(path) : fields.get(path)?.value;
  return { get, has: (path) => get(path) !== undefined };
}

/** The canonical value of a declared one; undefined with a diagnostic if it does not exist in the account. */
function resolveValue(
  declaration: Pick<Declaration, "domain" | "name">,
  field: FieldSpec,
  { value, place, parts }: Declared,
  side: DeclarationSide,
): Value | undefined {
  if (field.kind === "reference" && typeof value === "string") {
    const directory = side[`${field.to}s`];
    const id = directory.idOf(value);
    return id === undefined ? undefined : directory.shown(id);
  }
  if (field.kind === "references" && Array.isArray(value)) {
    const names = value.map((name, at) => resolvePixel(String(name), declaration, parts?.[at] ?? place, side));
    return [...new Set(names.filter((name) => name !== undefined))].toSorted(compareText);
  }
  if (field.kind === "instant" && typeof value === "string") return resolveInstant(field, value, place, side);
  return value;
}

function resolvePixel(
  name: string,
  declaration: Pick<Declaration, "domain" | "name">,
  place: Place,
  { pixels, diagnostics }: AccountNames,
): string | undefined {
  const found = pixels.ofMention(name);
  if (found === undefined) {
    const message = `\`${showKey(declaration)}\` uses the pixel \`${name}\`, which is neither declared nor live.`;
    const hint = didYouMean(pixels.nearest(name), "Declare it under `pixels`, or correct the name.");
    diagnostics.push(error("unknown-pixel", message, place, hint));
  }
  return found;
}

function resolveInstant(
  field: InstantSpec,
  wall: string,
  place: Place,
  { zones, diagnostics, isLive }: DeclarationSide,
): Value | undefined {
  if (zones.account === null) {
    diagnostics.push(unknownAccountZone(place));
    return undefined;
  }
  // A time that the clocks show twice means the one that is live, so that nothing is sent.
  const second = laterInstantOf(wall, zones.files);
  const instant = isLive(field.path, second) ? second : instantOf(wall, zones.files);
  if (!isStorable(field, instant, wallTimeOf(instant, zones.account))) {
    diagnostics.push(error("date-out-of-range", OUT_OF_RANGE.message, place, OUT_OF_RANGE.hint));
    return undefined;
  }
  return instant;
}

/**
 * Resolves the values of `defaults`: references to shown names, dates to instants. A value that cannot be resolved is undefined, without
 * a diagnostic, because links that use it have one.
 */
export function resolveDefaults(given: ReadonlyMap<string, Declared>, side: AccountNames): EffectiveDefaults {
  return new Map(
    [...given].map(([path, declared]) => {
      const diagnostics: Diagnostic[] = [];
      const field = fieldAt("link", path);
      // The time of a date has a path but no field.
      const value =
        field === undefined
          ? declared.value
          : resolveValue({ domain: null, name: "" }, field, declared, { ...side, diagnostics, isLive: () => false });
      return [path, diagnostics.length === 0 ? value : undefined];
    }),
  );
}

export interface ResolvedTombstone extends Identified {
  readonly tombstone: Tombstone;
  /** The object to delete; null for none. */
  readonly live: Live | null;
}

/** Finds the object of a tombstone, and takes it out of the index. */
function resolveTombstone(tombstone: Tombstone, side: AccountNames, index: LiveIndex): ResolvedTombstone {
  const identified = side.keys.of(tombstone);
  const named = index.at(identified.identity).filter(({ id }) => tombstone.id === null || tombstone.id === id);
  const [live, ...others] = named;
  if (live === undefined) side.diagnostics.push(tombstoneSpent(identified.key, tombstone));
  else if (others.length === 0) index.take(live);
  else {
    const hint = "Add the id of the one to delete: `{ id: … }`.";
    side.diagnostics.push(severalRecords(identified.key, named, tombstone.place, hint));
  }
  return { ...identified, tombstone, live: live === undefined || others.length > 0 ? null : live };
}
