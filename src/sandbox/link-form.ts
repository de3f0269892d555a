// What may be written into a link, and how a form changes one (docs/service.md, "Resources", "Writing" and "Dates and time
// zones"). Forms have the names of the state here.
import { DIALECTS } from "./dialect.ts";
import { textAt, type Form } from "./forms.ts";
import { FrameworkError, serverError, type Errors } from "./reply.ts";
import {
  atMost,
  dashed,
  dateFormat,
  isDay,
  known,
  timeFormat,
  trueOrFalse,
  validate,
  webAddress,
  wholeNumber,
  type Check,
  type Rule,
} from "./rules.ts";
import { isSince, type Service } from "./service.ts";
import { GROUPS, type Link } from "./state.ts";
import { assignTargets, groupErrors, readGroup } from "./targets.ts";
import { wallToInstant } from "./zone.ts";

/**
 * The mistakes in a form, by the wire's names.
 * @param link the link to be updated; undefined for a store
 * @throws FrameworkError 404 where 49 does not find the domain, 500 where it gets brackets for the url
 */
export function linkErrors(form: Form, link: Link | undefined, service: Service): Errors {
  const { store, software } = service;
  const dialect = DIALECTS[software];
  const domain = textAt(form, "domain");
  if (isSince(software, "49") && form.get("url") instanceof Map) throw serverError();
  if (isSince(software, "49") && link === undefined && domain !== null && !store.domains.has(Number(domain))) {
    throw new FrameworkError(404, "No query results for model [App\\Models\\Domain].");
  }
  const rules = linkRules(form, link, service).filter(({ field }) => dialect.sent[field] !== undefined);
  return {
    ...validate(form, rules, store.account.features, dialect),
    ...groupErrors(form, software, dialect),
  };
}

const id = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const expiration = { feature: "expiration" } as const;
const targeting = { feature: "targeting", withoutFeature: "0" } as const;

/** Entries are for `groupErrors` to judge. */
const group = { ...targeting, brackets: (): undefined => undefined } as const;

function linkRules(form: Form, link: Link | undefined, { store, software }: Service): Rule[] {
  const { targetWords, labels } = DIALECTS[software];
  const { links: limit = -1 } = store.account.features;
  const domain = link?.domain ?? Number(textAt(form, "domain"));
  const withinPlan: Check = () =>
    link === undefined && limit >= 0 && store.links.size >= limit ? "You shortened too many links." : undefined;
  const free: Check = (alias) => {
    const holder = store.linkAt(domain, alias);
    return holder === undefined || holder === link?.id
      ? undefined
      : `The ${labels["alias"] ?? "alias"} has already been taken.`;
  };
  const ownDomain: Check = (value) => (store.domains.has(Number(value)) ? undefined : "Invalid domain.");
  const ownSpace: Check = (value) =>
    Number(value) === 0 || store.spaces.has(Number(value)) ? undefined : "Invalid space.";
  const ownPixels = (value: Form): string | undefined =>
    sentIds(value).length === 0 || ownIds(value, store.pixels).length > 0 ? undefined : "Invalid pixel.";
  const ifThere = (field: string): string | undefined => (textAt(form, field) === null ? undefined : field);

  return [
    { field: "url", required: link ? "ifSent" : "always", checks: [webAddress, withinPlan] },
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
    { field: "expiration_date", ...expiration, requiredWith: ifThere("expiration_time"), checks: [dateFormat] },
    { field: "expiration_time", ...expiration, requiredWith: ifThere("expiration_date"), checks: [timeFormat] },
    ...periodRules(form, link, store.account.timezone),
    { field: "expiration_clicks", ...expiration, checks: [wholeNumber(0, 999_999_999)] },
    { field: "sensitive", checks: [trueOrFalse] },
    {
      field: "target_type",
      ...targeting,
      checks: [targetWords === null ? wholeNumber(0, 4) : known(targetWords, "The selected targets type is invalid.")],
    },
    ...[...GROUPS, "targets"].map((field) => ({ field, ...group })),
  ];
}

/** The link with what was sent set; `pixels` come later. @throws FrameworkError 500 where a column refuses the value */
export function assignForm(link: Link, form: Form, service: Service): Link {
  const { timezone } = service.store.account;
  const dialect = DIALECTS[service.software];
  const written = assignSensitive(assignPeriod(assignColumns(link, form, timezone), form, timezone), form);
  return dialect.targetWords === null ? assignGroups(written, form) : assignTargets(written, form, dialect);
}

function assignColumns(link: Link, form: Form, timezone: string): Link {
  const optional = (field: string, stored: string | null): string | null =>
    form.has(field) ? textAt(form, field) : stored;
  const number = (field: string, stored: number): number => {
    const sent = textAt(form, field);
    if (form.has(field) && sent === null) throw serverError();
    return sent === null ? stored : Number(sent);
  };
  return {
    ...link,
    url: textAt(form, "url") ?? link.url,
    // The title of the destination is fetched; the sandbox reaches none, which empties it.
    title: form.has("url") ? null : link.title,
    alias: textAt(form, "alias") ?? link.alias,
    password: optional("password", link.password),
    space: form.has("space") ? Number(textAt(form, "space")) || null : link.space,
    disabled: number("disabled", link.disabled),
    privacy: number("privacy", link.privacy),
    privacy_password: optional("privacy_password", link.privacy_password),
    expiration_url: optional("expiration_url", link.expiration_url),
    ends_at: form.has("expiration_date") && form.has("expiration_time") ? expiry(form, timezone) : link.ends_at,
    expiration_clicks: form.has("expiration_clicks")
      ? nullableNumber(form, "expiration_clicks")
      : link.expiration_clicks,
  };
}

function assignSensitive(link: Link, form: Form): Link {
  if (!form.has("sensitive")) return link;
  const { sensitive: _before, ...rest } = link;
  const sensitive = nullableNumber(form, "sensitive");
  return sensitive === null ? rest : { ...rest, sensitive };
}

function assignGroups(link: Link, form: Form): Link {
  return {
    ...link,
    target_type: form.has("target_type") ? nullableNumber(form, "target_type") : link.target_type,
    country: readGroup(form, "country") ?? link.country,
    platform: readGroup(form, "platform") ?? link.platform,
    language: readGroup(form, "language") ?? link.language,
    rotation: readGroup(form, "rotation") ?? link.rotation,
  };
}

function nullableNumber(form: Form, field: string): number | null {
  const sent = textAt(form, field);
  return sent === null ? null : Number(sent);
}

/** The instant that date and time mean in the account's zone; null when both were sent empty. */
function expiry(form: Form, zone: string): string | null {
  const date = textAt(form, "expiration_date");
  const time = textAt(form, "expiration_time");
  if (date === null || time === null) return null;
  // Unknown is whether the service judges the first day as entered or as stored (docs/service.md, "Dates and time zones").
  const instant = wallToInstant(date, time, zone);
  if (date < "1970-01-01" || instant < "1970-01-01" || instant > "2038-01-19T03:14:07.999Z") throw serverError();
  return instant;
}

/**
 * The ids that the link's pixels become, ascending; undefined when `pixels` was not sent.
 * @throws FrameworkError 500 for `pixels=` and `pixels=1`: by then the rest is saved
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

/**
 * Both are needed for a store, and a start always needs its end in the same request; an end alone is stored by an update.
 * @param link the link to be updated; undefined for a store
 */
function periodRules(form: Form, link: Link | undefined, zone: string): Rule[] {
  const start = textAt(form, "starts_at");
  const end = textAt(form, "ends_at");
  const isDate: Check = (value) => (parseInstant(value, zone) === null ? { phrase: "date" } : undefined);
  const beforeEnd: Check = (value) => {
    const [starts, ends] = [parseInstant(value, zone), end === null ? null : parseInstant(end, zone)];
    return starts !== null && ends !== null && starts < ends
      ? undefined
      : { phrase: "before", limit: "active period end at" };
  };
  return [
    {
      field: "starts_at",
      feature: "expiration",
      requiredWith: link === undefined && start === null && end !== null ? "ends_at" : undefined,
      checks: [isDate, beforeEnd],
    },
    { field: "ends_at", feature: "expiration", checks: [isDate] },
  ];
}

/** The link with the instants that were sent; an empty one is cleared. @throws FrameworkError 500 before 1970 and from 2038 on */
function assignPeriod(link: Link, form: Form, zone: string): Link {
  const { starts_at: before, ...rest } = link;
  const start = form.has("starts_at") ? storable(form, "starts_at", zone) : before;
  return {
    ...rest,
    ...(start != null && { starts_at: start }),
    ends_at: form.has("ends_at") ? storable(form, "ends_at", zone) : link.ends_at,
  };
}

function storable(form: Form, field: string, zone: string): string | null {
  const sent = textAt(form, field);
  const instant = sent === null ? null : parseInstant(sent, zone);
  if (sent === null || instant === null) return null;
  const isOut = [sent, instant].some((moment) => moment < "1970-01-01" || moment >= "2038-01-01");
  if (isOut) throw serverError();
  return instant;
}
