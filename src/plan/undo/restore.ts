// The fields that an apply changed get their former values, as far as they are still as it left them.

import type { FieldChange } from "../../domain/change.ts";
import type { FieldRow } from "../../domain/field.ts";
import type { LiveRow } from "../../domain/live.ts";
import type { LeftAlone, Loss, ReceiptChange } from "../../domain/receipt.ts";
import { FIELDS, KEY_FIELD } from "../../domain/table.ts";
import { sameValue, type Value } from "../../domain/value.ts";
import { changeSince, heldAt, isSet, type Held, type LiveIndex } from "./live.ts";
import { canBeSent } from "./sending.ts";
import { leave, NOTHING, type Decision, type DecideOptions } from "./step.ts";
import { alone, gone, loss, secretUnknown, unsendable, wouldOpen, type MissingSecret } from "./words.ts";

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
      if (variable.isSet) secrets.set(path, variable.name);
      else missing.push({ path, variable: variable.name });
    }
    if (!canBeSent(field, was, options.accountZone)) return leave(unsendable(change, field));
    if (path === KEY_FIELD[kind] && "value" in was) name = String(was.value);
    else fields.set(path, was);
  }
  // What is kept from strangers by a password does not come back without it.
  if (missing.length > 0) return leave(secretUnknown(change, missing));
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

/** Whether a field that hides something is to show it again, or to end it later. */
function isOpening(field: FieldRow, fields: ReadonlyMap<string, Held>, row: LiveRow): boolean {
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
