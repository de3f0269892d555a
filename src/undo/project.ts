// The project whose plan reverts an apply: the steps of an undo, written as declarations and tombstones.

import { fold } from "../domain/fold.ts";
import { fieldsText, type LiveState, type Named } from "../domain/live.ts";
import {
  showKey,
  type Declaration,
  type Declared,
  type Label,
  type Project,
  type Tombstone,
} from "../domain/project.ts";
import type { RecordKey, LeftAlone, Loss, Pointer, Receipt, ReceiptChange } from "../domain/receipt.ts";
import { keyTaken, possible } from "./possible.ts";
import { heldAt, keyOf, LiveIndex, type Held } from "./live.ts";
import { decide, leave, type DecideOptions, type Decision, type UndoStep } from "./decide.ts";
import { alone, lineFor } from "./messages.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { nameOf } from "../plan/names.ts";
import { wallTimeOf } from "../domain/zone.ts";

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

/**
 * The project whose plan takes an apply back. `files` are the project's own: their policy holds, what they declare does not. A record is named by
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
  const decisions = receipt.changes.map((change) => {
    const unreadable = unreadableRecordOf(change, state.unreadable);
    return { change, ...(unreadable ?? decide(change, live, { ...options, accountZone })) };
  });
  const decided = decisions.flatMap(({ step }) => step ?? []);
  const known = new UndoNames(decided, files, state);
  const homeless = decided.flatMap((step) => withoutDomain(step, known) ?? []);
  const { steps, left } = possible(
    decided.filter((step) => withoutDomain(step, known) === null),
    live,
    state,
  );
  const names = new UndoNames(steps, files, state);
  const writer = new UndoWriter(names);
  const declarations = steps.flatMap((step) => (step.does === "remove" ? [] : (writer.declaration(step) ?? [])));
  const tombstones = steps.flatMap((step) => (step.does === "remove" ? writer.tombstone(step) : []));
  const resendSecrets = steps.flatMap((step) =>
    step.does === "restore" && step.isResent ? writer.keyAfter(step) : [],
  );
  // What is not made again after all comes back in no other way either.
  const taken = new Set(steps.map(({ change }) => change));
  const said = decisions.filter(({ change, step }) => step?.does !== "make" || taken.has(change));
  return {
    project: { ...policyOf(files, names), declarations, tombstones },
    resendSecrets,
    losses: [...said.flatMap(({ losses }) => losses), ...writer.losses],
    left: [...said.flatMap((one) => one.left), ...homeless, ...left],
    doubtful: decisions.flatMap(({ change, isDoubtful }) => (isDoubtful ? [change] : [])),
    already: decisions.filter((one) => one.step === null && one.left.length === 0).length,
  };
}

/** What is left of a change whose record, or whose key, is that of a record that can't be read; null where there is none. */
function unreadableRecordOf(change: ReceiptChange, records: LiveState["unreadable"]): Decision | null {
  if (change.outcome === "skipped" || change.mayHaveActed === false) return null;
  const record = records.find((one) => {
    if (one.kind !== change.kind) return false;
    if (one.id === change.id || one.id === change.newId) return true;
    const { domain, name } = keyOf(one);
    return [change.was, change.is].some(
      (key) =>
        key !== null &&
        fold(key.name) === fold(name) &&
        (domain === null || key.domain === null || domain.id === key.domain.id),
    );
  });
  if (record === undefined) return null;
  const message = `is left as it is: linkform cannot read ${record.kind} ${record.id} (${fieldsText(record.unreadable)}).`;
  const hint = `Fix the ${record.kind} on the service's own pages, then run the undo again.`;
  return leave(alone(change, "unreadable-row", message, hint));
}

/** What is left of a link because its domain is gone, for all that can be seen: of one without links that takes a list of domains. */
function withoutDomain(step: UndoStep, names: UndoNames): LeftAlone | null {
  const domain = keyTaken(step)?.domain ?? null;
  if (domain === null || (domain.id !== null && names.isKnown("domain", domain.id))) return null;
  const message = `is not made again: nothing that was read confirms its domain \`${domain.name}\`.`;
  return alone(step.change, "gone-since", message, lineFor("domain", domain));
}

/** Writes steps as what a file could say, and takes down what of them can't be said any more. */
class UndoWriter {
  readonly losses: Loss[] = [];
  readonly #names: UndoNames;

  constructor(names: UndoNames) {
    this.#names = names;
  }

  /** The key that a record will have, as a glob that no other has. */
  keyAfter(step: Extract<UndoStep, { does: "restore" }>): string {
    const { domain, name } = keyTaken(step) ?? keyOf(step.record);
    return domain === null || domain.id === null ? name : `${this.#names.text("domain", domain.id)}/${name}`;
  }

  tombstone({ change, record }: Extract<UndoStep, { does: "remove" }>): Tombstone {
    return { kind: record.kind, ...this.#written(keyOf(record)), id: record.id, place: change.place };
  }

  declaration(step: Exclude<UndoStep, { does: "remove" }>): Declaration | null {
    const { change } = step;
    const { kind, place } = change;
    const held = step.does === "restore" ? step.fields : formerFields(step.former, kind);
    const key = keyTaken(step) ?? (step.does === "restore" ? keyOf(step.record) : null);
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
    const isElsewhere = step.record !== null && keyTaken(step) !== null;
    return {
      kind,
      ...written,
      place,
      fields,
      secrets: new Map(secrets),
      unspecified: step.does === "restore" ? "keep" : "reset",
      renamedFrom: isElsewhere && step.record !== null ? { kind, ...this.#written(keyOf(step.record)), place } : null,
      protect: null,
      liveId: step.record?.id ?? null,
    };
  }

  #written({ domain, name }: RecordKey): { readonly domain: string | null; readonly name: string } {
    const id = domain?.id ?? null;
    return { domain: id === null ? (domain?.name ?? null) : this.#names.text("domain", id), name };
  }

  /** A value as a file would say it; undefined where what it referred to is gone, which is taken down. */
  #said(change: ReceiptChange, path: string, held: Held): Value | undefined {
    const field = FIELDS[change.kind].find((one) => one.path === path);
    if (field === undefined) return undefined;
    if ("value" in held) return field.kind === "instant" ? wallOf(held.value) : held.value;
    if (field.kind === "references") return held.pointers.flatMap((pointer) => this.#pixel(change, pointer) ?? []);
    const [pointer] = held.pointers;
    if (pointer === undefined || field.kind !== "reference") return null;
    if (pointer.id !== null && this.#names.isKnown(field.to, pointer.id)) return this.#names.text(field.to, pointer.id);
    this.#lose(
      change,
      `the ${field.to} \`${pointer.name}\`, which nothing that was read confirms. ${lineFor(field.to, pointer)}`,
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

/** A pixel as it will be called; `isOther`: it is not the one that the receipt means, but has its name. */
export interface FoundPixel {
  readonly name: string;
  readonly isOther: boolean;
}

export class UndoNames {
  readonly #labels: Readonly<Record<"domain" | "space", readonly Label[]>>;
  readonly #known: Readonly<Record<"domain" | "space", ReadonlyMap<number, string>>>;
  /** By the id they have now, or had when they were deleted. */
  readonly #pixels: ReadonlyMap<number, string>;

  /** `state` is null where nothing has been read yet. */
  constructor(
    steps: readonly UndoStep[],
    { domains, spaces }: Pick<Project, "domains" | "spaces">,
    state: LiveState | null,
  ) {
    this.#known = {
      domain: namedBy("domain", state, state?.domains ?? []),
      space: namedBy("space", state, state?.spaces ?? []),
    };
    this.#labels = { domain: domains, space: spaces };
    this.#pixels = pixelsAfter(steps, state);
  }

  /** The files' labels, but for such as are the id of another record: ids are what stands in the project. */
  labels(of: "domain" | "space"): readonly Label[] {
    const isOther = ({ label, id }: Label): boolean => Number(label) !== id && this.#known[of].has(Number(label));
    return this.#labels[of].filter((label) => !/^\d+$/.test(label.label) || !isOther(label));
  }

  /** Whether a record has this id. */
  isKnown(of: "domain" | "space", id: number): boolean {
    return this.#known[of].has(id) || this.#labels[of].some((label) => label.id === id && label.name !== null);
  }

  /** What stands for this record in the project: the files' label for it, else its id. */
  text(of: "domain" | "space", id: number): string {
    return this.labels(of).find((label) => label.id === id)?.label ?? String(id);
  }

  /** The pixel that is meant; null where none is left that could be. */
  pixel({ id, name }: Pointer): FoundPixel | null {
    const own = id === null ? undefined : this.#pixels.get(id);
    if (own !== undefined) return { name: own, isOther: false };
    const other = [...this.#pixels.values()].find((one) => fold(one) === fold(name));
    return other === undefined ? null : { name: other, isOther: id !== null };
  }
}

function namedBy(of: "domain" | "space", state: LiveState | null, listed: readonly Named[]): Map<number, string> {
  const records = state === null ? [] : [...state.links, ...state.unreadable];
  const named = records.flatMap(({ references }) => references.get(REFERENCE_FIELD[of]) ?? []);
  return new Map([...named, ...listed].map(({ id, name }) => [id, name]));
}

/** What pixels will be called: those that stay, under the names they get; those that are made again, under the ids they had. */
function pixelsAfter(steps: readonly UndoStep[], state: LiveState | null): Map<number, string> {
  const names = new Map((state?.pixels ?? []).map((record) => [record.id, nameOf(record)]));
  for (const step of steps) {
    if (step.change.kind !== "pixel") continue;
    if (step.does === "remove") names.delete(step.record.id);
    const key = keyTaken(step);
    if (step.does === "restore" && key !== null) names.set(step.record.id, key.name);
    if (step.does === "make" && key !== null && step.change.id !== null) names.set(step.change.id, key.name);
  }
  return names;
}

/** Dates are said in it: what they mean is settled, and no file says them. */
const ZONE = "UTC";

/** What the files allow. Nothing is pruned, and what a block protects is named as a glob: no block of the files is in the project. */
export function policyOf(files: Project, names: UndoNames): Omit<Project, "declarations" | "tombstones"> {
  const { policy } = files;
  const blocks = files.declarations.flatMap((block) =>
    block.protect === null ? [] : [{ text: showKey(block), place: block.protect }],
  );
  return {
    file: files.file,
    baseUrl: files.baseUrl,
    software: files.software,
    accountZone: files.accountZone,
    zone: ZONE,
    defaulted: new Set(),
    domains: names.labels("domain"),
    spaces: names.labels("space"),
    policy: { ...policy, prune: { mode: "none", place: null }, protect: [...policy.protect, ...blocks] },
  };
}

/** An instant as files say one. */
export function wallOf(value: Value): Value {
  return typeof value === "string" ? wallTimeOf(value, ZONE) : value;
}
