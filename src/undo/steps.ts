// What takes each change of a receipt back, as far as the account is still as the apply left it.

import type { SecretSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { ReceiptChange, Snapshot } from "../domain/receipt.ts";
import { FIELDS } from "../domain/table.ts";
import { heldAt, isSet, type LiveIndex } from "./live.ts";
import { restore } from "./restore.ts";
import { canBeSent, isOver } from "./sending.ts";
import { leave, NOTHING, type Decision, type DecideOptions } from "./step.ts";
import { unmake } from "./unmake.ts";
import { alone, formerLosses, madeWithout, secretUnknown, unsendable, type MissingSecret } from "./words.ts";

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

/** A replacement: the former row is made again, then the one that took its place is deleted. */
function exchange(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const isThere = live.withId(change.kind, change.id ?? 0) !== undefined;
  // It came to its first half at most: only what is new goes.
  if (isThere) return unmake(change, live, options);
  const made = unmake(change, live, options);
  if (made.step?.does === "remove") {
    const decided = make(change, made.step.row, live, options);
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
function make(change: ReceiptChange, row: LiveRecord | null, live: LiveIndex, options: DecideOptions): Decision {
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
    return { ...NOTHING, step: row === null ? null : { does: "remove", change, row }, left };
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
    step: { does: "make", change, row, former: made, secrets },
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
