// From the service's JSON to rows: unknown fields are ignored, missing ones stay unknown, wrong ones are an error.

import * as z from "zod";
import type { FieldRow } from "../domain/field.ts";
import type { LiveRow, Named } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { canonicalInstant, isZone } from "../domain/zone.ts";
import { ServiceError } from "../errors.ts";
import { describe } from "../http/quote.ts";

/** A whole number from 0 on, which some versions send as a text (observed.md, "Bodies": `per_page`). */
export const whole: z.ZodType<number> = z.union([
  z.int().min(0),
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int()),
]);
const named = z.object({ id: z.int(), name: z.string() });
const entries = z.array(z.object({ key: z.string(), value: z.string() }));
const destinations = z.array(z.object({ value: z.string() }));

/** A group that was written with an empty entry first comes back as an object, one never set as null. */
const listed = z.preprocess(
  (raw) => (raw === null ? [] : Array.isArray(raw) || typeof raw !== "object" ? raw : Object.values(raw)),
  z.array(z.unknown()),
);

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

/** How a kind of field is read. */
function decoder(row: FieldRow): z.ZodType<Decoded> {
  switch (row.kind) {
    case "text":
      return values(
        row.required
          ? z.string()
          : z
              .string()
              .nullable()
              .transform((text) => (text === "" ? null : text)),
      );
    case "secret":
      return values(z.boolean());
    case "flag":
      return values(
        z.union([z.boolean(), whole.pipe(z.union([z.literal(0), z.literal(1)]))]).transform((flag) => Boolean(flag)),
      );
    case "count":
      return values(whole.nullable().transform((count) => (count === 0 ? null : count)));
    case "word":
      return values(z.union([z.string(), z.number()]).transform((sent) => wordOf(row.words, sent)));
    case "reference":
      return references(
        (row.required ? named : named.nullable()).transform((found) => (found === null ? [] : [found])),
      );
    case "references":
      return references(listed.pipe(z.array(named)));
    case "instant":
      return values(isoInstant.nullable());
    case "map":
      return values(listed.pipe(entries).transform((pairs) => sortedPairs(pairs)));
    case "list":
      return values(listed.pipe(destinations).transform((items) => items.map(({ value }) => value)));
    default:
      return row satisfies never;
  }
}

/** A word of a later version of the service is kept as it came: it equals nothing that can be declared. */
function wordOf(words: Readonly<Record<string, string | number>>, sent: string | number): string {
  return Object.entries(words).find(([, wire]) => String(wire) === String(sent))?.[0] ?? String(sent);
}

function sortedPairs(pairs: readonly { key: string; value: string }[]): Pair[] {
  return pairs.map(({ key, value }): Pair => [key, value]).toSorted(([a], [b]) => compareText(a, b));
}

const DECODERS: Readonly<Record<ResourceKind, readonly { row: FieldRow; schema: z.ZodType<Decoded> }[]>> = {
  link: FIELDS.link.map((row) => ({ row, schema: decoder(row) })),
  pixel: FIELDS.pixel.map((row) => ({ row, schema: decoder(row) })),
};

/** Of when a row was made or written nothing depends: what is no instant is not known. Nor of a title. */
const writtenAt = isoInstant.nullish().catch(null);

const rowBase = z.looseObject({
  id: z.int().positive(),
  clicks: whole.nullish(),
  created_at: writtenAt,
  updated_at: writtenAt,
  title: z.string().nullish().catch(null),
});

/** Reads one row, as list and show return it. Throws `ServiceError("shape")` where a field has no meaning. */
export function decodeRow(kind: ResourceKind, json: unknown): LiveRow {
  const base = rowBase.safeParse(json);
  if (!base.success) throw shapeError(`a ${kind}`, describe(json, false));
  const { id, clicks, created_at: createdAt = null, updated_at: updatedAt = null, title } = base.data;
  const row = { values: new Map<string, Value>(), references: new Map<string, readonly Named[]>() };
  for (const { row: field, schema } of DECODERS[kind]) {
    const raw = base.data[field.returned];
    if (raw === undefined ? !isIdentity(kind, field) : raw === null && UNKNOWN_IF_NULL.has(field.kind)) continue;
    const decoded = schema.safeParse(raw);
    if (!decoded.success)
      throw shapeError(`\`${field.returned}\` of ${kind} ${id}`, describe(raw, field.kind !== "secret"));
    if ("value" in decoded.data) row.values.set(field.path, decoded.data.value);
    else row.references.set(field.path, decoded.data.references);
  }
  const ofLink = kind === "link" ? { clicks: clicks ?? null, title: title ?? null } : { clicks: null, title: null };
  return { kind, id, ...row, ...ofLink, createdAt, updatedAt };
}

/** Null is no value of these, and no word for "none" either: only echoes have it (observed.md). */
const UNKNOWN_IF_NULL: ReadonlySet<FieldRow["kind"]> = new Set(["flag", "word", "references"]);

/** Without its key and domain a row would match nothing, and be planned a second time: then missing is an error. */
function isIdentity(kind: ResourceKind, { path, kind: fieldKind, required }: FieldRow): boolean {
  return path === KEY_FIELD[kind] || (fieldKind === "reference" && required);
}

const shown = z.object({ data: z.unknown() });

/** The row in the answer to a show of this id. */
export function decodeShown(kind: ResourceKind, id: number, json: unknown): LiveRow {
  const answer = shown.safeParse(json);
  if (!answer.success) throw shapeError(`a ${kind}`, describe(json, false));
  const row = decodeRow(kind, answer.data.data);
  checkId(kind, id, row.id);
  return row;
}

/** Makes sure that an answer is about the row that was asked for. */
export function checkId(kind: ResourceKind, asked: number, answered: number): void {
  if (asked !== answered) throw shapeError(`${kind} ${asked}`, `it is ${kind} ${answered}`);
}

const echo = z.object({ data: z.object({ id: z.int().positive() }) });

/** The id in the answer to a store or update. The rest of it is an echo of what was sent, not what is stored. */
export function decodeEcho(kind: ResourceKind, json: unknown): number {
  const answer = echo.safeParse(json);
  if (!answer.success) throw shapeError(`a stored ${kind}`, describe(json, false));
  return answer.data.data.id;
}

const deletion = z.object({ deleted: z.literal(true) });

/** Makes sure that an answer says that something was deleted. */
export function decodeDeleted(kind: ResourceKind, json: unknown): void {
  if (!deletion.safeParse(json).success) throw shapeError(`a deleted ${kind}`, describe(json, false));
}

/** A row of the lists of domains and spaces. */
export function decodeNamed(what: string, json: unknown): Named {
  const row = named.safeParse(json);
  if (!row.success) throw shapeError(`a row of the ${what}`, describe(json, false));
  return row.data;
}

const account = z.object({ data: z.object({ timezone: z.string().nullish() }) });

/** The zone in the answer about the account; null where it does not say. */
export function decodeAccountZone(json: unknown): string | null {
  const answer = account.safeParse(json);
  if (!answer.success) throw shapeError("the account", describe(json, false));
  const zone = answer.data.data.timezone ?? "";
  if (zone !== "" && !isZone(zone)) throw shapeError("the account's time zone", describe(zone, true));
  return zone === "" ? null : zone;
}

/** An answer whose form has no meaning here. */
export function shapeError(what: string, seen: string): ServiceError {
  return new ServiceError("shape", `The service's form of ${what} is not understood: ${seen}.`, {
    hint: "Check the address (service.base_url or --base-url). If it is right, this version of the service is not known to linkform.",
  });
}
