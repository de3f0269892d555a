// A receipt made of a plan and of the rows it was made from; what became of it is added when it is known.

import { rowIdOf, type Change, type FieldChange, type Plan } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, Named } from "../domain/live.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD, fieldAt } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { baseDocument } from "../view/document.ts";
import { digestOf, type Sha256 } from "../saved-plan/digest.ts";
import type {
  KeptDocument,
  KeyDocument,
  PointerDocument,
  ReceiptChangeDocument,
  ReceiptDocument,
  SnapshotDocument,
} from "./receipt-schema.ts";
import type { ReceiptAbout, ReceiptEnd } from "../session/receipts.ts";

/** The receipt of a plan; `end` is null as long as it is not carried out. */
export function receiptDocument(about: ReceiptAbout, end: ReceiptEnd | null, sha256: Sha256): ReceiptDocument {
  const { plan, state, baseUrl, project, command, version, at } = about;
  const rows = new Map([...state.links, ...state.pixels].map((row) => [`${row.kind} ${row.id}`, row]));
  const pointers = new Pointers(plan, end?.ids ?? new Map());
  const outcomes = new Map(end?.outcomes.map((outcome) => [outcome.change, outcome]));
  const content = {
    format_version: "1.0" as const,
    linkform: version,
    at,
    command,
    ended: end !== null,
    service: { base_url: baseUrl },
    project,
    base: baseDocument(plan.base),
    zones: { ...plan.zones },
    changes: plan.changes.map((change) => {
      const row = change.action === "create" ? null : (rows.get(`${change.kind} ${change.live.id}`) ?? null);
      const isMade = change.action === "create" || change.action === "replace";
      const outcome = outcomes.get(change);
      return {
        ...changeDocument(change, row, pointers),
        new_id: isMade ? (end?.ids.get(change) ?? null) : null,
        outcome: end === null ? null : (outcome?.outcome ?? "skipped"),
        may_have_acted: outcome?.outcome === "failed" ? outcome.failure.mayHaveActed : null,
      };
    }),
  };
  return { ...content, digest: digestOf(content, sha256) };
}

function changeDocument(
  change: Change,
  row: LiveRecord | null,
  pointers: Pointers,
): Omit<ReceiptChangeDocument, "new_id" | "outcome" | "may_have_acted"> {
  const { kind, key, previousKey, source } = change;
  const was = row && keyOfRow(row);
  return {
    action: change.action,
    kind,
    key,
    previous_key: previousKey,
    was,
    is: change.action === "delete" ? null : keyAfter(change, was, pointers),
    id: rowIdOf(change),
    clicks: row?.clicks ?? null,
    before: row && snapshotOf(row, change.action === "update" ? change.fields.map(({ path }) => path) : null),
    after: change.action === "delete" ? null : afterOf(change, pointers),
    source: { file: source.file, line: source.line, column: source.column },
  };
}

function keyOfRow(row: LiveRecord): KeyDocument {
  const [domain] = row.references.get(REFERENCE_FIELD.domain) ?? [];
  return {
    domain: domain === undefined ? null : pointerOf(domain),
    name: String(row.values.get(KEY_FIELD[row.kind]) ?? ""),
  };
}

function keyAfter(
  change: Exclude<Change, { action: "delete" }>,
  was: KeyDocument | null,
  pointers: Pointers,
): KeyDocument {
  const { values } = change.desired;
  const domain = values.get(REFERENCE_FIELD.domain);
  return {
    domain:
      change.kind === "pixel"
        ? null
        : typeof domain === "string"
          ? pointers.to("domain", domain)
          : (was?.domain ?? null),
    name: String(values.get(KEY_FIELD[change.kind]) ?? was?.name ?? ""),
  };
}

/** Fields of a row as it was; null for `paths`: all that is known of it. */
function snapshotOf({ kind, values, references }: LiveRecord, paths: readonly string[] | null): SnapshotDocument {
  const wanted = FIELDS[kind].filter(({ path }) => paths === null || paths.includes(path));
  return Object.fromEntries(
    wanted.flatMap((row): [string, KeptDocument][] => {
      const [value, named] = [values.get(row.path), references.get(row.path)];
      if (named !== undefined) {
        const all = named.map(pointerOf);
        return [[row.path, row.kind === "references" ? all : (all[0] ?? null)]];
      }
      return value === undefined ? [] : [[row.path, keptOf(row, value)]];
    }),
  );
}

function afterOf(change: Exclude<Change, { action: "delete" }>, pointers: Pointers): SnapshotDocument {
  const fields = change.action === "replace" ? change.stored : change.fields;
  return Object.fromEntries(
    fields.flatMap(({ path, after }: FieldChange): [string, KeptDocument][] => {
      const row = fieldAt(change.kind, path);
      if (row === undefined) return [];
      if (row.kind === "reference") return [[path, typeof after === "string" ? pointers.to(row.to, after) : null]];
      if (row.kind === "references")
        return [[path, Array.isArray(after) ? after.map((name) => pointers.to(row.to, String(name))) : []]];
      return [[path, keptOf(row, after)]];
    }),
  );
}

/** Of a secret only whether there is one. */
function keptOf({ kind }: FieldSpec, value: Value): KeptDocument {
  return kind === "secret" ? { secret: value === true ? "set" : "unset" } : value;
}

function pointerOf({ id, name }: Named): PointerDocument {
  return { id, name };
}

/** The ids of what a plan calls by name; those of pixels that it makes come with the end. */
class Pointers {
  readonly #references: Plan["references"];
  readonly #hosts: Plan["hosts"];
  readonly #made: ReadonlyMap<string, number>;

  constructor({ references, hosts }: Plan, ids: ReadonlyMap<Change, number>) {
    this.#references = references;
    this.#hosts = hosts;
    this.#made = new Map(
      [...ids].flatMap(([{ action, kind, key }, id]) =>
        kind === "pixel" && action === "create" ? [[fold(key), id]] : [],
      ),
    );
  }

  to(what: "domain" | "space" | "pixel", name: string): PointerDocument {
    const { domains, spaces, pixels } = this.#references;
    if (what === "domain") return { id: domains.get(name) ?? null, name: this.#hosts.get(name) ?? name };
    if (what === "space") return { id: spaces.get(name) ?? null, name };
    return { id: pixels.get(fold(name)) ?? this.#made.get(fold(name)) ?? null, name };
  }
}
