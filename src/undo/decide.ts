// Decides for each object of a record how to restore it: whole, if the fields that the run changed are still as the run left them.

import type { FieldChange, Live, Zones } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fieldsText } from "../domain/live.ts";
import { EXPIRATION_URL, FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { HIDDEN } from "../http/redact.ts";
import { isSameObject } from "../plan/compare.ts";
import type { RecordedChange, RecordKey } from "../record/changes.ts";
import { keysText } from "../record/review.ts";
import { plural } from "../report/counts.ts";
import { sinceText, type Loss, type SkippedChange, type SkipReason } from "../report/undo.ts";
import { hasValue, type Account } from "./account.ts";

/** Canonical values by path. */
type ValueMap = ReadonlyMap<string, Value>;

/** What undoes a change. `live` is the object to update, to delete, or to replace by the one that is created again; null for none. */
export type UndoStep =
  | (RestoredState & { readonly action: "restore"; readonly live: Live })
  | (RestoredState & { readonly action: "recreate"; readonly live: Live | null })
  | {
      readonly action: "delete";
      readonly change: RecordedChange;
      readonly live: Live;
      readonly key: null;
      /** The run is known to have created it, and nobody changed or clicked it since. */
      readonly isUntouched: boolean;
    };

interface RestoredState {
  readonly change: RecordedChange;
  /** The former key; null if it does not change. */
  readonly key: RecordKey | null;
  readonly values: ValueMap;
  /** Environment variables that hold secrets, by the path of the field. */
  readonly secrets: ReadonlyMap<string, string>;
}

export type Deleting = Extract<UndoStep, { action: "delete" }>;
export type Restoring = Exclude<UndoStep, Deleting>;

/** How to undo a change. If there is no step and nothing is left, the change is already undone or was never made. */
export interface Decision {
  readonly step: UndoStep | null;
  readonly losses: readonly Loss[];
  readonly skipped: readonly SkippedChange[];
}

export interface DecideOptions {
  /** Overwrite later changes, and recreate objects even if they would be less protected. */
  readonly force: boolean;
  readonly variableFor: (change: RecordedChange, path: string) => Variable;
  /** For the values in messages. */
  readonly zones: Zones;
}

/** An environment variable for a secret. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
}

const NOTHING: Decision = { step: null, losses: [], skipped: [] };

export function decideUndo(change: RecordedChange, account: Account, options: DecideOptions): Decision {
  // A live object that looks like the result of a change that the run did not make was made by someone else.
  if (change.outcome === "skipped" || change.mayHaveActed === false) return NOTHING;
  const unreadable = account.unreadableOf(change);
  if (unreadable !== undefined) {
    const { kind, id, fields } = unreadable;
    const message = `is not changed, because linkform cannot read ${kind} ${id} (${fieldsText(fields)}).`;
    const hint = `Fix the ${kind} in the service's web interface, and undo again.`;
    return leave(change, "unreadable-row", message, hint);
  }
  if (JSON.stringify([change.key, change.was, change.is]).includes(HIDDEN))
    return leave(change, "moved", "had a secret in its key. The record does not contain it, so nothing is changed.");
  switch (change.action) {
    case "create":
      return undoCreate(change, account, options);
    case "update":
      return undoUpdate(change, account, options);
    case "delete":
      return account.withId(change.kind, change.id) === undefined ? recreate(change, null, account, options) : NOTHING;
    case "replace":
      return undoReplace(change, account, options);
    default:
      return change.action satisfies never;
  }
}

/** A change that is left out in whole or in part. `message` continues a sentence that starts with the key. */
export function skippedChange(
  { kind, key, previous_key, place }: RecordedChange,
  code: SkipReason,
  message: string,
  hint: string | null = null,
  fields: string[] = [],
): SkippedChange {
  return { kind, key, previous_key, code, message: `${keysText(previous_key, key)} ${message}`, hint, fields, place };
}

/** A decision to leave an object out. */
function leave(...about: Parameters<typeof skippedChange>): Decision {
  return { ...NOTHING, skipped: [skippedChange(...about)] };
}

function loss({ kind, key, previous_key, action, place }: RecordedChange, message: string): Loss {
  return { kind, key: action === "replace" ? (previous_key ?? key) : key, message, place };
}

/** The record of a change is gone. Another one may have its key. */
function leaveGone(change: RecordedChange, id: number | null): Decision {
  return leave(change, "moved", `(id ${id}) no longer exists, so there is nothing to undo.`);
}

/** Somebody gave the record another key. */
function leaveRenamed(change: RecordedChange, { id, key }: Live): Decision {
  const hint = `Change it manually, or rename it back to \`${change.key}\` and undo again.`;
  return leave(change, "moved", `(id ${id}) is \`${key}\` now, so it is not changed.`, hint);
}

/** The changes since the run, by somebody else: fields that have neither the value before nor the one after it. */
function changesSince({ kind, values }: Live, before: ValueMap, after: ValueMap): FieldChange[] {
  return FIELDS[kind].flatMap(({ path }) => {
    const [previous, applied, current] = [before, after, values].map((one) => one.get(path));
    const isOurs =
      applied === undefined ||
      current === undefined ||
      sameValue(applied, current) ||
      (previous !== undefined && sameValue(previous, current));
    return isOurs ? [] : [{ path, before: applied, after: current }];
  });
}

/** Restores the fields of an object that is as the run left it. Without its password, it stays closed. */
function undoUpdate(change: RecordedChange, account: Account, options: DecideOptions): Decision {
  const { kind, id, was } = change;
  const live = account.withId(kind, id);
  if (live === undefined) return leaveGone(change, id);
  if (change.before === null || change.after === null) return NOTHING;
  if (account.hasOtherKey(change, live)) return leaveRenamed(change, live);
  const [before, after] = [account.valuesOf(kind, change.before), account.valuesOf(kind, change.after)];
  // A destination without its former value must not be opened by the other fields.
  if (before.size === 0 || FIELDS[kind].some(({ path }) => before.has(path) !== after.has(path))) {
    const message =
      "is not changed, because the record does not have all values before and after the run. Some contained a secret, or the service did not return them.";
    return leave(change, "moved", message, "Change it manually or in the files.");
  }
  const since = options.force ? [] : changesSince(live, before, after);
  if (since.length > 0)
    return leave(
      change,
      "moved",
      `has changed in the meantime, so it is not changed: ${sinceText(kind, since, options.zones)}.`,
      "To overwrite the changes, add --force.",
    );
  const doubtful = FIELDS[kind].find(({ kind: fieldKind, path }) => {
    const isRemoved = fieldKind === "secret" && before.get(path) === true && after.get(path) === false;
    return isRemoved && live.values.get(path) === undefined;
  });
  if (doubtful !== undefined && !options.force) {
    const message = `had a \`${doubtful.path}\`, and the service does not return whether it has one now. It is not changed, because it could be open.`;
    return leave(change, "would-open", message, "To restore the other fields anyway, add --force.");
  }
  const losses: Loss[] = [];
  const values = new Map<string, Value>();
  const secrets = new Map<string, string>();
  const missing: MissingSecret[] = [];
  for (const field of FIELDS[kind]) {
    const { path } = field;
    const previous = before.get(path);
    if (previous === undefined) continue;
    const isRestored = hasValue(path, before, live);
    if (live.values.get(path) === undefined) {
      losses.push(loss(change, `the former \`${path}\`, because the service does not return it.`));
    } else if (field.kind === "secret" && previous === true) {
      const variable = options.variableFor(change, path);
      // The run sent the secret again, maybe with another text.
      if (isRestored && after.get(path) === true)
        losses.push(loss(change, `the former \`${path}\`, which linkform cannot read. Set it in the files.`));
      else if (!isRestored && variable.isSet) {
        secrets.set(path, variable.name);
        values.set(path, previous);
      } else if (!isRestored) missing.push({ path, variable: variable.name });
    } else if (!isRestored) values.set(path, previous);
  }
  const unprotected = FIELDS[kind].filter((field) => needsMissingSecret(field, values, live, missing));
  for (const { path } of unprotected) values.delete(path);
  const key = values.has(KEY_FIELD[kind]) ? was : null;
  return {
    ...NOTHING,
    step: values.size === 0 ? null : { action: "restore", change, live, key, values, secrets },
    losses,
    skipped: leaveSecrets(
      change,
      missing,
      [...missing, ...unprotected].map(({ path }) => path),
      secretHint(change, missing),
    ),
  };
}

/** Deletes the record that the run created, and never another record with its key. */
function undoCreate(change: RecordedChange, account: Account, options: DecideOptions): Decision {
  const { kind, newId, is } = change;
  const after = new Map([
    ...FIELDS[kind].map((field) => [field.path, field.default] as const),
    ...(change.after === null ? [] : account.valuesOf(kind, change.after)),
  ]);
  const [holder, ...others] = account.at(kind, is);
  let live = holder;
  if (newId !== null) {
    live = account.withId(kind, newId);
    if (live === undefined) return holder === undefined ? NOTHING : leaveGone(change, newId);
    if (account.hasOtherKey({ ...change, was: null }, live)) return leaveRenamed(change, live);
  } else if (holder !== undefined && (others.length > 0 || !isSameObject({ kind, values: after }, holder))) {
    const message = `exists (id ${holder.id}), but with other values than this run sent. It may belong to somebody else, so it is not changed.`;
    return leave(change, "not-ours", message);
  }
  if (live === undefined) return NOTHING;
  // Without an id in the record, the run may have stopped halfway through the create, so a default value is not a difference either.
  const unset = new Map(newId === null ? FIELDS[kind].map((field) => [field.path, field.default]) : []);
  const since = changesSince(live, unset, after);
  if (since.length > 0 && !options.force) {
    const message = `has changed in the meantime, so it is not deleted: ${sinceText(kind, since, options.zones)}.`;
    return leave(change, "moved", message, "To delete it anyway, add --force.");
  }
  const { clicks } = live;
  const isUntouched = newId !== null && since.length === 0 && (kind === "pixel" || clicks === 0);
  return {
    ...NOTHING,
    step: { action: "delete", change, live, key: null, isUntouched },
    losses: (clicks ?? 0) === 0 ? [] : [loss(change, `the ${plural(clicks ?? 0, "click")} since the apply.`)],
  };
}

/** Recreates the former record, then deletes the one that replaced it. */
function undoReplace(change: RecordedChange, account: Account, options: DecideOptions): Decision {
  const { kind, was, before } = change;
  const undoneCreate = undoCreate(change, account, options);
  // The run stopped before it deleted the former record.
  if (account.withId(kind, change.id) !== undefined) return undoneCreate;
  const { step, losses } = undoneCreate;
  if (step?.action === "delete") {
    const recreated = recreate(change, step, account, options);
    return { ...recreated, losses: recreated.step === null ? [] : [...recreated.losses, ...losses] };
  }
  if (undoneCreate.skipped.length > 0) return undoneCreate;
  if (was !== null && before !== null && account.isAsBefore(kind, was, account.valuesOf(kind, before))) return NOTHING;
  if (options.force) return recreate(change, null, account, options);
  const hint = `To create the former ${kind} again anyway, add --force.`;
  return leave(change, "moved", `replaced another ${kind}, but no longer exists.`, hint);
}

/** Creates the former object again. `successor` deletes the record that replaced it; null for none. */
function recreate(
  change: RecordedChange,
  successor: Deleting | null,
  account: Account,
  options: DecideOptions,
): Decision {
  const { kind, was, clicks } = change;
  if (change.before === null || was === null) return NOTHING;
  const before = account.valuesOf(kind, change.before);
  const secrets = FIELDS[kind].flatMap((field) => {
    if (field.kind !== "secret" || before.get(field.path) !== true) return [];
    const { name, isSet } = options.variableFor(change, field.path);
    return [{ path: field.path, variable: name, isSet, worksWith: field.worksWith }];
  });
  // A secret that protects only a part of the object can be left out: that part becomes private.
  const optional = secrets.filter(({ worksWith }) => worksWith !== null);
  const withoutOptional = withoutSecrets(before, optional);
  // An earlier undo that was interrupted may have created it.
  const isRestored = account.isAsBefore(kind, was, before);
  if (isRestored || account.isAsBefore(kind, was, withoutOptional)) {
    const rest = isRestored ? [] : optional;
    return {
      ...NOTHING,
      step: successor,
      skipped: leaveSecrets(change, rest, differences(kind, before, withoutOptional), laterHint(rest)),
    };
  }
  if (was.domain !== null && account.shown("domain", was.domain) === undefined) {
    const name = JSON.stringify(was.domain.name);
    const message = `is not created again, because linkform found no domain \`${was.domain.name}\` in this account.`;
    const line = `domains: { ${name}: { id: ${was.domain.id}, name: ${name} } }`;
    return leave(change, "moved", message, `If the domain still exists, add it to the project file: \`${line}\`.`);
  }
  const isLimited = FIELDS[kind].some((field) => {
    const limit = before.get(field.path);
    const isLimit = field.kind === "count" && field.opens?.when === "expired" && typeof limit === "number";
    return isLimit && (clicks === null || clicks >= limit);
  });
  const unknown = FIELDS[kind].filter(({ path }) => !before.has(path));
  const opening = unknown.find(({ opens }) => opens?.when === "set");
  if (!options.force && (opening !== undefined || isLimited)) {
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
  const values = withoutSecrets(before, missing);
  const variables = new Map(secrets.flatMap(({ path, variable, isSet }) => (isSet ? [[path, variable]] : [])));
  return {
    ...NOTHING,
    step: { action: "recreate", change, live: successor?.live ?? null, key: was, values, secrets: variables },
    losses: recreateLosses(change, unknown),
    skipped: leaveSecrets(change, missing, differences(kind, before, values), laterHint(missing)),
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

/** The values without these secrets. What each of them protected becomes private. */
function withoutSecrets(
  before: ValueMap,
  secrets: readonly (MissingSecret & { readonly worksWith: Extract<FieldSpec, { kind: "secret" }>["worksWith"] })[],
): ValueMap {
  const values = new Map(before);
  for (const { path, worksWith } of secrets) {
    values.set(path, false);
    if (worksWith !== null && values.get(worksWith.path) === worksWith.value)
      values.set(worksWith.path, worksWith.without);
  }
  return values;
}

/**
 * Whether restoring a field would expose something because secrets are missing: a destination without its password, or statistics without
 * their password, unless they are public now.
 */
function needsMissingSecret(
  field: FieldSpec,
  restored: ValueMap,
  live: Live,
  missing: readonly MissingSecret[],
): boolean {
  const fields = FIELDS[live.kind];
  const [previous, current] = [restored.get(field.path), live.values.get(field.path)];
  if (previous === undefined) return false;
  const isMissing = (one: FieldSpec): boolean => missing.some(({ path }) => path === one.path);
  if (fields.some((one) => one.visitors && isMissing(one))) {
    const isDestination = field.visitors && field.opens === null && field !== EXPIRATION_URL;
    if (isDestination || field.path === KEY_FIELD[live.kind]) return true;
    const isLater =
      field.opens?.when === "expired" &&
      ((typeof previous === "number" && typeof current === "number" && previous > current) ||
        (typeof previous === "string" && typeof current === "string" && previous > current));
    if (field.opens !== null && (sameValue(previous, field.default) || isLater)) return true;
  }
  const isPublic = current !== undefined && sameValue(current, field.default);
  const isStatistics = (one: FieldSpec): boolean =>
    one.kind === "secret" && one.worksWith?.path === field.path && one.worksWith.value === previous;
  return !isPublic && fields.some((one) => isStatistics(one) && isMissing(one));
}

/** The paths whose values differ. */
function differences(kind: ResourceKind, before: ValueMap, after: ValueMap): string[] {
  return FIELDS[kind].flatMap(({ path }) => (before.get(path) === after.get(path) ? [] : [path]));
}

/** Reports secrets that are missing, and `paths`: these secrets and the fields that would be open without them. */
function leaveSecrets(
  change: RecordedChange,
  missing: readonly MissingSecret[],
  paths: string[],
  hint: string,
): SkippedChange[] {
  if (missing.length === 0) return [];
  const fields = paths.map((path) => `\`${path}\``).join(", ");
  const message = `had a ${quoteList(missing)}, which linkform cannot read. Not restored without it: ${fields}.`;
  return [skippedChange(change, "secret-unknown", message, hint, paths)];
}

const passwordHint = (missing: readonly MissingSecret[], then: string): string =>
  `Set ${missing.map(({ variable }) => variable).join(" and ")} to the former password or a new one${then}`;

/** For an object that is created again without a secret. A second undo would not set it. */
const laterHint = (missing: readonly MissingSecret[]): string =>
  passwordHint(missing, " before you undo, or set the password later in the files.");

/** The hint names the record, because after this undo the newest record is another one. */
const secretHint = ({ place }: RecordedChange, missing: readonly MissingSecret[]): string =>
  passwordHint(missing, `, and run \`linkform undo ${place.file}\`.`);

const quoteList = (fields: readonly { readonly path: string }[]): string =>
  fields.map(({ path }) => `\`${path}\``).join(" and ");
