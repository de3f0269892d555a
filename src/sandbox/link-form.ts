// What may be written into a link, and how a form changes one (docs/service.md, "Resources", "Writing", "Dates and time
// zones" and "Targeting"). Forms have the names of the state here.
import { keysOf } from "./codes.ts";
import { textAt, type Form, type Value } from "./forms.ts";
import { frameworkError, phpJson, refuseIfAny, serverError, type Errors } from "./reply.ts";
import {
  atMost,
  below,
  dashed,
  dateFormat,
  isDay,
  known,
  messageOf,
  timeFormat,
  trueOrFalse,
  validate,
  webAddress,
  wholeNumber,
  type Check,
  type Problem,
  type Rule,
} from "./rules.ts";
import { isSince, type Dialect, type Service, type Software } from "./service.ts";
import { ACTIVE_GROUPS, activeGroup, GROUPS, type Entry, type Group, type Link } from "./state.ts";
import { wallToInstant } from "./zone.ts";

/**
 * @param link the link to be updated; undefined for a store
 * @throws Refusal 422 for mistakes, 404 where 49 does not find the domain, 500 where it gets brackets for the url
 */
export function checkLink(form: Form, link: Link | undefined, service: Service): void {
  const { store, software, dialect } = service;
  const domain = textAt(form, "domain");
  if (isSince(software, "49") && form.get("url") instanceof Map) throw serverError();
  if (isSince(software, "49") && link === undefined && domain !== null && !store.domains.has(Number(domain))) {
    throw frameworkError(404, "No query results for model [App\\Models\\Domain].");
  }
  const rules = linkRules(form, link, service).filter(({ field }) => dialect.sent[field] !== undefined);
  refuseIfAny({ ...validate(form, rules, store.account.features, dialect), ...groupErrors(form, software, dialect) });
}

const id = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const expiration = { feature: "expiration" } as const;
const targeting = { feature: "targeting", withoutFeature: "0" } as const;

/** Entries are for `groupErrors` to judge. */
const targetGroup = { ...targeting, brackets: (): undefined => undefined } as const;

function linkRules(form: Form, link: Link | undefined, { store, software, dialect }: Service): Rule[] {
  const { targetWords, labels } = dialect;
  const withinPlan = below(store.links.size, "You shortened too many links.", store.account.features["links"]);
  const domain = link?.domain ?? Number(textAt(form, "domain"));
  const free: Check = (alias) => {
    const holder = store.linkAt(domain, alias);
    return holder === undefined || holder.id === link?.id
      ? undefined
      : `The ${labels["alias"] ?? "alias"} has already been taken.`;
  };
  const ownDomain: Check = (value) => (store.domains.has(Number(value)) ? undefined : "Invalid domain.");
  const ownSpace: Check = (value) =>
    Number(value) === 0 || store.spaces.has(Number(value)) ? undefined : "Invalid space.";
  const ownPixels = (value: Form): string | undefined =>
    sentIds(value).length === 0 || ownIds(value, store.pixels).length > 0 ? undefined : "Invalid pixel.";
  const zone = store.account.timezone;
  const isDate: Check = (value) => (parseInstant(value, zone) === null ? { phrase: "date" } : undefined);
  // A start always needs its end in the same request; an end alone is stored by an update.
  const beforeEnd: Check = (value) => {
    const [start, end] = [value, textAt(form, "ends_at") ?? ""].map((sent) => parseInstant(sent, zone));
    return start && end && start < end ? undefined : { phrase: "before", limit: "active period end at" };
  };

  return [
    { field: "url", required: link ? "ifSent" : "always", checks: [webAddress, ...(link ? [] : [withinPlan])] },
    { field: "alias", ...(link && { required: "ifSent" }), checks: [atMost(255), dashed, free] },
    ...(link ? [] : [{ field: "domain", required: "always", checks: [id, ownDomain] } as const]),
    { field: "password", feature: "password", checks: [atMost(128)] },
    { field: "space", feature: "spaces", checks: [id, ownSpace] },
    { field: "pixels", feature: "pixels", brackets: ownPixels },
    { field: "disabled", feature: "disabled", checks: [trueOrFalse] },
    {
      field: "privacy",
      feature: "stats",
      // 49 refuses even the default (docs/service.md, "Limited plans").
      ...(!isSince(software, "49") && { withoutFeature: "0" }),
      checks: [wholeNumber(0, 2)],
    },
    {
      field: "privacy_password",
      feature: "stats",
      ...(textAt(form, "privacy") === "2" && { required: "ifSent" }),
      checks: [atMost(128)],
    },
    { field: "expiration_url", ...expiration, checks: [webAddress] },
    { field: "expiration_date", ...expiration, requiredWith: "expiration_time", checks: [dateFormat] },
    { field: "expiration_time", ...expiration, requiredWith: "expiration_date", checks: [timeFormat] },
    { field: "starts_at", ...expiration, ...(!link && { requiredWith: "ends_at" }), checks: [isDate, beforeEnd] },
    { field: "ends_at", ...expiration, checks: [isDate] },
    { field: "expiration_clicks", ...expiration, checks: [wholeNumber(0, 999_999_999)] },
    { field: "sensitive", checks: [trueOrFalse] },
    {
      field: "target_type",
      ...targeting,
      checks: [targetWords === null ? wholeNumber(0, 4) : known(targetWords, "The selected targets type is invalid.")],
    },
    ...[...GROUPS, "targets"].map((field) => ({ field, ...targetGroup })),
  ];
}

/** What a column stores of a text that was sent; null: it was empty. */
type Column = (sent: string | null, zone: string) => string | number | null;

const text: Column = (sent) => sent;
const number: Column = (sent) => (sent === null ? null : Number(sent));
const required: Column = (sent) => {
  if (sent === null) throw serverError();
  return Number(sent);
};
const periodEnd: Column = (sent, zone) => storable(sent, zone, "2038-01-01");

const COLUMNS: Readonly<Record<string, Column>> = {
  url: text,
  password: text,
  space: (sent) => Number(sent) || null,
  disabled: required,
  privacy: required,
  privacy_password: text,
  expiration_url: text,
  starts_at: periodEnd,
  ends_at: periodEnd,
  expiration_clicks: number,
  sensitive: number,
};

/** The link with what was sent set; `pixels` come later. @throws Refusal 500 where a column refuses the value */
export function assignForm(link: Link, form: Form, { store, dialect }: Service): Link {
  const { timezone } = store.account;
  const sent = Object.entries(COLUMNS).filter(([field]) => form.has(field));
  const written: Link = {
    ...link,
    ...Object.fromEntries(sent.map(([field, column]) => [field, column(textAt(form, field), timezone)])),
    ...(form.has("expiration_date") && form.has("expiration_time") && { ends_at: expiry(form, timezone) }),
    alias: textAt(form, "alias") ?? link.alias,
    // The title of the destination is fetched; the sandbox reaches none, which empties it.
    title: form.has("url") ? null : link.title,
  };
  return dialect.targetWords === null ? assignGroups(written, form) : assignTargets(written, form, dialect);
}

/** Entries are numbered in the order in which they came. @throws Refusal 500 for `country=` */
function assignGroups(link: Link, form: Form): Link {
  const groups = GROUPS.map((name) => {
    const sent = form.get(name);
    if (sent === undefined) return [name, link[name]];
    if (!(sent instanceof Map)) throw serverError();
    const entries = [...sent.values()].map((entry, at) => [String(at), entry] as const);
    return [name, storedGroup(entries, name !== "rotation")];
  });
  const type = form.has("target_type") ? textAt(form, "target_type") : link.target_type;
  return { ...link, ...Object.fromEntries(groups), target_type: type === null ? null : Number(type) };
}

/** Null when both were sent empty: one alone is refused. */
function expiry(form: Form, zone: string): string | null {
  const [date, time] = [textAt(form, "expiration_date"), textAt(form, "expiration_time")];
  return storable(date === null || time === null ? null : `${date} ${time}`, zone, "2038-01-19T03:14:08");
}

/**
 * The instant that a text means, if it is one. Unknown is whether the service judges the first day as entered or as stored
 * (docs/service.md, "Dates and time zones").
 * @throws Refusal 500 before 1970, and from `end` on
 */
function storable(sent: string | null, zone: string, end: string): string | null {
  const instant = sent === null ? null : parseInstant(sent, zone);
  const isOut = [sent, instant].some((moment) => moment !== null && (moment < "1970-01-01" || moment >= end));
  if (instant !== null && isOut) throw serverError();
  return instant;
}

/**
 * The ids that the link's pixels become, ascending; undefined when `pixels` was not sent.
 * @throws Refusal 500 for `pixels=` and `pixels=1`: by then the rest is saved
 */
export function readPixels(form: Form, { store }: Service): number[] | undefined {
  const sent = form.get("pixels");
  if (sent === undefined) return undefined;
  if (!(sent instanceof Map)) throw serverError();
  return ownIds(sent, store.pixels);
}

const sentIds = (value: Form): number[] => [...value.values()].filter((sent) => sent !== null).map(Number);

const ownIds = (value: Form, owned: ReadonlyMap<number, unknown>): number[] =>
  [...new Set(sentIds(value))].filter((own) => owned.has(own)).toSorted((a, b) => a - b);

/**
 * The instant (ISO, UTC) that a text means: a date, with or without a time, in the zone unless it has an offset of its own.
 * Null: it is no date.
 */
function parseInstant(value: string, zone: string): string | null {
  const found =
    /^(\d{4}-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d))?(?:\.\d+)?\s?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
      value,
    );
  const [, date = "", time = "00:00", seconds = "00", offset] = found ?? [];
  if (!isDay(date)) return null;
  if (offset === undefined) {
    return new Date(Date.parse(wallToInstant(date, time, zone)) + Number(seconds) * 1000).toISOString();
  }
  const instant = new Date(`${date}T${time}:${seconds}${offset.replace(/^(...)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

/** Of a group as JSON. */
const MAX_BYTES = 65_535;

/** The maximum number of entries in `targets` of 49. */
const MAX_TARGETS = 100;

/** The mistakes in the groups that were sent. `storedGroup` throws for an entry without brackets. */
function groupErrors(form: Form, software: Software, dialect: Dialect): Errors {
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
 * The group as it is stored. Empty entries are dropped: what comes after one keeps its number, and the list becomes an object
 * (docs/service.md, "Responses").
 * @throws Refusal 500 for `rotation[0]=url` and more than 64 KB
 */
function storedGroup(sent: readonly (readonly [string, Value])[], hasKeys: boolean): Group {
  const entries = sent.flatMap(([index, entry]) => {
    if (!(entry instanceof Map)) throw serverError();
    const [key, value] = [textAt(entry, "key"), textAt(entry, "value")];
    if (value === null) return [];
    const stored: Entry = key === null || !hasKeys ? { value } : { key, value };
    return [[index, stored] as const];
  });
  const isList = entries.every(([index], at) => index === String(at));
  const group = isList ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
  if (phpJson(group).length > MAX_BYTES) throw serverError();
  return group;
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
function assignTargets(link: Link, form: Form, dialect: Dialect): Link {
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
