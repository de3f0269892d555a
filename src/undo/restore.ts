// The fields that an apply changed get their former values, as far as they are still as it left them.

import type { FieldChange } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { LeftAlone, Loss, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD, EXPIRATION_URL } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { changeSince, heldAt, isSet, type Held, type LiveIndex } from "./live.ts";
import { canBeSent } from "./sending.ts";
import { leave, NOTHING, type Decision, type DecideOptions } from "./step.ts";
import { alone, dateLeft, gone, loss, secretsLeft, wouldOpen, type MissingSecret } from "./words.ts";

/** Fields that are as the apply left them become what they were; the rest is left. */
export function restore(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const { kind, id, before, after } = change;
  const row = live.withId(kind, id ?? 0);
  if (row === undefined) return leave(gone(change, live));
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
    const [was, made, now] = [heldAt(before, path), heldAt(after, path), heldAt(row, path)];
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
  const held = FIELDS[kind].filter((field) => isGuarded(field, kind, fields, row, lost)).map(({ path }) => path);
  for (const path of held) fields.delete(path);
  if (name !== null && isUnguarded(kind, lost)) {
    name = null;
    held.push(KEY_FIELD[kind]);
  }
  if (missing.length > 0) left.push(secretsLeft(change, missing, held));
  for (const field of unsent) left.push(dateLeft(change, field, held));
  if (changed.length > 0) {
    // What it opens may be another thing by now.
    for (const field of FIELDS[kind].filter((one) => isOpening(one, fields, row))) {
      fields.delete(field.path);
      left.push(wouldOpen(change, field));
    }
    const message = "has been changed since, and that is left as it is:";
    left.push(alone(change, "changed-since", message, "To overwrite it, add --force.", changed));
  }
  const isIdle = fields.size === 0 && name === null;
  return {
    step: isIdle ? null : { does: "restore", change, row, fields, name, secrets, isResent },
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
  row: LiveRecord,
  lost: readonly string[],
): boolean {
  const [held, now] = [fields.get(field.path), heldAt(row, field.path)];
  if (held === undefined) return false;
  if (isUnguarded(kind, lost)) {
    const isDestination = field.visitors && field.opens === null && field !== EXPIRATION_URL;
    if (isDestination || isOpening(field, fields, row)) return true;
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
function isOpening(field: FieldSpec, fields: ReadonlyMap<string, Held>, row: LiveRecord): boolean {
  const [held, now] = [fields.get(field.path), heldAt(row, field.path)];
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
