// Reads a seed or data file: defaults filled in, ids given, references checked. A mistake is reported with its place.
import * as z from "zod";
// Not `z.core.toDotPath`: the package would contain all of `z.core`, with the messages of all languages.
import { toDotPath } from "zod/v4/core";
import { fold } from "./fold.ts";
import { DEFAULT_FEATURES, DEFAULT_SEED, type Link, type Row, type State } from "./state.ts";
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

/** Rows that all have their own ids. */
const list = <Stored extends Row>(one: z.ZodType<Stored>): z.ZodType<Stored[]> =>
  z.array(one).check(({ value, issues }) => {
    const used = new Set<number>();
    for (const [at, { id: own }] of value.entries()) {
      if (used.has(own))
        issues.push({ code: "custom", input: own, path: [at], message: `Another row has the id ${own}` });
      used.add(own);
    }
  });

const features = Object.fromEntries(
  Object.entries(DEFAULT_FEATURES).map(([name, value]) => [name, z.int().min(-1).default(value)]),
);
const account = z.strictObject({
  timezone: z.string().default("UTC").refine(isZone, "This is not a known time zone"),
  features: z.strictObject(features).prefault({}),
});

const FILE = z
  .strictObject({
    account: account.prefault({}),
    domains: list(domain),
    spaces: list(space),
    pixels: list(pixel),
    links: list(link),
    next: z.strictObject({ pixel: id.default(1), link: id.default(1) }).prefault({}),
  })
  .check(({ value, issues }) => {
    const wrong = (path: (string | number)[], message: string): void =>
      void issues.push({ code: "custom", input: value, path, message });
    // Aliases may fold together: two stores that overlap can both succeed (docs/service.md, "Writing").
    const names = new Set<string>();
    for (const [at, { name }] of value.pixels.entries()) {
      if (names.has(fold(name))) wrong(["pixels", at], `Another pixel has the name "${name}"`);
      names.add(fold(name));
    }
    const [domains, spaces, pixels] = [value.domains, value.spaces, value.pixels].map(
      (all) => new Set(all.map((row) => row.id)),
    );
    for (const [at, one] of value.links.entries()) {
      if (domains?.has(one.domain) !== true) wrong(["links", at, "domain"], "No domain has this id");
      if (one.space !== null && spaces?.has(one.space) !== true) wrong(["links", at, "space"], "No space has this id");
      if (one.pixels.some((own) => pixels?.has(own) !== true))
        wrong(["links", at, "pixels"], "No pixel has one of these ids");
    }
  });

const DEFAULTS = { ...DEFAULT_SEED, pixels: [], links: [] };

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

/** @param source how messages call it: a file's name @throws Error, one sentence with the place of a mistake */
export function readState(input: unknown, source: string, now: string): State {
  const lists = Object.entries({ ...DEFAULTS, ...(isObject(input) && input) });
  const filled = Object.fromEntries(lists.map(([name, rows]) => [name, filledRows(rows, now)]));
  const read = FILE.safeParse(isObject(input) ? filled : input);
  if (!read.success) throw new Error(`${source}: ${problemOf(read.error)}.`);
  const { next, ...state } = read.data;
  return {
    ...state,
    next: {
      pixel: Math.max(nextId(state.pixels), next.pixel),
      link: Math.max(nextId(state.links), next.link),
    },
  };
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  const place = toDotPath(issue?.path ?? []);
  return `${place}${place === "" ? "" : ": "}${issue?.message}`;
}

const nextId = (all: readonly Row[]): number => all.reduce((highest, row) => Math.max(highest, row.id), 0) + 1;
