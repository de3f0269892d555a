// From the service's JSON to rows: unknown fields are ignored, missing ones stay unknown, wrong ones are an error.

import * as z from "zod";
import type { FieldRow } from "../domain/field.ts";
import type { LiveRow, Named } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { canonicalInstant } from "../domain/zone.ts";
import { ServiceError } from "../errors.ts";

const named = z.object({ id: z.int(), name: z.string() });
const entries = z.array(z.object({ key: z.string(), value: z.string() }));
const destinations = z.array(z.object({ value: z.string() }));

/** A group that was written with an empty entry first comes back as an object, one never set as null. */
const listed = z.preprocess(
  (raw) => (raw === null ? [] : Array.isArray(raw) || typeof raw !== "object" ? raw : Object.values(raw)),
  z.array(z.unknown()),
);

const isoInstant = z.string().transform((text, context) => {
  const plain = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.0+)?Z$/.exec(text)?.[1];
  const instant = plain === undefined ? canonicalInstant(text) : `${plain}Z`;
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

/** How a kind of field is read. A flag or word that is null is left unknown: only echoes have that (observed.md). */
function decoder(row: FieldRow): z.ZodType<Decoded> {
  switch (row.kind) {
    case "text":
      return values(row.required ? z.string() : z.string().nullable());
    case "secret":
      return values(z.boolean());
    case "flag":
      return values(
        z.union([z.literal(0), z.literal(1), z.boolean()]).transform((flag) => flag === 1 || flag === true),
      );
    case "count":
      return values(
        z
          .int()
          .nullable()
          .transform((count) => (count === 0 ? null : count)),
      );
    case "word":
      return values(z.union([z.string(), z.number()]).transform((sent) => wordOf(row.words, sent)));
    case "reference":
      return references(named.nullable().transform((found) => (found === null ? [] : [found])));
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
  return Object.entries(words).find(([, wire]) => wire === sent)?.[0] ?? String(sent);
}

function sortedPairs(pairs: readonly { key: string; value: string }[]): Pair[] {
  return pairs.map(({ key, value }): Pair => [key, value]).toSorted(([a], [b]) => compareText(a, b));
}

const DECODERS: Readonly<Record<ResourceKind, readonly { row: FieldRow; schema: z.ZodType<Decoded> }[]>> = {
  link: FIELDS.link.map((row) => ({ row, schema: decoder(row) })),
  pixel: FIELDS.pixel.map((row) => ({ row, schema: decoder(row) })),
};

const rowBase = z.looseObject({ id: z.int().positive(), clicks: z.int().nullish() });

/** Reads one row, as list and show return it. Throws `ServiceError("shape")` where a field has no meaning. */
export function decodeRow(kind: ResourceKind, json: unknown): LiveRow {
  const base = rowBase.safeParse(json);
  if (!base.success) throw shapeError(`a ${kind}`, json);
  const { id, clicks } = base.data;
  const row = { values: new Map<string, Value>(), references: new Map<string, readonly Named[]>() };
  for (const { row: field, schema } of DECODERS[kind]) {
    const raw = base.data[field.returned];
    if (raw === undefined || (raw === null && (field.kind === "flag" || field.kind === "word"))) continue;
    const decoded = schema.safeParse(raw);
    if (!decoded.success) throw shapeError(`\`${field.returned}\` of ${kind} ${id}`, raw);
    if ("value" in decoded.data) row.values.set(field.path, decoded.data.value);
    else row.references.set(field.path, decoded.data.references);
  }
  return { kind, id, ...row, clicks: kind === "link" ? (clicks ?? null) : null };
}

const shown = z.object({ data: z.unknown() });

/** The row in the answer to a show. */
export function decodeShown(kind: ResourceKind, json: unknown): LiveRow {
  const answer = shown.safeParse(json);
  if (!answer.success) throw shapeError(`a ${kind}`, json);
  return decodeRow(kind, answer.data.data);
}

const echo = z.object({ data: z.object({ id: z.int().positive() }) });

/** The id in the answer to a store or update. The rest of it is an echo of what was sent, not what is stored. */
export function decodeEcho(kind: ResourceKind, json: unknown): number {
  const answer = echo.safeParse(json);
  if (!answer.success) throw shapeError(`the answer to storing a ${kind}`, json);
  return answer.data.data.id;
}

const deletion = z.object({ deleted: z.literal(true) });

/** Makes sure that an answer says that something was deleted. */
export function decodeDeleted(kind: ResourceKind, json: unknown): void {
  if (!deletion.safeParse(json).success) throw shapeError(`the answer to deleting a ${kind}`, json);
}

/** A page of a list as the recorded envelope has it; numbers may come as strings (observed.md, "Bodies"). */
export interface Page {
  readonly rows: readonly unknown[];
  readonly current: number;
  readonly last: number;
  readonly total: number;
}

const number = z.coerce.number().pipe(z.int().min(0));
const page = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ current_page: number, last_page: number, total: number }),
});

/** Reads one page of a list. */
export function decodePage(what: string, json: unknown): Page {
  const answer = page.safeParse(json);
  if (!answer.success) throw shapeError(`a page of ${what}`, json);
  const { data, meta } = answer.data;
  return { rows: data, current: meta.current_page, last: meta.last_page, total: meta.total };
}

/** A row of the lists of domains and spaces. */
export function decodeNamed(what: string, json: unknown): Named {
  const row = named.safeParse(json);
  if (!row.success) throw shapeError(what, json);
  return row.data;
}

const account = z.object({ data: z.object({ timezone: z.string().min(1) }) });

/** The zone in the answer about the account. */
export function decodeAccountZone(json: unknown): string {
  const answer = account.safeParse(json);
  if (!answer.success) throw shapeError("the account's time zone", json);
  return answer.data.data.timezone;
}

function shapeError(what: string, json: unknown): ServiceError {
  const text = JSON.stringify(json) ?? "nothing";
  return new ServiceError(
    "shape",
    `The service's form of ${what} is not understood: ${text.slice(0, 120)}${text.length > 120 ? "…" : ""}`,
    {
      hint: "Check service.base_url. If it is right, this version of the service is not known to linkform.",
    },
  );
}
