// Checks that a record is still as it was when linkform decided to write to it.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import { fieldsText } from "../domain/live.ts";
import { FIELDS, REFERENCE_FIELD } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { ServiceError } from "../errors.ts";
import { pixelsOf } from "../plan/order.ts";
import type { Guard } from "../service/service.ts";
import type { ExecutionOptions, Describe } from "./options.ts";

/** `storing`: the fields of a store that may be under way. */
export interface OwnWrites {
  readonly done: readonly FieldChange[];
  readonly sending: readonly FieldChange[];
  readonly storing?: readonly FieldChange[];
}

/** Rejects a write if someone else has changed, deleted or used the record since it was read as `live`. */
export function createGuard(
  change: Change,
  live: Live,
  own: OwnWrites,
  { canonical, describe }: Pick<ExecutionOptions, "canonical" | "describe">,
): Guard {
  return ({ record, users, isDoubtful }) => {
    if (record === null) throw movedError(`It no longer exists (id ${live.id}).`);
    if (record.unreadable.length > 0)
      throw movedError(`linkform can no longer read it: ${fieldsText(record.unreadable)}.`);
    const unclear = users.find(({ references }) => !references.has(REFERENCE_FIELD.pixel));
    if (unclear !== undefined)
      throw movedError(`Link ${unclear.id} may use this pixel, but linkform cannot read its pixels.`);
    const now = canonical(record);
    const sending = [...(own.storing ?? []), ...(isDoubtful ? own.sending : [])];
    const others = differencesFrom(live, now, { done: own.done, sending });
    const fields = others.length === 0 && isDoubtful ? setBack(now, own.sending) : others;
    if (fields.length > 0) throw movedError(`It changed after it was read: ${changesText(change, fields, describe)}.`);
    const user = users.map(canonical).find((link) => pixelsOf(link).includes(fold(change.key)));
    if (user !== undefined) throw movedError(`\`${user.key}\` now uses this pixel.`);
  };
}

function changesText(change: Change, fields: readonly FieldChange[], describe: Describe): string {
  return describe(change, fields)
    .map(({ path, before, after }) => `\`${path}\` was ${before} and is now ${after}`)
    .join("; ");
}

/**
 * The fields that differ from the plan, without this run's own writes: a value that is being sent may be stored or not. Clicks and
 * titles are not compared, nor are fields that the service does not return.
 */
export function differencesFrom(
  { kind, values }: Live,
  now: Live,
  { done, sending }: Pick<OwnWrites, "done" | "sending">,
): FieldChange[] {
  return FIELDS[kind].flatMap(({ path }) => {
    const sent = sending.find((field) => field.path === path);
    const own = done.find((field) => field.path === path);
    // If this run cleared the field, it is null now.
    const before = own === undefined ? values.get(path) : own.after;
    const after = now.values.get(path);
    const isAsSent = sent !== undefined && after !== undefined && sameValue(sent.after, after);
    return before === undefined || after === undefined || isAsSent || sameValue(before, after)
      ? []
      : [{ path, before, after }];
  });
}

/**
 * Fields of a write that have their old value although others have the sent one: somebody has set them back, because a service stores
 * all fields of a call at once. Only a link's pixels are stored after the rest, so their old value proves nothing.
 */
function setBack(now: Live, sending: readonly FieldChange[]): FieldChange[] {
  const comparable = sending.flatMap(({ path, before = null, after: sent }) =>
    sameValue(before, sent) ? [] : [{ path, before: sent, after: now.values.get(path) ?? null }],
  );
  const old = comparable.filter(({ before, after }) => !sameValue(before, after));
  return old.length < comparable.length ? old.filter(({ path }) => path !== REFERENCE_FIELD.pixel) : [];
}

function movedError(message: string): ServiceError {
  return new ServiceError("moved", message, { aftermath: "none" });
}
