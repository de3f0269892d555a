// Target groups: one field for each type, or since 49 one for all (docs/service.md, "Targeting" and "Responses").
import { keysOf } from "./codes.ts";
import { type Form, textAt, type Value } from "./forms.ts";
import { type Errors, phpJson, serverError } from "./reply.ts";
import { known, messageOf, type Problem, webAddress } from "./rules.ts";
import type { Dialect, Software } from "./service.ts";
import { ACTIVE_GROUPS, activeGroup, GROUPS, type Entry, type Group, type GroupName, type Link } from "./state.ts";

/** The maximum size of a group as JSON. */
const MAX_BYTES = 65_535;

/** The maximum number of entries in `targets` of 49. */
const MAX_TARGETS = 100;

/** The mistakes in the groups that were sent. `readGroup` throws for an entry without brackets. */
export function groupErrors(form: Form, software: Software, dialect: Dialect): Errors {
  const keys = keysOf(software);
  const errors: Errors = {};
  for (const name of GROUPS) Object.assign(errors, entriesErrors(form, name, keys[name], `Invalid ${name}.`, dialect));
  const targets = form.get("targets");
  if (typeof targets === "string") return { ...errors, targets: [messageOf({ phrase: "array" }, "targets", dialect)] };
  if (targets instanceof Map && targets.size > MAX_TARGETS) {
    return { ...errors, targets: [messageOf({ phrase: "maxItems", limit: MAX_TARGETS }, "targets", dialect)] };
  }
  // In 49, keys are only checked when the type is sent with them.
  const group = activeGroup({ target_type: typeNumber(form, dialect) });
  const refusal = `Invalid ${group ?? "target"}.`;
  return { ...errors, ...entriesErrors(form, "targets", group && keys[group], refusal, dialect) };
}

/**
 * @param keys what keys may be; null: anything, and there may be none
 * @param refusal the message for a key that is refused
 */
function entriesErrors(
  form: Form,
  field: string,
  keys: readonly string[] | null,
  refusal: string,
  dialect: Dialect,
): Errors {
  const group = form.get(field);
  const errors: Errors = {};
  if (!(group instanceof Map)) return errors;
  const report = (at: string, problem: Problem | undefined): void => {
    if (problem !== undefined) errors[at] = [messageOf(problem, at, dialect)];
  };
  for (const [index, entry] of group) {
    if (!(entry instanceof Map)) continue;
    const [keyAt, valueAt] = [`${field}.${index}.key`, `${field}.${index}.value`];
    const [key, value] = [textAt(entry, "key"), textAt(entry, "value")];
    if (keys !== null) {
      if (key === null && value !== null) report(keyAt, `The ${keyAt} field is required when ${valueAt} is present.`);
      if (key !== null && value === null) report(valueAt, `The ${valueAt} field is required when ${keyAt} is present.`);
      if (key !== null) report(keyAt, known(keys, refusal)(key));
    }
    if (value !== null) report(valueAt, webAddress(value));
  }
  return errors;
}

/**
 * The group as it is stored; undefined when the group was not sent. Entries are numbered in the order in which they came, and
 * empty ones dropped: what comes after an empty one keeps its number, and the list becomes an object (docs/service.md,
 * "Responses").
 * @throws Refusal 500 for `country=`, `rotation[0]=url` and more than 64 KB
 */
export function readGroup(form: Form, name: GroupName): Group | undefined {
  const sent = form.get(name);
  if (sent === undefined) return undefined;
  if (!(sent instanceof Map)) throw serverError();
  return storedGroup(
    [...sent.values()].map((entry, at) => [String(at), entry]),
    name !== "rotation",
  );
}

function storedGroup(sent: readonly (readonly [string, Value])[], hasKeys: boolean): Group {
  const entries = sent.flatMap(([index, entry]) => {
    if (!(entry instanceof Map)) throw serverError();
    const stored = readEntry(entry, hasKeys);
    return stored === null ? [] : [[index, stored] as const];
  });
  const isList = entries.every(([index], at) => index === String(at));
  const group = isList ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
  if (phpJson(group).length > MAX_BYTES) throw serverError();
  return group;
}

function readEntry(entry: Form, hasKeys: boolean): Entry | null {
  const key = textAt(entry, "key");
  const value = textAt(entry, "value");
  if (value === null) return null;
  return key === null || !hasKeys ? { value } : { key, value };
}

/** The one group that 49 returns: that of the type. Without a type, the entries that 49 stored, or a cleared group. */
export function targetsOf(link: Link): Group {
  const active = activeGroup(link);
  if (active) return link[active];
  const isCleared = GROUPS.some((name) => isEmpty(link[name]));
  return link.targets ?? (isCleared ? [] : null);
}

/**
 * The link with the type and the entries that were sent to 49, which has one column for the entries of all types: writing to it
 * drops what older versions stored beside it. Indices are kept.
 * @throws Refusal 500 for `targets[0]=url` and more than 64 KB
 */
export function assignTargets(link: Link, form: Form, dialect: Dialect): Link {
  if (!form.has("targets") && !form.has("target_type")) return link;
  const type = form.has("target_type") ? typeNumber(form, dialect) : (link.target_type ?? 0);
  const sent = form.get("targets");
  const group = form.has("targets") ? storedGroup(sent instanceof Map ? [...sent] : [], true) : targetsOf(link);
  // A cleared group stays with its old type, as in an older version.
  const place = activeGroup({ target_type: type }) ?? (isEmpty(group) ? activeGroup(link) : null) ?? "targets";
  return { ...link, ...NO_GROUPS, target_type: type, [place]: group };
}

const NO_GROUPS = Object.fromEntries([...ACTIVE_GROUPS, "targets"].map((name) => [name, null]));

/** -1 for an unknown type. */
const typeNumber = (form: Form, { targetWords }: Dialect): number =>
  (targetWords ?? []).indexOf(textAt(form, "target_type") ?? "");

const isEmpty = (group: Group): boolean => group !== null && Object.keys(group).length === 0;
