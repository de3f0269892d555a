// Rows with an invalid field stay out of the plan, and declaring or deleting one of them is an error.

import type { Live, UnreadableLive } from "../domain/change.ts";
import { error, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { fieldsText, MISSING, type LiveRecord } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import type { Tombstone } from "../domain/project.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { wireOf } from "../domain/wire.ts";
import type { Claim } from "./claims.ts";
import { resolveRecord } from "./live-records.ts";
import type { AccountNames, Identified } from "./names.ts";
import { plural } from "../domain/words.ts";

/**
 * Separates the unreadable records of one list. A field that the service returns for no record is unknown for all. A field that
 * only some records lack makes these unreadable.
 */
export function separateUnreadable(records: readonly LiveRecord[]): Record<"readable" | "unreadable", LiveRecord[]> {
  const fields = FIELDS[records[0]?.kind ?? "link"];
  const has = ({ values, references }: LiveRecord, path: string): boolean => values.has(path) || references.has(path);
  const returned = fields.filter(({ path }) => records.some((record) => has(record, path)));
  const readable: LiveRecord[] = [];
  const unreadable: LiveRecord[] = [];
  for (const record of records) {
    const { values, references, software } = record;
    const isWhole = values.size + references.size >= fields.length;
    const missing = (isWhole ? [] : returned)
      .filter(({ path }) => !has(record, path) && !record.unreadable.some((one) => one.path === path))
      .map((field) => ({ path: field.path, returned: wireOf(field, software)?.returned ?? field.path, seen: MISSING }));
    if (missing.length === 0 && record.unreadable.length === 0) readable.push(record);
    else unreadable.push({ ...record, unreadable: [...record.unreadable, ...missing] });
  }
  return { readable, unreadable };
}

export function resolveUnreadable(record: LiveRecord, side: AccountNames): UnreadableLive {
  const hasDomain = record.kind === "pixel" || record.references.has(REFERENCE_FIELD.domain);
  const hasKey = hasDomain && record.values.has(KEY_FIELD[record.kind]);
  return { ...resolveRecord(record, side), hasKey, fields: record.unreadable };
}

/**
 * An error for each declaration, `renamed_from` or tombstone of an unreadable record, and the record by the place of its block. A record
 * whose key is invalid has none but by its id.
 */
export function blockedBy(
  unreadable: readonly UnreadableLive[],
  claims: readonly Claim[],
  tombstones: readonly (Identified & { readonly tombstone: Tombstone })[],
): { readonly diagnostics: readonly Diagnostic[]; readonly records: ReadonlyMap<Place, Live> } {
  const diagnostics: Diagnostic[] = [];
  const blocked = new Map<Place, Live>();
  const check = (block: Place, record: UnreadableLive | undefined, key: string, place: Place, or: string): void => {
    if (record === undefined || blocked.has(block)) return;
    const { kind, id, fields } = record;
    const message = `\`${key}\` is ${kind} ${id}, which linkform cannot read: ${fieldsText(fields)}.`;
    diagnostics.push(error(CODE, message, place, `Fix the ${kind} in the service's web interface, ${or}`));
    blocked.set(block, record);
  };
  const named = unreadable.filter(({ hasKey }) => hasKey);
  const byIdentity = new Map(named.map((record) => [record.identity, record]));
  const otherwise = "or remove this block from the files until it is fixed.";
  for (const { desired } of claims)
    for (const one of [desired, desired.renamedFrom])
      if (one !== null) check(desired.place, byIdentity.get(one.identity), one.key, one.place, otherwise);
  for (const { tombstone, identity, key } of tombstones) {
    const { kind, id, place } = tombstone;
    const record =
      id === null ? byIdentity.get(identity) : unreadable.find((one) => one.kind === kind && one.id === id);
    check(place, record, key, place, "or delete it there and remove the tombstone.");
  }
  return { diagnostics, records: blocked };
}

const CODE = "unreadable-row";

const NAMED = 5;

export function unreadableWarning(records: readonly UnreadableLive[]): Diagnostic[] {
  if (records.length === 0) return [];
  const named = records.slice(0, NAMED).map(({ kind, id, key, hasKey, fields }) => {
    return `${kind} ${id}${hasKey ? ` \`${key}\`` : ""} (${fieldsText(fields)})`;
  });
  const more = records.length > NAMED ? `; and ${records.length - NAMED} more` : "";
  const them = records.length === 1 ? "it" : "them";
  const message = `linkform cannot read ${plural(records.length, "record")} of the account and does not change ${them}: ${named.join("; ")}${more}.`;
  const all = records.length > NAMED ? " `--format json` lists all of them under `unreadable`." : "";
  return [warning(CODE, message, null, `Fix ${them} in the service's web interface.${all}`)];
}
