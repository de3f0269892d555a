// Rows with an invalid field stay out of the plan, and declaring or deleting one of them is an error.

import type { Desired, UnreadableLive } from "../domain/change.ts";
import { error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { fieldsText, MISSING, type LiveRecord, type UnreadableField } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { wireOf } from "../domain/wire.ts";
import type { Claim } from "./claims.ts";
import { resolveRecord } from "./live-records.ts";
import { nameOf, type ComparisonSide, type Keys } from "./names.ts";
import type { ResolvedTombstone } from "./resolve.ts";

/** Rows of one kind that were read together. */
interface SeparatedRecords {
  readonly readable: readonly LiveRecord[];
  readonly unreadable: readonly LiveRecord[];
}

/**
 * Splits the rows of one list. A field that the service returns for none of them is unknown for all of them; one that only
 * some of them lack makes those unreadable, because their silence says nothing about the service.
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

/** Puts unreadable rows in the form of live ones, as far as they can be read. */
export function resolveUnreadable(records: readonly LiveRecord[], side: ComparisonSide): UnreadableLive[] {
  return records.map((record) => ({
    live: resolveRecord(record, side),
    key: keyOf(record, side.keys),
    fields: record.unreadable,
  }));
}

/** The key of a row; null where part of it can't be read. */
function keyOf(record: LiveRecord, keys: Keys): string | null {
  const hasDomain = record.kind === "pixel" || record.references.has(REFERENCE_FIELD.domain);
  return hasDomain && record.values.has(KEY_FIELD[record.kind]) ? keys.keyOfRow(record) : null;
}

/** Which keys an unreadable row has, or may have. */
class PossibleKeys {
  readonly record: LiveRecord;
  /** How the identities of its kind and domain begin; null where its domain can't be read. */
  readonly #prefix: string | null;
  /** Folded; null where it can't be read. */
  readonly #name: string | null;

  constructor(record: LiveRecord, keys: Keys) {
    const name = record.values.has(KEY_FIELD[record.kind]) ? fold(nameOf(record)) : null;
    const identity = keys.identityOfRow(record);
    const hasDomain = record.kind === "pixel" || record.references.has(REFERENCE_FIELD.domain);
    this.record = record;
    this.#name = name;
    this.#prefix = hasDomain ? identity.slice(0, identity.length - (name ?? "").length) : null;
  }

  /** Whether the row has this key. */
  has(kind: ResourceKind, identity: string): boolean {
    return this.#prefix !== null && this.#name !== null && this.mayHave(kind, identity);
  }

  /** Whether all that can be read of the row's key agrees with this one. */
  mayHave(kind: ResourceKind, identity: string): boolean {
    if (kind !== this.record.kind) return false;
    // No alias has a slash; a pixel's name may have one.
    const end = kind === "pixel" ? "pixel ".length : identity.lastIndexOf("/") + 1;
    const isDomain = this.#prefix === null || this.#prefix === identity.slice(0, end);
    return isDomain && (this.#name === null || this.#name === identity.slice(end));
  }

  /** The same, where the name or alias itself can be read. */
  mayBeNamed(kind: ResourceKind, identity: string): boolean {
    return this.#name !== null && this.mayHave(kind, identity);
  }
}

/** The declarations and tombstones that mean an unreadable row, or may mean one; with an error for each. */
interface Blocked {
  readonly diagnostics: readonly Diagnostic[];
  /** The row that is meant, by the place of the block or tombstone. */
  readonly records: ReadonlyMap<Place, LiveRecord>;
}

/**
 * Finds what the files say about unreadable rows. `own` is whether the row has the key, `possible` whether what can be read of its
 * key agrees:
 *
 *     the files name the key in            row       →
 *     a declaration                        own       error
 *     a declaration without a live row     possible  error: to store it could double the row
 *     `renamed_from`                       own       error
 *     `renamed_from`, without a live row   possible, by name   error
 *     a tombstone, by id                   —         error
 *     a tombstone, by key                  own       error
 *     a tombstone without a live row       possible, by name   error: it is not spent
 */
export function blockedBy(
  unreadable: readonly LiveRecord[],
  keys: Keys,
  claims: readonly Claim[],
  tombstones: readonly ResolvedTombstone[],
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
    const hint = `Fix the ${kind} on the service's own pages, or delete it there and remove the tombstone.`;
    diagnostics.push(error(CODE, sentence(key, meant, id !== null || meant.has(kind, identity)), place, hint));
    blocked.set(place, meant.record);
  }
  return { diagnostics, records: blocked };
}

/**
 * The unreadable rows that have one of these keys, or may have one that no row has which can be read. `settled` are the same rows in
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

/** An error about a declaration, and the row that it means. */
interface BlockedDeclaration {
  readonly diagnostic: Diagnostic;
  readonly record: LiveRecord;
}

function meantBy({ desired, live }: Claim, records: readonly PossibleKeys[]): BlockedDeclaration | null {
  const { kind, identity, key, place, renamedFrom, liveId: id } = desired;
  const takesKey = live === undefined || live.identity !== identity;
  const meant = (one: PossibleKeys, named: string, isOwn: boolean, at: Place): BlockedDeclaration => ({
    diagnostic: error(CODE, sentence(named, one, isOwn), at, hintFor(desired)),
    record: one.record,
  });
  const own = records.find((one) => one.has(kind, identity) || (id === one.record.id && kind === one.record.kind));
  if (own !== undefined) return meant(own, key, true, place);
  const possible = takesKey ? records.find((one) => one.mayHave(kind, identity)) : undefined;
  if (possible !== undefined) return meant(possible, key, false, place);
  if (renamedFrom === null) return null;
  const former = records.find(
    (one) => one.has(kind, renamedFrom.identity) || (live === undefined && one.mayBeNamed(kind, renamedFrom.identity)),
  );
  if (former === undefined) return null;
  return meant(former, renamedFrom.key, former.has(kind, renamedFrom.identity), renamedFrom.place);
}

function sentence(key: string, { record }: PossibleKeys, isOwn: boolean): string {
  const what = `${record.kind} ${record.id}`;
  const read = fieldsText(record.unreadable);
  return isOwn
    ? `\`${key}\` is ${what}, and linkform cannot read it: ${read}.`
    : `\`${key}\` may be ${what}, which linkform cannot read: ${read}.`;
}

function hintFor({ kind }: Desired): string {
  return `Fix the ${kind} on the service's own pages, or take this block out of the files until it is fixed.`;
}

/** Rows that the warning names; the others are counted. */
const NAMED = 5;

/** One warning for all unreadable rows; none without any. */
export function unreadableWarning(records: readonly UnreadableLive[]): Diagnostic[] {
  if (records.length === 0) return [];
  const named = records.slice(0, NAMED).map(({ live: { kind, id }, key, fields }) => {
    return `${kind} ${id}${key === null ? "" : ` \`${key}\``} (${fieldsText(fields)})`;
  });
  const more = records.length > NAMED ? `; and ${records.length - NAMED} more` : "";
  const them = records.length === 1 ? "it" : "them";
  const count = records.length === 1 ? "1 row" : `${records.length} rows`;
  const message = `linkform cannot read ${count} of the account and does not touch ${them}: ${named.join("; ")}${more}.`;
  const all = records.length > NAMED ? " `--format json` lists all of them under `unreadable`." : "";
  return [warning(CODE, message, null, `Fix ${them} on the service's own pages.${all}`)];
}
