// Reads a seed or data file: defaults filled in, ids given, references checked. A mistake is reported with its place.
import * as z from "zod";
import { fold } from "./fold.ts";
import { DEFAULT_FEATURES, DEFAULT_SEED, LINK_DEFAULTS, type Row, type State } from "./state.ts";
import { isZone } from "./zone.ts";

/** The message for a value of another type. */
const must = (be: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? "is missing" : `must be ${be}`),
});

/** An object in which a misspelled field does not go unnoticed. */
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, must("an object"));

function integer(min: number, max?: number, also: string = ""): z.ZodInt {
  const be = must(`a whole number from ${min}${max === undefined ? "" : ` to ${max}`}${also}`);
  return z
    .int(be)
    .min(min, be)
    .max(max ?? Number.MAX_SAFE_INTEGER, be);
}

function instantOr(also: string): z.ZodString {
  const be = must(`an instant such as 2027-03-01T09:30:00Z${also}`);
  return z
    .string(be)
    .refine((value) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)), be);
}

const toIso = (instant: string): string => new Date(instant).toISOString();

const id = integer(1);
const text = z.string(must("a text"));
const optionalText = z.string(must("a text or null")).nullable().default(null);
const instant = instantOr("");
const entry = z.object({ key: z.string().exactOptional(), value: z.string() });
const group = z.union(
  [z.null(), z.array(entry), z.record(z.string(), entry)],
  must('null or a list of entries such as {"key": "DE", "value": "https://example.com/de"}'),
);

const ROW = { id, created_at: instant, updated_at: instant };
const domain = object({
  ...ROW,
  name: text,
  shared: z.boolean(must("true or false")).default(false),
  index_page: optionalText,
  not_found_page: optionalText,
});
const space = object({ ...ROW, name: text, color: integer(0).exactOptional() }).transform((one) => ({
  color: one.id,
  ...one,
}));
// The state has one name for this type in all versions.
const pixel = object({
  ...ROW,
  name: text,
  type: text.transform((type) => (type === "x" ? "twitter" : type)),
  value: text,
});
const link = object({
  ...ROW,
  url: text,
  domain: id,
  alias: text,
  title: optionalText,
  password: optionalText,
  space: integer(1, undefined, " or null").nullable().default(LINK_DEFAULTS.space),
  pixels: z
    .array(id, must("a list of ids"))
    .transform((ids) => [...new Set(ids)].toSorted((a, b) => a - b))
    .default([]),
  disabled: integer(0, 1).default(LINK_DEFAULTS.disabled),
  privacy: integer(0, 2).default(LINK_DEFAULTS.privacy),
  privacy_password: optionalText,
  expiration_url: optionalText,
  ends_at: instantOr(" or null").transform(toIso).nullable().default(null),
  expiration_clicks: integer(0, 999_999_999, " or null").nullable().default(LINK_DEFAULTS.expiration_clicks),
  clicks: integer(0).default(LINK_DEFAULTS.clicks),
  target_type: integer(0, 7, " or null").nullable().default(LINK_DEFAULTS.target_type),
  country: group.default(null),
  platform: group.default(null),
  language: group.default(null),
  rotation: group.default(null),
  last_rotation: integer(0).default(LINK_DEFAULTS.last_rotation),
  starts_at: instant.transform(toIso).exactOptional(),
  sensitive: integer(0, 1).exactOptional(),
  continent: group.exactOptional(),
  browser: group.exactOptional(),
  device: group.exactOptional(),
  targets: group.exactOptional(),
});

/** Rows that all have their own ids. */
const list = <Stored extends Row>(one: z.ZodType<Stored>): z.ZodType<Stored[]> =>
  z.array(one, must("a list, each an object")).check(({ value, issues }) => {
    const used = new Set<number>();
    for (const [at, { id: own }] of value.entries()) {
      if (used.has(own))
        issues.push({ code: "custom", input: own, path: [at], message: `has the id ${own}, which another row has` });
      used.add(own);
    }
  });

const account = object({
  timezone: text.default("UTC").refine(isZone, { error: ({ input }) => `"${String(input)}" is not a known time zone` }),
  features: z
    .record(z.string(), integer(-1), must("an object"))
    .default({})
    .check(({ value, issues }) => {
      const unknown = Object.keys(value).find((name) => !(name in DEFAULT_FEATURES));
      const message = `is none of ${Object.keys(DEFAULT_FEATURES).join(", ")}`;
      if (unknown !== undefined) issues.push({ code: "custom", input: value, path: [unknown], message });
    })
    .transform((features) => ({ ...DEFAULT_FEATURES, ...features })),
});

const FILE = object({
  account: account.prefault({}),
  domains: list(domain),
  spaces: list(space),
  pixels: list(pixel),
  links: list(link),
  next: object({ pixel: id.default(1), link: id.default(1) }).prefault({}),
}).check(({ value, issues }) => {
  const wrong = (path: (string | number)[], message: string): void =>
    void issues.push({ code: "custom", input: value, path, message });
  // Aliases may fold together: two stores that overlap can both succeed (docs/service.md, "Writing").
  const names = new Set<string>();
  for (const [at, { name }] of value.pixels.entries()) {
    if (names.has(fold(name))) wrong(["pixels", at], `is taken already: "${name}"`);
    names.add(fold(name));
  }
  const [domains, spaces, pixels] = [value.domains, value.spaces, value.pixels].map(
    (all) => new Set(all.map((row) => row.id)),
  );
  for (const [at, one] of value.links.entries()) {
    if (domains?.has(one.domain) !== true) wrong(["links", at, "domain"], "must be the id of a domain");
    if (one.space !== null && spaces?.has(one.space) !== true)
      wrong(["links", at, "space"], "must be the id of a space or null");
    if (one.pixels.some((own) => pixels?.has(own) !== true))
      wrong(["links", at, "pixels"], "must be a list, each the id of a pixel");
  }
});

const DEFAULTS = { ...DEFAULT_SEED, pixels: [], links: [] };

/** The file with all lists. Rows without an id get the next one, and rows without dates get `now`. */
function filled(file: unknown, now: string): unknown {
  if (!isObject(file)) return file;
  const lists = Object.entries(DEFAULTS).map(([name, rows]) => [
    name,
    filledRows(file[name] === undefined ? rows : file[name], now),
  ]);
  return { ...file, ...Object.fromEntries(lists) };
}

function filledRows(rows: unknown, now: string): unknown {
  if (!Array.isArray(rows)) return rows;
  let highest = 0;
  return rows.map((one: unknown) => {
    if (!isObject(one)) return one;
    const { id: own = highest + 1, created_at = now, updated_at = now } = one;
    if (typeof own === "number") highest = Math.max(highest, own);
    return { ...one, id: own, created_at, updated_at };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param input parsed JSON
 * @param source how messages call it: a file's name
 * @param now the time (ISO) that rows without dates get
 * @throws Error, one sentence with the place of a mistake
 */
export function readState(input: unknown, source: string, now: string): State {
  const read = FILE.safeParse(filled(input, now));
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

/** The first mistake, with its place. */
function problemOf({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) throw new Error("an error without issues");
  const isUnknown = issue.code === "unrecognized_keys";
  const path = isUnknown ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return `${place.replace(/^\./, "") || "the whole"} ${isUnknown ? "is not a field of the sandbox's state" : issue.message}`;
}

const nextId = (all: readonly Row[]): number => all.reduce((highest, row) => Math.max(highest, row.id), 0) + 1;
