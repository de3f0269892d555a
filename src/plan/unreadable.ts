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
interface Sorted {
  readonly readable: readonly LiveRecord[];
  readonly unreadable: readonly LiveRecord[];
}

/**
 * Splits the rows of one list. A field that the service returns for none of them is unknown for all of them; one that only
 * some of them lack makes those unreadable, because their silence says nothing about the service.
 */
export function separateUnreadable(rows: readonly LiveRecord[]): Sorted {
  const [first] = rows;
  if (first === undefined) return { readable: rows, unreadable: [] };
  const fields = FIELDS[first.kind];
  const has = ({ values, references }: LiveRecord, path: string): boolean => values.has(path) || references.has(path);
  const isShort = ({ values, references }: LiveRecord): boolean => values.size + references.size < fields.length;
  const short = rows.filter(isShort);
  if (short.length === 0 && rows.every((row) => row.unreadable.length === 0)) return { readable: rows, unreadable: [] };
  const returned =
    short.length < rows.length ? fields : fields.filter(({ path }) => rows.some((row) => has(row, path)));
  const readable: LiveRecord[] = [];
  const unreadable: LiveRecord[] = [];
  for (const row of rows) {
    const missing = isShort(row)
      ? returned.flatMap((field): UnreadableField[] => {
          const isNamed = row.unreadable.some(({ path }) => path === field.path);
          return isNamed || has(row, field.path)
            ? []
            : [{ path: field.path, returned: wireOf(field, row.software)?.returned ?? field.path, seen: MISSING }];
        })
      : [];
    if (missing.length > 0) unreadable.push({ ...row, unreadable: [...row.unreadable, ...missing] });
    else if (row.unreadable.length > 0) unreadable.push(row);
    else readable.push(row);
  }
  return { readable, unreadable };
}

/** Puts unreadable rows in the form of live ones, as far as they can be read. */
export function resolveUnreadable(rows: readonly LiveRecord[], side: ComparisonSide): UnreadableLive[] {
  return rows.map((row) => ({ live: resolveRecord(row, side), key: keyOf(row, side.keys), fields: row.unreadable }));
}

/** The key of a row; null where part of it can't be read. */
function keyOf(row: LiveRecord, keys: Keys): string | null {
  const hasDomain = row.kind === "pixel" || row.references.has(REFERENCE_FIELD.domain);
  return hasDomain && row.values.has(KEY_FIELD[row.kind]) ? keys.keyOfRow(row) : null;
}

/** Which keys an unreadable row has, or may have. */
class PossibleKeys {
  readonly row: LiveRecord;
  /** How the identities of its kind and domain begin; null where its domain can't be read. */
  readonly #prefix: string | null;
  /** Folded; null where it can't be read. */
  readonly #name: string | null;

  constructor(row: LiveRecord, keys: Keys) {
    const name = row.values.has(KEY_FIELD[row.kind]) ? fold(nameOf(row)) : null;
    const identity = keys.identityOfRow(row);
    const hasDomain = row.kind === "pixel" || row.references.has(REFERENCE_FIELD.domain);
    this.row = row;
    this.#name = name;
    this.#prefix = hasDomain ? identity.slice(0, identity.length - (name ?? "").length) : null;
  }

  /** Whether the row has this key. */
  has(kind: ResourceKind, identity: string): boolean {
    return this.#prefix !== null && this.#name !== null && this.mayHave(kind, identity);
  }

  /** Whether all that can be read of the row's key agrees with this one. */
  mayHave(kind: ResourceKind, identity: string): boolean {
    if (kind !== this.row.kind) return false;
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
  readonly rows: ReadonlyMap<Place, LiveRecord>;
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
  const rows = unreadable.map((row) => new PossibleKeys(row, keys));
  const diagnostics: Diagnostic[] = [];
  const blocked = new Map<Place, LiveRecord>();
  if (rows.length === 0) return { diagnostics, rows: blocked };
  for (const claim of claims) {
    const found = meantBy(claim, rows);
    if (found === null) continue;
    diagnostics.push(found.diagnostic);
    blocked.set(claim.desired.place, found.row);
  }
  for (const { tombstone, identity, key, live } of tombstones) {
    const { kind, id, place } = tombstone;
    const meant = rows.find((one) =>
      id === null
        ? one.has(kind, identity) || (live === null && one.mayBeNamed(kind, identity))
        : one.row.id === id && one.row.kind === kind,
    );
    if (meant === undefined) continue;
    const hint = `Fix the ${kind} on the service's own pages, or delete it there and remove the tombstone.`;
    diagnostics.push(error(CODE, sentence(key, meant, id !== null || meant.has(kind, identity)), place, hint));
    blocked.set(place, meant.row);
  }
  return { diagnostics, rows: blocked };
}

/**
 * The unreadable rows that have one of these keys, or may have one that no row has which can be read. `settled` are the same rows in
 * canonical form, in the same order.
 */
export function unreadableWithKeys(
  unreadable: readonly LiveRecord[],
  settled: readonly UnreadableLive[],
  keys: Keys,
  wanted: readonly (Pick<Desired, "kind" | "identity"> & { readonly isLive: boolean })[],
): UnreadableLive[] {
  return settled.filter((_, at) => {
    const row = unreadable[at];
    if (row === undefined) return false;
    const possible = new PossibleKeys(row, keys);
    return wanted.some(({ kind, identity, isLive }) =>
      isLive ? possible.has(kind, identity) : possible.mayHave(kind, identity),
    );
  });
}

const CODE = "unreadable-row";

/** An error about a declaration, and the row that it means. */
interface BlockedPlaces {
  readonly diagnostic: Diagnostic;
  readonly row: LiveRecord;
}

function meantBy({ desired, live }: Claim, rows: readonly PossibleKeys[]): BlockedPlaces | null {
  const { kind, identity, key, place, renamedFrom, row: id } = desired;
  const takesKey = live === undefined || live.identity !== identity;
  const meant = (one: PossibleKeys, named: string, isOwn: boolean, at: Place): BlockedPlaces => ({
    diagnostic: error(CODE, sentence(named, one, isOwn), at, hintFor(desired)),
    row: one.row,
  });
  const own = rows.find((one) => one.has(kind, identity) || (id === one.row.id && kind === one.row.kind));
  if (own !== undefined) return meant(own, key, true, place);
  const possible = takesKey ? rows.find((one) => one.mayHave(kind, identity)) : undefined;
  if (possible !== undefined) return meant(possible, key, false, place);
  if (renamedFrom === null) return null;
  const former = rows.find(
    (one) => one.has(kind, renamedFrom.identity) || (live === undefined && one.mayBeNamed(kind, renamedFrom.identity)),
  );
  if (former === undefined) return null;
  return meant(former, renamedFrom.key, former.has(kind, renamedFrom.identity), renamedFrom.place);
}

function sentence(key: string, { row }: PossibleKeys, isOwn: boolean): string {
  const what = `${row.kind} ${row.id}`;
  const read = fieldsText(row.unreadable);
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
export function unreadableWarning(rows: readonly UnreadableLive[]): Diagnostic[] {
  if (rows.length === 0) return [];
  const named = rows.slice(0, NAMED).map(({ live: { kind, id }, key, fields }) => {
    return `${kind} ${id}${key === null ? "" : ` \`${key}\``} (${fieldsText(fields)})`;
  });
  const more = rows.length > NAMED ? `; and ${rows.length - NAMED} more` : "";
  const them = rows.length === 1 ? "it" : "them";
  const count = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  const message = `linkform cannot read ${count} of the account and does not touch ${them}: ${named.join("; ")}${more}.`;
  const all = rows.length > NAMED ? " `--format json` lists all of them under `unreadable`." : "";
  return [warning(CODE, message, null, `Fix ${them} on the service's own pages.${all}`)];
}
