// A change in a run record: the state of its object before and after, written and parsed.

import * as z from "zod";
import { recordIdOf, type Plan, type WrittenChange } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState, Named } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import { fieldAt, FIELDS, KEY_FIELD, REFERENCE_FIELD, type Referent, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { canonicalInstant } from "../domain/zone.ts";
import type { UserError } from "../errors.ts";
import { domainOf, nameOf } from "../plan/names.ts";
import { actionSchema, kindSchema } from "../report/json/schema.ts";

const referenceSchema = z
  .object({ id: z.int().nullable(), name: z.string() })
  .describe("The target of a reference. The id is null if it had none yet.");

const textsSchema = z.array(z.string());
const pairsSchema = z.array(z.tuple([z.string(), z.string()]));
const secretSchema = z.object({ secret: z.enum(["set", "unset"]) });
const plainSchemas = [z.null(), z.string(), z.number(), z.boolean(), textsSchema, pairsSchema] as const;

/** A value in a record. Its form depends on the kind of the field. Unlike in a plan, references have ids. */
const valueSchema: z.ZodType<ValueDocument> = z
  .union([...plainSchemas, secretSchema, referenceSchema, z.array(referenceSchema)])
  .describe(
    "A value, in a form that depends on the field. An instant is in UTC, a target group is a list of pairs, and a space is { id, name }. A secret is only set or unset.",
  );

const snapshotSchema = z.record(z.string(), valueSchema);

const keySchema = z
  .object({ domain: referenceSchema.nullable().describe("Null for pixels."), name: z.string() })
  .describe("The key of the object: its alias and domain, or the name of the pixel.");

export const changeSchema = z.object({
  action: actionSchema,
  kind: kindSchema,
  key: z.string(),
  previous_key: z.string().nullable(),
  was: keySchema.nullable().describe("The key before the change; null for a create."),
  is: keySchema.nullable().describe("The key after the change; null for a delete."),
  id: z.int().positive().nullable().describe("The id of the record before the change; null for a create."),
  clicks: z.int().nullable().describe("The clicks when the run started."),
  before: snapshotSchema
    .nullable()
    .describe("For an update, the changed fields. For a delete or replace, all fields of the former object."),
  after: snapshotSchema.nullable().describe("The new values of these fields, or the values of the new record."),
});

export type Reference = z.infer<typeof referenceSchema>;
type ValueDocument = Value | z.infer<typeof secretSchema> | Reference | readonly Reference[];
/** Where an object is found: on its domain by its alias, or by a pixel's name. */
export type RecordKey = z.infer<typeof keySchema>;
type SnapshotDocument = z.infer<typeof snapshotSchema>;
export type ChangeLine = z.infer<typeof changeSchema>;

/** The fields of an object, without those that the service did not return. A target without an id has the id 0. */
export type Snapshot = Pick<LiveRecord, "values" | "references">;

/** The changes of a plan. A value that contains a secret is left out, as if unknown. */
export function changeLines(
  plan: Plan,
  state: Pick<LiveState, "links" | "pixels">,
  hasSecret: (value: unknown) => boolean,
): ChangeLine[] {
  const records = new Map([...state.links, ...state.pixels].map((record) => [`${record.kind} ${record.id}`, record]));
  return plan.changes.map((change) => {
    const { action, kind, key, previousKey } = change;
    const id = recordIdOf(change);
    const record = records.get(`${kind} ${id}`) ?? null;
    const was = record && { domain: referenceTo(domainOf(record)), name: nameOf(record) };
    const paths = action === "update" ? change.fields.map(({ path }) => path) : null;
    const before = record && snapshotDocument(kind, record, paths, hasSecret);
    const after = action === "delete" ? null : snapshotDocument(kind, snapshotAfter(change, plan), null, hasSecret);
    // A field that neither side has would not be missed: an undo leaves an object out if the sides have different fields.
    const isIncomplete = paths?.some((path) => [before, after].every((side) => side?.[path] === undefined)) === true;
    return {
      action,
      kind,
      key,
      previous_key: previousKey,
      was,
      is: action === "delete" ? null : keyAfter(change, was, plan),
      id,
      clicks: record?.clicks ?? null,
      before,
      after: isIncomplete ? {} : after,
    };
  });
}

function keyAfter({ kind, desired: { values } }: WrittenChange, was: RecordKey | null, plan: Plan): RecordKey {
  const [domain, name] = [values.get(REFERENCE_FIELD.domain), values.get(KEY_FIELD[kind])];
  return {
    domain: typeof domain === "string" ? referenceTo(resolveReference(plan, "domain", domain)) : (was?.domain ?? null),
    name: String(name ?? was?.name ?? ""),
  };
}

function referenceTo(target: Named | undefined): Reference | null {
  return target === undefined ? null : { id: target.id || null, name: target.name };
}

function snapshotAfter(change: WrittenChange, plan: Plan): Snapshot {
  const fields = change.action === "replace" ? change.stored : change.fields;
  const references = fields.flatMap(({ path, after }) => {
    const field = fieldAt(change.kind, path);
    if (field?.kind !== "reference" && field?.kind !== "references") return [];
    const targets = [after ?? []].flat().map((name) => resolveReference(plan, field.to, String(name)));
    return [[path, targets] as const];
  });
  return { values: new Map(fields.map(({ path, after }) => [path, after])), references: new Map(references) };
}

/** The target of a reference by its name in the plan. A pixel that the run creates has no id yet. */
function resolveReference({ references, hosts }: Plan, kind: Referent, name: string): Named {
  const { domains, spaces, pixels } = references;
  if (kind === "domain") return { id: domains.get(name) ?? 0, name: hosts.get(name) ?? name };
  return { id: (kind === "space" ? spaces.get(name) : pixels.get(fold(name))) ?? 0, name };
}

/** The known fields with these paths, or all of them for null. */
function snapshotDocument(
  kind: ResourceKind,
  { values, references }: Snapshot,
  paths: readonly string[] | null,
  hasSecret: (value: unknown) => boolean,
): SnapshotDocument {
  const documents = FIELDS[kind].flatMap((field): [string, ValueDocument][] => {
    const value = values.get(field.path);
    const targets = references.get(field.path)?.flatMap((target) => referenceTo(target) ?? []);
    if (targets !== undefined) return [[field.path, field.kind === "references" ? targets : (targets[0] ?? null)]];
    if (value === undefined) return [];
    return [[field.path, field.kind === "secret" ? { secret: value === true ? "set" : "unset" } : value]];
  });
  const isIncluded = ([path, document]: [string, ValueDocument]): boolean =>
    paths?.includes(path) !== false && !hasSecret(document);
  return Object.fromEntries(documents.filter(isIncluded));
}

export interface RecordedChange extends Readonly<Omit<ChangeLine, "before" | "after">> {
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  /** The id of the created object; null for none, or if it is unknown. */
  readonly newId: number | null;
  /** Null if it is unknown: the run did not end. */
  readonly outcome: "applied" | "failed" | "skipped" | null;
  /** For a failed change: whether the service may have made it; null for all others. */
  readonly mayHaveActed: boolean | null;
  readonly place: Place;
}

/** Parses a change. `invalid` makes the error for a key whose value does not fit the others. */
export function parseChange(
  line: ChangeLine,
  place: Place,
  result: Pick<RecordedChange, "newId" | "outcome" | "mayHaveActed">,
  invalid: (path: string) => UserError,
): RecordedChange {
  const { action, kind, was, is, id } = line;
  const isConsistent =
    [was, id, line.before].every((part) => (part === null) === (action === "create")) &&
    [is, line.after].every((part) => (part === null) === (action === "delete")) &&
    [was, is].every((recordKey) => recordKey === null || (kind === "pixel") === (recordKey.domain === null));
  if (!isConsistent) throw invalid("action");
  const parse = (part: "before" | "after"): Snapshot | null =>
    line[part] && parseSnapshot(kind, line[part], (path) => invalid(`${part}.${path}`));
  return { ...line, ...result, before: parse("before"), after: parse("after"), place };
}

function parseSnapshot(kind: ResourceKind, fields: SnapshotDocument, invalid: (path: string) => UserError): Snapshot {
  const values = new Map<string, Value>();
  const references = new Map<string, readonly Named[]>();
  for (const [path, document] of Object.entries(fields)) {
    const field = fieldAt(kind, path);
    if (field === undefined) throw invalid(path);
    const isReference = field.kind === "reference" || field.kind === "references";
    const value = isReference ? undefined : VALUES[field.kind].safeParse(document).data;
    const targets = isReference ? REFERENCES[field.kind].safeParse(document).data : undefined;
    if (value === null && field.required) throw invalid(path);
    if (value !== undefined) values.set(path, value);
    else if (targets !== undefined) references.set(path, targets);
    else throw invalid(path);
  }
  return { values, references };
}

const namedSchema = referenceSchema.transform(({ id, name }): Named => ({ id: id ?? 0, name }));

const VALUES: Readonly<Record<Exclude<FieldSpec["kind"], "reference" | "references">, z.ZodType<Value>>> = {
  secret: secretSchema.transform(({ secret }) => secret === "set"),
  text: z.string().nullable(),
  word: z.string(),
  flag: z.boolean(),
  count: z.number().nullable(),
  instant: z
    .string()
    .refine((text) => canonicalInstant(text) === text)
    .nullable(),
  list: textsSchema,
  map: pairsSchema,
};

const REFERENCES: Readonly<Record<"reference" | "references", z.ZodType<readonly Named[]>>> = {
  reference: namedSchema.nullable().transform((target) => (target === null ? [] : [target])),
  references: z.array(namedSchema),
};
