// Rows with an invalid field stay out of the plan, and declaring or deleting one of them is an error.

import type { Desired, Live, UnreadableLive } from "../domain/change.ts";
import { error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { fieldsText, MISSING, type LiveRecord, type UnreadableField } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Tombstone } from "../domain/project.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { wireOf } from "../domain/wire.ts";
import type { Claim } from "./claims.ts";
import { resolveRecord } from "./live-records.ts";
import { nameOf, type AccountNames, type Identified, type Keys } from "./names.ts";

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
export function resolveUnreadable(records: readonly LiveRecord[], side: AccountNames): UnreadableLive[] {
  return records.map((record) => ({
    live: resolveRecord(record, side),
    key: knownKey(record, side.keys),
    fields: record.unreadable,
  }));
}

/** The key of a record; null if part of it is invalid. */
function knownKey(record: LiveRecord, keys: Keys): string | null {
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

  /** Whether the whole key is valid. */
  get isKnown(): boolean {
    return this.#prefix !== null && this.#name !== null;
  }

  /** Whether a key means the record: the record has it, or its valid parts match the key, which no readable record has. */
  isMeant({ kind, identity, isLive, id, isTombstone = false }: MentionedKey): boolean {
    if (kind !== this.record.kind) return false;
    if (id !== undefined && id !== null) return id === this.record.id;
    if (!this.isKnown && (isLive || (isTombstone && this.#name === null))) return false;
    // No alias has a slash; a pixel's name may have one.
    const end = kind === "pixel" ? "pixel ".length : identity.lastIndexOf("/") + 1;
    const isDomain = this.#prefix === null || this.#prefix === identity.slice(0, end);
    return isDomain && (this.#name === null || this.#name === identity.slice(end));
  }
}

/** A key of the files. */
interface MentionedKey extends Pick<Desired, "kind" | "identity"> {
  /** Whether a readable record has the key, or nothing would be created under it. */
  readonly isLive: boolean;
  /** The id that a tombstone names. */
  readonly id?: number | null | undefined;
  readonly isTombstone?: boolean;
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
  const diagnostics: Diagnostic[] = [];
  const blocked = new Map<Place, LiveRecord>();
  if (unreadable.length === 0) return { diagnostics, records: blocked };
  const records = unreadable
    .map((record) => new PossibleKeys(record, keys))
    .toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown));
  const check = (block: Place, { key, place, ...mentioned }: MentionedKey & { key: string; place: Place }): void => {
    const meant = blocked.has(block) ? undefined : records.find((one) => one.isMeant(mentioned));
    if (meant === undefined) return;
    const { kind, id, unreadable: fields } = meant.record;
    const is = meant.isKnown || mentioned.id === id ? "is" : "may be";
    const message = `\`${key}\` ${is} ${kind} ${id}, which linkform cannot read: ${fieldsText(fields)}.`;
    const otherwise = mentioned.isTombstone
      ? "or delete it there and remove the tombstone."
      : "or remove this block from the files until it is fixed.";
    diagnostics.push(error(CODE, message, place, `Fix the ${kind} in the service's web interface, ${otherwise}`));
    blocked.set(block, meant.record);
  };
  for (const { desired, live } of claims) {
    const { kind, identity, key, place, renamedFrom } = desired;
    check(place, { kind, identity, key, place, isLive: live?.identity === identity });
    if (renamedFrom !== null) check(place, { kind, ...renamedFrom, isLive: live !== undefined });
  }
  for (const { tombstone, identity, key, live } of tombstones) {
    const { kind, id, place } = tombstone;
    check(place, { kind, identity, key, place, id, isLive: live !== null, isTombstone: true });
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
  wanted: readonly MentionedKey[],
): UnreadableLive[] {
  return resolved.filter((_, at) => {
    const record = unreadable[at];
    if (record === undefined) return false;
    const possible = new PossibleKeys(record, keys);
    return wanted.some((one) => possible.isMeant(one));
  });
}

const CODE = "unreadable-row";

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
