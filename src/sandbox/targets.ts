// Target groups: country, platform, language, rotation (interface.md 2.1; observed.md, "Bodies" and "Writing").
import { PLATFORMS, TARGET_CODES } from "./codes.ts";
import { type Form, text } from "./forms.ts";
import { type Errors, phpJson, serverError } from "./reply.ts";
import { firstProblem, known, webAddress } from "./rules.ts";
import type { Software } from "./service.ts";
import type { Entry, Group } from "./state.ts";

export type GroupName = "country" | "platform" | "language" | "rotation";
export const GROUPS: readonly GroupName[] = ["country", "platform", "language", "rotation"];

/** The keys that each group accepts; a rotation has none. */
function keysOf(software: Software): Readonly<Record<GroupName, readonly string[] | null>> {
  return { ...TARGET_CODES[software], platform: PLATFORMS, rotation: null };
}

/** The column holds so many bytes of JSON. */
const MAX_BYTES = 65_535;

/** The mistakes in the groups that were sent; what is no bracketed entry is left to fail in `readGroup`. */
export function groupErrors(form: Form, software: Software): Errors {
  const errors: Errors = {};
  const keys = keysOf(software);
  for (const name of GROUPS) {
    const group = form.get(name);
    if (!(group instanceof Map)) continue;
    for (const [index, entry] of group) {
      if (entry instanceof Map) Object.assign(errors, entryErrors(keys[name], { name, at: `${name}.${index}` }, entry));
    }
  }
  return errors;
}

function entryErrors(
  keys: readonly string[] | null,
  { name, at }: { readonly name: GroupName; readonly at: string },
  entry: Form,
): Errors {
  const key = text(entry, "key");
  const value = text(entry, "value");
  const errors: Errors = {};
  const say = (part: "key" | "value", problem: string | undefined): void => {
    if (problem !== undefined) errors[`${at}.${part}`] = [problem];
  };
  if (keys !== null) {
    if (key === null && value !== null) say("key", `The ${at}.key field is required when ${at}.value is present.`);
    if (key !== null && value === null) say("value", `The ${at}.value field is required when ${at}.key is present.`);
    if (key !== null) say("key", firstProblem(key, `${at}.key`, [known(keys, `Invalid ${name}.`)]));
  }
  if (value !== null) say("value", firstProblem(value, `${at}.value`, [webAddress]));
  return errors;
}

/**
 * The group as it is stored; undefined when the group was not sent. Entries are numbered in the order in which they came, and
 * empty ones dropped: what comes after an empty one keeps its number, and the list becomes an object (corners d).
 * @throws FrameworkError 500 for `country=`, `rotation[0]=url` and more than 64 KB
 */
export function readGroup(form: Form, name: GroupName): Group | undefined {
  const sent = form.get(name);
  if (sent === undefined) return undefined;
  if (!(sent instanceof Map)) throw serverError();
  const entries = [...sent.values()].flatMap((entry, at) => {
    if (!(entry instanceof Map)) throw serverError();
    const stored = readEntry(name, entry);
    return stored === null ? [] : [[at, stored] as const];
  });
  const isList = entries.every(([index], at) => index === at);
  const group = isList ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
  if (phpJson(group).length > MAX_BYTES) throw serverError();
  return group;
}

function readEntry(name: GroupName, entry: Form): Entry | null {
  const key = text(entry, "key");
  const value = text(entry, "value");
  if (value === null) return null;
  return name === "rotation" || key === null ? { value } : { key, value };
}
