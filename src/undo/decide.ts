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

/** What undoes a change. */
export interface UndoStep {
  readonly change: RecordedChange;
  readonly action: "restore" | "recreate" | "delete";
  /** The object to update or to delete; for `recreate`, the one to replace, or null for none. */
  readonly live: Live | null;
  /** The former key; null if the object keeps its key or is deleted. */
  readonly key: Identified | null;
  /** The fields to restore. */
  readonly values: ValueMap;
  readonly secrets: readonly FormerSecret[];
}

/** A secret of the former object, and the environment variable that may have its text. */
interface FormerSecret extends Variable, Pick<Extract<FieldSpec, { kind: "secret" }>, "path" | "worksWith"> {}

/** An environment variable for a secret. */
interface Variable {
  readonly variable: string;
  readonly isSet: boolean;
}

export interface DecideOptions {
  /** Overwrite later changes, and recreate objects even if they would be less protected. */
  readonly force: boolean;
  readonly variableFor: (change: RecordedChange, path: string) => Variable;
}

/** How to undo a change. If there is no step and nothing is skipped, the change is already undone or was never made. */
export class Decision {
  readonly change: RecordedChange;
  /** The keys of the object, before and after the run. */
  readonly keys: readonly [was: Identified | null, is: Identified | null];
  readonly step: UndoStep | null;
  readonly losses: Loss[] = [];
  readonly skipped: SkippedChange[] = [];
  /** The run is known to have created the object, and nobody changed or clicked it since. */
  isUntouched = false;
  readonly #account: Account;
  readonly #force: boolean;
  readonly #before: ValueMap;
  readonly #after: ValueMap;
  readonly #secrets: readonly FormerSecret[];

  constructor(change: RecordedChange, account: Account, { force, variableFor }: DecideOptions) {
    const { kind } = change;
    this.change = change;
    this.#account = account;
    this.#force = force;
    this.keys = account.keysOf(change);
    this.#before = account.valuesOf(kind, change.before);
    this.#after = account.valuesOf(kind, change.after);
    this.#secrets = FIELDS[kind].flatMap((field) => {
      if (field.kind !== "secret" || this.#before.get(field.path) !== true) return [];
      return [{ path: field.path, worksWith: field.worksWith, ...variableFor(change, field.path) }];
    });
    this.step = this.#decide();
  }

  #decide(): UndoStep | null {
    const { kind, id, newId, key, was, is, action, outcome, mayHaveActed } = this.change;
    // A live object that looks like the result of a change that the run did not make was made by someone else.
    if (outcome === "skipped" || mayHaveActed === false) return null;
    const unreadable = this.#account.unreadable.find(
      (live) => live.kind === kind && (live.id === id || live.id === newId || this.#hasKey(live)),
    );
    if (unreadable !== undefined) {
      const message = `is not changed, because linkform cannot read ${kind} ${unreadable.id} (${fieldsText(unreadable.fields)}).`;
      const hint = `Fix the ${kind} in the service's web interface, and undo again.`;
      return this.#skip("unreadable-row", message, hint);
    }
    if (JSON.stringify([key, was, is]).includes(HIDDEN))
      return this.#skip("moved", "had a secret in its key. The record does not contain it, so nothing is changed.");
    switch (action) {
      case "create":
        return this.#withClicks(this.#undoCreate());
      case "update":
        return this.#undoUpdate();
      case "delete":
        return this.#account.withId(kind, id) === undefined ? this.#recreate(null) : null;
      case "replace":
        return this.#undoReplace();
      default:
        return action satisfies never;
    }
  }

  #hasKey({ identity }: Live): boolean {
    return this.keys.some((key) => key?.identity === identity);
  }

  #step(
    action: UndoStep["action"],
    live: Live | null,
    values: ValueMap = new Map(),
    key: Identified | null = null,
  ): UndoStep {
    return { change: this.change, action, live, key, values, secrets: this.#secrets };
  }

  /** Leaves out the object, or only these of its `fields`. `message` continues a sentence that starts with the key. */
  #skip(code: string, message: string, hint: string | null = null, fields: string[] = []): null {
    this.skipped.push(skippedChange(this.change, code, message, hint, fields));
    return null;
  }

  #lose(message: string): void {
    const { kind, key, previous_key, action, place } = this.change;
    this.losses.push({ kind, key: action === "replace" ? (previous_key ?? key) : key, message, place });
  }

  /** The record of the change is gone. Another one may have its key. */
  #skipGone(id: number | null): null {
    return this.#skip("moved", `(id ${id}) no longer exists, so there is nothing to undo.`);
  }

  /** Somebody gave the record another key. */
  #skipRenamed({ id, key }: Live): null {
    const hint = `Change it manually, or rename it back to \`${this.change.key}\` and undo again.`;
    return this.#skip("moved", `(id ${id}) is \`${key}\` now, so it is not changed.`, hint);
  }

  /** Restores the fields of an object that is as the run left it. Without its password, it stays closed. */
  #undoUpdate(): UndoStep | null {
    const { kind, id } = this.change;
    const [before, after] = [this.#before, this.#after];
    const live = this.#account.withId(kind, id);
    if (live === undefined) return this.#skipGone(id);
    if (!this.#hasKey(live)) return this.#skipRenamed(live);
    // A destination without its former value must not be opened by the other fields.
    if (before.size === 0 || FIELDS[kind].some(({ path }) => before.has(path) !== after.has(path))) {
      const message =
        "is not changed, because the record does not have all values before and after the run. Some contained a secret, or the service did not return them.";
      return this.#skip("moved", message, "Change it manually or in the files.");
    }
    const since = changesSince(live, before, after);
    if (since.length > 0 && !this.#force) {
      const message = `has changed in the meantime, so it is not changed: ${sinceText(kind, since, this.#account.zones)}.`;
      return this.#skip("moved", message, "To overwrite the changes, add --force.");
    }
    const unknown = FIELDS[kind].find(({ path }) => before.has(path) && live.values.get(path) === undefined);
    if (unknown !== undefined && !this.#force) {
      const message = `is not changed, because the service does not return its \`${unknown.path}\` now. It could be open.`;
      return this.#skip("would-open", message, "To restore the other fields anyway, add --force.");
    }
    const values = new Map<string, Value>();
    const missing: FormerSecret[] = [];
    for (const [path, previous] of before) {
      const secret = this.#secrets.find((one) => one.path === path);
      if (live.values.get(path) === undefined)
        this.#lose(`the former \`${path}\`, because the service does not return it.`);
      else if (!hasValue(path, before, live)) {
        if (secret?.isSet === false) missing.push(secret);
        else values.set(path, previous);
      } else if (secret !== undefined && after.get(path) === true)
        // The run sent the secret again, maybe with another text.
        this.#lose(`the former \`${path}\`, which linkform cannot read. Set it in the files.`);
    }
    const unprotected = FIELDS[kind].filter((field) => needsMissingSecret(field, values, live, missing));
    for (const { path } of unprotected) values.delete(path);
    const paths = [...missing, ...unprotected].map(({ path }) => path);
    this.#skipSecrets(missing, paths, this.#againHint(missing));
    return values.size === 0
      ? null
      : this.#step("restore", live, values, values.has(KEY_FIELD[kind]) ? this.keys[0] : null);
  }

  /** Deletes the record that the run created, and never another record with its key. */
  #undoCreate(): UndoStep | null {
    const { kind, newId } = this.change;
    const [, key] = this.keys;
    const defaults = new Map(FIELDS[kind].map((field) => [field.path, field.default] as const));
    const after = new Map([...defaults, ...this.#after]);
    const [holder, ...others] = this.#account.at(key);
    let live = holder;
    if (newId !== null) {
      live = this.#account.withId(kind, newId);
      if (live === undefined) return holder === undefined ? null : this.#skipGone(newId);
      if (live.identity !== key?.identity) return this.#skipRenamed(live);
    } else if (holder !== undefined && (others.length > 0 || !isSameObject({ kind, values: after }, holder))) {
      const message = `exists (id ${holder.id}), but with other values than this run sent. It may belong to somebody else, so it is not changed.`;
      return this.#skip("not-ours", message);
    }
    if (live === undefined) return null;
    // Without an id in the record, the run may have stopped halfway through the create, so a default value is not a difference either.
    const since = changesSince(live, newId === null ? defaults : new Map(), after);
    if (since.length > 0 && !this.#force) {
      const message = `has changed in the meantime, so it is not deleted: ${sinceText(kind, since, this.#account.zones)}.`;
      return this.#skip("moved", message, "To delete it anyway, add --force.");
    }
    this.isUntouched = newId !== null && since.length === 0 && (kind === "pixel" || live.clicks === 0);
    return this.#step("delete", live);
  }

  /** Reports the clicks that are lost with a delete. */
  #withClicks(step: UndoStep | null): UndoStep | null {
    const clicks = step?.live?.clicks ?? 0;
    if (clicks > 0) this.#lose(`the ${plural(clicks, "click")} since the apply.`);
    return step;
  }

  /** Recreates the former record, then deletes the one that replaced it. */
  #undoReplace(): UndoStep | null {
    const { kind, id, before } = this.change;
    const successor = this.#undoCreate();
    // The run stopped before it deleted the former record.
    if (this.#account.withId(kind, id) !== undefined) return this.#withClicks(successor);
    if (successor !== null) {
      const step = this.#recreate(successor);
      if (step !== null) this.#withClicks(successor);
      return step;
    }
    if (this.skipped.length > 0 || (before !== null && this.#account.isAsBefore(this.keys[0], this.#before)))
      return null;
    if (this.#force) return this.#recreate(null);
    const hint = `To create the former ${kind} again anyway, add --force.`;
    return this.#skip("moved", `replaced another ${kind}, but no longer exists.`, hint);
  }

  /** Creates the former object again. `successor` deletes the record that replaced it; null for none. */
  #recreate(successor: UndoStep | null): UndoStep | null {
    const { kind, was, clicks } = this.change;
    const [before, [key]] = [this.#before, this.keys];
    if (this.change.before === null || was === null) return null;
    // A secret that protects only a part of the object can be left out: that part becomes private.
    const optional = this.#secrets.filter(({ worksWith }) => worksWith !== null);
    const withoutOptional = withoutSecrets(before, optional);
    // An earlier undo that was interrupted may have created it.
    if (this.#account.isAsBefore(key, before)) return successor;
    if (this.#account.isAsBefore(key, withoutOptional)) {
      this.#skipSecrets(optional, differences(kind, before, withoutOptional), laterHint(optional));
      return successor;
    }
    if (was.domain !== null && this.#account.shown("domain", was.domain) === undefined) {
      const name = JSON.stringify(was.domain.name);
      const message = `is not created again, because linkform found no domain \`${was.domain.name}\` in this account.`;
      const line = `domains: { ${name}: { id: ${was.domain.id}, name: ${name} } }`;
      return this.#skip("moved", message, `If the domain still exists, add it to the project file: \`${line}\`.`);
    }
    const limit = before.get(CLICK_LIMIT.path);
    const isLimited = typeof limit === "number" && (clicks === null || clicks >= limit);
    if (isLimited && !this.#force) {
      const message =
        "may have reached its click limit. If it is created again, its clicks start at 0 and it works again.";
      return this.#skip("would-open", message, "To create it again anyway, add --force.");
    }
    const unknown = FIELDS[kind].filter(({ path }) => !before.has(path));
    const needed = unknown.filter(({ required }) => required);
    if (needed.length > 0 || (unknown.length > 0 && !this.#force)) {
      const message = `is not created again, because the record does not have its ${quoteList(unknown)}. A record leaves out values that contain a secret or that the service did not return.`;
      const hint = "To create it again anyway, add --force.";
      return this.#skip("would-open", message, needed.length > 0 ? "Create it in the files." : hint);
    }
    const missing = this.#secrets.filter(({ isSet }) => !isSet);
    if (missing.some(({ worksWith }) => worksWith === null)) {
      const message = `had a ${quoteList(missing)}, which linkform cannot read. The ${kind} is not created again, because it would be open.`;
      return this.#skip("secret-unknown", message, this.#againHint(missing));
    }
    this.#loseIdentity(unknown);
    const values = withoutSecrets(before, missing);
    this.#skipSecrets(missing, differences(kind, before, values), laterHint(missing));
    return this.#step("recreate", successor?.live ?? null, values, key);
  }

  /** Reports what a recreated object does not have: its id, its clicks, and fields that the record does not have. */
  #loseIdentity(unknown: readonly FieldSpec[]): void {
    const { kind, id, clicks } = this.change;
    const counted = clicks === 0 ? "" : ` and its ${clicks === null ? "clicks" : plural(clicks, "click")}`;
    this.#lose(
      kind === "link"
        ? `its id ${id}${counted}. The short URL works again with a new id, and its clicks start at 0.`
        : `its id ${id}. It is created again with a new id.`,
    );
    if (unknown.length > 0) this.#lose(`the former ${quoteList(unknown)}, which the record does not have.`);
  }

  /** The hint names the record, because after this undo the newest record is another one. */
  #againHint(missing: readonly FormerSecret[]): string {
    return `${passwordHint(missing)}, and run \`linkform undo ${shellQuote(this.change.place.file)}\`.`;
  }

  /** Reports secrets that are missing, and `paths`: these secrets and the fields that would be open without them. */
  #skipSecrets(missing: readonly FormerSecret[], paths: string[], hint: string): void {
    if (missing.length === 0) return;
    const fields = paths.map((path) => `\`${path}\``).join(", ");
    const message = `had a ${quoteList(missing)}, which linkform cannot read. Not restored without it: ${fields}.`;
    this.#skip("secret-unknown", message, hint, paths);
  }
}

/** A change that is left out in whole or in part. `message` continues a sentence that starts with the key. */
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
    const isLater =
      field.opens?.when === "expired" &&
      ((typeof previous === "number" && typeof current === "number" && previous > current) ||
        (typeof previous === "string" && typeof current === "string" && previous > current));
    if (field.opens !== null && (sameValue(previous, field.default) || isLater)) return true;
  }
  const isPublic = current !== undefined && sameValue(current, field.default);
  return !isPublic && missing.some(({ worksWith }) => worksWith?.path === field.path && worksWith.value === previous);
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
