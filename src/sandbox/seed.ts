// Reads a seed or data file: defaults filled in, ids given, references checked. A mistake is reported with its place.
import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
// Not `z.core.toDotPath`: the package would contain all of `z.core`, with the messages of all languages.
import { toDotPath } from "zod/v4/core";
import { fold } from "./fold.ts";
import type { Link, Row, SeedState, State } from "./state.ts";
import { isZone } from "./zone.ts";

const id = z.int().min(1);
const optionalText = z.string().nullable().default(null);
const instant = z.iso.datetime();
const optionalInstant = instant
  .transform((one) => new Date(one).toISOString())
  .nullable()
  .default(null);
const entry = z.object({ key: z.string().exactOptional(), value: z.string() });
const group = z.union([z.null(), z.array(entry), z.record(z.string(), entry)]).default(null);
const flag = z.int().min(0).max(1);
const count = z.int().min(0);

const ROW = { id, created_at: instant, updated_at: instant };
const domain = z.strictObject({
  ...ROW,
  name: z.string(),
  shared: z.boolean().default(false),
  index_page: optionalText,
  not_found_page: optionalText,
});
const space = z.strictObject({ ...ROW, name: z.string(), color: count.exactOptional() }).transform((one) => ({
  color: one.id,
  ...one,
}));
// The state has one name for this type in all versions.
const pixel = z.strictObject({
  ...ROW,
  name: z.string(),
  type: z.string().transform((type) => (type === "x" ? "twitter" : type)),
  value: z.string(),
});
const link = z.strictObject({
  ...ROW,
  url: z.string(),
  domain: id,
  alias: z.string(),
  title: optionalText,
  password: optionalText,
  space: id.nullable().default(null),
  pixels: z
    .array(id)
    .transform((ids) => [...new Set(ids)].toSorted((a, b) => a - b))
    .default([]),
  disabled: flag.default(0),
  privacy: z.int().min(0).max(2).default(0),
  privacy_password: optionalText,
  expiration_url: optionalText,
  ends_at: optionalInstant,
  expiration_clicks: count.max(999_999_999).nullable().default(0),
  clicks: count.default(0),
  target_type: count.max(7).nullable().default(0),
  country: group,
  platform: group,
  language: group,
  rotation: group,
  last_rotation: count.default(0),
  starts_at: optionalInstant,
  sensitive: flag.nullable().default(null),
  continent: group,
  browser: group,
  device: group,
  targets: group,
});

export function blankLink(key: Pick<Link, "domain" | "alias">, now: string): Link {
  return link.parse({ ...key, id: 1, url: "", created_at: now, updated_at: now });
}

const limit = z.int().min(-1);
const on = limit.default(1);
const noLimit = limit.default(-1);
/** By default, a plan without limits, as recorded (transcripts, "account"). */
const features = z.strictObject({
  api: on,
  links: noLimit,
  spaces: noLimit,
  domains: noLimit,
  pixels: noLimit,
  stats: on,
  targeting: on,
  expiration: on,
  password: on,
  disabled: on,
  utm: on,
  global_domains: on,
  deep_links: on,
  data_export: on,
});
const account = z.strictObject({
  timezone: z.string().default("UTC").refine(isZone, "This is not a known time zone"),
  features: features.prefault({}),
});

const FILE = z
  .strictObject({
    account: account.prefault({}),
    domains: z.array(domain),
    spaces: z.array(space),
    pixels: z.array(pixel),
    links: z.array(link),
    next: z.strictObject({ pixel: id.default(1), link: id.default(1) }).prefault({}),
  })
  .check(({ value, issues }) => {
    const wrong = (path: (string | number)[], message: string): void =>
      void issues.push({ code: "custom", input: value, path, message });
    const unique = <Key>(list: string, keys: readonly Key[], what: (key: Key, at: number) => string): Set<Key> => {
      const used = new Set<Key>();
      for (const [at, key] of keys.entries()) {
        if (used.has(key)) wrong([list, at], `Another ${what(key, at)}`);
        used.add(key);
      }
      return used;
    };
    const [domains, spaces, pixels] = (["domains", "spaces", "pixels", "links"] as const).map((list) => {
      const rows: readonly Row[] = value[list];
      const ids = rows.map((row) => row.id);
      return unique(list, ids, (own) => `row has the id ${own}`);
    });
    // Aliases may fold together: two stores that overlap can both succeed (docs/service.md, "Writing").
    const names = value.pixels.map(({ name }) => name);
    unique("pixels", names.map(fold), (_, at) => `pixel has the name "${names[at]}"`);
    for (const [at, one] of value.links.entries()) {
      if (domains?.has(one.domain) !== true) wrong(["links", at, "domain"], "No domain has this id");
      if (one.space !== null && spaces?.has(one.space) !== true) wrong(["links", at, "space"], "No space has this id");
      if (one.pixels.some((own) => pixels?.has(own) !== true))
        wrong(["links", at, "pixels"], "No pixel has one of these ids");
    }
  });

const DEFAULTS: SeedState = {
  domains: [
    { id: 1, name: "short.example.com", shared: true },
    { id: 2, name: "go.example.com" },
    { id: 3, name: "promo.example.com" },
  ],
  spaces: [
    { id: 1, name: "Marketing" },
    { id: 2, name: "Sales" },
  ],
  pixels: [],
  links: [],
};

/** Rows without an id get the next one, and rows without dates get `now`. */
function filledRows(rows: unknown, now: string): unknown {
  if (!Array.isArray(rows)) return rows;
  let highest = 0;
  return rows.map((row: unknown) => {
    if (!isObject(row)) return row;
    const filled: Record<string, unknown> = { id: highest + 1, created_at: now, updated_at: now, ...row };
    if (typeof filled["id"] === "number") highest = Math.max(highest, filled["id"]);
    return filled;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The state to begin with: the data file's if there is one, else the seed's. Rows without dates get those of `now` (ISO).
 * @throws Error, one sentence, when a file cannot be read or says something impossible
 */
export function initialState(data: string | undefined, seed: string | SeedState | undefined, now: string): State {
  const file = data !== undefined && existsSync(data) ? data : seed;
  if (typeof file === "string") return readState(readJson(file), file, now);
  // As JSON, a field that is undefined is missing.
  return readState(JSON.parse(JSON.stringify(file ?? {})), "seed", now);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} cannot be read as JSON: ${reason}`, { cause });
  }
}

/** @param source how messages call it: a file's name */
function readState(input: unknown, source: string, now: string): State {
  const lists = Object.entries({ ...DEFAULTS, ...(isObject(input) && input) });
  const filled = Object.fromEntries(lists.map(([name, rows]) => [name, filledRows(rows, now)]));
  const read = FILE.safeParse(isObject(input) ? filled : input);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = [source, toDotPath(issue?.path ?? [])].filter(Boolean).join(": ");
    throw new Error(`${place}: ${issue?.message}.`);
  }
  const { next, ...state } = read.data;
  const nextId = (rows: readonly Row[], least: number): number =>
    rows.reduce((own, row) => Math.max(own, row.id + 1), least);
  return { ...state, next: { pixel: nextId(state.pixels, next.pixel), link: nextId(state.links, next.link) } };
}
