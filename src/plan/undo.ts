// A receipt as a project: what it takes to have the former state again, in the form that the planner plans from.

import type { LiveRow, LiveState } from "../domain/live.ts";
import type { Place } from "../domain/place.ts";
import {
  showKey,
  type Declaration,
  type Declared,
  type Project,
  type SecretSource,
  type Tombstone,
} from "../domain/project.ts";
import type { KeyOfRow, LeftAlone, Loss, Pointer, Receipt, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { wallTimeOf } from "../domain/zone.ts";
import { keyTaken } from "./undo-keys.ts";
import { alone } from "./undo-words.ts";
import { heldAt, keyOf, LiveIndex, type Held } from "./undo-live.ts";
import { UndoNames } from "./undo-names.ts";
import { possible } from "./undo-possible.ts";
import { decide, type DecideOptions, type Step } from "./undo-steps.ts";

/** What to plan, and what there is to say before. */
export interface Undo {
  /** To be planned against the very state it was made of. */
  readonly project: Project;
  /** Globs of keys whose secrets are sent although one is set. */
  readonly resendSecrets: readonly string[];
  readonly losses: readonly Loss[];
  readonly left: readonly LeftAlone[];
  /** Changes of which only live tells whether this apply made them. */
  readonly doubtful: readonly ReceiptChange[];
  /** How many changes are taken back already, or were never made. */
  readonly already: number;
}

/** Dates are said in it: what they mean is settled, and no file says them. */
const ZONE = "UTC";

/**
 * The project whose plan takes an apply back. `files` are the project's own: their policy holds, what they declare does not. A row is named by
 * its id, so that nothing but what the receipt speaks of is touched.
 */
export function undoProject(
  receipt: Receipt,
  files: Project,
  state: LiveState,
  options: Omit<DecideOptions, "accountZone">,
): Undo {
  const live = new LiveIndex(state);
  const accountZone = files.accountZone ?? state.accountZone;
  const decisions = receipt.changes.map((change) => ({ change, ...decide(change, live, { ...options, accountZone }) }));
  const decided = decisions.flatMap(({ step }) => step ?? []);
  const known = new UndoNames(decided, files, state);
  const homeless = decided.flatMap((step) => withoutDomain(step, known) ?? []);
  const { steps, left } = possible(
    decided.filter((step) => withoutDomain(step, known) === null),
    live,
    state,
  );
  const names = new UndoNames(steps, files, state);
  const writer = new Writer(names);
  const declarations = steps.flatMap((step) => (step.does === "remove" ? [] : (writer.declaration(step) ?? [])));
  const tombstones = steps.flatMap((step) => (step.does === "remove" ? writer.tombstone(step) : []));
  const resendSecrets = steps.flatMap((step) =>
    step.does === "restore" && step.isResent ? writer.keyOf(step.row) : [],
  );
  return {
    project: { ...policyOf(files, names), declarations, tombstones },
    resendSecrets,
    losses: [...decisions.flatMap(({ losses }) => losses), ...writer.losses],
    left: [...decisions.flatMap((one) => one.left), ...homeless, ...left],
    doubtful: decisions.flatMap(({ change, isDoubtful }) => (isDoubtful ? [change] : [])),
    already: decisions.filter((one) => one.step === null && one.left.length === 0).length,
  };
}

/** What is left of a link because its domain is gone. */
function withoutDomain(step: Step, names: UndoNames): LeftAlone | null {
  const domain = keyTaken(step)?.domain ?? null;
  if (domain === null || (domain.id !== null && names.isKnown("domain", domain.id))) return null;
  return alone(step.change, "gone-since", `is not made again: its domain \`${domain.name}\` is gone.`);
}

/**
 * What has to be read of the account before that can be told: every key that the receipt names, before and after, is in it as if it were declared,
 * and every row that may go as if it were tombstoned.
 */
export function undoReading(receipt: Receipt, files: Project): Project {
  const names = new UndoNames([], files, null);
  const said = (value: Value, place: Place): Declared => ({ value, place });
  const declarations = receipt.changes.flatMap((change): Declaration[] => {
    const { kind, was, is, before, place } = change;
    return [was, is].flatMap((key) => {
      if (key === null) return [];
      const fields = FIELDS[kind].flatMap((row): [string, Declared][] => {
        const held = before === null ? undefined : heldAt(before, row.path);
        if (held === undefined) return [];
        if ("value" in held) return [[row.path, said(row.kind === "instant" ? wallOf(held.value) : held.value, place)]];
        const id = held.pointers[0]?.id ?? null;
        return row.kind === "reference" && id !== null ? [[row.path, said(names.text(row.to, id), place)]] : [];
      });
      const domain = key.domain?.id ?? null;
      return [
        {
          ...EMPTY,
          kind,
          domain: domain === null ? null : names.text("domain", domain),
          name: key.name,
          place,
          fields: new Map(fields),
        },
      ];
    });
  });
  const tombstones = receipt.changes.flatMap(({ kind, is, newId, place }): Tombstone[] =>
    is === null
      ? []
      : [
          {
            kind,
            domain: is.domain?.id === undefined || is.domain.id === null ? null : names.text("domain", is.domain.id),
            name: is.name,
            id: newId,
            place,
          },
        ],
  );
  return { ...policyOf(files, names), declarations, tombstones };
}

const EMPTY = {
  secrets: new Map<string, SecretSource>(),
  unspecified: "keep",
  renamedFrom: null,
  protect: null,
} as const;

/** What the files allow. Nothing is pruned, and what a block protects is named as a glob: no block of the files is in the project. */
function policyOf(files: Project, names: UndoNames): Omit<Project, "declarations" | "tombstones"> {
  const { policy } = files;
  const blocks = files.declarations.flatMap((block) =>
    block.protect === null ? [] : [{ text: showKey(block), place: block.protect }],
  );
  return {
    file: files.file,
    baseUrl: files.baseUrl,
    accountZone: files.accountZone,
    zone: ZONE,
    defaulted: new Set(),
    domains: names.labels("domain"),
    spaces: names.labels("space"),
    policy: { ...policy, prune: { mode: "none", place: null }, protect: [...policy.protect, ...blocks] },
  };
}

function wallOf(value: Value): Value {
  return typeof value === "string" ? wallTimeOf(value, ZONE) : value;
}

/** Writes steps as what a file could say, and takes down what of them can't be said any more. */
class Writer {
  readonly losses: Loss[] = [];
  readonly #names: UndoNames;

  constructor(names: UndoNames) {
    this.#names = names;
  }

  /** A row's key as a glob that no other has. */
  keyOf(row: LiveRow): string {
    const { domain, name } = keyOf(row);
    return domain === null || domain.id === null ? name : `${this.#names.text("domain", domain.id)}/${name}`;
  }

  tombstone({ change, row }: Extract<Step, { does: "remove" }>): Tombstone {
    return { kind: row.kind, ...this.#written(keyOf(row)), id: row.id, place: change.place };
  }

  declaration(step: Exclude<Step, { does: "remove" }>): Declaration | null {
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
      row: step.row?.id ?? null,
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
    this.#lose(change, `the ${row.to} \`${pointer.name}\`, which is gone.`);
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
  former: Extract<Step, { does: "make" }>["former"],
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
