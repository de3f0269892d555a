// Decides for each change of a receipt what reverts it, if the account is still as the apply left it.

import type { FieldSpec, SecretSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { LeftAlone, Loss, ReceiptChange, Snapshot } from "../domain/receipt.ts";
import { EXPIRATION_URL, FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { changeSince, heldAt, heldByDefault, isSet, type Held, type LiveIndex } from "./live.ts";
import {
  alone,
  clicksOf,
  dateLeft,
  formerLosses,
  gone,
  loss,
  madeWithout,
  secretsLeft,
  secretUnknown,
  unsendable,
  wouldOpen,
  type MissingSecret,
} from "./messages.ts";
import type { FieldChange } from "../domain/change.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { instantOf, isStorable, MINUTES, wallTimeOf } from "../domain/zone.ts";

/** Decides about one change. */
export function decide(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  // It was not begun, or refused: what looks like it by now is somebody else's.
  if (change.outcome === "skipped" || change.mayHaveActed === false) return NOTHING;
  switch (change.action) {
    case "create":
      return unmake(change, live, options);
    case "update":
      return restore(change, live, options);
    case "delete":
      return live.withId(change.kind, change.id ?? 0) === undefined ? make(change, null, live, options) : NOTHING;
    case "replace":
      return exchange(change, live, options);
    default:
      return change.action satisfies never;
  }
}

/** A replacement: the former record is made again, then the one that took its place is deleted. */
function exchange(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const isThere = live.withId(change.kind, change.id ?? 0) !== undefined;
  // It came to its first half at most: only what is new goes.
  if (isThere) return unmake(change, live, options);
  const made = unmake(change, live, options);
  if (made.step?.does === "remove") {
    const decided = make(change, made.step.record, live, options);
    return {
      ...decided,
      losses: decided.step === null ? [] : [...decided.losses, ...made.losses],
      isDoubtful: made.isDoubtful,
    };
  }
  if (made.left.length > 0) return made;
  if (change.was !== null && change.before !== null && live.isBack(change.kind, change.was, change.before))
    return NOTHING;
  if (options.force) return make(change, null, live, options);
  const message = "took the place of the former one, and is gone.";
  return leave(alone(change, "gone-since", message, "To make the former one again all the same, add --force."));
}

/** The former object is made again. */
function make(change: ReceiptChange, record: LiveRecord | null, live: LiveIndex, options: DecideOptions): Decision {
  const { kind, was, before: former } = change;
  if (former === null || was === null) return NOTHING;
  const secretFields = FIELDS[kind].flatMap((field) =>
    field.kind === "secret" && isSet(heldAt(former, field.path)) ? [field] : [],
  );
  const variables = secretFields.map((field) => ({ field, ...options.variableFor(change, field.path) }));
  // A secret of a part of the object can be left out, and that part hidden.
  const parts = variables.filter(({ field }) => field.worksWith !== null);
  const hiding = withoutSecrets(
    former,
    parts.map(({ field }) => field),
  );
  // An undo that was stopped has made it.
  const isBack = live.isBack(kind, was, former);
  if (isBack || live.isBack(kind, was, hiding)) {
    const left = isBack ? [] : [madeWithout(change, parts.map(missingSecret), former, hiding)];
    return { ...NOTHING, step: record === null ? null : { does: "remove", change, record }, left };
  }
  const unsent = FIELDS[kind].find((field) => {
    const held = heldAt(former, field.path);
    return held !== undefined && !canBeSent(field, held, options.accountZone);
  });
  if (unsent !== undefined) return leave(unsendable(change, unsent));
  const hidden = FIELDS[kind].find(({ path, opens }) => opens?.when === "set" && heldAt(former, path) === undefined);
  if (!options.force && hidden !== undefined) {
    const message = `may have had a \`${hidden.path}\`, which the service does not say: made again it would have none.`;
    return leave(alone(change, "would-open", message, "If that is meant, add --force."));
  }
  if (!options.force && isOver(kind, former, change.clicks)) {
    const message = "had expired by its clicks. Made again it counts from 0, and would lead on.";
    return leave(alone(change, "would-open", message, "If that is meant, add --force."));
  }
  const missing = variables.filter((variable) => !variable.isSet);
  if (missing.some(({ field }) => field.worksWith === null))
    return leave(secretUnknown(change, missing.map(missingSecret)));
  const made = withoutSecrets(
    former,
    missing.map(({ field }) => field),
  );
  const secrets = new Map(
    variables.flatMap(({ field, name, isSet: isThere }) => (isThere ? [[field.path, name]] : [])),
  );
  return {
    ...NOTHING,
    step: { does: "make", change, record, former: made, secrets },
    losses: formerLosses(change, former),
    left: missing.length === 0 ? [] : [madeWithout(change, missing.map(missingSecret), former, made)],
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

/** A former object without these secrets: what they opened is hidden from everybody. */
function withoutSecrets(former: Snapshot, secrets: readonly SecretSpec[]): Snapshot {
  const values = new Map(former.values);
  for (const { path, worksWith } of secrets) {
    values.set(path, false);
    if (worksWith !== null && values.get(worksWith.path) === worksWith.value)
      values.set(worksWith.path, worksWith.without);
  }
  return { ...former, values };
}

/** The variables that hold secrets, by the path of the field. */
export type UndoSecrets = ReadonlyMap<string, string>;

/** A record is deleted; or gets former values, and its former key where `name` is not null; or a former object is made again. */
export type UndoStep =
  | { readonly does: "remove"; readonly change: ReceiptChange; readonly record: LiveRecord }
  | {
      readonly does: "restore";
      readonly change: ReceiptChange;
      readonly record: LiveRecord;
      readonly fields: ReadonlyMap<string, Held>;
      readonly name: string | null;
      readonly secrets: UndoSecrets;
      /** Secrets that are set now are sent all the same. */
      readonly isResent: boolean;
    }
  | {
      readonly does: "make";
      readonly change: ReceiptChange;
      /** The record that goes when the former one is there again; null where there is none. */
      readonly record: LiveRecord | null;
      readonly former: Snapshot;
      readonly secrets: UndoSecrets;
    };

/** What is done about a change, what can't come back with it, and what is left. Without a step and without what is left it is taken back already. */
export interface Decision {
  readonly step: UndoStep | null;
  readonly losses: readonly Loss[];
  readonly left: readonly LeftAlone[];
  /** Whether the apply did this is told from live alone. */
  readonly isDoubtful: boolean;
}

export interface DecideOptions {
  /** What has been changed since is overwritten, and what would come back open comes back. */
  readonly force: boolean;
  readonly variableFor: (change: ReceiptChange, path: string) => Variable;
  /** The account's zone, where it is known. */
  readonly accountZone: string | null;
}

/** A variable that may hold a secret. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
}

/** Nothing is done, and nothing is left. */
const NOTHING: Decision = { step: null, losses: [], left: [], isDoubtful: false };

/** Something is left as it is, and nothing done. */
export function leave(left: LeftAlone): Decision {
  return { ...NOTHING, left: [left] };
}

/** Fields that are as the apply left them become what they were; the rest is left. */
function restore(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const { kind, id, before, after } = change;
  const record = live.withId(kind, id ?? 0);
  if (record === undefined) return leave(gone(change, live));
  if (before === null || after === null) return NOTHING;
  const fields = new Map<string, Held>();
  const secrets = new Map<string, string>();
  const changed: FieldChange[] = [];
  const losses: Loss[] = [];
  const left: LeftAlone[] = [];
  let name: string | null = null;
  let isResent = false;
  const missing: MissingSecret[] = [];
  const unsent: FieldSpec[] = [];
  for (const field of FIELDS[kind]) {
    const { path } = field;
    const [was, made, now] = [heldAt(before, path), heldAt(after, path), heldAt(record, path)];
    if (made === undefined) continue;
    if (was === undefined || now === undefined) {
      losses.push(
        loss(change, `the former \`${path}\`: the service does not say what it ${was === undefined ? "was" : "is"}.`),
      );
      continue;
    }
    const isSecret = field.kind === "secret" && isSet(was);
    if (live.same(field, was, now)) {
      if (!isSecret || !isSet(made)) continue;
      // It was sent anew: whether it is another one can't be seen.
      const variable = options.variableFor(change, path);
      if (variable.isSet) {
        secrets.set(path, variable.name);
        fields.set(path, was);
        isResent = true;
      } else {
        const message = `the former \`${path}\`: it can't be read. To send it again, set ${variable.name} to it.`;
        losses.push(loss(change, message));
      }
      continue;
    }
    if (!live.same(field, made, now) && !options.force) {
      changed.push(changeSince(field, made, now));
      continue;
    }
    if (isSecret) {
      const variable = options.variableFor(change, path);
      if (!variable.isSet) {
        missing.push({ path, variable: variable.name });
        continue;
      }
      secrets.set(path, variable.name);
    }
    if (!canBeSent(field, was, options.accountZone)) {
      unsent.push(field);
      continue;
    }
    if (path === KEY_FIELD[kind] && "value" in was) name = String(was.value);
    else fields.set(path, was);
  }
  // What a password or an expiry kept from visitors does not come back without it; all else does.
  const lost = [...missing.map(({ path }) => path), ...unsent.map(({ path }) => path)];
  const held = FIELDS[kind].filter((field) => isGuarded(field, kind, fields, record, lost)).map(({ path }) => path);
  for (const path of held) fields.delete(path);
  if (name !== null && isUnguarded(kind, lost)) {
    name = null;
    held.push(KEY_FIELD[kind]);
  }
  if (missing.length > 0) left.push(secretsLeft(change, missing, held));
  for (const field of unsent) left.push(dateLeft(change, field, held));
  if (changed.length > 0) {
    // What it opens may be another thing by now.
    for (const field of FIELDS[kind].filter((one) => isOpening(one, fields, record))) {
      fields.delete(field.path);
      left.push(wouldOpen(change, field));
    }
    const message = "has been changed since, and that is left as it is:";
    left.push(alone(change, "changed-since", message, "To overwrite it, add --force.", changed));
  }
  const isIdle = fields.size === 0 && name === null;
  return {
    step: isIdle ? null : { does: "restore", change, record, fields, name, secrets, isResent },
    losses,
    left,
    isDoubtful: false,
  };
}

/** Whether visitors are no longer kept out, because one of these fields is not restored. */
function isUnguarded(kind: ReceiptChange["kind"], lost: readonly string[]): boolean {
  return FIELDS[kind].some(({ path, visitors }) => visitors && lost.includes(path));
}

/**
 * Whether a former value must not come back without the fields that are lost: where visitors are led, or what opens something,
 * without a password or an expiry; and statistics that only their password opens, unless they are public now.
 */
function isGuarded(
  field: FieldSpec,
  kind: ReceiptChange["kind"],
  fields: ReadonlyMap<string, Held>,
  record: LiveRecord,
  lost: readonly string[],
): boolean {
  const [held, now] = [fields.get(field.path), heldAt(record, field.path)];
  if (held === undefined) return false;
  if (isUnguarded(kind, lost)) {
    const isDestination = field.visitors && field.opens === null && field !== EXPIRATION_URL;
    if (isDestination || isOpening(field, fields, record)) return true;
  }
  const isPublic = now !== undefined && "value" in now && sameValue(now.value, field.default);
  return (
    !isPublic &&
    FIELDS[kind].some(
      (secret) =>
        secret.kind === "secret" &&
        lost.includes(secret.path) &&
        secret.worksWith?.path === field.path &&
        "value" in held &&
        held.value === secret.worksWith.value,
    )
  );
}

/** Whether a field that hides something is to show it again, or to end it later. */
function isOpening(field: FieldSpec, fields: ReadonlyMap<string, Held>, record: LiveRecord): boolean {
  const [held, now] = [fields.get(field.path), heldAt(record, field.path)];
  if (field.opens === null || held === undefined || !("value" in held)) return false;
  if (sameValue(held.value, field.default)) return true;
  const isLimit = field.opens.when === "expired" && (field.kind === "instant" || field.kind === "count");
  return isLimit && now !== undefined && "value" in now && isAbove(held.value, now.value);
}

/** Of dates in canonical form, and of numbers of clicks. */
function isAbove(one: Value, other: Value): boolean {
  if (typeof one === "number") return typeof other === "number" && one > other;
  return typeof one === "string" && typeof other === "string" && one > other;
}

/** The record that a create or replacement made is deleted, never another one of its key. */
function unmake(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const made = madeRecord(change, live);
  if ("left" in made) return leave(made.left);
  const { record } = made;
  if (record === null) return NOTHING;
  const isDoubtful = change.newId === null;
  const changed = options.force ? [] : changedSinceStored(change, record, live, isDoubtful);
  if (changed.length > 0)
    return leave(
      alone(
        change,
        "changed-since",
        "has been changed since, and is not deleted:",
        "To delete it all the same, add --force.",
        changed,
      ),
    );
  return { ...NOTHING, step: { does: "remove", change, record }, losses: clicksOf(change, record), isDoubtful };
}

/** The record that was stored: by its id, else the one that has its key and leads where it was to lead. */
function madeRecord(
  change: ReceiptChange,
  live: LiveIndex,
): { readonly record: LiveRecord | null } | { readonly left: LeftAlone } {
  const holders = change.is === null ? [] : live.at(change.kind, change.is);
  const [holder, ...others] = holders;
  if (change.newId !== null) {
    const record = live.withId(change.kind, change.newId);
    if (record !== undefined || holder === undefined) return { record: record ?? null };
    const message = `(id ${change.newId}) is gone, and another one has its key (id ${holder.id}): that one is left as it is.`;
    return { left: alone(change, "gone-since", message) };
  }
  if (holder === undefined) return { record: null };
  if (others.length === 0 && isAsMeant(change, holder, live)) return { record: holder };
  const message = `is there (id ${holder.id}), but not as this run would have made it: it may be somebody else's, and is left as it is.`;
  return { left: alone(change, "not-ours", message) };
}

/** What every new record has besides its key: a link's destination, a pixel's type and value. */
function isAsMeant({ kind, after }: ReceiptChange, record: LiveRecord, live: LiveIndex): boolean {
  return FIELDS[kind].every((field) => {
    const { path } = field;
    if (!field.required || field.kind === "reference" || path === KEY_FIELD[kind]) return true;
    const [meant, now] = [after && heldAt(after, path), heldAt(record, path)];
    return meant !== undefined && meant !== null && now !== undefined && live.same(field, meant, now);
  });
}

/** Fields that are no longer as the record was stored. Of one that may not have been completed, defaults count as well. */
function changedSinceStored(
  { kind, after }: ReceiptChange,
  record: LiveRecord,
  live: LiveIndex,
  isDoubtful: boolean,
): FieldChange[] {
  return FIELDS[kind].flatMap((field) => {
    const [unset, now] = [heldByDefault(field), heldAt(record, field.path)];
    const stored = (after && heldAt(after, field.path)) ?? unset;
    if (now === undefined || live.same(field, stored, now) || (isDoubtful && live.same(field, unset, now))) return [];
    return [changeSince(field, stored, now)];
  });
}

/** Whether a value can be entered so that it means the same. Without the zone the planner says that it is missing. */
function canBeSent(field: FieldSpec, held: Held, accountZone: string | null): boolean {
  if (field.kind !== "instant" || !("value" in held) || typeof held.value !== "string" || accountZone === null)
    return true;
  const wall = wallTimeOf(held.value, accountZone);
  return isStorable(field, held.value, wall) && wall.length === MINUTES && instantOf(wall, accountZone) === held.value;
}

/** Whether a link had expired by a limit that begins to count anew; where the clicks are not known, it may have. */
function isOver(kind: ResourceKind, former: Snapshot, clicks: number | null): boolean {
  return FIELDS[kind].some((field) => {
    const held = heldAt(former, field.path);
    if (field.kind !== "count" || field.opens?.when !== "expired" || held === undefined || !("value" in held))
      return false;
    return typeof held.value === "number" && (clicks === null || clicks >= held.value);
  });
}
