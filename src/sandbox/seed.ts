// Reads a seed or data file: defaults filled in, ids given, references checked. A mistake is reported with its place.
import { fold } from "./fold.ts";
import {
  DEFAULT_FEATURES,
  DEFAULT_SEED,
  LINK_DEFAULTS,
  type Account,
  type Domain,
  type Entry,
  type Group,
  type Link,
  type Pixel,
  type Row,
  type Space,
  type State,
} from "./state.ts";
import { isZone } from "./zone.ts";

/** A kind of value, and what messages call it. */
interface Kind<T> {
  readonly name: string;
  readonly isOptional?: true;
  is(value: unknown): value is T;
}

type Shape<T> = { readonly [Field in keyof T]-?: Kind<T[Field]> } & Readonly<Record<string, Kind<unknown>>>;

const text: Kind<string> = { name: "a text", is: (value) => typeof value === "string" };
const flag: Kind<boolean> = { name: "true or false", is: (value) => typeof value === "boolean" };
const instant: Kind<string> = {
  name: "an instant such as 2027-03-01T09:30:00Z",
  is: (value): value is string =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
};

function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const is = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  return { name: `a whole number ${range}`, is };
}

function nullable<T>(kind: Kind<T>): Kind<T | null> {
  return { name: `${kind.name} or null`, is: (value): value is T | null => value === null || kind.is(value) };
}

function list<T>(kind: Kind<T>): Kind<T[]> {
  return {
    name: `a list, each ${kind.name}`,
    is: (value): value is T[] => Array.isArray(value) && value.every((item) => kind.is(item)),
  };
}

function record<T>(kind: Kind<T>): Kind<Record<string, T>> {
  return {
    name: `an object, each value ${kind.name}`,
    is: (value): value is Record<string, T> => isObject(value) && Object.values(value).every((item) => kind.is(item)),
  };
}

const optional = <T>(kind: Kind<T>): Kind<T> => ({ ...kind, isOptional: true });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const id = integer(1);
const optionalText = nullable(text);
const anything: Kind<unknown> = { name: "an object", is: (_value): _value is unknown => true };

const entry: Kind<Entry> = {
  name: 'an entry such as {"key": "DE", "value": "https://example.com/de"}',
  is: (value): value is Entry =>
    isObject(value) && text.is(value["value"]) && (value["key"] === undefined || text.is(value["key"])),
};

const group: Kind<Group> = {
  name: "null or a list of entries",
  is: (value): value is Group => value === null || list(entry).is(value) || record(entry).is(value),
};

const ROW: Shape<Row> = { id, created_at: instant, updated_at: instant };
const ACCOUNT: Shape<Account> = { timezone: text, features: record(integer(-1)) };
const NEXT: Shape<State["next"]> = { pixel: id, link: id };
const SPACE: Shape<Space> = { ...ROW, name: text, color: integer(0) };
const PIXEL: Shape<Pixel> = { ...ROW, name: text, type: text, value: text };
const DOMAIN: Shape<Domain> = {
  ...ROW,
  name: text,
  shared: flag,
  index_page: optionalText,
  not_found_page: optionalText,
};

type SeedFile = Record<"account" | "next", unknown> & Record<"domains" | "spaces" | "pixels" | "links", unknown[]>;

const objects = list(anything);
const FILE: Shape<SeedFile> = {
  account: anything,
  domains: objects,
  spaces: objects,
  pixels: objects,
  links: objects,
  next: anything,
};

const FILE_DEFAULTS = { account: {}, ...DEFAULT_SEED, pixels: [], links: [], next: {} };
const ROW_DEFAULTS = { shared: false, index_page: null, not_found_page: null, ...LINK_DEFAULTS };

function linkShape(domains: readonly Row[], spaces: readonly Row[], pixels: readonly Row[]): Shape<Link> {
  const idOf = (kind: string, rows: readonly Row[]): Kind<number> => {
    const known = new Set<unknown>(rows.map((row) => row.id));
    return { name: `the id of a ${kind}`, is: (value): value is number => known.has(value) };
  };
  return {
    ...ROW,
    url: text,
    domain: idOf("domain", domains),
    alias: text,
    title: optionalText,
    password: optionalText,
    space: nullable(idOf("space", spaces)),
    pixels: list(idOf("pixel", pixels)),
    disabled: integer(0, 1),
    privacy: integer(0, 2),
    privacy_password: optionalText,
    expiration_url: optionalText,
    ends_at: nullable(instant),
    expiration_clicks: nullable(integer(0, 999_999_999)),
    clicks: integer(0),
    target_type: nullable(integer(0, 7)),
    country: group,
    platform: group,
    language: group,
    rotation: group,
    last_rotation: integer(0),
    starts_at: optional(instant),
    sensitive: optional(integer(0, 1)),
    continent: optional(group),
    browser: optional(group),
    device: optional(group),
    targets: optional(group),
  };
}

/** Throws an error with the place of a mistake; an empty field means the whole object. */
type Fail = (field: string, problem: string) => never;

function assertShape<T extends object>(row: object, shape: Shape<T>, fail: Fail): asserts row is T {
  const values = new Map<string, unknown>(Object.entries(row));
  for (const [field, kind] of Object.entries<Kind<unknown>>(shape)) {
    const value = values.get(field);
    if (value === undefined && kind.isOptional === true) continue;
    if (value === undefined) fail(field, "is missing");
    if (!kind.is(value)) fail(field, `must be ${kind.name}`);
  }
}

/** An object of the file with its defaults. A misspelled field must not go unnoticed. */
function readObject<T extends object>(input: unknown, shape: Shape<T>, defaults: object, fail: Fail): T {
  if (!isObject(input)) return fail("", "must be an object");
  const given = new Map(Object.entries(input));
  const defaultOf = new Map<string, unknown>(Object.entries(defaults));
  const row = Object.fromEntries(
    Object.keys(shape).flatMap((field) => {
      const value = given.get(field) === undefined ? defaultOf.get(field) : given.get(field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  assertShape(row, shape, fail);
  for (const field of given.keys()) if (!(field in shape)) fail(field, "is not a field of the sandbox's state");
  return row;
}

/**
 * @param input parsed JSON
 * @param source how messages call it: a file's name
 * @param now the time (ISO) that rows without dates get
 * @throws Error, one sentence with the place of a mistake
 */
export function readState(input: unknown, source: string, now: string): State {
  const failAt =
    (path: string): Fail =>
    (field, problem) => {
      throw new Error(`${source}: ${[path, field].filter(Boolean).join(".") || "the whole"} ${problem}.`);
    };
  const readRows = <T extends Row>(kind: string, inputs: readonly unknown[], shape: Shape<T>): T[] => {
    const used = new Set<number>();
    let highest = 0;
    return inputs.map((row, at) => {
      const fail: Fail = failAt(`${kind}[${at}]`);
      const own = isObject(row) && id.is(row["id"]) ? row["id"] : highest + 1;
      const defaults = { ...ROW_DEFAULTS, id: own, color: own, created_at: now, updated_at: now };
      const read = readObject(row, shape, defaults, fail);
      if (used.has(read.id)) fail("", `has the id ${read.id}, which another row has`);
      used.add(read.id);
      highest = Math.max(highest, read.id);
      return read;
    });
  };
  const file = readObject(input, FILE, FILE_DEFAULTS, failAt(""));
  const account = readAccount(file.account, failAt("account"));
  const domains = readRows("domains", file.domains, DOMAIN);
  const spaces = readRows("spaces", file.spaces, SPACE);
  // The state has one name for this type in all versions.
  const pixels = readRows("pixels", file.pixels, PIXEL).map((pixel) => ({
    ...pixel,
    type: pixel.type.replace(/^x$/, "twitter"),
  }));
  const names = new Set<string>();
  for (const [at, { name }] of pixels.entries()) {
    if (names.has(fold(name))) failAt(`pixels[${at}]`)("", `is taken already: "${name}"`);
    names.add(fold(name));
  }
  // Aliases may fold together: two stores that overlap can both succeed (docs/service.md, "Writing").
  const links = readRows("links", file.links, linkShape(domains, spaces, pixels)).map(normalized);
  const free = { pixel: nextId(pixels), link: nextId(links) };
  const next = readObject(file.next, NEXT, free, failAt("next"));
  return {
    account,
    domains,
    spaces,
    pixels,
    links,
    next: { pixel: Math.max(free.pixel, next.pixel), link: Math.max(free.link, next.link) },
  };
}

function readAccount(input: unknown, fail: Fail): Account {
  const account = readObject(input, ACCOUNT, { timezone: "UTC", features: {} }, fail);
  if (!isZone(account.timezone)) fail("timezone", `"${account.timezone}" is not a known time zone`);
  const unknown = Object.keys(account.features).find((name) => !(name in DEFAULT_FEATURES));
  if (unknown !== undefined) fail(`features.${unknown}`, `is none of ${Object.keys(DEFAULT_FEATURES).join(", ")}`);
  return { ...account, features: { ...DEFAULT_FEATURES, ...account.features } };
}

const normalized = (link: Link): Link => ({
  ...link,
  pixels: [...new Set(link.pixels)].toSorted((a, b) => a - b),
  ends_at: link.ends_at === null ? null : new Date(link.ends_at).toISOString(),
  ...(link.starts_at !== undefined && { starts_at: new Date(link.starts_at).toISOString() }),
});

const nextId = (rows: readonly Row[]): number => rows.reduce((highest, row) => Math.max(highest, row.id), 0) + 1;
