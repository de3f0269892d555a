// Steps of an undo as what a file could say: declarations and tombstones.

import type { Declaration, Declared, Tombstone } from "../domain/project.ts";
import type { KeyOfRow, Loss, Pointer, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { keyTaken } from "./keys.ts";
import { heldAt, keyOf, type Held } from "./live.ts";
import type { UndoNames } from "./names.ts";
import { wallOf } from "./policy.ts";
import type { UndoStep } from "./step.ts";
import { lineFor } from "./words.ts";

/** Writes steps as what a file could say, and takes down what of them can't be said any more. */
export class UndoWriter {
  readonly losses: Loss[] = [];
  readonly #names: UndoNames;

  constructor(names: UndoNames) {
    this.#names = names;
  }

  /** The key that a row will have, as a glob that no other has. */
  keyAfter(step: Extract<UndoStep, { does: "restore" }>): string {
    const { domain, name } = keyTaken(step) ?? keyOf(step.row);
    return domain === null || domain.id === null ? name : `${this.#names.text("domain", domain.id)}/${name}`;
  }

  tombstone({ change, row }: Extract<UndoStep, { does: "remove" }>): Tombstone {
    return { kind: row.kind, ...this.#written(keyOf(row)), id: row.id, place: change.place };
  }

  declaration(step: Exclude<UndoStep, { does: "remove" }>): Declaration | null {
    const { change } = step;
    const { kind, place } = change;
    const held = step.does === "restore" ? step.fields : formerFields(step.former, kind);
    const key = keyTaken(step) ?? (step.does === "restore" ? keyOf(step.row) : null);
    if (key === null) return null;
    const fields = new Map<string, Declared>();
    for (const [path, value] of held) {
      const said = this.#said(change, path, value);
      if (said !== undefined) fields.set(path, { value: said, place });
    }
    const written = this.#written(key);
    fields.set(KEY_FIELD[kind], { value: key.name, place });
    if (written.domain !== null) fields.set(REFERENCE_FIELD.domain, { value: written.domain, place });
    const secrets = [...step.secrets].map(([path, name]) => [path, { from: "env" as const, name, place }] as const);
    const isElsewhere = step.row !== null && keyTaken(step) !== null;
    return {
      kind,
      ...written,
      place,
      fields,
      secrets: new Map(secrets),
      unspecified: step.does === "restore" ? "keep" : "reset",
      renamedFrom: isElsewhere && step.row !== null ? { kind, ...this.#written(keyOf(step.row)), place } : null,
      protect: null,
      liveId: step.row?.id ?? null,
    };
  }

  #written({ domain, name }: KeyOfRow): { readonly domain: string | null; readonly name: string } {
    const id = domain?.id ?? null;
    return { domain: id === null ? (domain?.name ?? null) : this.#names.text("domain", id), name };
  }

  /** A value as a file would say it; undefined where what it referred to is gone, which is taken down. */
  #said(change: ReceiptChange, path: string, held: Held): Value | undefined {
    const row = FIELDS[change.kind].find((one) => one.path === path);
    if (row === undefined) return undefined;
    if ("value" in held) return row.kind === "instant" ? wallOf(held.value) : held.value;
    if (row.kind === "references") return held.pointers.flatMap((pointer) => this.#pixel(change, pointer) ?? []);
    const [pointer] = held.pointers;
    if (pointer === undefined || row.kind !== "reference") return null;
    if (pointer.id !== null && this.#names.isKnown(row.to, pointer.id)) return this.#names.text(row.to, pointer.id);
    this.#lose(
      change,
      `the ${row.to} \`${pointer.name}\`, which nothing that was read confirms. ${lineFor(row.to, pointer)}`,
    );
    return null;
  }

  #pixel(change: ReceiptChange, pointer: Pointer): string | null {
    const found = this.#names.pixel(pointer);
    if (found === null) this.#lose(change, `the pixel \`${pointer.name}\`, which is gone.`);
    else if (found.isOther)
      this.#lose(
        change,
        `the pixel \`${pointer.name}\` that it used: another one has its name now, and is used instead.`,
      );
    return found?.name ?? null;
  }

  #lose({ kind, key, place }: ReceiptChange, message: string): void {
    this.losses.push({ kind, key, message, place });
  }
}

/** All that was known of a former object, without its key. */
function formerFields(
  former: Extract<UndoStep, { does: "make" }>["former"],
  kind: ReceiptChange["kind"],
): Map<string, Held> {
  const skipped = new Set([KEY_FIELD[kind], REFERENCE_FIELD.domain]);
  return new Map(
    FIELDS[kind].flatMap(({ path }) => {
      const held = skipped.has(path) ? undefined : heldAt(former, path);
      return held === undefined ? [] : [[path, held] as const];
    }),
  );
}
