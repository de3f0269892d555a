// The messages about single changes of an undo: what cannot be restored, and what is left as it is.

import type { FieldChange } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { LeftAlone, LeftCode, Loss, Pointer, ReceiptChange, Snapshot } from "../domain/receipt.ts";
import { FIELDS } from "../domain/table.ts";
import { heldAt, type LiveIndex } from "./live.ts";

/** What does not come back with an object that is made again. */
export function formerLosses(change: ReceiptChange, former: Snapshot): Loss[] {
  const { kind, id, clicks } = change;
  const unknown = FIELDS[kind]
    .filter(({ path }) => heldAt(former, path) === undefined)
    .map(({ path }) => `\`${path}\``);
  const counted = clicks === 0 ? "" : ` and its ${clicks === null ? "clicks" : countOf(clicks)}`;
  const first =
    kind === "link"
      ? `its id ${id}${counted}: the short URL works again, under another id, and counts from 0.`
      : `its id ${id}: it is made again under another one.`;
  return [
    loss(change, first),
    ...(unknown.length === 0 ? [] : [loss(change, `${unknown.join(", ")}: the service does not say what that was.`)]),
  ];
}

function countOf(clicks: number): string {
  return `${clicks.toLocaleString("en-US")} ${clicks === 1 ? "click" : "clicks"}`;
}

/** The clicks of a record that is deleted. */
export function clicksOf(change: ReceiptChange, { clicks }: LiveRecord): Loss[] {
  if (clicks === null || clicks === 0) return [];
  return [loss(change, `the ${countOf(clicks)} that it has had since.`)];
}

/** What can't come back with a change. */
export function loss({ kind, key, previousKey, action, place }: ReceiptChange, message: string): Loss {
  return { kind, key: action === "replace" ? (previousKey ?? key) : key, message, place };
}

/** Something that is left as it is; `message` goes on from its key. */
export function alone(
  { kind, key, previousKey, place }: ReceiptChange,
  code: LeftCode,
  message: string,
  hint: string | null = null,
  fields: readonly FieldChange[] = [],
  paths: readonly string[] = fields.map(({ path }) => path),
): LeftAlone {
  const named = previousKey === null ? `\`${key}\`` : `\`${key}\` (was \`${previousKey}\`)`;
  return { kind, key, previousKey, code, message: `${named} ${message}`, hint, paths, fields, place };
}

/** The record of an update is not there any more. */
export function gone(change: ReceiptChange, live: LiveIndex): LeftAlone {
  const [other] = change.is === null ? [] : live.at(change.kind, change.is);
  const message =
    other === undefined
      ? `(id ${change.id}) is gone: there is nothing to take back.`
      : `(id ${change.id}) is gone, and another one has its key (id ${other.id}): that one is left as it is.`;
  return alone(change, "gone-since", message);
}

/** What makes a domain or space known that nothing shows: no list has it, and no link is left that names it. */
export function lineFor(what: "domain" | "space", { id, name }: Pointer): string {
  return `If it is still there, the project file can say so: \`${what}s: { ${JSON.stringify(name)}: { id: ${id}, name: ${JSON.stringify(name)} } }\`.`;
}

/** A secret that was set, and the variable that nobody has set to it. */
export interface MissingSecret {
  readonly path: string;
  readonly variable: string;
}

/** An object is not made again without its secret: it would be open (promise 4). */
export function secretUnknown(change: ReceiptChange, missing: readonly MissingSecret[]): LeftAlone {
  const what = namesOf(missing.map(({ path }) => path));
  const message = `had a ${what}, which can't be read: without it, it would come back open, so it is left as it is.`;
  return alone(change, "secret-unknown", message, secretHint(change, missing));
}

/** Secrets that are not restored, and `held`: the fields that would be open without them. */
export function secretsLeft(
  change: ReceiptChange,
  missing: readonly MissingSecret[],
  held: readonly string[],
): LeftAlone {
  const paths = missing.map(({ path }) => path);
  const rest =
    held.length === 0
      ? "so it is not restored."
      : `so it is not restored, and without it ${namesOf(held)} would be open: ${held.length === 1 ? "it stays" : "they stay"} as now.`;
  const message = `had a ${namesOf(paths)}, which can't be read, ${rest}`;
  return alone(change, "secret-unknown", message, secretHint(change, missing), [], [...paths, ...held]);
}

/** An object that is created again as `made`, without secrets that only opened a part of it. */
export function madeWithout(
  change: ReceiptChange,
  missing: readonly MissingSecret[],
  former: Snapshot,
  made: Snapshot,
): LeftAlone {
  const secrets = missing.map(({ path }) => path);
  const paths = FIELDS[change.kind].flatMap(({ path }) =>
    former.values.get(path) === made.values.get(path) ? [] : [path],
  );
  const closed = paths.filter((path) => !secrets.includes(path));
  const rest = closed.map((path) => ` and with \`${path}: ${String(made.values.get(path))}\``).join("");
  const message = `had a ${namesOf(secrets)}, which can't be read: it is created again without it${rest}.`;
  const names = missing.map(({ variable }) => variable).join(" and ");
  const hint = `Set ${names} (the former password, or a new one) before you undo, or set the password later in the files.`;
  return alone(change, "secret-unknown", message, hint, [], paths);
}

/** The receipt is named: the newest one is by then that of this undo. */
function secretHint({ place }: ReceiptChange, missing: readonly MissingSecret[]): string {
  const names = missing.map(({ variable }) => variable).join(" and ");
  return `Set ${names} (the former password, or a new one) and run \`linkform undo ${place.file}\`.`;
}

function namesOf(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(" and ");
}

/** A date that nobody can enter as it was. */
export function unsendable(change: ReceiptChange, { path }: FieldSpec): LeftAlone {
  const message = `had a \`${path}\` that can't be entered in the account's time zone, so it is left as it is.`;
  return alone(change, "cannot-be-sent", message, "Set it by hand, or in the files.");
}

/** A date that is not restored, and `held`: the fields that would be open without it. */
export function dateLeft(change: ReceiptChange, { path }: FieldSpec, held: readonly string[]): LeftAlone {
  const rest =
    held.length === 0
      ? ""
      : `, and without it ${namesOf(held)} would be open: ${held.length === 1 ? "it stays" : "they stay"} as now`;
  const message = `had a \`${path}\` that can't be entered in the account's time zone: it is not restored${rest}.`;
  return alone(change, "cannot-be-sent", message, "Set it by hand, or in the files.", [], [path, ...held]);
}

/** A field that hid nothing before the apply, of an object that somebody has changed since. */
export function wouldOpen(change: ReceiptChange, { path }: FieldSpec): LeftAlone {
  const message = `keeps its \`${path}\`: what it would show again has been changed since.`;
  return alone(change, "would-open", message, "To take that back as well, add --force.", [], [path]);
}
