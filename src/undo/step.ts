// Decides for each change of a receipt how to undo it, if the account is still as the apply left it.

import type { FieldChange } from "../domain/change.ts";
import type { FieldSpec, SecretSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { Loss, ReceiptChange, SkippedChange, Snapshot } from "../domain/receipt.ts";
import { EXPIRATION_URL, FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { isRepeated, isStorable, MINUTES, wallTimeOf } from "../domain/zone.ts";
import {
  defaultFieldValue,
  fieldChangeSince,
  fieldValueOf,
  identityOf,
  isSet,
  keyOf,
  plainValue,
  type FieldValue,
  type ReceiptRecords,
} from "./live.ts";
import {
  clickLosses,
  dateNotRestored,
  dateNotStorable,
  loss,
  recordGone,
  recordMoved,
  recreatedWithoutSecrets,
  recreateLosses,
  secretMissing,
  secretsNotRestored,
  skippedChange,
  staysProtected,
  type MissingSecret,
} from "./messages.ts";

/** Environment variables that hold secrets, by the path of the field. */
export type UndoSecrets = ReadonlyMap<string, string>;

/** What undoes a change: delete a record, restore fields of a record, or create a deleted object again. */
export type UndoStep =
  | { readonly action: "delete"; readonly change: ReceiptChange; readonly record: LiveRecord }
  | {
      readonly action: "restore";
      readonly change: ReceiptChange;
      readonly record: LiveRecord;
      readonly fields: ReadonlyMap<string, FieldValue>;
      /** The previous alias or pixel name; null if it stays. */
      readonly restoredName: string | null;
      readonly secrets: UndoSecrets;
      /** Whether secrets are sent although one is set now. */
      readonly isResent: boolean;
    }
  | {
      readonly action: "recreate";
      readonly change: ReceiptChange;
      /** The record to delete after the former object exists again; null for none. */
      readonly record: LiveRecord | null;
      readonly snapshot: Snapshot;
      readonly secrets: UndoSecrets;
    };

/** How to undo a change. If there is no step and nothing is skipped, the change is already undone or was never made. */
export interface Decision {
  readonly step: UndoStep | null;
  readonly losses: readonly Loss[];
  readonly skipped: readonly SkippedChange[];
  /** Whether the receipt has no id for the created record, so that only its values identify it. */
  readonly isUnconfirmed: boolean;
}

export interface DecideOptions {
  /** Overwrite later changes, and recreate objects even if they would be less protected. */
  readonly force: boolean;
  readonly variableFor: (change: ReceiptChange, path: string) => Variable;
  /** The time zone of the account; null if unknown. */
  readonly accountZone: string | null;
}

/** An environment variable for a secret. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
}

const NO_STEP: Decision = { step: null, losses: [], skipped: [], isUnconfirmed: false };

/** A decision to skip a change. */
export function skip(skipped: SkippedChange): Decision {
  return { ...NO_STEP, skipped: [skipped] };
}

/** Whether the apply did nothing for this change. A live record that looks like its result was made by someone else. */
export function wasNotMade({ outcome, mayHaveActed }: ReceiptChange): boolean {
  return outcome === "skipped" || mayHaveActed === false;
}

export function decideUndo(change: ReceiptChange, live: ReceiptRecords, options: DecideOptions): Decision {
  if (wasNotMade(change)) return NO_STEP;
  switch (change.action) {
    case "create":
      return undoCreate(change, live, options);
    case "update":
      return undoUpdate(change, live, options);
    case "delete":
      return live.findById(change.kind, change.id ?? 0) === undefined ? recreate(change, null, live, options) : NO_STEP;
    case "replace":
      return undoReplace(change, live, options);
    default:
      return change.action satisfies never;
  }
}

/** Recreates the former record, then deletes the one that replaced it. */
function undoReplace(change: ReceiptChange, live: ReceiptRecords, options: DecideOptions): Decision {
  const undoneCreate = undoCreate(change, live, options);
  // The apply stopped before it deleted the former record.
  if (live.findById(change.kind, change.id ?? 0) !== undefined) return undoneCreate;
  const { step, losses, skipped, isUnconfirmed } = undoneCreate;
  if (step?.action === "delete") {
    const recreated = recreate(change, step.record, live, options);
    return {
      ...recreated,
      losses: recreated.step === null ? [] : [...recreated.losses, ...losses],
      isUnconfirmed,
    };
  }
  if (skipped.length > 0) return undoneCreate;
  if (
    change.keyBefore !== null &&
    change.before !== null &&
    live.isRestored(change.kind, change.keyBefore, change.before)
  )
    return NO_STEP;
  if (options.force) return recreate(change, null, live, options);
  const message = `replaced another ${change.kind}, but no longer exists.`;
  return skip(
    skippedChange(change, "gone-since", message, `To create the former ${change.kind} again anyway, add --force.`),
  );
}

/** Creates the former object again. `successor` is the record that replaced it; null for none. */
function recreate(
  change: ReceiptChange,
  successor: LiveRecord | null,
  live: ReceiptRecords,
  options: DecideOptions,
): Decision {
  const { kind, keyBefore, before } = change;
  if (before === null || keyBefore === null) return NO_STEP;
  const secretFields = FIELDS[kind].flatMap((field) =>
    field.kind === "secret" && isSet(fieldValueOf(before, field.path)) ? [field] : [],
  );
  const variables = secretFields.map((field) => ({ field, ...options.variableFor(change, field.path) }));
  // A secret that protects only a part of the object can be left out: that part becomes private.
  const optional = variables.filter(({ field }) => field.worksWith !== null);
  const withoutOptional = withoutSecrets(
    before,
    optional.map(({ field }) => field),
  );
  // An earlier undo that was interrupted may have created it.
  const isRestored = live.isRestored(kind, keyBefore, before);
  if (isRestored || live.isRestored(kind, keyBefore, withoutOptional)) {
    return {
      ...NO_STEP,
      step: successor === null ? null : { action: "delete", change, record: successor },
      skipped: isRestored
        ? []
        : [recreatedWithoutSecrets(change, optional.map(missingSecret), before, withoutOptional)],
    };
  }
  const notStorable = FIELDS[kind].find((field) => {
    const value = fieldValueOf(before, field.path);
    return value !== undefined && !canStore(field, value, options.accountZone);
  });
  if (notStorable !== undefined) return skip(dateNotStorable(change, notStorable));
  const unknown = FIELDS[kind].find(
    ({ path, opens }) => opens?.when === "set" && fieldValueOf(before, path) === undefined,
  );
  if (!options.force && unknown !== undefined) {
    const message = `may have had a \`${unknown.path}\`, which the service does not return. It would be created again without one.`;
    return skip(skippedChange(change, "would-open", message, "To create it again anyway, add --force."));
  }
  if (!options.force && mayHaveExpired(kind, before, change.clicks)) {
    const message =
      "may have reached its click limit. If it is created again, its clicks start at 0 and it works again.";
    return skip(skippedChange(change, "would-open", message, "To create it again anyway, add --force."));
  }
  const missing = variables.filter((variable) => !variable.isSet);
  if (missing.some(({ field }) => field.worksWith === null))
    return skip(secretMissing(change, missing.map(missingSecret)));
  const snapshot = withoutSecrets(
    before,
    missing.map(({ field }) => field),
  );
  const secrets = new Map(
    variables.flatMap((variable) => (variable.isSet ? [[variable.field.path, variable.name]] : [])),
  );
  return {
    ...NO_STEP,
    step: { action: "recreate", change, record: successor, snapshot, secrets },
    losses: recreateLosses(change, before),
    skipped:
      missing.length === 0 ? [] : [recreatedWithoutSecrets(change, missing.map(missingSecret), before, snapshot)],
  };
}

function missingSecret({
  field: { path },
  name,
}: {
  readonly field: SecretSpec;
  readonly name: string;
}): MissingSecret {
  return { path, variable: name };
}

/** A snapshot without these secrets. What each of them protected becomes private. */
function withoutSecrets(snapshot: Snapshot, secrets: readonly SecretSpec[]): Snapshot {
  const values = new Map(snapshot.values);
  for (const { path, worksWith } of secrets) {
    values.set(path, false);
    if (worksWith !== null && values.get(worksWith.path) === worksWith.value)
      values.set(worksWith.path, worksWith.without);
  }
  return { ...snapshot, values };
}

/** Restores the fields that are still as the apply left them, and skips the others. */
function undoUpdate(change: ReceiptChange, live: ReceiptRecords, options: DecideOptions): Decision {
  const { kind, id, before, after } = change;
  const record = live.findById(kind, id ?? 0);
  if (record === undefined) return skip(recordGone(change, live));
  if (before === null || after === null) return NO_STEP;
  if (!options.force && hasOtherKey(change, record)) return skip(recordMoved(change, record));
  const fields = new Map<string, FieldValue>();
  const secrets = new Map<string, string>();
  const changedSince: FieldChange[] = [];
  const losses: Loss[] = [];
  const skipped: SkippedChange[] = [];
  let restoredName: string | null = null;
  let isResent = false;
  const missingSecrets: MissingSecret[] = [];
  const notStorable: FieldSpec[] = [];
  for (const field of FIELDS[kind]) {
    const { path } = field;
    const [previous, applied, current] = [before, after, record].map((state) => fieldValueOf(state, path));
    if (applied === undefined) continue;
    if (previous === undefined || current === undefined) {
      losses.push(loss(change, `the former \`${path}\`, because the service does not return it.`));
      continue;
    }
    const isSecret = field.kind === "secret" && isSet(previous);
    if (live.isSame(field, previous, current)) {
      if (!isSecret || !isSet(applied)) continue;
      // The apply sent the secret, which may have changed it. The service does not return it.
      const variable = options.variableFor(change, path);
      if (variable.isSet) {
        secrets.set(path, variable.name);
        fields.set(path, previous);
        isResent = true;
      } else {
        const message = `the former \`${path}\`, which linkform cannot read. To restore it, set ${variable.name} to the former value.`;
        losses.push(loss(change, message));
      }
      continue;
    }
    if (!live.isSame(field, applied, current) && !options.force) {
      changedSince.push(fieldChangeSince(field, applied, current));
      continue;
    }
    if (isSecret) {
      const variable = options.variableFor(change, path);
      if (!variable.isSet) {
        missingSecrets.push({ path, variable: variable.name });
        continue;
      }
      secrets.set(path, variable.name);
    }
    if (!canStore(field, previous, options.accountZone)) {
      notStorable.push(field);
      continue;
    }
    const value = plainValue(previous);
    if (path === KEY_FIELD[kind] && value !== undefined) restoredName = String(value);
    else fields.set(path, previous);
  }
  // Fields that a missing password or expiration date protected are not restored either.
  const missing = [...missingSecrets, ...notStorable].map(({ path }) => path);
  const unprotected = FIELDS[kind]
    .filter((field) => needsMissingProtection(field, kind, fields, record, missing))
    .map(({ path }) => path);
  for (const path of unprotected) fields.delete(path);
  if (restoredName !== null && losesVisitorProtection(kind, missing)) {
    restoredName = null;
    unprotected.push(KEY_FIELD[kind]);
  }
  if (missingSecrets.length > 0) skipped.push(secretsNotRestored(change, missingSecrets, unprotected));
  for (const field of notStorable) skipped.push(dateNotRestored(change, field, unprotected));
  if (changedSince.length > 0) {
    // What the protection hides may be different now, so the protection stays.
    for (const field of FIELDS[kind].filter((one) => reducesProtection(one, fields, record))) {
      fields.delete(field.path);
      skipped.push(staysProtected(change, field));
    }
    const message = "has changed in the meantime, and these values are kept:";
    skipped.push(skippedChange(change, "changed-since", message, "To overwrite them, add --force.", changedSince));
  }
  const isEmpty = fields.size === 0 && restoredName === null;
  return {
    ...NO_STEP,
    step: isEmpty ? null : { action: "restore", change, record, fields, restoredName, secrets, isResent },
    losses,
    skipped,
  };
}

/** Whether the record has neither the key that the apply left nor the one before: somebody made it another object. */
function hasOtherKey({ kind, keyBefore, keyAfter }: ReceiptChange, record: LiveRecord): boolean {
  const identity = identityOf(kind, keyOf(record));
  return [keyBefore, keyAfter].every((key) => key === null || identityOf(kind, key) !== identity);
}

/** Whether one of the missing fields protects the destination from visitors. */
function losesVisitorProtection(kind: ResourceKind, missing: readonly string[]): boolean {
  return FIELDS[kind].some(({ path, visitors }) => visitors && missing.includes(path));
}

/**
 * Whether restoring a field would expose something because other fields are missing: a destination without its password or
 * expiration, or statistics without their password, unless they are public now.
 */
function needsMissingProtection(
  field: FieldSpec,
  kind: ResourceKind,
  fields: ReadonlyMap<string, FieldValue>,
  record: LiveRecord,
  missing: readonly string[],
): boolean {
  const previous = fields.get(field.path);
  if (previous === undefined) return false;
  if (losesVisitorProtection(kind, missing)) {
    const isDestination = field.visitors && field.opens === null && field !== EXPIRATION_URL;
    if (isDestination || reducesProtection(field, fields, record)) return true;
  }
  const current = plainValue(fieldValueOf(record, field.path));
  const isPublic = current !== undefined && sameValue(current, field.default);
  return (
    !isPublic &&
    FIELDS[kind].some(
      (secret) =>
        secret.kind === "secret" &&
        missing.includes(secret.path) &&
        secret.worksWith?.path === field.path &&
        plainValue(previous) === secret.worksWith.value,
    )
  );
}

/** Whether restoring a field removes a protection, or makes the object expire later. */
function reducesProtection(field: FieldSpec, fields: ReadonlyMap<string, FieldValue>, record: LiveRecord): boolean {
  const [previous, current] = [fields.get(field.path), fieldValueOf(record, field.path)].map(plainValue);
  if (field.opens === null || previous === undefined) return false;
  if (sameValue(previous, field.default)) return true;
  const isLimit = field.opens.when === "expired" && (field.kind === "instant" || field.kind === "count");
  return isLimit && current !== undefined && isGreater(previous, current);
}

/** Compares canonical dates, or numbers of clicks. */
function isGreater(one: Value, other: Value): boolean {
  if (typeof one === "number") return typeof other === "number" && one > other;
  return typeof one === "string" && typeof other === "string" && one > other;
}

/** Deletes the record that the change created, and never another record with its key. */
function undoCreate(change: ReceiptChange, live: ReceiptRecords, options: DecideOptions): Decision {
  const created = findCreatedRecord(change, live);
  if ("skipped" in created) return skip(created.skipped);
  const { record } = created;
  if (record === null) return NO_STEP;
  const changedSince = options.force ? [] : changesSinceCreate(change, record, live);
  if (changedSince.length > 0) {
    const message = "has changed in the meantime, so it is not deleted:";
    const hint = "To delete it anyway, add --force.";
    return skip(skippedChange(change, "changed-since", message, hint, changedSince));
  }
  return {
    ...NO_STEP,
    step: { action: "delete", change, record },
    losses: clickLosses(change, record),
    isUnconfirmed: change.newId === null,
  };
}

/** Finds the created record by its id. If the receipt has none, finds it by its key and required fields. */
function findCreatedRecord(
  change: ReceiptChange,
  live: ReceiptRecords,
): { readonly record: LiveRecord | null } | { readonly skipped: SkippedChange } {
  const [holder, ...others] = change.keyAfter === null ? [] : live.findByKey(change.kind, change.keyAfter);
  if (change.newId !== null) {
    const record = live.findById(change.kind, change.newId);
    if (record !== undefined || holder === undefined) return { record: record ?? null };
    const message = `(id ${change.newId}) no longer exists. The ${change.kind} that now has its key (id ${holder.id}) is not changed.`;
    return { skipped: skippedChange(change, "gone-since", message) };
  }
  if (holder === undefined) return { record: null };
  if (others.length === 0 && matchesReceipt(change, holder, live)) return { record: holder };
  const message = `exists (id ${holder.id}), but with other values than this apply sent. It may belong to somebody else, so it is not changed.`;
  return { skipped: skippedChange(change, "not-ours", message) };
}

/** Compares the required fields except the key: the destination of a link, the type and value of a pixel. */
function matchesReceipt({ kind, after }: ReceiptChange, record: LiveRecord, live: ReceiptRecords): boolean {
  return FIELDS[kind].every((field) => {
    const { path } = field;
    if (!field.required || field.kind === "reference" || path === KEY_FIELD[kind]) return true;
    const [created, current] = [after && fieldValueOf(after, path), fieldValueOf(record, path)];
    return created !== undefined && created !== null && current !== undefined && live.isSame(field, created, current);
  });
}

/**
 * The fields that differ from the created record. Without an id in the receipt, the apply may have stopped halfway through the create,
 * so a default value is not a difference either.
 */
function changesSinceCreate(
  { kind, after, newId }: ReceiptChange,
  record: LiveRecord,
  live: ReceiptRecords,
): FieldChange[] {
  return FIELDS[kind].flatMap((field) => {
    const [unset, current] = [defaultFieldValue(field), fieldValueOf(record, field.path)];
    const created = (after && fieldValueOf(after, field.path)) ?? unset;
    if (current === undefined || live.isSame(field, created, current)) return [];
    if (newId === null && live.isSame(field, unset, current)) return [];
    return [fieldChangeSince(field, created, current)];
  });
}

/** Whether the service can store this value. If the zone of the account is unknown, the planner reports it. */
function canStore(field: FieldSpec, fieldValue: FieldValue, accountZone: string | null): boolean {
  const value = plainValue(fieldValue);
  if (field.kind !== "instant" || typeof value !== "string" || accountZone === null) return true;
  const wall = wallTimeOf(value, accountZone);
  return isStorable(field, value, wall) && wall.length === MINUTES && !isRepeated(value, accountZone);
}

/** Whether a link had reached its click limit, which a recreated link counts from 0 again. Unknown clicks may have reached it. */
function mayHaveExpired(kind: ResourceKind, before: Snapshot, clicks: number | null): boolean {
  return FIELDS[kind].some((field) => {
    if (field.kind !== "count" || field.opens?.when !== "expired") return false;
    const limit = plainValue(fieldValueOf(before, field.path));
    return typeof limit === "number" && (clicks === null || clicks >= limit);
  });
}
