// The messages about single changes of an undo: what it cannot restore, and what it skips.

import type { FieldChange } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fieldsText, type LiveRecord } from "../domain/live.ts";
import type { Loss, ReceiptChange, Reference, SkippedChange, SkipReason, Snapshot } from "../domain/receipt.ts";
import { FIELDS } from "../domain/table.ts";
import { plural } from "../report/counts.ts";
import { displayKey, fieldValueOf, keyOf, type ReceiptRecords } from "./live.ts";

export function loss({ kind, key, previousKey, action, place }: ReceiptChange, message: string): Loss {
  return { kind, key: action === "replace" ? (previousKey ?? key) : key, message, place };
}

/** What a recreated object does not have: its id, its clicks, and fields that the service does not return. */
export function recreateLosses(change: ReceiptChange, before: Snapshot): Loss[] {
  const { kind, id, clicks } = change;
  const unknown = FIELDS[kind]
    .filter(({ path }) => fieldValueOf(before, path) === undefined)
    .map(({ path }) => `\`${path}\``);
  const counted = clicks === 0 ? "" : ` and its ${clicks === null ? "clicks" : plural(clicks, "click")}`;
  const first =
    kind === "link"
      ? `its id ${id}${counted}. The short URL works again with a new id, and its clicks start at 0.`
      : `its id ${id}. It is created again with a new id.`;
  return [
    loss(change, first),
    ...(unknown.length === 0
      ? []
      : [
          loss(
            change,
            `the former ${unknown.join(", ")}, because the service does not return ${unknown.length === 1 ? "this value" : "these values"}.`,
          ),
        ]),
  ];
}

/** The clicks of a record that the undo deletes. */
export function clickLosses(change: ReceiptChange, { clicks }: LiveRecord): Loss[] {
  if (clicks === null || clicks === 0) return [];
  return [loss(change, `the ${plural(clicks, "click")} since the apply.`)];
}

/** A change that is skipped in whole or in part. `message` continues a sentence that starts with the key. */
export function skippedChange(
  { kind, key, previousKey, place }: ReceiptChange,
  code: SkipReason,
  message: string,
  hint: string | null = null,
  fields: readonly FieldChange[] = [],
  paths: readonly string[] = fields.map(({ path }) => path),
): SkippedChange {
  const named = previousKey === null ? `\`${key}\`` : `\`${key}\` (was \`${previousKey}\`)`;
  return { kind, key, previousKey, code, message: `${named} ${message}`, hint, paths, fields, place };
}

/** The record of an update does not exist anymore. */
export function recordGone(change: ReceiptChange, live: ReceiptRecords): SkippedChange {
  const [other] = change.keyAfter === null ? [] : live.findByKey(change.kind, change.keyAfter);
  const message =
    other === undefined
      ? `(id ${change.id}) no longer exists, so there is nothing to undo.`
      : `(id ${change.id}) no longer exists. The ${change.kind} that now has its key (id ${other.id}) is not changed.`;
  return skippedChange(change, "gone-since", message);
}

/** The record of an update has another key now. */
export function recordMoved(change: ReceiptChange, record: LiveRecord): SkippedChange {
  const message = `(id ${change.id}) is \`${displayKey(keyOf(record))}\` now, so it is not changed.`;
  return skippedChange(change, "moved", message, "To undo the change anyway, add --force.");
}

/** The line that confirms a domain or space which is in no list and which no link uses. */
export function declareHint(what: "domain" | "space", { id, name }: Reference): string {
  return `If the ${what} still exists, add it to the project file: \`${what}s: { ${JSON.stringify(name)}: { id: ${id}, name: ${JSON.stringify(name)} } }\`.`;
}

/** The domain of an object to recreate is unknown. A domain without links is only visible if its list can be read. */
export function domainGone(change: ReceiptChange, domain: Reference): SkippedChange {
  const message = `is not created again, because linkform found no domain \`${domain.name}\` in this account.`;
  return skippedChange(change, "gone-since", message, declareHint("domain", domain));
}

/** A secret of the former object whose environment variable is not set. */
export interface MissingSecret {
  readonly path: string;
  readonly variable: string;
}

/** The object is not recreated: without its secret, it would be open. */
export function secretMissing(change: ReceiptChange, missing: readonly MissingSecret[]): SkippedChange {
  const secrets = quoteList(missing.map(({ path }) => path));
  const message = `had a ${secrets}, which linkform cannot read. The ${change.kind} is not created again, because it would be open.`;
  return skippedChange(change, "secret-unknown", message, secretHint(change, missing));
}

/** Missing secrets, and the fields that are not restored because they would be open without them. */
export function secretsNotRestored(
  change: ReceiptChange,
  missing: readonly MissingSecret[],
  unprotected: readonly string[],
): SkippedChange {
  const paths = missing.map(({ path }) => path);
  const rest = unprotectedText(unprotected);
  const message = `had a ${quoteList(paths)}, which linkform cannot read, so it is not restored${rest}.`;
  return skippedChange(change, "secret-unknown", message, secretHint(change, missing), [], [...paths, ...unprotected]);
}

/** The object is recreated as `recreated`, without secrets that protected only a part of it. */
export function recreatedWithoutSecrets(
  change: ReceiptChange,
  missing: readonly MissingSecret[],
  before: Snapshot,
  recreated: Snapshot,
): SkippedChange {
  const secrets = missing.map(({ path }) => path);
  const paths = FIELDS[change.kind].flatMap(({ path }) =>
    before.values.get(path) === recreated.values.get(path) ? [] : [path],
  );
  const rest = paths
    .filter((path) => !secrets.includes(path))
    .map((path) => ` and with \`${path}: ${String(recreated.values.get(path))}\``)
    .join("");
  const message = `had a ${quoteList(secrets)}, which linkform cannot read. The ${change.kind} is created again without it${rest}.`;
  const hint = `Set ${variablesOf(missing)} to the former password or a new one before you undo, or set the password later in the files.`;
  return skippedChange(change, "secret-unknown", message, hint, [], paths);
}

/** The hint names the receipt, because after this undo the newest receipt is another one. */
function secretHint({ place }: ReceiptChange, missing: readonly MissingSecret[]): string {
  return `Set ${variablesOf(missing)} to the former password or a new one, and run \`linkform undo ${place.file}\`.`;
}

function variablesOf(missing: readonly MissingSecret[]): string {
  return missing.map(({ variable }) => variable).join(" and ");
}

function quoteList(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(" and ");
}

function unprotectedText(paths: readonly string[]): string {
  if (paths.length === 0) return "";
  return `. Without it, ${quoteList(paths)} would be open, so linkform does not change ${paths.length === 1 ? "this field" : "these fields"} either`;
}

/** The object is not recreated: the time zone of the account has no local time for its date. */
export function dateNotStorable(change: ReceiptChange, { path }: FieldSpec): SkippedChange {
  const message = `had a date in \`${path}\` that the account's time zone cannot express, so the ${change.kind} is not created again.`;
  return skippedChange(change, "cannot-be-sent", message, "Set the date manually or in the files.");
}

/** A date that is not restored, and the fields that are not restored because they would be open without it. */
export function dateNotRestored(
  change: ReceiptChange,
  { path }: FieldSpec,
  unprotected: readonly string[],
): SkippedChange {
  const rest = unprotectedText(unprotected);
  const message = `had a date in \`${path}\` that the account's time zone cannot express, so the date is not restored${rest}.`;
  return skippedChange(
    change,
    "cannot-be-sent",
    message,
    "Set the date manually or in the files.",
    [],
    [path, ...unprotected],
  );
}

/** A field that is not restored because someone has changed what it protects. */
export function staysProtected(change: ReceiptChange, { path }: FieldSpec): SkippedChange {
  const message = `keeps its \`${path}\`, because the content that it protects was changed after the apply.`;
  return skippedChange(change, "would-open", message, "To undo this as well, add --force.", [], [path]);
}

/** Another record has the former key. `reason` continues a sentence that starts with the key. */
export function keyConflict(change: ReceiptChange, isRecreated: boolean, key: string, reason: string): SkippedChange {
  const what = isRecreated ? `is not created again (id ${change.id})` : "keeps its key";
  return skippedChange(
    change,
    "taken-since",
    `${what}: \`${key}\` ${reason}.`,
    "To restore it, free the key and undo again.",
  );
}

const MAX_SHOWN_USERS = 3;

/** The pixel is not deleted: links with these keys use it. */
export function pixelInUse(change: ReceiptChange, links: readonly string[]): SkippedChange {
  const keys = links.slice(0, MAX_SHOWN_USERS).map((key) => `\`${key}\``);
  const more = links.length > MAX_SHOWN_USERS ? ` and ${links.length - MAX_SHOWN_USERS} more` : "";
  const message = `is not deleted: ${keys.join(", ")}${more} ${links.length === 1 ? "uses" : "use"} it.`;
  return skippedChange(
    change,
    "still-used",
    message,
    `To delete it, remove it from ${links.length === 1 ? "this link" : "these links"} and undo again.`,
  );
}

/** The record has fields with invalid values. */
export function recordUnreadable(change: ReceiptChange, { kind, id, unreadable }: LiveRecord): SkippedChange {
  const message = `is not changed, because linkform cannot read ${kind} ${id} (${fieldsText(unreadable)}).`;
  const hint = `Fix the ${kind} in the service's web interface, and undo again.`;
  return skippedChange(change, "unreadable-row", message, hint);
}
