// Rows with an invalid field stay out of the plan, and declaring or deleting one of them is an error.

import type { Desired, Live, UnreadableLive } from "../domain/change.ts";
import { error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { fieldsText, MISSING, type LiveRecord, type UnreadableField } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Tombstone } from "../domain/project.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { wireOf } from "../domain/wire.ts";
import type { Claim } from "./claims.ts";
import { resolveRecord } from "./live-records.ts";
import { nameOf, type ComparisonSide, type Identified, type Keys } from "./names.ts";

/** The records of one list. */
interface SeparatedRecords {
  readonly readable: readonly LiveRecord[];
  readonly unreadable: readonly LiveRecord[];
}

/**
 * Separates the unreadable records of one list. A field that the service returns for no record is unknown for all. A field that
 * only some records lack makes these unreadable.
 */
export function separateUnreadable(records: readonly LiveRecord[]): SeparatedRecords {
  const [first] = records;
  if (first === undefined) return { readable: records, unreadable: [] };
  const fields = FIELDS[first.kind];
  const has = ({ values, references }: LiveRecord, path: string): boolean => values.has(path) || references.has(path);
  const isShort = ({ values, references }: LiveRecord): boolean => values.size + references.size < fields.length;
  const short = records.filter(isShort);
  if (short.length === 0 && records.every((record) => record.unreadable.length === 0))
    return { readable: records, unreadable: [] };
  const returned =
    short.length < records.length ? fields : fields.filter(({ path }) => records.some((record) => has(record, path)));
  const readable: LiveRecord[] = [];
  const unreadable: LiveRecord[] = [];
  for (const record of records) {
    const missing = isShort(record)
      ? returned.flatMap((field): UnreadableField[] => {
          const isNamed = record.unreadable.some(({ path }) => path === field.path);
          return isNamed || has(record, field.path)
            ? []
            : [{ path: field.path, returned: wireOf(field, record.software)?.returned ?? field.path, seen: MISSING }];
        })
      : [];
    if (missing.length > 0) unreadable.push({ ...record, unreadable: [...record.unreadable, ...missing] });
    else if (record.unreadable.length > 0) unreadable.push(record);
    else readable.push(record);
  }
  return { readable, unreadable };
}

/** Resolves unreadable records as far as possible. */
export function resolveUnreadable(records: readonly LiveRecord[], side: ComparisonSide): UnreadableLive[] {
  return records.map((record) => ({
    live: resolveRecord(record, side),
    key: keyOf(record, side.keys),
    fields: record.unreadable,
  }));
}

/** The key of a record; null if part of it is invalid. */
function keyOf(record: LiveRecord, keys: Keys): string | null {
  const hasDomain = record.kind === "pixel" || record.references.has(REFERENCE_FIELD.domain);
  return hasDomain && record.values.has(KEY_FIELD[record.kind]) ? keys.keyOfRecord(record) : null;
}

/** The keys that an unreadable record has or may have. */
class PossibleKeys {
  readonly record: LiveRecord;
  /** The prefix of identities of its kind and domain; null if its domain is invalid. */
  readonly #prefix: string | null;
  /** Folded; null if it is invalid. */
  readonly #name: string | null;

  constructor(record: LiveRecord, keys: Keys) {
    const name = record.values.has(KEY_FIELD[record.kind]) ? fold(nameOf(record)) : null;
    const identity = keys.identityOfRecord(record);
    const hasDomain = record.kind === "pixel" || record.references.has(REFERENCE_FIELD.domain);
    this.record = record;
    this.#name = name;
    this.#prefix = hasDomain ? identity.slice(0, identity.length - (name ?? "").length) : null;
  }

  /** Whether the record certainly has this key. */
  has(kind: ResourceKind, identity: string): boolean {
    return this.#prefix !== null && this.#name !== null && this.mayHave(kind, identity);
  }

  /** Whether the valid parts of the record's key match this one. */
  mayHave(kind: ResourceKind, identity: string): boolean {
    if (kind !== this.record.kind) return false;
    // No alias has a slash; a pixel's name may have one.
    const end = kind === "pixel" ? "pixel ".length : identity.lastIndexOf("/") + 1;
    const isDomain = this.#prefix === null || this.#prefix === identity.slice(0, end);
    return isDomain && (this.#name === null || this.#name === identity.slice(end));
  }

  /** The same, if the name or alias itself is valid. */
  mayBeNamed(kind: ResourceKind, identity: string): boolean {
    return this.#name !== null && this.mayHave(kind, identity);
  }
}

/** The declarations and tombstones that mean or may mean an unreadable record, with an error for each. */
interface Blocked {
  readonly diagnostics: readonly Diagnostic[];
  /** The record, by the place of the block or tombstone. */
  readonly records: ReadonlyMap<Place, LiveRecord>;
}

/**
 * Finds declarations and tombstones of unreadable records. `own`: the record has the key. `possible`: the valid parts of its key match.
 *
 *     the files name the key in            record    →
 *     a declaration                        own       error
 *     a declaration without a live record  possible  error: creating it could make a duplicate
 *     `renamed_from`                       own       error
 *     `renamed_from`, without a record     possible  error: creating the new link would leave the old one
 *     a tombstone, by id                   —         error
 *     a tombstone, by key                  own       error
 *     a tombstone without a live record    possible, by name   error: there may be something to delete
 */
export function blockedBy(
  unreadable: readonly LiveRecord[],
  keys: Keys,
  claims: readonly Claim[],
  tombstones: readonly (Identified & { readonly tombstone: Tombstone; readonly live: Live | null })[],
): Blocked {
  const records = unreadable.map((record) => new PossibleKeys(record, keys));
  const diagnostics: Diagnostic[] = [];
  const blocked = new Map<Place, LiveRecord>();
  if (records.length === 0) return { diagnostics, records: blocked };
  for (const claim of claims) {
    const found = meantBy(claim, records);
    if (found === null) continue;
    diagnostics.push(found.diagnostic);
    blocked.set(claim.desired.place, found.record);
  }
  for (const { tombstone, identity, key, live } of tombstones) {
    const { kind, id, place } = tombstone;
    const meant = records.find((one) =>
      id === null
        ? one.has(kind, identity) || (live === null && one.mayBeNamed(kind, identity))
        : one.record.id === id && one.record.kind === kind,
    );
    if (meant === undefined) continue;
    const hint = `Fix the ${kind} in the service's web interface, or delete it there and remove the tombstone.`;
    diagnostics.push(error(CODE, sentence(key, meant, id !== null || meant.has(kind, identity)), place, hint));
    blocked.set(place, meant.record);
  }
  return { diagnostics, records: blocked };
}

/**
 * The unreadable records that have one of these keys, or may have one that no readable record has. `resolved` are the same records in
 * canonical form, in the same order.
 */
export function unreadableWithKeys(
  unreadable: readonly LiveRecord[],
  resolved: readonly UnreadableLive[],
  keys: Keys,
  wanted: readonly (Pick<Desired, "kind" | "identity"> & { readonly isLive: boolean })[],
): UnreadableLive[] {
  return resolved.filter((_, at) => {
    const record = unreadable[at];
    if (record === undefined) return false;
    const possible = new PossibleKeys(record, keys);
    return wanted.some(({ kind, identity, isLive }) =>
      isLive ? possible.has(kind, identity) : possible.mayHave(kind, identity),
    );
  });
}

const CODE = "unreadable-row";

/** An error about a declaration, and its unreadable record. */
interface BlockedDeclaration {
  readonly diagnostic: Diagnostic;
  readonly record: LiveRecord;
}

function meantBy({ desired, live }: Claim, records: readonly PossibleKeys[]): BlockedDeclaration | null {
  const { kind, identity, key, place, renamedFrom } = desired;
  const takesKey = live === undefined || live.identity !== identity;
  const meant = (one: PossibleKeys, named: string, isOwn: boolean, at: Place): BlockedDeclaration => ({
    diagnostic: error(CODE, sentence(named, one, isOwn), at, hintFor(desired)),
    record: one.record,
  });
  const own = records.find((one) => one.has(kind, identity));
  if (own !== undefined) return meant(own, key, true, place);
  const possible = takesKey ? records.find((one) => one.mayHave(kind, identity)) : undefined;
  if (possible !== undefined) return meant(possible, key, false, place);
  if (renamedFrom === null) return null;
  const former = records.find(
    (one) => one.has(kind, renamedFrom.identity) || (live === undefined && one.mayHave(kind, renamedFrom.identity)),
  );
  if (former === undefined) return null;
  return meant(former, renamedFrom.key, former.has(kind, renamedFrom.identity), renamedFrom.place);
}

function sentence(key: string, { record }: PossibleKeys, isOwn: boolean): string {
  const what = `${record.kind} ${record.id}`;
  const read = fieldsText(record.unreadable);
  return isOwn
    ? `\`${key}\` is ${what}, which linkform cannot read: ${read}.`
    : `\`${key}\` may be ${what}, which linkform cannot read: ${read}.`;
}

function hintFor({ kind }: Desired): string {
  return `Fix the ${kind} in the service's web interface, or remove this block from the files until it is fixed.`;
}

/** The number of records that the warning names. */
const NAMED = 5;

/** One warning for all unreadable records. */
export function unreadableWarning(records: readonly UnreadableLive[]): Diagnostic[] {
  if (records.length === 0) return [];
  const named = records.slice(0, NAMED).map(({ live: { kind, id }, key, fields }) => {
    return `${kind} ${id}${key === null ? "" : ` \`${key}\``} (${fieldsText(fields)})`;
  });
  const more = records.length > NAMED ? `; and ${records.length - NAMED} more` : "";
  const them = records.length === 1 ? "it" : "them";
  const count = records.length === 1 ? "1 record" : `${records.length} records`;
  const message = `linkform cannot read ${count} of the account and does not change ${them}: ${named.join("; ")}${more}.`;
  const all = records.length > NAMED ? " `--format json` lists all of them under `unreadable`." : "";
  return [warning(CODE, message, null, `Fix ${them} in the service's web interface.${all}`)];
}
