// Decodes the service's JSON into records. Extra fields are ignored, missing fields are unknown, and invalid fields are collected.

import * as z from "zod";
import type { FieldSpec, FlagSpec, WordSpec } from "../domain/field.ts";
import { MISSING, type LiveRecord, type Named, type UnreadableField } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { SOFTWARE, type Software } from "../domain/software.ts";
import { FIELDS, KEY_FIELD, TARGETS, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { isUnbounded, wireOf, wordsIn } from "../domain/wire.ts";
import { canonicalInstant, isZone } from "../domain/zone.ts";
import { ServiceError } from "../errors.ts";
import { HIDDEN } from "../http/redact.ts";
import { describe } from "../http/quote.ts";

/** A whole number from 0 on, which some versions send as a text (`per_page`; docs/service.md, "Lists"). */
export const whole: z.ZodType<number> = z.union([
  z.int().min(0),
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int()),
]);
const rowId = whole.pipe(z.int().positive());

/** A name that contains the API key stays a name, because other rows refer to it by its id. */
const named = z.object({ id: rowId, name: z.union([z.string(), z.symbol().transform(() => HIDDEN)]) });
const entries = z.array(z.object({ key: z.string(), value: z.string() }));
const destinations = z.array(z.object({ value: z.string() }));

/** A list may be returned as an object by index. A group whose first entry was empty is. */
const listed = z.preprocess((raw) => (isIndexed(raw) ? Object.values(raw) : raw), z.array(z.unknown()));

/** A group that was never set is null. */
const group = listed.nullable().transform((items) => items ?? []);

/**
 * The same for a list in which a missing index matters: visitors of a rotation with a hole get an error page. A hole becomes one
 * empty destination, which no file can declare, so a declared rotation always differs from one with a hole.
 */
const listedWithHoles = z.preprocess(
  (raw) => (raw === null ? [] : isIndexed(raw) ? fillHoles(raw) : raw),
  z.array(z.unknown()),
);

function isIndexed(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}

/** The entries by ascending index, with one empty entry for each run of missing ones; anything else as it is. */
function fillHoles(raw: Readonly<Record<string, unknown>>): unknown {
  // Indices are the keys of an object that JavaScript orders by number.
  const indices = Object.keys(raw);
  if (!indices.every((index) => /^\d+$/.test(index))) return raw;
  return indices.flatMap((index, at) => {
    const expected = at === 0 ? 0 : Number(indices[at - 1]) + 1;
    return Number(index) > expected ? [{ value: "" }, raw[index]] : [raw[index]];
  });
}

const isoInstant = z.string().transform((text, context) => {
  const instant = canonicalInstant(text);
  if (instant !== null) return instant;
  context.addIssue("not an instant");
  return z.NEVER;
});

type Decoded = { readonly value: Value } | { readonly references: readonly Named[] };

function references(schema: z.ZodType<readonly Named[]>): z.ZodType<Decoded> {
  return schema.transform((refs) => ({ references: refs }));
}

function values(schema: z.ZodType<Value>): z.ZodType<Decoded> {
  return schema.transform((value) => ({ value }));
}

/** How a kind of field is decoded. */
function decoder(field: FieldSpec, software: Software): z.ZodType<Decoded> {
  switch (field.kind) {
    case "text":
      return values(
        field.required
          ? z.string().min(isKey(field) ? 1 : 0)
          : z
              .string()
              .nullable()
              .transform((text) => (text === "" ? null : text)),
      );
    case "secret":
      return values(z.boolean());
    case "flag":
      return values(flag(field));
    case "count":
      return values(whole.nullable().transform((count) => (count === 0 ? null : count)));
    case "word":
      return values(word(field, software));
    case "reference":
      return references(
        (field.required ? named : named.nullable()).transform((found) => (found === null ? [] : [found])),
      );
    case "references":
      return references(listed.pipe(z.array(named)));
    case "instant":
      return values(
        wireOf(field, software)?.form === "period"
          ? isoInstant
              .nullable()
              .transform((instant) => (instant !== null && isUnbounded(field, instant) ? null : instant))
          : isoInstant.nullable(),
      );
    case "map":
      return values(group.pipe(entries).transform((pairs) => sortedPairs(pairs)));
    case "list":
      return values(listedWithHoles.pipe(destinations).transform((items) => items.map(({ value }) => value)));
    default:
      return field satisfies never;
  }
}

function flag({ returnedNull }: FlagSpec): z.ZodType<Value> {
  const set = z.union([z.boolean(), whole.pipe(z.union([z.literal(0), z.literal(1)]))]).transform(Boolean);
  return returnedNull === null ? set : z.union([set, z.null().transform(() => returnedNull)]);
}

/**
 * Only the words of the field table are valid, because the effect of other words is unknown. Words of other versions are valid if the
 * versions share the field: a list of pixels does not show its version.
 */
function word(field: WordSpec, software: Software): z.ZodType<Value> {
  const { returnedNull } = field;
  const alike = SOFTWARE.filter((other) => wireOf(field, other)?.returned === wireOf(field, software)?.returned);
  const words = alike.flatMap((version) => Object.entries(wordsIn(field, version)));
  const byWire = new Map(words.map(([name, wire]) => [String(wire), name]));
  return z.union([z.string(), z.number(), z.null()]).transform((sent, context) => {
    const name = sent === null ? returnedNull : (byWire.get(String(sent)) ?? null);
    if (name !== null) return name;
    context.addIssue("not a known word");
    return z.NEVER;
  });
}

function sortedPairs(pairs: readonly { key: string; value: string }[]): Pair[] {
  return pairs.map(({ key, value }): Pair => [key, value]).toSorted(([a], [b]) => compareText(a, b));
}

/** Where a field is in a row of JSON, and how it is decoded. */
interface FieldDecoder {
  readonly field: FieldSpec;
  readonly returned: string;
  readonly rawOf: (json: Readonly<Record<string, unknown>>) => unknown;
  readonly schema: z.ZodType<Decoded>;
}

/** What a row has in one version. */
interface RowDecoder {
  readonly fields: readonly FieldDecoder[];
  /** Fields that the version cannot express: they always have their default. */
  readonly absent: readonly FieldSpec[];
  /** Keys that only this version and those like it return, and keys that only others do. */
  readonly own: ReadonlySet<string>;
  readonly foreign: ReadonlySet<string>;
}

function returnedNames(kind: ResourceKind, software: Software): Set<string> {
  return new Set(FIELDS[kind].flatMap((field) => wireOf(field, software)?.returned ?? []));
}

function rowDecoder(kind: ResourceKind, software: Software): RowDecoder {
  const names = returnedNames(kind, software);
  const others = SOFTWARE.map((version) => returnedNames(kind, version));
  return {
    fields: FIELDS[kind].flatMap((field) => fieldDecoder(field, software)),
    absent: FIELDS[kind].filter((field) => wireOf(field, software) === null),
    own: new Set([...names].filter((name) => others.some((other) => !other.has(name)))),
    foreign: new Set(others.flatMap((other) => [...other].filter((name) => !names.has(name)))),
  };
}

function fieldDecoder(field: FieldSpec, software: Software): FieldDecoder[] {
  const wire = wireOf(field, software);
  if (wire === null) return [];
  const { returned } = wire;
  const decodes = { field, returned, schema: decoder(field, software) };
  if (wire.form === "period") {
    // One end alone has no effect (measured on version 49).
    const ends = FIELDS.link.flatMap((one) => {
      const other = wireOf(one, software);
      return other?.form === "period" ? [other.returned] : [];
    });
    const isOpen = (json: Readonly<Record<string, unknown>>): boolean => ends.some((name) => json[name] === null);
    return [{ ...decodes, rawOf: (json) => (isOpen(json) ? null : json[returned]) }];
  }
  const target = [...TARGETS.byWord].find(([, one]) => one === field)?.[0];
  if (wire.form !== "targets" || target === undefined) return [{ ...decodes, rawOf: (json) => json[returned] }];
  // One list for all groups: it belongs to the group that the type names.
  const type = wireOf(TARGETS.active, software)?.returned ?? "";
  const sent = wordsIn(TARGETS.active, software)[target];
  return [{ ...decodes, rawOf: (json) => (sent !== undefined && json[type] === sent ? json[returned] : null) }];
}

const decoders = new Map<string, RowDecoder>();

/** Reads a kind of row in one version. A run rarely needs more than one version, so each decoder is built when it is needed. */
function decoderOf(kind: ResourceKind, software: Software): RowDecoder {
  const key = `${kind} ${software}`;
  const known = decoders.get(key);
  if (known !== undefined) return known;
  const built = rowDecoder(kind, software);
  decoders.set(key, built);
  return built;
}

/** The keys of a row that not all versions return: those of this version, and those that only others return. */
export function keysOf(kind: ResourceKind, json: unknown, software: Software): { own: string[]; foreign: string[] } {
  const { own, foreign } = decoderOf(kind, software);
  const keys = typeof json === "object" && json !== null ? Object.keys(json) : [];
  return { own: keys.filter((key) => own.has(key)), foreign: keys.filter((key) => foreign.has(key)) };
}

/** Nothing is decided by these, so a value without a meaning is the same as none: a title, and when a row was made or written. */
const writtenAt = isoInstant.nullish().catch(null);

const rowBase = z.looseObject({
  id: rowId,
  // Unknown clicks are treated with care wherever they matter: by the brake, and for whether a link has expired.
  clicks: whole.nullish().catch(null),
  created_at: writtenAt,
  updated_at: writtenAt,
  title: z.string().nullish().catch(null),
  short_url: z.string().nullish().catch(null),
});

/**
 * Reads one row, as list and show return it. A field without a meaning makes the row unreadable, and is named in it. Throws
 * `ServiceError("shape")` for anything without a usable id: such a row cannot be identified.
 */
export function decodeRow(kind: ResourceKind, json: unknown, software: Software): LiveRecord {
  const base = rowBase.safeParse(json);
  if (!base.success) throw shapeError(`a ${kind}`, describe(json, false));
  const { id, clicks, created_at: createdAt = null, updated_at: updatedAt = null, title, short_url } = base.data;
  const record = { values: new Map<string, Value>(), references: new Map<string, readonly Named[]>() };
  const unreadable: UnreadableField[] = [];
  const { fields, absent } = decoderOf(kind, software);
  for (const { path, default: value } of absent) record.values.set(path, value);
  for (const { field, returned, rawOf, schema } of fields) {
    const raw = rawOf(base.data);
    if (raw === undefined && !isIdentity(kind, field)) continue;
    const decoded = schema.safeParse(raw);
    if (!decoded.success) {
      unreadable.push({
        path: field.path,
        returned,
        seen: describe(raw, field.kind !== "secret"),
      });
    } else if ("value" in decoded.data) record.values.set(field.path, decoded.data.value);
    else record.references.set(field.path, decoded.data.references);
  }
  const alias = kind === "link" && !record.values.has(KEY_FIELD.link) ? aliasIn(short_url ?? "") : null;
  if (alias !== null) record.values.set(KEY_FIELD.link, alias);
  const ofLink = kind === "link" ? { clicks: clicks ?? null, title: title ?? null } : { clicks: null, title: null };
  return { kind, id, software, ...record, ...ofLink, createdAt, updatedAt, unreadable };
}

/** The alias at the end of a short URL, which identifies a link even if its alias cannot be read. */
function aliasIn(shortUrl: string): string | null {
  return /[^/]\/([^/?#]+)$/.exec(shortUrl)?.[1] ?? null;
}

/** Without its key and domain a row would match nothing, and be planned a second time: then missing is as bad as wrong. */
function isIdentity(kind: ResourceKind, { path, kind: fieldKind, required }: FieldSpec): boolean {
  return path === KEY_FIELD[kind] || (fieldKind === "reference" && required);
}

/**
 * Throws `ServiceError("shape")` where no row of a page has a field that is known, or all of several lack the same part of their
 * key: those are no odd rows, but another version of the service, or no such service at all.
 */
export function checkKeysReturned(records: readonly LiveRecord[]): void {
  const [first] = records;
  if (first === undefined) return;
  const isMissing = (record: LiveRecord, path: string): boolean =>
    record.unreadable.some((one) => one.path === path && one.seen === MISSING);
  const isBare = records.every(
    (record) => record.values.size + record.references.size === decoderOf(record.kind, record.software).absent.length,
  );
  const lacking = first.unreadable.find(({ path }) => records.every((record) => isMissing(record, path)));
  if (lacking !== undefined && (isBare || records.length > 1))
    throw shapeError(`\`${lacking.returned}\` of every ${first.kind}`, lacking.seen);
}

function isKey({ path }: FieldSpec): boolean {
  return Object.values(KEY_FIELD).includes(path);
}

const shown = z.object({ data: z.unknown() });

/** The row in the answer to a show of this id. */
export function decodeShown(
  kind: ResourceKind,
  id: number,
  json: unknown,
  decode: (json: unknown) => LiveRecord,
): LiveRecord {
  const answer = shown.safeParse(json);
  if (!answer.success) throw shapeError(`a ${kind}`, describe(json, false));
  const record = decode(answer.data.data);
  checkId(kind, id, record.id);
  return record;
}

/** Makes sure that an answer is about the row that was asked for. */
export function checkId(kind: ResourceKind, asked: number, answered: number): void {
  if (asked !== answered) throw shapeError(`${kind} ${asked}`, `it is ${kind} ${answered}`);
}

const echo = z.object({ data: z.object({ id: rowId }) });

/** The id in the response to a store or update. The rest repeats what was sent, not what is stored. */
export function decodeEcho(kind: ResourceKind, json: unknown): number {
  const answer = echo.safeParse(json);
  if (!answer.success) throw shapeError(`a stored ${kind}`, describe(json, false));
  return answer.data.data.id;
}

const deletion = z.object({ deleted: z.literal(true) });

/** Throws if a response does not confirm a delete. */
export function decodeDeleted(kind: ResourceKind, json: unknown): void {
  if (!deletion.safeParse(json).success) throw shapeError(`the deletion of a ${kind}`, describe(json, false));
}

/** A row of the lists of domains and spaces. */
export function decodeNamed(what: string, json: unknown): Named {
  const row = named.safeParse(json);
  if (!row.success) throw shapeError(`a row in the list of ${what}`, describe(json, false));
  return row.data;
}

const account = z.object({ data: z.object({ timezone: z.string().nullish() }) });

/** The time zone in the response about the account; null if there is none. */
export function decodeAccountZone(json: unknown): string | null {
  const answer = account.safeParse(json);
  if (!answer.success) throw shapeError("the account", describe(json, false));
  const zone = answer.data.data.timezone ?? "";
  if (zone !== "" && !isZone(zone)) throw shapeError("the account's time zone", describe(zone, true));
  return zone === "" ? null : zone;
}

/** The error for a response of unknown form. */
export function shapeError(what: string, seen: string): ServiceError {
  return new ServiceError("shape", `The service returned ${what} in an unknown form: ${seen}.`, {
    hint: "Check the service address (`service.base_url` or `--base-url`). If it is right, linkform does not know this version of the service.",
  });
}
