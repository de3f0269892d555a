// Decides for each object of a record how to restore it: whole, if the fields that the run changed are still as the run left them.

import type { FieldChange } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fieldsText, type LiveRecord } from "../domain/live.ts";
import type { Loss, RecordedChange, SkippedChange, SkipReason, Snapshot } from "../domain/run-record.ts";
import { EXPIRATION_URL, FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { isRepeated, isStorable, MINUTES, wallTimeOf } from "../domain/zone.ts";
import { HIDDEN } from "../http/redact.ts";
import { keyOf } from "../record/changes.ts";
import { plural } from "../report/counts.ts";
import {
  defaultFieldValue,
  displayKey,
  displayValue,
  fieldValueOf,
  hasOtherKey,
  identifyingFields,
  plainValue,
  type FieldValue,
  type LiveRecords,
} from "./live.ts";

/** What undoes a change: delete a record, restore fields of a record, or create a deleted object again. */
export type UndoStep =
  | {
      readonly action: "delete";
      readonly change: RecordedChange;
      readonly record: LiveRecord;
      /** The run is known to have created the record, and nobody changed or clicked it since. */
      readonly isUntouched: boolean;
    }
  | {
      readonly action: "restore";
      readonly change: RecordedChange;
      readonly record: LiveRecord;
      /** With the previous alias or pixel name, if the run changed it. */
      readonly fields: ReadonlyMap<string, FieldValue>;
      /** Environment variables that hold secrets, by the path of the field. */
      readonly secrets: ReadonlyMap<string, string>;
      /** Whether secrets are sent although one is set now. */
      readonly isResent: boolean;
    }
  | {
      readonly action: "recreate";
      readonly change: RecordedChange;
      /** The record to delete after the former object exists again; null for none. */
      readonly record: LiveRecord | null;
      readonly snapshot: Snapshot;
      readonly secrets: ReadonlyMap<string, string>;
    };

/** How to undo a change. If there is no step and nothing is left, the change is already undone or was never made. */
export interface Decision {
  readonly step: UndoStep | null;
  readonly losses: readonly Loss[];
  readonly skipped: readonly SkippedChange[];
  /** Whether the record has no id for the created object, so that only its values identify it. */
  readonly isUnconfirmed: boolean;
}

export interface DecideOptions {
  /** Overwrite later changes, and recreate objects even if they would be less protected. */
  readonly force: boolean;
  readonly variableFor: (change: RecordedChange, path: string) => Variable;
  /** The time zone of the account; null if unknown. */
  readonly accountZone: string | null;
}

/** An environment variable for a secret. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
}

const NOTHING: Decision = { step: null, losses: [], skipped: [], isUnconfirmed: false };

/** Whether the run did nothing for this change. A live record that looks like its result was made by someone else. */
export function wasNotMade({ outcome, mayHaveActed }: RecordedChange): boolean {
  return outcome === "skipped" || mayHaveActed === false;
}

export function decideUndo(change: RecordedChange, live: LiveRecords, options: DecideOptions): Decision {
  if (wasNotMade(change)) return NOTHING;
  if (JSON.stringify([change.key, change.keyBefore, change.keyAfter]).includes(HIDDEN))
    return leave(change, "moved", "had a secret in its key. The record does not contain it, so nothing is changed.");
  switch (change.action) {
    case "create":
      return undoCreate(change, live, options);
    case "update":
      return undoUpdate(change, live, options);
    case "delete":
      return live.findById(change.kind, change.id) === undefined ? recreate(change, null, live, options) : NOTHING;
    case "replace":
      return undoReplace(change, live, options);
    default:
      return change.action satisfies never;
  }
}

/** A change that is left out in whole or in part. `message` continues a sentence that starts with the key. */
export function skipped(
  { kind, key, previousKey, place }: RecordedChange,
  code: SkipReason,
  message: string,
  hint: string | null = null,
  fields: readonly FieldChange[] = [],
  paths: readonly string[] = [],
): SkippedChange {
  const named = previousKey === null ? `\`${key}\`` : `\`${key}\` (was \`${previousKey}\`)`;
  return { kind, key, previousKey, code, message: `${named} ${message}`, hint, paths, fields, place };
}

/** A decision to leave an object out. */
function leave(...about: Parameters<typeof skipped>): Decision {
  return { ...NOTHING, skipped: [skipped(...about)] };
}

/** The record has fields with invalid values. */
export function leaveUnreadable(change: RecordedChange, { kind, id, unreadable }: LiveRecord): Decision {
  const message = `is not changed, because linkform cannot read ${kind} ${id} (${fieldsText(unreadable)}).`;
  return leave(change, "unreadable-row", message, `Fix the ${kind} in the service's web interface, and undo again.`);
}

function loss({ kind, key, previousKey, action, place }: RecordedChange, message: string): Loss {
  return { kind, key: action === "replace" ? (previousKey ?? key) : key, message, place };
}

/** The record of a change is gone. Another one may have its key. */
function leaveGone(change: RecordedChange, id: number | null, live: LiveRecords): Decision {
  const [other] = live.findByKey(change.kind, change.keyAfter);
  const message =
    other === undefined
      ? `(id ${id}) no longer exists, so there is nothing to undo.`
      : `(id ${id}) no longer exists. The ${change.kind} that now has its key (id ${other.id}) is not changed.`;
  return leave(change, "moved", message);
}

/** Somebody gave the record another key. */
function leaveRenamed(change: RecordedChange, record: LiveRecord): Decision {
  const hint = `Change it manually, or rename it back to \`${change.key}\` and undo again.`;
  return leave(
    change,
    "moved",
    `(id ${record.id}) is \`${displayKey(keyOf(record))}\` now, so it is not changed.`,
    hint,
  );
}

/** A field of an object that the run changed: before the run, after it, and now. */
interface FieldStates {
  readonly field: FieldSpec;
  readonly previous: FieldValue | undefined;
  readonly applied: FieldValue;
  readonly current: FieldValue | undefined;
}

/** The changes since the run, by somebody else. */
function changesSince(states: readonly FieldStates[], live: LiveRecords): FieldChange[] {
  return states.flatMap(({ field, previous, applied, current }) =>
    current === undefined || [previous, applied].some((one) => live.isSame(field, one, current))
      ? []
      : [{ path: field.path, before: displayValue(field, applied), after: displayValue(field, current) }],
  );
}

/** Restores the fields of an object that is as the run left it. Without its password, it stays closed. */
function undoUpdate(change: RecordedChange, live: LiveRecords, options: DecideOptions): Decision {
  const { kind, id, before, after } = change;
  const record = live.findById(kind, id);
  if (record === undefined) return leaveGone(change, id, live);
  if (before === null || after === null) return NOTHING;
  if (hasOtherKey(change, record)) return leaveRenamed(change, record);
  // A destination without its former value must not be opened by the other fields.
  const [known, others] = [before, after].map((state) =>
    FIELDS[kind].flatMap(({ path }) => (fieldValueOf(state, path) === undefined ? [] : [path])),
  );
  if (known?.length === 0 || String(known) !== String(others)) {
    const message =
      "is not changed, because the record does not have all values before and after the run. Some contained a secret, or the service did not return them.";
    return leave(change, "moved", message, "Change it manually or in the files.");
  }
  const states = FIELDS[kind].flatMap((field): FieldStates[] => {
    const [previous, applied, current] = [before, after, record].map((state) => fieldValueOf(state, field.path));
    return applied === undefined ? [] : [{ field, previous, applied, current }];
  });
  const since = options.force ? [] : changesSince(states, live);
  if (since.length > 0)
    return leave(
      change,
      "moved",
      "has changed in the meantime, so it is not changed:",
      "To overwrite the changes, add --force.",
      since,
    );
  const losses: Loss[] = [];
  const fields = new Map<string, FieldValue>();
  const secrets = new Map<string, string>();
  const missing: MissingSecret[] = [];
  let isResent = false;
  for (const { field, previous, applied, current } of states) {
    const { path } = field;
    if (previous === undefined || current === undefined) {
      losses.push(loss(change, `the former \`${path}\`, because the service does not return it.`));
      continue;
    }
    const isRestored = live.isSame(field, previous, current);
    if (field.kind === "secret" && plainValue(previous) === true) {
      // The run may have sent a secret again, with another text. The service does not return it.
      if (isRestored && plainValue(applied) !== true) continue;
      const variable = options.variableFor(change, path);
      if (variable.isSet) {
        secrets.set(path, variable.name);
        fields.set(path, previous);
        isResent ||= isRestored;
      } else if (isRestored) {
        const message = `the former \`${path}\`, which linkform cannot read. To restore it, set ${variable.name} to the former value.`;
        losses.push(loss(change, message));
      } else missing.push({ path, variable: variable.name });
      continue;
    }
    if (isRestored) continue;
    if (!canStore(field, previous, options.accountZone)) return leaveDate(change, field, "it is not changed");
    fields.set(path, previous);
  }
  const unprotected = FIELDS[kind].filter((field) => needsMissingSecret(field, kind, fields, record, missing));
  for (const { path } of unprotected) fields.delete(path);
  return {
    ...NOTHING,
    step: fields.size === 0 ? null : { action: "restore", change, record, fields, secrets, isResent },
    losses,
    skipped: missing.length === 0 ? [] : [secretsNotRestored(change, missing, unprotected)],
  };
}

/** Deletes the record that the run created, and never another record with its key. */
function undoCreate(change: RecordedChange, live: LiveRecords, options: DecideOptions): Decision {
  const { kind, after, newId, keyAfter } = change;
  const [holder, ...others] = live.findByKey(kind, keyAfter);
  let record = holder;
  if (newId !== null) {
    record = live.findById(kind, newId);
    if (record === undefined) return holder === undefined ? NOTHING : leaveGone(change, newId, live);
    if (hasOtherKey({ ...change, keyBefore: null }, record)) return leaveRenamed(change, record);
  } else if (holder !== undefined && (others.length > 0 || !isAsSent(change, holder, live))) {
    const message = `exists (id ${holder.id}), but with other values than this run sent. It may belong to somebody else, so it is not changed.`;
    return leave(change, "not-ours", message);
  }
  if (record === undefined) return NOTHING;
  const found = record;
  const states = FIELDS[kind].map((field): FieldStates => {
    const unset = defaultFieldValue(field);
    const applied = (after && fieldValueOf(after, field.path)) ?? unset;
    // Without an id in the record, the run may have stopped halfway through the create, so a default value is not a difference either.
    return { field, previous: newId === null ? unset : applied, applied, current: fieldValueOf(found, field.path) };
  });
  const since = changesSince(states, live);
  if (since.length > 0 && !options.force) {
    const message = "has changed in the meantime, so it is not deleted:";
    return leave(change, "moved", message, "To delete it anyway, add --force.", since);
  }
  const { clicks } = record;
  const isUntouched = newId !== null && since.length === 0 && (kind === "pixel" || clicks === 0);
  return {
    ...NOTHING,
    step: { action: "delete", change, record, isUntouched },
    losses: (clicks ?? 0) === 0 ? [] : [loss(change, `the ${plural(clicks ?? 0, "click")} since the apply.`)],
    isUnconfirmed: newId === null,
  };
}

/** Whether a record has the required fields that the run sent. */
function isAsSent({ kind, after }: RecordedChange, record: LiveRecord, live: LiveRecords): boolean {
  return identifyingFields(kind).every((field) => {
    const created = after === null ? undefined : fieldValueOf(after, field.path);
    return created !== undefined && live.isSame(field, created, fieldValueOf(record, field.path));
  });
}

/** Recreates the former record, then deletes the one that replaced it. */
function undoReplace(change: RecordedChange, live: LiveRecords, options: DecideOptions): Decision {
  const { kind, keyBefore, before } = change;
  const undoneCreate = undoCreate(change, live, options);
  // The run stopped before it deleted the former record.
  if (live.findById(kind, change.id) !== undefined) return undoneCreate;
  const { step, losses, isUnconfirmed } = undoneCreate;
  if (step?.action === "delete") {
    const recreated = recreate(change, step, live, options);
    return { ...recreated, losses: recreated.step === null ? [] : [...recreated.losses, ...losses], isUnconfirmed };
  }
  if (undoneCreate.skipped.length > 0) return undoneCreate;
  if (keyBefore !== null && before !== null && live.isRestored(kind, keyBefore, before)) return NOTHING;
  if (options.force) return recreate(change, null, live, options);
  const hint = `To create the former ${kind} again anyway, add --force.`;
  return leave(change, "moved", `replaced another ${kind}, but no longer exists.`, hint);
}

/** Creates the former object again. `successor` deletes the record that replaced it; null for none. */
function recreate(
  change: RecordedChange,
  successor: Extract<UndoStep, { action: "delete" }> | null,
  live: LiveRecords,
  options: DecideOptions,
): Decision {
  const { kind, keyBefore, before, clicks } = change;
  if (before === null || keyBefore === null) return NOTHING;
  const isLimited = (field: FieldSpec): boolean => {
    const limit = plainValue(fieldValueOf(before, field.path));
    const isLimit = field.kind === "count" && field.opens?.when === "expired" && typeof limit === "number";
    return isLimit && (clicks === null || clicks >= limit);
  };
  const secrets = FIELDS[kind].flatMap((field) => {
    if (field.kind !== "secret" || plainValue(fieldValueOf(before, field.path)) !== true) return [];
    const { name, isSet } = options.variableFor(change, field.path);
    return [{ path: field.path, variable: name, isSet, worksWith: field.worksWith }];
  });
  // A secret that protects only a part of the object can be left out: that part becomes private.
  const optional = secrets.filter(({ worksWith }) => worksWith !== null);
  const withoutOptional = withoutSecrets(before, optional);
  // An earlier undo that was interrupted may have created it.
  const isRestored = live.isRestored(kind, keyBefore, before);
  if (isRestored || live.isRestored(kind, keyBefore, withoutOptional)) {
    return {
      ...NOTHING,
      step: successor,
      skipped: isRestored ? [] : [recreatedWithoutSecrets(change, optional, before, withoutOptional)],
    };
  }
  const unstorable = FIELDS[kind].find(
    (field) => !canStore(field, fieldValueOf(before, field.path), options.accountZone),
  );
  if (unstorable !== undefined) return leaveDate(change, unstorable, `the ${kind} is not created again`);
  const unknown = FIELDS[kind].filter(({ path }) => fieldValueOf(before, path) === undefined);
  const opening = unknown.find(({ opens }) => opens?.when === "set");
  if (!options.force && (opening !== undefined || FIELDS[kind].some(isLimited))) {
    const message =
      opening === undefined
        ? "may have reached its click limit. If it is created again, its clicks start at 0 and it works again."
        : `may have had a \`${opening.path}\`, which the service does not return. It would be created again without one.`;
    return leave(change, "would-open", message, "To create it again anyway, add --force.");
  }
  const missing = secrets.filter(({ isSet }) => !isSet);
  if (missing.some(({ worksWith }) => worksWith === null)) {
    const message = `had a ${quoteList(missing)}, which linkform cannot read. The ${kind} is not created again, because it would be open.`;
    return leave(change, "secret-unknown", message, secretHint(change, missing));
  }
  const snapshot = withoutSecrets(before, missing);
  const variables = new Map(secrets.flatMap(({ path, variable, isSet }) => (isSet ? [[path, variable]] : [])));
  return {
    ...NOTHING,
    step: { action: "recreate", change, record: successor?.record ?? null, snapshot, secrets: variables },
    losses: recreateLosses(change, unknown),
    skipped: missing.length === 0 ? [] : [recreatedWithoutSecrets(change, missing, before, snapshot)],
  };
}

/** What a recreated object does not have: its id, its clicks, and fields that the service does not return. */
function recreateLosses(change: RecordedChange, unknown: readonly FieldSpec[]): Loss[] {
  const { kind, id, clicks } = change;
  const counted = clicks === 0 ? "" : ` and its ${clicks === null ? "clicks" : plural(clicks, "click")}`;
  const first =
    kind === "link"
      ? `its id ${id}${counted}. The short URL works again with a new id, and its clicks start at 0.`
      : `its id ${id}. It is created again with a new id.`;
  const those = unknown.length === 1 ? "this value" : "these values";
  const lost = `the former ${unknown.map(({ path }) => `\`${path}\``).join(", ")}, because the service does not return ${those}.`;
  return [loss(change, first), ...(unknown.length === 0 ? [] : [loss(change, lost)])];
}

/** A secret of the former object whose environment variable is not set. */
interface MissingSecret {
  readonly path: string;
  readonly variable: string;
}

/** A snapshot without these secrets. What each of them protected becomes private. */
function withoutSecrets(
  snapshot: Snapshot,
  secrets: readonly (MissingSecret & { readonly worksWith: Extract<FieldSpec, { kind: "secret" }>["worksWith"] })[],
): Snapshot {
  const values = new Map(snapshot.values);
  for (const { path, worksWith } of secrets) {
    values.set(path, false);
    if (worksWith !== null && values.get(worksWith.path) === worksWith.value)
      values.set(worksWith.path, worksWith.without);
  }
  return { ...snapshot, values };
}

/**
 * Whether restoring a field would expose something because secrets are missing: a destination without its password, or statistics without
 * their password, unless they are public now.
 */
function needsMissingSecret(
  field: FieldSpec,
  kind: ResourceKind,
  fields: ReadonlyMap<string, FieldValue>,
  record: LiveRecord,
  missing: readonly MissingSecret[],
): boolean {
  if (!fields.has(field.path)) return false;
  const [previous, current] = [fields.get(field.path), fieldValueOf(record, field.path)].map(plainValue);
  const isMissing = (one: FieldSpec): boolean => missing.some(({ path }) => path === one.path);
  if (FIELDS[kind].some((one) => one.visitors && isMissing(one))) {
    const isDestination = field.visitors && field.opens === null && field !== EXPIRATION_URL;
    if (isDestination || field.path === KEY_FIELD[kind]) return true;
    if (field.opens !== null && previous !== undefined) {
      const isLater =
        field.opens.when === "expired" &&
        ((typeof previous === "number" && typeof current === "number" && previous > current) ||
          (typeof previous === "string" && typeof current === "string" && previous > current));
      if (sameValue(previous, field.default) || isLater) return true;
    }
  }
  const isPublic = current !== undefined && sameValue(current, field.default);
  return (
    !isPublic &&
    FIELDS[kind].some(
      (secret) =>
        secret.kind === "secret" &&
        isMissing(secret) &&
        secret.worksWith?.path === field.path &&
        previous === secret.worksWith.value,
    )
  );
}

/** Missing secrets, and the fields that are not restored because they would be open without them. */
function secretsNotRestored(
  change: RecordedChange,
  missing: readonly MissingSecret[],
  unprotected: readonly FieldSpec[],
): SkippedChange {
  const these = unprotected.length === 1 ? "this field" : "these fields";
  const rest =
    unprotected.length === 0
      ? ""
      : `. Without it, ${quoteList(unprotected)} would be open, so linkform does not change ${these} either`;
  const message = `had a ${quoteList(missing)}, which linkform cannot read, so it is not restored${rest}.`;
  const paths = [...missing, ...unprotected].map(({ path }) => path);
  return skipped(change, "secret-unknown", message, secretHint(change, missing), [], paths);
}

/** The object is recreated as `recreated`, without secrets that protected only a part of it. */
function recreatedWithoutSecrets(
  change: RecordedChange,
  missing: readonly MissingSecret[],
  before: Snapshot,
  recreated: Snapshot,
): SkippedChange {
  const changed = FIELDS[change.kind].filter(({ path }) => before.values.get(path) !== recreated.values.get(path));
  const rest = changed
    .filter(({ path }) => !missing.some((one) => one.path === path))
    .map(({ path }) => ` and with \`${path}: ${String(recreated.values.get(path))}\``)
    .join("");
  const message = `had a ${quoteList(missing)}, which linkform cannot read. The ${change.kind} is created again without it${rest}.`;
  const hint = `Set ${variablesOf(missing)} to the former password or a new one before you undo, or set the password later in the files.`;
  const paths = changed.map(({ path }) => path);
  return skipped(change, "secret-unknown", message, hint, [], paths);
}

/** The hint names the record, because after this undo the newest record is another one. */
function secretHint({ place }: RecordedChange, missing: readonly MissingSecret[]): string {
  return `Set ${variablesOf(missing)} to the former password or a new one, and run \`linkform undo ${place.file}\`.`;
}

function variablesOf(missing: readonly MissingSecret[]): string {
  return missing.map(({ variable }) => variable).join(" and ");
}

function quoteList(fields: readonly { readonly path: string }[]): string {
  return fields.map(({ path }) => `\`${path}\``).join(" and ");
}

/** The time zone of the account has no local time for a date of the former object. */
function leaveDate(change: RecordedChange, { path }: FieldSpec, result: string): Decision {
  const message = `had a date in \`${path}\` that the account's time zone cannot express, so ${result}.`;
  return leave(change, "cannot-be-sent", message, "Set the date manually or in the files.");
}

/** Whether the service can store this value. If the zone of the account is unknown, the planner reports it. */
function canStore(field: FieldSpec, fieldValue: FieldValue | undefined, accountZone: string | null): boolean {
  const value = plainValue(fieldValue);
  if (field.kind !== "instant" || typeof value !== "string" || accountZone === null) return true;
  const wall = wallTimeOf(value, accountZone);
  return isStorable(field, value, wall) && wall.length === MINUTES && !isRepeated(value, accountZone);
}
