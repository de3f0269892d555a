// Changes that no plan may contain.

import { addressProblem } from "../domain/address.ts";
import type { Change, Desired, FieldChange, Live, UnreadableLive, WrittenChange, Zones } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { Place } from "../domain/place.ts";
import type { Policy } from "../domain/project.ts";
import { levelOf } from "../domain/rules.ts";
import type { Software } from "../domain/software.ts";
import { EXPIRATION_DATE, fieldAt, REFERENCE_FIELD, START_DATE } from "../domain/table.ts";
import type { Pair, Value, ValueLookup } from "../domain/value.ts";
import { inexpressibleIn } from "../domain/wire.ts";
import { isRepeated, wallTimeOf } from "../domain/zone.ts";
import { sentFields, writesOf } from "./calls.ts";
import { dependenciesAmong, foldedNames, pixelsOf, withNeeds } from "./order.ts";
import { someOf } from "../domain/words.ts";

/**
 * Refuses to delete a pixel that a declared or a live link still uses, managed or not. A link also uses it if its change waits for the
 * deletion: another pixel takes the name, a third one takes the name of that one, and the link is to use the third.
 */
export function pixelsInUse(
  changes: readonly Change[],
  live: readonly Live[],
  unreadable: readonly UnreadableLive[],
  desired: readonly Desired[],
): Diagnostic[] {
  const deletions = changes.filter((change) => change.action === "delete").filter(({ kind }) => kind === "pixel");
  if (deletions.length === 0) return [];
  const links = [...unreadable, ...live].filter(({ kind }) => kind === "link");
  const unknown = links.find(({ values }) => !values.has(REFERENCE_FIELD.pixel));
  if (unknown !== undefined) {
    const message = `linkform cannot read which pixels link ${unknown.id} uses, so it cannot delete pixels safely.`;
    return deletions.map(({ source, reason }) =>
      error("pixel-users-unknown", message, source, `To keep the pixel, ${HOW_TO_KEEP[reason]}`),
    );
  }
  const needs = dependenciesAmong(changes);
  return deletions.flatMap((change) => {
    const name = fold(change.key);
    const before = needs(change).filter((other) => !withNeeds([other], needs).has(change));
    const letGo = new Set(before.flatMap((other) => letsGo(other, name)));
    const users = new Set(
      [...links.filter((link) => !letGo.has(link)), ...desired.filter(({ kind }) => kind === "link")].flatMap((link) =>
        pixelsOf(link).includes(name) ? [link.key] : [],
      ),
    );
    if (users.size === 0) return [];
    const quoted = [...users].map((key) => `\`${key}\``);
    const message = `Pixel \`${change.key}\` is still used by ${someOf(quoted, 10)}.`;
    const them = users.size === 1 ? "this link" : "these links";
    const hint = `Remove it from ${them} first. To keep the pixel instead, ${HOW_TO_KEEP[change.reason]}`;
    return [error("pixel-in-use", message, change.source, hint)];
  });
}

const HOW_TO_KEEP = {
  tombstone: "remove the tombstone.",
  moved: "remove `renamed_from`.",
  removed: "declare it again.",
  undeclared: "declare it, or list this project's pixels in `scope`.",
};

/** The service reads dates in the account's zone, so they are not sent without it. */
export function datesWithoutZone(changes: readonly Change[], zones: Zones): Diagnostic[] {
  if (zones.account !== null) return [];
  return changes.flatMap((change) =>
    sentDates(change).some(({ after }) => after !== null) ? [unknownAccountZone(change.source)] : [],
  );
}

function sentDates(change: Change): FieldChange[] {
  return sentFields(change).filter(({ path }) => fieldAt(change.kind, path)?.kind === "instant");
}

/** An error: the zone is neither in the files nor can it be read. */
export function unknownAccountZone(place: Place): Diagnostic {
  const message = "The service does not report the account's time zone, which it uses for dates.";
  const hint = "Set it in the project file: `service: { account_timezone: Europe/Berlin }`.";
  return error("unknown-account-zone", message, place, hint);
}

/**
 * Refuses to send a time in an hour that the account's clocks repeat, because the service stores one or the other (docs/service.md,
 * "Dates and time zones"). The start and the end of a link are always sent together. A link that has such a time keeps it.
 */
export function repeatedTimes(changes: readonly WrittenChange[], { account, files }: Zones): Diagnostic[] {
  if (account === null) return [];
  return changes.flatMap((change) => {
    if (sentDates(change).length === 0) return [];
    const after = valuesAfter(change);
    return [START_DATE, EXPIRATION_DATE].flatMap(({ path }) => {
      const instant = after.get(path);
      if (typeof instant !== "string" || !isRepeated(instant, account)) return [];
      const time = wallTimeOf(instant, files).replace("T", " ");
      const message = `\`${path}\` (${time}) is in an hour that occurs twice in ${account}, the account's time zone. The service could store the other hour.`;
      const place = placeOf(change, path);
      return [error("date-twice", message, place, "Write a time outside this hour.")];
    });
  });
}

/** The live link that a change deletes or removes this pixel (by folded name) from; none if it still uses the pixel. */
function letsGo(change: Change, pixel: string): Live[] {
  if (change.action === "create") return [];
  if (change.action === "delete") return [change.live];
  const after = sentFields(change).find(({ path }) => path === REFERENCE_FIELD.pixel)?.after;
  // An update without pixels keeps them. A new link has only the fields that it is stored with.
  const used = after === undefined ? change.action === "update" : foldedNames(after).includes(pixel);
  return used ? [] : [change.live];
}

/** Refuses what this version of the service cannot store, once for each place in the files. */
export function notExpressible(changes: readonly WrittenChange[], software: Software): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const change of changes)
    for (const { path, because, hint } of inexpressibleIn(software, change.kind, valuesAfter(change))) {
      const place = placeOf(change, path);
      const message = `Version ${software} of the service ${because}.`;
      found.set(JSON.stringify([place, message]), error("not-in-version", message, place, hint));
    }
  return [...found.values()];
}

/** Refuses addresses that the service does not store, unless the project lowers the rule. */
export function refusedAddresses(changes: readonly WrittenChange[], rules: Policy["rules"]): Diagnostic[] {
  if (levelOf("refused-address", rules) !== "error") return [];
  return changes.flatMap((change) =>
    sentFields(change).flatMap(({ path, after }) =>
      addressesIn(fieldAt(change.kind, path), after).flatMap((address, at) => {
        const problem = addressProblem(address);
        if (problem === null) return [];
        const message = `\`${path}\` of \`${change.key}\` ${problem.is}.`;
        const place = change.desired.fields.get(path)?.parts?.[at] ?? placeOf(change, path);
        return [error("refused-address", message, place, problem.hint)];
      }),
    ),
  );
}

function addressesIn(field: FieldSpec | undefined, value: FieldChange["after"]): string[] {
  if (field?.kind === "text") return field.isAddress && typeof value === "string" ? [value] : [];
  if ((field?.kind !== "map" && field?.kind !== "list") || !Array.isArray(value)) return [];
  return value.map((item: string | Pair) => (typeof item === "string" ? item : item[1]));
}

/** The place of a field in the files; of its block if it is not declared there. */
function placeOf({ desired, source }: WrittenChange, path: string): Place {
  return desired.fields.get(path)?.place ?? source;
}

function valuesAfter(change: WrittenChange): ValueLookup {
  const sent = new Map(sentFields(change).map(({ path, after }) => [path, after]));
  const others = change.action === "update" ? change.live.values : change.desired.values;
  return { get: (path) => (sent.has(path) ? sent.get(path) : others.get(path)) };
}

/** PHP's default. The service answers 200 to a form with more variables, and drops the rest. */
const MOST_VARIABLES = 1000;

/** The service answers 500 to a target group with more bytes of JSON. */
const MOST_GROUP_BYTES = 65_535;

/** Errors for changes that the service would truncate or refuse (docs/service.md, "Size limits"). */
export function checkFormLimits(changes: readonly WrittenChange[]): Diagnostic[] {
  return changes.flatMap((change) => {
    const calls = writesOf(change);
    return [
      ...calls.flatMap((fields) => tooManyVariables(change, fields)),
      ...calls.flat().flatMap((field) => groupTooLarge(change, field)),
    ];
  });
}

function tooManyVariables(change: WrittenChange, fields: readonly FieldChange[]): Diagnostic[] {
  const sizes = fields.map((field) => ({ field, count: variablesOf(change, field) }));
  const sum = sizes.reduce((total, { count }) => total + count, 0);
  if (sum <= MOST_VARIABLES) return [];
  const [largest] = sizes.toSorted((a, b) => b.count - a.count);
  const path = largest?.field.path ?? "";
  const message = `\`${change.key}\` needs ${sum} form variables. The service reads ${MOST_VARIABLES} and silently ignores the rest.`;
  const hint = `Shorten \`${path}\`, which needs ${largest?.count ?? 0} of them.`;
  return [error("too-many-variables", message, placeOf(change, path), hint)];
}

function groupTooLarge(change: WrittenChange, { path, after }: FieldChange): Diagnostic[] {
  const field = fieldAt(change.kind, path);
  if (field?.kind !== "map" && field?.kind !== "list") return [];
  const bytes = storedBytes(after);
  if (bytes <= MOST_GROUP_BYTES) return [];
  const message = `\`${path}\` of \`${change.key}\` needs ${bytes} bytes, but the service stores at most ${MOST_GROUP_BYTES}.`;
  return [error("group-too-large", message, placeOf(change, path), "Remove entries, or shorten their destinations.")];
}

/** Entries of a map have a key and a value, instants a date and a time. */
function variablesOf({ kind }: Change, { path, after }: FieldChange): number {
  const form = fieldAt(kind, path)?.kind;
  const entries = Array.isArray(after) ? Math.max(after.length, 1) : 1;
  return form === "map" || form === "instant" ? entries * 2 : entries;
}

/** The bytes of a group in the service's JSON, which escapes slashes and everything that is not ASCII. */
function storedBytes(value: Value): number {
  const entries = Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? { value: item } : { key: item[0], value: item[1] }))
    : [];
  return JSON.stringify(entries)
    .replaceAll("/", "\\/")
    .replaceAll(/[^\x20-\x7e]/g, "\\u0000").length;
}
