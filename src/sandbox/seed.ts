// Reads a seed or data file: defaults filled in, ids given, references checked. A mistake is reported with its place.
import { fold } from "./fold.ts";
import {
  DEFAULT_FEATURES,
  DEFAULT_SEED,
  type Account,
  type Domain,
  type Entry,
  type Group,
  type Link,
  type Pixel,
  type Space,
  type State,
} from "./state.ts";
import { isZone } from "./zone.ts";

/** A kind of value, and what to call it in a message. */
export interface Kind<T> {
  readonly name: string;
  is(value: unknown): value is T;
}

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

const anything: Kind<unknown> = { name: "an object", is: (_value): _value is unknown => true };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class Fields {
  readonly #source: string;
  readonly #path: string;
  readonly #rest: Map<string, unknown>;

  /**
   * @param source what holds the object, for messages: a file's name
   * @param path where in it: `links[3]`; empty for the whole
   */
  constructor(value: unknown, source: string, path: string = "") {
    this.#source = source;
    this.#path = path;
    if (!isObject(value)) this.fail("must be an object");
    this.#rest = new Map(Object.entries(value));
  }

  /** A field that must be there, unless there is something to take instead. */
  take<T>(field: string, kind: Kind<T>, otherwise?: T): T {
    const given = this.#rest.get(field);
    this.#rest.delete(field);
    const value = given === undefined ? otherwise : given;
    if (value === undefined) this.fail("is missing", field);
    if (!kind.is(value)) this.fail(`must be ${kind.name}`, field);
    return value;
  }

  /** A field that may be absent. */
  takeOptional<T>(field: string, kind: Kind<T>): T | undefined {
    if (this.#rest.get(field) !== undefined) return this.take(field, kind);
    this.#rest.delete(field);
    return undefined;
  }

  /** The objects listed under a field, each to be read in turn. */
  rows(field: string, otherwise: readonly unknown[] = []): Fields[] {
    return this.take(field, list(anything), [...otherwise]).map((row, at) => this.#inner(row, `${field}[${at}]`));
  }

  /** The object under a field; absent is empty. */
  object(field: string): Fields {
    return this.#inner(this.take(field, anything, {}), field);
  }

  /** Nothing else may be there: a misspelt field must not go unnoticed. */
  end(): void {
    for (const field of this.#rest.keys()) this.fail("is not a field of the sandbox's state", field);
  }

  fail(problem: string, field?: string): never {
    const place = [this.#path, field].filter(Boolean).join(".") || "the whole";
    throw new Error(`${this.#source}: ${place} ${problem}.`);
  }

  #inner(value: unknown, path: string): Fields {
    return new Fields(value, this.#source, this.#path === "" ? path : `${this.#path}.${path}`);
  }
}

const id = integer(1);
const optionalText = nullable(text);

const entry: Kind<Entry> = {
  name: 'an entry such as {"key": "DE", "value": "https://example.com/de"}',
  is: (value): value is Entry =>
    isObject(value) && text.is(value["value"]) && (value["key"] === undefined || text.is(value["key"])),
};

const entries = list(entry);
const entriesByIndex = record(entry);
const group: Kind<Group> = {
  name: "null or a list of entries",
  is: (value): value is Group => value === null || entries.is(value) || entriesByIndex.is(value),
};

/**
 * @param input parsed JSON
 * @param source how messages call it: a file's name
 * @param now the time (ISO) that rows without dates get
 * @throws Error, one sentence with the place of the first mistake
 */
export function readState(input: unknown, source: string, now: string): State {
  const fields = new Fields(input, source);
  const account = readAccount(fields.object("account"));
  const domains = readRows(fields.rows("domains", DEFAULT_SEED.domains), now, readDomain);
  const spaces = readRows(fields.rows("spaces", DEFAULT_SEED.spaces), now, readSpace);
  const pixels = readRows(fields.rows("pixels"), now, readPixel);
  unique(fields, "pixels", pixels, (pixel) => pixel.name);
  const ids = { domains: idsOf(domains), spaces: idsOf(spaces), pixels: idsOf(pixels) };
  const links = readRows(fields.rows("links"), now, (row, base) => readLink(row, base, ids));
  // Aliases may fold together: two stores that overlap can both succeed (docs/service.md, "Writing").
  const next = fields.object("next");
  const state = {
    account,
    domains,
    spaces,
    pixels,
    links,
    next: { pixel: nextId(next, "pixel", pixels), link: nextId(next, "link", links) },
  };
  next.end();
  fields.end();
  return state;
}

type Base = Pick<Link, "id" | "created_at" | "updated_at">;

function readRows<Row extends Base>(
  rows: readonly Fields[],
  now: string,
  read: (row: Fields, base: Base) => Row,
): Row[] {
  const used = new Set<number>();
  let highest = 0;
  return rows.map((row) => {
    const base = {
      id: row.take("id", id, highest + 1),
      created_at: row.take("created_at", instant, now),
      updated_at: row.take("updated_at", instant, now),
    };
    if (used.has(base.id)) row.fail(`has the id ${base.id}, which another row has`);
    used.add(base.id);
    highest = Math.max(highest, base.id);
    const complete = read(row, base);
    row.end();
    return complete;
  });
}

function readAccount(fields: Fields): Account {
  const timezone = fields.take("timezone", text, "UTC");
  if (!isZone(timezone)) fields.fail(`"${timezone}" is not a known time zone`, "timezone");
  const features = fields.take("features", record(integer(-1)), {});
  for (const name of Object.keys(features)) {
    if (!(name in DEFAULT_FEATURES))
      fields.fail(`is none of ${Object.keys(DEFAULT_FEATURES).join(", ")}`, `features.${name}`);
  }
  fields.end();
  return { timezone, features: { ...DEFAULT_FEATURES, ...features } };
}

const readDomain = (row: Fields, base: Base): Domain => ({
  ...base,
  name: row.take("name", text),
  shared: row.take("shared", flag, false),
  index_page: row.take("index_page", optionalText, null),
  not_found_page: row.take("not_found_page", optionalText, null),
});

const readSpace = (row: Fields, base: Base): Space => ({
  ...base,
  name: row.take("name", text),
  color: row.take("color", integer(0), base.id),
});

const readPixel = (row: Fields, base: Base): Pixel => ({
  ...base,
  name: row.take("name", text),
  // The state has one name for it, whatever the version calls it.
  type: row.take("type", text).replace(/^x$/, "twitter"),
  value: row.take("value", text),
});

interface Ids {
  readonly domains: ReadonlySet<number>;
  readonly spaces: ReadonlySet<number>;
  readonly pixels: ReadonlySet<number>;
}

function readLink(row: Fields, base: Base, ids: Ids): Link {
  const oneOf = (kind: string, known: ReadonlySet<number>): Kind<number> => ({
    name: `the id of a ${kind}`,
    is: (value): value is number => typeof value === "number" && known.has(value),
  });
  const pixels = row.take("pixels", list(oneOf("pixel", ids.pixels)), []);
  const endsAt = row.take("ends_at", nullable(instant), null);
  return {
    ...base,
    url: row.take("url", text),
    domain: row.take("domain", oneOf("domain", ids.domains)),
    alias: row.take("alias", text),
    title: row.take("title", optionalText, null),
    password: row.take("password", optionalText, null),
    space: row.take("space", nullable(oneOf("space", ids.spaces)), null),
    pixels: [...new Set(pixels)].toSorted((a, b) => a - b),
    disabled: row.take("disabled", integer(0, 1), 0),
    privacy: row.take("privacy", integer(0, 2), 0),
    privacy_password: row.take("privacy_password", optionalText, null),
    expiration_url: row.take("expiration_url", optionalText, null),
    ends_at: endsAt === null ? null : new Date(endsAt).toISOString(),
    expiration_clicks: row.take("expiration_clicks", nullable(integer(0, 999_999_999)), 0),
    clicks: row.take("clicks", integer(0), 0),
    target_type: row.take("target_type", nullable(integer(0, 7)), 0),
    country: row.take("country", group, null),
    platform: row.take("platform", group, null),
    language: row.take("language", group, null),
    rotation: row.take("rotation", group, null),
    last_rotation: row.take("last_rotation", integer(0), 0),
    ...readExtras(row),
  };
}

type Extras = Pick<Link, "starts_at" | "sensitive" | "continent" | "browser" | "device" | "targets">;

/** What only 49 has: a link without it does not get it. */
function readExtras(row: Fields): Extras {
  const startsAt = row.takeOptional("starts_at", instant);
  const sensitive = row.takeOptional("sensitive", integer(0, 1));
  const continent = row.takeOptional("continent", group);
  const browser = row.takeOptional("browser", group);
  const device = row.takeOptional("device", group);
  const targets = row.takeOptional("targets", group);
  return {
    ...(startsAt !== undefined && { starts_at: new Date(startsAt).toISOString() }),
    ...(sensitive !== undefined && { sensitive }),
    ...(continent !== undefined && { continent }),
    ...(browser !== undefined && { browser }),
    ...(device !== undefined && { device }),
    ...(targets !== undefined && { targets }),
  };
}

const idsOf = (rows: readonly Base[]): ReadonlySet<number> => new Set(rows.map((row) => row.id));

function unique<Row>(fields: Fields, named: string, rows: readonly Row[], name: (row: Row) => string): void {
  const seen = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const key = fold(name(row));
    if (seen.has(key)) fields.fail(`is taken already: "${name(row)}"`, `${named}[${at}]`);
    seen.add(key);
  }
}

function nextId(fields: Fields, kind: "pixel" | "link", rows: readonly Base[]): number {
  const free = rows.reduce((highest, row) => Math.max(highest, row.id), 0) + 1;
  return Math.max(free, fields.take(kind, id, free));
}
