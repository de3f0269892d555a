// The JSON document of a receipt: its schema, a function that writes it, and a function that parses it.

import type { Secrets } from "../http/redact.ts";
import { recordIdOf, type Change, type WrittenChange, type FieldChange, type Plan } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { fieldAt, FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { baseDocument } from "../report/document.ts";
import { digestOf, isObject } from "../saved-plan/file.ts";
import type { ReceiptAbout, ReceiptEnd } from "../session/receipts.ts";
import * as z from "zod";
import type { Reference, Receipt, ReceiptChange, Snapshot } from "../domain/receipt.ts";
import { jsonText } from "../report/json/text.ts";
import { keyOf } from "./live.ts";
import { actionSchema, kindSchema } from "../report/json/schema.ts";
import { SourceText } from "../domain/place.ts";
import { canonicalInstant } from "../domain/zone.ts";
import { UserError } from "../errors.ts";

const referenceSchema = z
  .object({ id: z.int().nullable(), name: z.string() })
  .describe("The target of a reference. The id is null if it had none yet.");

/** A value in a receipt. Its form depends on the kind of the field. Unlike in a plan, references have ids. */
type ValueDocument =
  | null
  | string
  | number
  | boolean
  | readonly string[]
  | readonly (readonly [string, string])[]
  | { readonly secret: "set" | "unset" }
  | ReferenceDocument
  | readonly ReferenceDocument[];

const secretSchema = z.object({ secret: z.enum(["set", "unset"]) });
const textsSchema = z.array(z.string());
const pairsSchema = z.array(z.tuple([z.string(), z.string()]));
const referencesSchema = z.array(referenceSchema);

const valueSchema: z.ZodType<ValueDocument> = z
  .union([
    z.null(),
    z.string(),
    z.number(),
    z.boolean(),
    textsSchema,
    pairsSchema,
    secretSchema,
    referenceSchema,
    referencesSchema,
  ])
  .describe(
    "A value, in a form that depends on the field. An instant is in UTC, a target group is a list of pairs, and a space is { id, name }. A secret is only set or unset.",
  );

const snapshotSchema = z.record(z.string(), valueSchema);

const keySchema = z
  .object({ domain: referenceSchema.nullable().describe("Null for pixels."), name: z.string() })
  .describe("The key of the object: its alias and domain, or the name of the pixel.");

const changeSchema = z.object({
  action: actionSchema,
  kind: kindSchema,
  key: z.string(),
  previous_key: z.string().nullable(),
  was: keySchema.nullable().describe("The key before the change; null for a create."),
  is: keySchema.nullable().describe("The key after the change; null for a delete."),
  id: z.int().positive().nullable().describe("The id of the record before the change; null for a create."),
  new_id: z
    .int()
    .positive()
    .nullable()
    .describe("The id of the created record; null if none was created, or its id is unknown."),
  clicks: z.int().nullable().describe("The clicks when the apply started."),
  outcome: z
    .enum(["applied", "failed", "skipped"])
    .nullable()
    .describe(
      "Null if the run did not finish. The undo then compares with the live state to find out what was applied.",
    ),
  may_have_acted: z
    .boolean()
    .nullable()
    .describe("For a failed change, false if nothing was applied, so there is nothing to undo."),
  before: snapshotSchema
    .nullable()
    .describe("For an update, the changed fields. For a delete or replace, all fields of the former object."),
  after: snapshotSchema.nullable().describe("The new values of these fields, or the values of the new record."),
  source: z
    .object({ file: z.string(), line: z.int(), column: z.int() })
    .describe("The position in the files that asks for the change."),
});

const receipt = z.object({
  format_version: z.literal("1.0"),
  linkform: z.string().describe("The version of linkform that wrote the receipt."),
  at: z.string().describe("The time when the changes started, in UTC."),
  command: z.enum(["apply", "undo"]),
  ended: z.boolean().describe("False if the run was killed. Then no change has an outcome."),
  service: z.object({ base_url: z.string() }),
  project: z.string().describe("The name of the project file."),
  base: z.object({ ref: z.string(), commit: z.string() }).nullable(),
  zones: z.object({ files: z.string(), account: z.string().nullable() }),
  changes: z.array(changeSchema),
  digest: z.string().describe("`sha256:` and the hash of all other keys, written as JSON without white space."),
});

/** The schema of the files in `.linkform/receipts`. */
export const receiptSchema: z.ZodType = receipt;

type ReferenceDocument = z.infer<typeof referenceSchema>;
type KeyDocument = z.infer<typeof keySchema>;
/** Fields by path. */
type SnapshotDocument = z.infer<typeof snapshotSchema>;
type ReceiptChangeDocument = z.infer<typeof changeSchema>;
type ReceiptDocument = z.infer<typeof receipt>;

/** Renders the receipt of a plan; `end` is null before the changes are made. A value that contains a secret is left out, as if unknown. */
export function receiptText(about: ReceiptAbout, end: ReceiptEnd | null, secrets: Secrets): string {
  const { plan, state, baseUrl, project, command, version, at } = about;
  const records = new Map([...state.links, ...state.pixels].map((record) => [`${record.kind} ${record.id}`, record]));
  const resolveReference = referenceResolver(plan, end?.ids ?? new Map());
  const outcomes = new Map(end?.outcomes.map((outcome) => [outcome.change, outcome]));
  const content = secrets.hideIn<Omit<ReceiptDocument, "digest">>({
    format_version: "1.0",
    linkform: version,
    at,
    command,
    ended: end !== null,
    service: { base_url: baseUrl },
    project,
    base: baseDocument(plan.base),
    zones: { ...plan.zones },
    changes: plan.changes.map((change) => {
      const record = change.action === "create" ? null : (records.get(`${change.kind} ${change.live.id}`) ?? null);
      const createsRecord = change.action === "create" || change.action === "replace";
      const outcome = outcomes.get(change);
      return {
        ...changeDocument(change, record, resolveReference, secrets),
        new_id: createsRecord ? (end?.ids.get(change) ?? null) : null,
        outcome: end === null ? null : (outcome?.outcome ?? "skipped"),
        may_have_acted: outcome?.outcome === "failed" ? outcome.failure.mayHaveActed : null,
      };
    }),
  });
  return `${jsonText({ ...content, digest: digestOf(content) }, 2)}\n`;
}

function changeDocument(
  change: Change,
  record: LiveRecord | null,
  resolveReference: ResolveReference,
  secrets: Secrets,
): Omit<ReceiptChangeDocument, "new_id" | "outcome" | "may_have_acted"> {
  const { kind, key, previousKey, source } = change;
  const keyBefore = record && keyOf(record);
  const without = (snapshot: SnapshotDocument): SnapshotDocument =>
    Object.fromEntries(Object.entries(snapshot).filter(([, value]) => !secrets.has(value)));
  return {
    action: change.action,
    kind,
    key,
    previous_key: previousKey,
    was: keyBefore,
    is: change.action === "delete" ? null : keyDocumentAfter(change, keyBefore, resolveReference),
    id: recordIdOf(change),
    clicks: record?.clicks ?? null,
    before:
      record &&
      without(snapshotDocument(record, change.action === "update" ? change.fields.map(({ path }) => path) : null)),
    after: change.action === "delete" ? null : without(snapshotDocumentAfter(change, resolveReference)),
    source: { file: source.file, line: source.line, column: source.column },
  };
}

function keyDocumentAfter(
  change: WrittenChange,
  keyBefore: KeyDocument | null,
  resolveReference: ResolveReference,
): KeyDocument {
  const { values } = change.desired;
  const domain = values.get(REFERENCE_FIELD.domain);
  return {
    domain:
      change.kind === "pixel"
        ? null
        : typeof domain === "string"
          ? resolveReference("domain", domain)
          : (keyBefore?.domain ?? null),
    name: String(values.get(KEY_FIELD[change.kind]) ?? keyBefore?.name ?? ""),
  };
}

/** The fields of a record with these paths; all known fields for null. */
function snapshotDocument({ kind, values, references }: LiveRecord, paths: readonly string[] | null): SnapshotDocument {
  const wanted = FIELDS[kind].filter(({ path }) => paths === null || paths.includes(path));
  return Object.fromEntries(
    wanted.flatMap((field): [string, ValueDocument][] => {
      const [value, named] = [values.get(field.path), references.get(field.path)];
      if (named !== undefined) return [[field.path, field.kind === "references" ? named : (named[0] ?? null)]];
      return value === undefined ? [] : [[field.path, valueDocument(field, value)]];
    }),
  );
}

function snapshotDocumentAfter(change: WrittenChange, resolveReference: ResolveReference): SnapshotDocument {
  const fields = change.action === "replace" ? change.stored : change.fields;
  return Object.fromEntries(
    fields.flatMap(({ path, after }: FieldChange): [string, ValueDocument][] => {
      const field = fieldAt(change.kind, path);
      if (field === undefined) return [];
      if (field.kind === "reference")
        return [[path, typeof after === "string" ? resolveReference(field.to, after) : null]];
      if (field.kind === "references")
        return [[path, Array.isArray(after) ? after.map((name) => resolveReference(field.to, String(name))) : []]];
      return [[path, valueDocument(field, after)]];
    }),
  );
}

/** A secret is stored only as set or unset. */
function valueDocument({ kind }: FieldSpec, value: Value): ValueDocument {
  return kind === "secret" ? { secret: value === true ? "set" : "unset" } : value;
}

/** Returns a reference by its name in the plan. The ids of created pixels are known only at the end of the run. */
type ResolveReference = (kind: "domain" | "space" | "pixel", name: string) => ReferenceDocument;

function referenceResolver({ references, hosts }: Plan, ids: ReadonlyMap<Change, number>): ResolveReference {
  const { domains, spaces, pixels } = references;
  const createdPixels = new Map(
    [...ids].flatMap(([{ action, kind, key }, id]) =>
      kind === "pixel" && action === "create" ? [[fold(key), id]] : [],
    ),
  );
  return (kind, name) => {
    if (kind === "domain") return { id: domains.get(name) ?? null, name: hosts.get(name) ?? name };
    if (kind === "space") return { id: spaces.get(name) ?? null, name };
    return { id: pixels.get(fold(name)) ?? createdPixels.get(fold(name)) ?? null, name };
  };
}

const OTHER_RECEIPT_HINT = "Use another receipt. Each apply writes one.";
const VERSION_HINT = "Undo it with the version of linkform that wrote it.";

/** Parses a receipt; `file` is its name in messages. Throws a user error if it is not a receipt, or if it was altered. */
export function parseReceipt(text: string, file: string): Receipt {
  const json = parse(text, file);
  if (!isObject(json) || typeof json["format_version"] !== "string" || !Array.isArray(json["changes"]))
    throw new UserError("not-a-receipt", `${file} is not a receipt.`, { hint: OTHER_RECEIPT_HINT });
  const { digest, ...content } = json;
  if (json["ended"] === undefined || digest === undefined) {
    const hint = "`apply` writes receipts into .linkform/receipts, or to --receipt FILE.";
    throw new UserError("not-a-receipt", `${file} is a plan or a report, which cannot be undone.`, { hint });
  }
  const version = json["format_version"];
  if (!version.startsWith("1."))
    throw new UserError(
      "receipt-version",
      `${file} has format version ${version}, but this version of linkform reads 1.x.`,
      {
        hint: VERSION_HINT,
      },
    );
  if (digest !== digestOf(content)) {
    throw new UserError("receipt-altered", `${file} was changed after linkform wrote it.`, {
      hint: `${OTHER_RECEIPT_HINT} To undo only a part of an apply, use --target and --exclude.`,
    });
  }
  const read = receipt.safeParse({ ...json, format_version: "1.0" });
  if (!read.success) throw unknownContent(file, read.error.issues[0]?.path.join(".") ?? "");
  const { data } = read;
  const places = changePlaces(text, file);
  const changes = data.changes.map((change, at) =>
    parseChange(change, at, file, places[at] ?? { file, line: 1, column: 1 }),
  );
  if (canonicalInstant(data.at) === null) throw unknownContent(file, "at");
  return {
    file,
    linkform: data.linkform,
    at: data.at,
    command: data.command,
    isEnded: data.ended,
    baseUrl: data.service.base_url,
    project: data.project,
    base: data.base,
    changes,
  };
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError("receipt-not-json", `${file} is not JSON, or is incomplete.`, {
      hint: OTHER_RECEIPT_HINT,
      cause,
    });
  }
}

function unknownContent(file: string, path: string): UserError {
  return new UserError(
    "receipt-unknown",
    `${file} has a key or value that this version of linkform does not know: \`${path}\`.`,
    {
      hint: VERSION_HINT,
    },
  );
}

/** `"key": "…"`. In a string, its quotes would be escaped. */
const KEY_LINE = /(?<!\\)"key"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** The places of the changes: the value of `key`, which no other part of a receipt has. */
function changePlaces(text: string, file: string): ReceiptChange["place"][] {
  const source = new SourceText(text, file);
  return [...text.matchAll(KEY_LINE)].map(({ index, 0: line, 1: value = "" }) =>
    source.place(index + line.length - value.length, index + line.length),
  );
}

function parseChange(
  change: ReceiptChangeDocument,
  at: number,
  file: string,
  place: ReceiptChange["place"],
): ReceiptChange {
  const { action, kind, key, previous_key, was, is, id, new_id, clicks, outcome, may_have_acted } = change;
  const isConsistent =
    (action === "create") === (was === null && id === null && change.before === null) &&
    (action === "delete") === (is === null && change.after === null) &&
    [was, is].every((recordKey) => recordKey === null || (kind === "pixel") === (recordKey.domain === null));
  if (!isConsistent) throw unknownContent(file, `changes.${at}`);
  const parseFields = (fields: SnapshotDocument | null, part: string): Snapshot | null =>
    fields && parseSnapshot(kind, fields, (path) => unknownContent(file, `changes.${at}.${part}.${path}`));
  const before = parseFields(change.before, "before");
  const after = parseFields(change.after, "after");
  return {
    action,
    kind,
    key,
    previousKey: previous_key,
    keyBefore: was,
    keyAfter: is,
    id,
    newId: new_id,
    clicks,
    outcome,
    mayHaveActed: may_have_acted,
    before,
    after,
    place,
  };
}

function parseSnapshot(kind: ResourceKind, fields: SnapshotDocument, invalid: (path: string) => UserError): Snapshot {
  const values = new Map<string, Value>();
  const references = new Map<string, readonly Reference[]>();
  for (const [path, document] of Object.entries(fields)) {
    const field = fieldAt(kind, path);
    if (field === undefined) throw invalid(path);
    if (field.kind === "reference" || field.kind === "references") {
      const all = parseReferences(field, document);
      if (all === null) throw invalid(path);
      references.set(path, all);
    } else {
      const value = parseValue(field, document);
      if (value === undefined) throw invalid(path);
      values.set(path, value);
    }
  }
  return { values, references };
}

function parseReferences(field: FieldSpec, document: ValueDocument): readonly Reference[] | null {
  if (field.kind === "references") return referencesSchema.safeParse(document).data ?? null;
  const reference = referenceSchema.nullable().safeParse(document).data;
  return reference === undefined ? null : reference === null ? [] : [reference];
}

/** The canonical value; undefined if it does not fit the kind of the field. */
function parseValue(
  field: Exclude<FieldSpec, { kind: "reference" | "references" }>,
  document: ValueDocument,
): Value | undefined {
  switch (field.kind) {
    case "secret": {
      const secret = secretSchema.safeParse(document).data?.secret;
      return secret === undefined ? undefined : secret === "set";
    }
    case "text":
      return typeof document === "string" || (document === null && !field.required) ? document : undefined;
    case "word":
      return typeof document === "string" ? document : undefined;
    case "flag":
      return typeof document === "boolean" ? document : undefined;
    case "count":
      return typeof document === "number" || document === null ? document : undefined;
    case "instant":
      return document === null || (typeof document === "string" && canonicalInstant(document) === document)
        ? document
        : undefined;
    case "list":
      return textsSchema.safeParse(document).data;
    case "map":
      return pairsSchema.safeParse(document).data;
    default:
      return field satisfies never;
  }
}
