// Reading a receipt: a file that may be damaged, of a later version, or altered by hand.

import type { FieldSpec } from "../domain/field.ts";
import type { Pointer, Receipt, ReceiptChange, Snapshot } from "../domain/receipt.ts";
import { SourceText } from "../domain/place.ts";
import { fieldAt, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { canonicalInstant } from "../domain/zone.ts";
import { UserError } from "../errors.ts";
import {
  receiptSchema,
  type KeptDocument,
  type PointerDocument,
  type ReceiptChangeDocument,
  type SnapshotDocument,
} from "./receipt-schema.ts";
import { digestOf, type Sha256 } from "../saved-plan/digest.ts";

const ANOTHER = "Name another receipt; each apply writes one.";
const THAT_VERSION = "Undo it with the version of linkform that wrote it.";

/** Reads a receipt; `file` is what it is called in messages. Throws a user error where it is none, or not as it was written. */
export function readReceipt(text: string, file: string, sha256: Sha256): Receipt {
  const json = parse(text, file);
  if (!isObject(json) || typeof json["format_version"] !== "string" || !Array.isArray(json["changes"]))
    throw new UserError("not-a-receipt", `${file} is not a receipt.`, { hint: ANOTHER });
  const { digest, ...content } = json;
  if (json["ended"] === undefined || digest === undefined) {
    const hint = "A receipt is what `apply` writes into .linkform/receipts, or to --receipt FILE.";
    throw new UserError("not-a-receipt", `${file} is a plan or a report, which can't be taken back.`, { hint });
  }
  const version = json["format_version"];
  if (!version.startsWith("1."))
    throw new UserError("receipt-version", `${file} has the format ${version}, and this linkform reads 1.x.`, {
      hint: THAT_VERSION,
    });
  if (digest !== digestOf(content, sha256)) {
    throw new UserError("receipt-altered", `${file} is not as linkform wrote it: something in it was altered.`, {
      hint: `${ANOTHER} To undo a part of one, use --target and --exclude.`,
    });
  }
  const read = receiptSchema.safeParse({ ...json, format_version: "1.0" });
  if (!read.success) throw unknownAt(file, read.error.issues[0]?.path.join(".") ?? "");
  const { data } = read;
  const places = placesOf(text, file);
  const changes = data.changes.map((change, at) =>
    readChange(change, at, file, places[at] ?? { file, line: 1, column: 1 }),
  );
  if (canonicalInstant(data.at) === null) throw unknownAt(file, "at");
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
    throw new UserError("receipt-not-json", `${file} is not JSON, or was cut.`, { hint: ANOTHER, cause });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unknownAt(file: string, path: string): UserError {
  return new UserError("receipt-unknown", `${file} says something that this linkform does not know: \`${path}\`.`, {
    hint: THAT_VERSION,
  });
}

/** `"key": "…"`, not in a text: there its quotes are escaped. */
const KEY_LINE = /(?<!\\)"key"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** Where the changes stand: at the key of each, for nothing else in a receipt has that name. */
function placesOf(text: string, file: string): ReceiptChange["place"][] {
  const source = new SourceText(text, file);
  return [...text.matchAll(KEY_LINE)].map(({ index, 0: line, 1: value = "" }) =>
    source.place(index + line.length - value.length, index + line.length),
  );
}

function readChange(
  change: ReceiptChangeDocument,
  at: number,
  file: string,
  place: ReceiptChange["place"],
): ReceiptChange {
  const { action, kind, key, previous_key, was, is, id, new_id, clicks, outcome, may_have_acted } = change;
  const isRight =
    (action === "create") === (was === null && id === null && change.before === null) &&
    (action === "delete") === (is === null && change.after === null) &&
    [was, is].every((one) => one === null || (kind === "pixel") === (one.domain === null));
  if (!isRight) throw unknownAt(file, `changes.${at}`);
  const read = (fields: SnapshotDocument | null, part: string): Snapshot | null =>
    fields && readSnapshot(kind, fields, (path) => unknownAt(file, `changes.${at}.${part}.${path}`));
  const before = read(change.before, "before");
  const after = read(change.after, "after");
  return {
    action,
    kind,
    key,
    previousKey: previous_key,
    was,
    is,
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

function readSnapshot(kind: ResourceKind, fields: SnapshotDocument, wrong: (path: string) => UserError): Snapshot {
  const values = new Map<string, Value>();
  const references = new Map<string, readonly Pointer[]>();
  for (const [path, kept] of Object.entries(fields)) {
    const row = fieldAt(kind, path);
    if (row === undefined) throw wrong(path);
    if (row.kind === "reference" || row.kind === "references") {
      const all = pointersOf(row, kept);
      if (all === null) throw wrong(path);
      references.set(path, all);
    } else {
      const value = valueOf(row, kept);
      if (value === undefined) throw wrong(path);
      values.set(path, value);
    }
  }
  return { values, references };
}

function pointersOf(row: FieldSpec, kept: KeptDocument): readonly Pointer[] | null {
  if (row.kind === "reference") return kept === null ? [] : isPointer(kept) ? [kept] : null;
  if (!Array.isArray(kept)) return null;
  const all = kept.filter(isPointer);
  return all.length === kept.length ? all : null;
}

function isPointer(kept: unknown): kept is PointerDocument {
  return isObject(kept) && typeof kept["name"] === "string";
}

/** The canonical value; undefined where it is none of this kind. */
function valueOf(row: Exclude<FieldSpec, { kind: "reference" | "references" }>, kept: KeptDocument): Value | undefined {
  switch (row.kind) {
    case "secret":
      return isObject(kept) && "secret" in kept ? kept["secret"] === "set" : undefined;
    case "text":
      return typeof kept === "string" || (kept === null && !row.required) ? kept : undefined;
    case "word":
      return typeof kept === "string" ? kept : undefined;
    case "flag":
      return typeof kept === "boolean" ? kept : undefined;
    case "count":
      return typeof kept === "number" || kept === null ? kept : undefined;
    case "instant":
      return kept === null || (typeof kept === "string" && canonicalInstant(kept) === kept) ? kept : undefined;
    case "list":
      return Array.isArray(kept) ? onlyTexts(kept) : undefined;
    case "map":
      return Array.isArray(kept) ? onlyPairs(kept) : undefined;
    default:
      return row satisfies never;
  }
}

function onlyTexts(kept: readonly unknown[]): readonly string[] | undefined {
  const texts = kept.filter((item) => typeof item === "string");
  return texts.length === kept.length ? texts : undefined;
}

function onlyPairs(kept: readonly unknown[]): readonly Pair[] | undefined {
  const pairs = kept.filter(isPair);
  return pairs.length === kept.length ? pairs : undefined;
}

function isPair(item: unknown): item is Pair {
  return Array.isArray(item) && item.length === 2 && item.every((part) => typeof part === "string");
}
