// Decides for each object of a record how to restore it: whole, if the fields that the run changed are still as the run left them.

import type { FieldChange, Live } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fieldsText } from "../domain/live.ts";
import { CLICK_LIMIT, EXPIRATION_URL, FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { HIDDEN } from "../http/redact.ts";
import { isSameObject } from "../plan/compare.ts";
import type { Identified } from "../plan/names.ts";
import type { RecordedChange } from "../record/changes.ts";
import { keysText } from "../record/review.ts";
import { plural } from "../domain/words.ts";
import { sinceText, type Loss, type SkippedChange } from "../report/undo.ts";
import { shellQuote } from "../session/record-files.ts";
import { hasValue, type Account } from "./account.ts";

type ValueMap = ReadonlyMap<string, Value>;

export interface UndoStep {
  readonly change: RecordedChange;
  readonly action: "restore" | "recreate" | "delete";
  /** The object to update or to delete; for `recreate`, the one to replace, or null for none. */
  readonly live: Live | null;
  /** The former key; null if the object keeps its key or is deleted. */
  readonly key: Identified | null;
  readonly values: ValueMap;
  readonly secrets: readonly FormerSecret[];
  /** For a delete: the run is known to have created the object, and nobody changed or clicked it since. */
  readonly isUntouched?: boolean;
}

/** A secret of the former object, and the environment variable that may have its text. */
interface FormerSecret extends Variable, Pick<Extract<FieldSpec, { kind: "secret" }>, "path" | "worksWith"> {}

type Variable = Readonly<{ variable: string; isSet: boolean }>;

export interface DecideOptions {
  /** Overwrite later changes, and recreate objects even if they would be less protected. */
  readonly force: boolean;
  readonly variableFor: (change: RecordedChange, path: string) => Variable;
}

/** How to undo a change. If there is no step and nothing is skipped, the change is already undone or was never made. */
export interface Decision {
  readonly change: RecordedChange;
  readonly keys: readonly [was: Identified | null, is: Identified | null];
  readonly step: UndoStep | null;
  readonly losses: readonly Loss[];
  readonly skipped: readonly SkippedChange[];
}

/** How to restore the object of a change, and what is lost or left as it is. */
export function decide(change: RecordedChange, account: Account, { force, variableFor }: DecideOptions): Decision {
  const { kind, id, newId, was, is, clicks, place } = change;
  const keys = account.keysOf(change);
  const [formerKey, newKey] = keys;
  const before = account.valuesOf(kind, change.before);
  const after = account.valuesOf(kind, change.after);
  const secrets = FIELDS[kind].flatMap((field): FormerSecret[] =>
    field.kind === "secret" && before.get(field.path) === true
      ? [{ path: field.path, worksWith: field.worksWith, ...variableFor(change, field.path) }]
      : [],
  );
  const losses: Loss[] = [];
  const skipped: SkippedChange[] = [];
  const step = decideStep();
  return { change, keys, step, losses, skipped };

  function decideStep(): UndoStep | null {
    // A live object that looks like the result of a change that the run did not make was made by someone else.
    if (change.outcome === "skipped" || change.mayHaveActed === false) return null;
    const unreadable = account.resolved.unreadable.find(
      (live) => live.kind === kind && (live.id === id || live.id === newId || hasKey(live)),
    );
    if (unreadable !== undefined) {
      const message = `is not changed, because linkform cannot read ${kind} ${unreadable.id} (${fieldsText(unreadable.fields)}).`;
      const hint = `Fix the ${kind} in the service's web interface, and undo again.`;
      return skip("unreadable-row", message, hint);
    }
    if (JSON.stringify([change.key, was, is]).includes(HIDDEN))
      return skip("moved", "had a secret in its key. The record does not contain it, so nothing is changed.");
    switch (change.action) {
      case "create":
        return withClicks(undoCreate());
      case "update":
        return undoUpdate();
      case "delete":
        return account.withId(kind, id) === undefined ? recreate(null) : null;
      case "replace":
        return undoReplace();
      default:
        return change.action satisfies never;
    }
  }

  function hasKey({ identity }: Live): boolean {
    return keys.some((key) => key?.identity === identity);
  }

  /** Leaves out the object, or only these of its `fields`. */
  function skip(code: string, message: string, hint: string | null = null, fields: string[] = []): null {
    skipped.push(skippedChange(change, code, message, hint, fields));
    return null;
  }

  function lose(message: string): void {
    const key = change.action === "replace" ? (change.previous_key ?? change.key) : change.key;
    losses.push({ kind, key, message, place });
  }

  /** Another record may have the key. */
  function skipGone(gone: number | null): null {
    return skip("moved", `(id ${gone}) no longer exists, so there is nothing to undo.`);
  }

  /** Somebody gave the record another key. */
  function skipRenamed(live: Live): null {
    const hint = `Change it manually, or rename it back to \`${change.key}\` and undo again.`;
    return skip("moved", `(id ${live.id}) is \`${live.key}\` now, so it is not changed.`, hint);
  }

  /** Restores the fields of an object that is as the run left it. Without its password, it stays closed. */
  function undoUpdate(): UndoStep | null {
    const live = account.withId(kind, id);
    if (live === undefined) return skipGone(id);
    if (!hasKey(live)) return skipRenamed(live);
    // A destination without its former value must not be opened by the other fields.
    if (before.size === 0 || FIELDS[kind].some(({ path }) => before.has(path) !== after.has(path))) {
      const message =
        "is not changed, because the record does not have all values before and after the run. Some contained a secret, or the service did not return them.";
      return skip("moved", message, "Change it manually or in the files.");
    }
    const since = changesSince(live, before, after);
    if (since.length > 0 && !force) {
      const message = `has changed in the meantime, so it is not changed: ${sinceText(kind, since, account.resolved.zones)}.`;
      return skip("moved", message, "To overwrite the changes, add --force.");
    }
    const unknown = FIELDS[kind].find(({ path }) => before.has(path) && live.values.get(path) === undefined);
    if (unknown !== undefined && !force) {
      const message = `is not changed, because the service does not return its \`${unknown.path}\` now. It could be open.`;
      return skip("would-open", message, "To restore the other fields anyway, add --force.");
    }
    const values = new Map<string, Value>();
    const missing: FormerSecret[] = [];
    for (const [path, previous] of before) {
      const secret = secrets.find((one) => one.path === path);
      if (live.values.get(path) === undefined) lose(`the former \`${path}\`, because the service does not return it.`);
      else if (!hasValue(path, before, live)) {
        if (secret?.isSet === false) missing.push(secret);
        else values.set(path, previous);
      } else if (secret !== undefined && after.get(path) === true)
        // The run sent the secret again, maybe with another text.
        lose(`the former \`${path}\`, which linkform cannot read. Set it in the files.`);
    }
    const unprotected = FIELDS[kind].filter((field) => needsMissingSecret(field, values, live, missing));
    for (const { path } of unprotected) values.delete(path);
    const paths = [...missing, ...unprotected].map(({ path }) => path);
    skipSecrets(missing, paths, againHint(missing));
    const key = values.has(KEY_FIELD[kind]) ? formerKey : null;
    return values.size === 0 ? null : { change, action: "restore", live, key, values, secrets };
  }

  /** Deletes the record that the run created, and never another record with its key. */
  function undoCreate(): UndoStep | null {
    const defaults = new Map(FIELDS[kind].map((field) => [field.path, field.default] as const));
    const created = new Map([...defaults, ...after]);
    const [holder, ...others] = account.at(newKey);
    let live = holder;
    if (newId !== null) {
      live = account.withId(kind, newId);
      if (live === undefined) return holder === undefined ? null : skipGone(newId);
      if (live.identity !== newKey?.identity) return skipRenamed(live);
    } else if (holder !== undefined && (others.length > 0 || !isSameObject({ kind, values: created }, holder))) {
      const message = `exists (id ${holder.id}), but with other values than this run sent. It may belong to somebody else, so it is not changed.`;
      return skip("not-ours", message);
    }
    if (live === undefined) return null;
    // Without an id in the record, the run may have stopped halfway through the create, so a default value is not a difference either.
    const since = changesSince(live, newId === null ? defaults : new Map(), created);
    if (since.length > 0 && !force) {
      const message = `has changed in the meantime, so it is not deleted: ${sinceText(kind, since, account.resolved.zones)}.`;
      return skip("moved", message, "To delete it anyway, add --force.");
    }
    const isUntouched = newId !== null && since.length === 0 && (kind === "pixel" || live.clicks === 0);
    return { change, action: "delete", live, key: null, values: new Map(), secrets, isUntouched };
  }

  function withClicks(deletion: UndoStep | null): UndoStep | null {
    const lost = deletion?.live?.clicks ?? 0;
    if (lost > 0) lose(`the ${plural(lost, "click")} since the apply.`);
    return deletion;
  }

  /** Recreates the former record, then deletes the one that replaced it. */
  function undoReplace(): UndoStep | null {
    const successor = undoCreate();
    // The run stopped before it deleted the former record.
    if (account.withId(kind, id) !== undefined) return withClicks(successor);
    if (successor !== null) {
      const recreation = recreate(successor);
      if (recreation !== null) withClicks(successor);
      return recreation;
    }
    if (skipped.length > 0 || account.isAsBefore(formerKey, before)) return null;
    if (force) return recreate(null);
    const hint = `To create the former ${kind} again anyway, add --force.`;
    return skip("moved", `replaced another ${kind}, but no longer exists.`, hint);
  }

  /** Creates the former object again. `successor` deletes the record that replaced it; null for none. */
  function recreate(successor: UndoStep | null): UndoStep | null {
    // A secret that protects only a part of the object can be left out: that part becomes private.
    const optional = secrets.filter(({ worksWith }) => worksWith !== null);
    const withoutOptional = withoutSecrets(before, optional);
    // An earlier undo that was interrupted may have created it.
    if (account.isAsBefore(formerKey, before)) return successor;
    if (account.isAsBefore(formerKey, withoutOptional)) {
      skipSecrets(optional, differences(kind, before, withoutOptional), laterHint(optional));
      return successor;
    }
    const domain = was?.domain ?? null;
    if (domain !== null && account.shown("domain", domain) === undefined) {
      const name = JSON.stringify(domain.name);
      const message = `is not created again, because linkform found no domain \`${domain.name}\` in this account.`;
      const line = `domains: { ${name}: { id: ${domain.id}, name: ${name} } }`;
      return skip("moved", message, `If the domain still exists, add it to the project file: \`${line}\`.`);
    }
    const forceHint = "To create it again anyway, add --force.";
    const limit = before.get(CLICK_LIMIT.path);
    if (typeof limit === "number" && (clicks === null || clicks >= limit) && !force) {
      const message =
        "may have reached its click limit. If it is created again, its clicks start at 0 and it works again.";
      return skip("would-open", message, forceHint);
    }
    const unknown = FIELDS[kind].filter(({ path }) => !before.has(path));
    const isNeeded = unknown.some(({ required }) => required);
    if (isNeeded || (unknown.length > 0 && !force)) {
      const message = `is not created again, because the record does not have its ${quoteList(unknown)}. A record leaves out values that contain a secret or that the service did not return.`;
      return skip("would-open", message, isNeeded ? "Create it in the files." : forceHint);
    }
    const missing = secrets.filter(({ isSet }) => !isSet);
    if (missing.some(({ worksWith }) => worksWith === null)) {
      const message = `had a ${quoteList(missing)}, which linkform cannot read. The ${kind} is not created again, because it would be open.`;
      return skip("secret-unknown", message, againHint(missing));
    }
    const counted = clicks === 0 ? "" : ` and its ${clicks === null ? "clicks" : plural(clicks, "click")}`;
    lose(
      kind === "link"
        ? `its id ${id}${counted}. The short URL works again with a new id, and its clicks start at 0.`
        : `its id ${id}. It is created again with a new id.`,
    );
    if (unknown.length > 0) lose(`the former ${quoteList(unknown)}, which the record does not have.`);
    const values = withoutSecrets(before, missing);
    skipSecrets(missing, differences(kind, before, values), laterHint(missing));
    return { change, action: "recreate", live: successor?.live ?? null, key: formerKey, values, secrets };
  }

  /** The hint names the record, because after this undo the newest record is another one. */
  function againHint(missing: readonly FormerSecret[]): string {
    return `${passwordHint(missing)}, and run \`linkform undo ${shellQuote(place.file)}\`.`;
  }

  /** `paths`: the missing secrets, and the fields that would be open without them. */
  function skipSecrets(missing: readonly FormerSecret[], paths: string[], hint: string): void {
    if (missing.length === 0) return;
    const fields = paths.map((path) => `\`${path}\``).join(", ");
    const message = `had a ${quoteList(missing)}, which linkform cannot read. Not restored without it: ${fields}.`;
    skip("secret-unknown", message, hint, paths);
  }
}

/** `message` continues a sentence that starts with the key. */
export function skippedChange(
  { kind, key, previous_key, place }: RecordedChange,
  code: string,
  message: string,
  hint: string | null,
  fields: string[] = [],
): SkippedChange {
  return { kind, key, previous_key, code, message: `${keysText(previous_key, key)} ${message}`, hint, fields, place };
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

/** The values without these secrets. What each of them protected becomes private. */
function withoutSecrets(before: ValueMap, secrets: readonly FormerSecret[]): ValueMap {
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
  missing: readonly FormerSecret[],
): boolean {
  const [previous, current] = [restored.get(field.path), live.values.get(field.path)];
  if (previous === undefined) return false;
  if (missing.some(({ worksWith }) => worksWith === null)) {
    const isDestination = field.visitors && field.opens === null && field !== EXPIRATION_URL;
    if (isDestination || field.path === KEY_FIELD[live.kind]) return true;
    const isLater = field.opens?.when === "expired" && endOf(previous) > endOf(current);
    if (field.opens !== null && (sameValue(previous, field.default) || isLater)) return true;
  }
  const isPublic = sameValue(current ?? null, field.default);
  return !isPublic && missing.some(({ worksWith }) => worksWith?.path === field.path && worksWith.value === previous);
}

/** The instant or the number of clicks that ends a link. */
function endOf(value: Value | undefined): number {
  return typeof value === "string" ? Date.parse(value) : Number(value ?? Infinity);
}

function differences(kind: ResourceKind, before: ValueMap, after: ValueMap): string[] {
  return FIELDS[kind].flatMap(({ path }) => (before.get(path) === after.get(path) ? [] : [path]));
}

const passwordHint = (missing: readonly FormerSecret[]): string =>
  `Set ${missing.map(({ variable }) => variable).join(" and ")} to the former password or a new one`;

/** For an object that is created again without a secret. A second undo would not set it. */
const laterHint = (missing: readonly FormerSecret[]): string =>
  `${passwordHint(missing)} before you undo, or set the password later in the files.`;

const quoteList = (fields: readonly { readonly path: string }[]): string =>
  fields.map(({ path }) => `\`${path}\``).join(" and ");
