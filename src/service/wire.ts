// Decodes the service's JSON into records. Extra fields are ignored, missing fields are unknown, and invalid fields are collected.

import * as z from "zod";
import type { FieldSpec, FlagSpec, WordSpec } from "../domain/field.ts";
import { isObject, type JsonObject } from "../domain/json.ts";
import { MISSING, type Account, type LiveRecord, type Named, type UnreadableField } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { SOFTWARE, type Software } from "../domain/software.ts";
import { FIELDS, KEY_FIELD, TARGETS, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { isUnbounded, wireOf, wordsIn } from "../domain/wire.ts";
import { canonicalInstant, isZone } from "../domain/zone.ts";
import { ServiceError } from "../errors.ts";
import { describe, quote } from "../http/redact.ts";

/** A whole number from 0 on, which some versions send as a text (`per_page`; docs/service.md, "Lists"). Null for anything else. */
function wholeNumber(raw: unknown): number | null {
  const number = typeof raw === "string" && /^\d+$/.test(raw) ? Number(raw) : raw;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function rowId(raw: unknown): number | null {
  const id = wholeNumber(raw);
  return id === 0 ? null : id;
}

export const natural: z.ZodType<number> = z.unknown().transform(wholeNumber).pipe(z.number());

function named(raw: unknown): Named | null {
  if (!isObject(raw)) return null;
  const [id, name] = [rowId(raw["id"]), raw["name"]];
  return id === null || typeof name !== "string" ? null : { id, name };
}

/** The items of a list, each as `read` returns it; null unless it accepts all of them. */
function itemsOf<Item>(list: unknown, read: (raw: unknown) => Item | null): Item[] | null {
  const items: (Item | null)[] = Array.isArray(list) ? list.map(read) : [null];
  return items.every((item) => item !== null) ? items : null;
}

/** A list may be returned as an object by index. A group whose first entry was empty is. */
function listOf(raw: unknown): unknown {
  return isObject(raw) ? Object.values(raw) : raw;
}

/**
 * The same for a list in which a missing index matters: visitors of a rotation with a hole get an error page. A list with a hole gets an
 * empty destination, which no file can declare, so a declared rotation always differs from it.
 */
function listWithHoles(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const hasHole = Object.keys(raw).some((index, at) => index !== String(at));
  return [...(hasHole ? [{ value: "" }] : []), ...Object.values(raw)];
}

function pair(raw: unknown): Pair | null {
  if (!isObject(raw)) return null;
  const { key, value } = raw;
  return typeof key === "string" && typeof value === "string" ? [key, value] : null;
}

function destination(raw: unknown): string | null {
  return isObject(raw) && typeof raw["value"] === "string" ? raw["value"] : null;
}

function instant(raw: unknown): string | null {
  return typeof raw === "string" ? canonicalInstant(raw) : null;
}

/** Decodes what a field was returned with; undefined for something without a meaning. */
type Decode<Result> = (raw: unknown) => Result | undefined;

function referenceDecoder(field: FieldSpec): Decode<readonly Named[]> | null {
  if (field.kind === "references") return (raw) => itemsOf(listOf(raw), named) ?? undefined;
  if (field.kind !== "reference") return null;
  return (raw) => {
    if (raw === null && !field.required) return [];
    const found = named(raw);
    return found === null ? undefined : [found];
  };
}

function valueDecoder(field: FieldSpec, software: Software): Decode<Value> | null {
  switch (field.kind) {
    case "text": {
      if (!field.required)
        return (raw) => (raw === "" || raw === null ? null : typeof raw === "string" ? raw : undefined);
      const mayBeEmpty = !Object.values(KEY_FIELD).includes(field.path);
      return (raw) => (typeof raw === "string" && (mayBeEmpty || raw !== "") ? raw : undefined);
    }
    case "secret":
      return (raw) => (typeof raw === "boolean" ? raw : undefined);
    case "flag":
      return flag(field);
    case "count":
      return (raw) => {
        const count = raw === null ? 0 : wholeNumber(raw);
        return count === null ? undefined : count === 0 ? null : count;
      };
    case "word":
      return word(field, software);
    case "reference":
    case "references":
      return null;
    case "instant": {
      const isPeriod = wireOf(field, software)?.form === "period";
      return (raw) => {
        if (raw === null) return null;
        const read = instant(raw);
        if (read === null) return undefined;
        return isPeriod && isUnbounded(field, read) ? null : read;
      };
    }
    // A group that was never set is null.
    case "map":
      return (raw) =>
        raw === null ? field.default : itemsOf(listOf(raw), pair)?.toSorted(([a], [b]) => compareText(a, b));
    case "list":
      return (raw) => (raw === null ? field.default : (itemsOf(listWithHoles(raw), destination) ?? undefined));
    default:
      return field satisfies never;
  }
}

function flag({ returnedNull }: FlagSpec): Decode<Value> {
  return (raw) => {
    if (typeof raw === "boolean") return raw;
    if (raw === null) return returnedNull ?? undefined;
    const number = wholeNumber(raw);
    return number === 0 || number === 1 ? number === 1 : undefined;
  };
}

/**
 * Only the words of the field table are valid, because the effect of other words is unknown. Words of other versions are valid if the
 * versions share the field: a list of pixels does not show its version.
 */
function word(field: WordSpec, software: Software): Decode<Value> {
  const { returnedNull } = field;
  const alike = SOFTWARE.filter((other) => wireOf(field, other)?.returned === wireOf(field, software)?.returned);
  const words = alike.flatMap((version) => Object.entries(wordsIn(field, version)));
  const byWire = new Map(words.map(([name, wire]) => [String(wire), name]));
  return (raw) => {
    if (raw === null) return returnedNull ?? undefined;
    return typeof raw === "string" || typeof raw === "number" ? byWire.get(String(raw)) : undefined;
  };
}

interface FieldDecoder {
  readonly field: FieldSpec;
  readonly returned: string;
  readonly rawOf: (json: JsonObject) => unknown;
  /** One of the two is null. */
  readonly value: Decode<Value> | null;
  readonly references: Decode<readonly Named[]> | null;
}

interface RowDecoder {
  readonly fields: readonly FieldDecoder[];
  /** Fields that the version cannot express: they always have their default. */
  readonly absent: readonly FieldSpec[];
  /** The place of each field's value in a row, by path. */
  readonly places: ReadonlyMap<string, number>;
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
    places: new Map(FIELDS[kind].map(({ path }, at) => [path, at])),
    own: new Set([...names].filter((name) => others.some((other) => !other.has(name)))),
    foreign: new Set(others.flatMap((other) => [...other].filter((name) => !names.has(name)))),
  };
}

function fieldDecoder(field: FieldSpec, software: Software): FieldDecoder[] {
  const wire = wireOf(field, software);
  if (wire === null) return [];
  const { returned } = wire;
  const decodes = { field, returned, value: valueDecoder(field, software), references: referenceDecoder(field) };
  if (wire.form === "period") {
    // One end alone has no effect (measured on version 49).
    const ends = FIELDS.link.flatMap((one) => {
      const other = wireOf(one, software);
      return other?.form === "period" ? [other.returned] : [];
    });
    const isOpen = (json: JsonObject): boolean => ends.some((name) => json[name] === null);
    return [{ ...decodes, rawOf: (json) => (isOpen(json) ? null : json[returned]) }];
  }
  const target = [...TARGETS.byWord].find(([, one]) => one === field)?.[0];
  if (wire.form !== "targets" || target === undefined) return [{ ...decodes, rawOf: (json) => json[returned] }];
  // One list for all groups: it belongs to the group that the type names.
  const type = wireOf(TARGETS.active, software)?.returned ?? "";
  const sent = wordsIn(TARGETS.active, software)[target];
  return [{ ...decodes, rawOf: (json) => (sent !== undefined && json[type] === sent ? json[returned] : null) }];
}

/** Each is built when it is needed, because a run rarely needs more than one version. */
const decoders = new Map<string, RowDecoder>();

function decoderOf(kind: ResourceKind, software: Software): RowDecoder {
  const key = `${kind} ${software}`;
  const decoder = decoders.get(key) ?? rowDecoder(kind, software);
  decoders.set(key, decoder);
  return decoder;
}

/** The keys of a row that not all versions return: those of this version, and those that only others return. */
export function keysOf(kind: ResourceKind, json: unknown, software: Software): { own: string[]; foreign: string[] } {
  const { own, foreign } = decoderOf(kind, software);
  const keys = isObject(json) ? Object.keys(json) : [];
  return { own: keys.filter((key) => own.has(key)), foreign: keys.filter((key) => foreign.has(key)) };
}

/**
 * Reads one row, as list and show return it. A field without a meaning makes the row unreadable, and is named in it. Throws
 * `ServiceError("shape")` for anything without a usable id: such a row cannot be identified.
 */
export function decodeRow(
  kind: ResourceKind,
  json: unknown,
  software: Software,
  shared: SharedReferences = new Map(),
): LiveRecord {
  const row = isObject(json) ? json : {};
  const id = rowId(row["id"]);
  if (id === null) throw shapeError(`a ${kind}`, describe(json));
  const { fields, absent, places } = decoderOf(kind, software);
  const values = new RowValues(places);
  const references = new Map<string, readonly Named[]>();
  const unreadable: UnreadableField[] = [];
  for (const { path, default: value } of absent) values.set(path, value);
  for (const decoder of fields) {
    const { field, returned } = decoder;
    const raw = decoder.rawOf(row);
    if (raw === undefined && !isIdentity(kind, field)) continue;
    const value = decoder.value?.(raw);
    const referents = decoder.references?.(raw);
    if (value !== undefined) values.set(field.path, value);
    else if (referents !== undefined) references.set(field.path, referents);
    else {
      const seen = field.kind === "secret" ? describe(raw) : quote(raw);
      unreadable.push({ path: field.path, returned, seen });
    }
  }
  const createdAt = instant(row["created_at"]);
  return {
    kind,
    id,
    software,
    values,
    references: sharedReferences(references, shared),
    // Nothing is decided by these, so a value without a meaning is the same as none. Unknown clicks are treated with care wherever they
    // matter: by the brake, and for whether a link has expired.
    clicks: kind === "link" ? wholeNumber(row["clicks"]) : null,
    title: kind === "link" && typeof row["title"] === "string" ? row["title"] : null,
    createdAt,
    // Most rows are never updated.
    updatedAt: row["updated_at"] === row["created_at"] ? createdAt : instant(row["updated_at"]),
    unreadable: unreadable.length === 0 ? NONE_UNREADABLE : unreadable,
  };
}

const NONE_UNREADABLE: readonly UnreadableField[] = [];

/** The values of a row: an account can have a million rows, and a Map of these takes more than three times the memory. */
class RowValues implements ReadonlyMap<string, Value> {
  readonly #places: ReadonlyMap<string, number>;
  readonly #values: (Value | undefined)[];

  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places;
    this.#values = Array.from({ length: places.size });
  }

  set(path: string, value: Value): void {
    const place = this.#places.get(path);
    if (place !== undefined) this.#values[place] = value;
  }

  get(path: string): Value | undefined {
    const place = this.#places.get(path);
    return place === undefined ? undefined : this.#values[place];
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  get size(): number {
    return this.#values.reduce<number>((size, value) => size + (value === undefined ? 0 : 1), 0);
  }

  #asMap(): ReadonlyMap<string, Value> {
    return new Map(
      [...this.#places.keys()].flatMap((path) => {
        const value = this.get(path);
        return value === undefined ? [] : [[path, value] as const];
      }),
    );
  }

  entries(): MapIterator<[string, Value]> {
    return this.#asMap().entries();
  }

  keys(): MapIterator<string> {
    return this.#asMap().keys();
  }

  values(): MapIterator<Value> {
    return this.#asMap().values();
  }

  forEach(each: (value: Value, path: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [path, value] of this) each(value, path, this);
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}

/** References by their text: most rows of an account are on the same few domains and in the same few spaces. */
export type SharedReferences = Map<string, ReadonlyMap<string, readonly Named[]>>;

function sharedReferences(
  references: ReadonlyMap<string, readonly Named[]>,
  shared: SharedReferences,
): ReadonlyMap<string, readonly Named[]> {
  const key = JSON.stringify([...references]);
  const known = shared.get(key);
  if (known === undefined) shared.set(key, references);
  return known ?? references;
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

/** A response in the form of a schema. Throws `ServiceError("shape")` for anything else. */
export function decodeAs<Result>(schema: z.ZodType<Result>, json: unknown, what: string): Result {
  const answer = schema.safeParse(json);
  if (!answer.success) throw shapeError(what, describe(json));
  return answer.data;
}

const shown = z.object({ data: z.unknown() });

export function decodeShown(
  kind: ResourceKind,
  id: number,
  json: unknown,
  decode: (json: unknown) => LiveRecord,
): LiveRecord {
  const record = decode(decodeAs(shown, json, `a ${kind}`).data);
  checkId(kind, id, record.id);
  return record;
}

export function checkId(kind: ResourceKind, asked: number, answered: number): void {
  if (asked !== answered) throw shapeError(`${kind} ${asked}`, `it is ${kind} ${answered}`);
}

const echo = z.object({ data: z.object({ id: z.unknown().transform(rowId).pipe(z.number()) }) });

/** The id in the response to a store or update. The rest repeats what was sent, not what is stored. */
export function decodeEcho(kind: ResourceKind, json: unknown): number {
  return decodeAs(echo, json, `a stored ${kind}`).data.id;
}

const deletion = z.object({ deleted: z.literal(true) });

export function decodeDeleted(kind: ResourceKind, json: unknown): void {
  decodeAs(deletion, json, `the deletion of a ${kind}`);
}

export function decodeNamed(what: string, json: unknown): Named {
  const row = named(json);
  if (row === null) throw shapeError(`a row in the list of ${what}`, describe(json));
  return row;
}

const account = z.object({
  data: z.object({ id: z.union([z.int(), z.string()]).nullish(), timezone: z.string().nullish() }),
});

export function decodeAccount(json: unknown): Account {
  const { id, timezone } = decodeAs(account, json, "the account").data;
  const zone = timezone ?? "";
  if (zone !== "" && !isZone(zone)) throw shapeError("the account's time zone", quote(zone));
  return { id: String(id ?? "") || null, zone: zone || null };
}

function shapeError(what: string, seen: string): ServiceError {
  return new ServiceError("shape", `The service returned ${what} in an unknown form: ${seen}.`, {
    hint: "Check the service address (`service.base_url` or `--base-url`). If it is right, linkform does not know this version of the service.",
  });
}
