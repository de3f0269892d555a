// The project whose plan undoes a run: the state before it as declarations, and tombstones for what it created.

import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState, Named } from "../domain/live.ts";
import {
  showKey,
  type Declaration,
  type Declared,
  type Label,
  type Project,
  type Tombstone,
} from "../domain/project.ts";
import type { Place } from "../domain/place.ts";
import type {
  Loss,
  RunRecord,
  RecordedChange,
  RecordKey,
  Reference,
  SkippedChange,
  Snapshot,
} from "../domain/run-record.ts";
import { fieldAt, FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";
import { wallTimeOf } from "../domain/zone.ts";
import { nameOf } from "../plan/names.ts";
import { keyAfterStep, removeConflicts } from "./conflicts.ts";
import { keyOf } from "../record/changes.ts";
import { fieldValueOf, identityOf, LiveRecords, type FieldValue } from "./live.ts";
import {
  decideUndo,
  leaveUnreadable,
  skipped as leave,
  wasNotMade,
  type DecideOptions,
  type Decision,
  type UndoStep,
} from "./step.ts";

/** The project to plan, and what the plan of it does not show. */
export interface UndoProject {
  /** Plan it with the same live state. */
  readonly project: Project;
  /** Keys, as globs, whose secrets are sent although one is set. */
  readonly resendSecrets: readonly string[];
  readonly losses: readonly Loss[];
  readonly skipped: readonly SkippedChange[];
  /** The places of deletes of objects that nobody changed or clicked since the run created them. */
  readonly untouched: ReadonlySet<Place>;
  /** Changes without an id in the record: their objects were identified by their values. */
  readonly unconfirmed: readonly RecordedChange[];
  /** The number of changes that are already undone or were never made. */
  readonly alreadyUndone: number;
}

/**
 * Creates the project whose plan undoes a run. The policy of `files`, the user's project, applies, but its declarations do not. Ids
 * identify the records, so that the plan cannot touch any other record.
 */
export function createUndoProject(
  record: RunRecord,
  files: Project,
  state: LiveState,
  options: Omit<DecideOptions, "accountZone">,
): UndoProject {
  const live = new LiveRecords(state);
  const accountZone = files.accountZone ?? state.account?.zone ?? null;
  const decisions = record.changes.map((change) => {
    const decision = skipUnreadable(change, state.unreadable) ?? decideUndo(change, live, { ...options, accountZone });
    return { change, ...decision };
  });
  const decided = decisions.flatMap(({ step }) => step ?? []);
  const knownNames = new ReferenceNames(decided, files, state);
  const withoutDomain: SkippedChange[] = [];
  const withDomain = decided.filter((step) => {
    const domain = unknownDomain(step, knownNames);
    if (domain === null) return true;
    // A domain without links is only visible if its list can be read.
    const message = `is not created again, because linkform found no domain \`${domain.name}\` in this account.`;
    withoutDomain.push(leave(step.change, "moved", message, declareHint("domain", domain)));
    return false;
  });
  const { steps, skipped } = removeConflicts(withDomain, live, state);
  const names = new ReferenceNames(steps, files, state);
  const writer = new ProjectWriter(names);
  const declarations = steps.flatMap((step) => (step.action === "delete" ? [] : (writer.declaration(step) ?? [])));
  const tombstones = steps.flatMap((step) => (step.action === "delete" ? writer.tombstone(step) : []));
  const resendSecrets = steps.flatMap((step) =>
    step.action === "restore" && step.isResent ? writer.keyGlob(step) : [],
  );
  // The losses of recreating an object do not apply if a conflict prevents it.
  const planned = new Set(steps.map(({ change }) => change));
  const relevant = decisions.filter(({ change, step }) => step?.action !== "recreate" || planned.has(change));
  return {
    project: { ...undoSettings(files, names), declarations, tombstones },
    resendSecrets,
    losses: [...relevant.flatMap(({ losses }) => losses), ...writer.losses],
    skipped: [...relevant.flatMap((decision) => decision.skipped), ...withoutDomain, ...skipped],
    untouched: new Set(
      steps.flatMap((step) => (step.action === "delete" && step.isUntouched ? [step.change.place] : [])),
    ),
    unconfirmed: decisions.flatMap(({ change, isUnconfirmed }) => (isUnconfirmed ? [change] : [])),
    alreadyUndone: decisions.filter((decision) => decision.step === null && decision.skipped.length === 0).length,
  };
}

/** Leaves a change out whose object, or an object with one of its keys, is unreadable; null if all are readable. */
function skipUnreadable(change: RecordedChange, records: readonly LiveRecord[]): Decision | null {
  if (wasNotMade(change)) return null;
  const record = records.find((one) => {
    if (one.kind !== change.kind) return false;
    if (one.id === change.id || one.id === change.newId) return true;
    // The domain of an unreadable link may be unknown.
    const { domain, name } = keyOf(one);
    const keys = [change.keyBefore, change.keyAfter].filter((key) => key !== null);
    return keys.some(
      (key) => identityOf(one.kind, { domain: domain ?? key.domain, name }) === identityOf(one.kind, key),
    );
  });
  return record === undefined ? null : leaveUnreadable(change, record);
}

/** The line that confirms a domain or space which is in no list and which no link uses. */
function declareHint(what: "domain" | "space", { id, name }: Reference): string {
  return `If the ${what} still exists, add it to the project file: \`${what}s: { ${JSON.stringify(name)}: { id: ${id}, name: ${JSON.stringify(name)} } }\`.`;
}

/** The domain that a step needs, if it is in no list and no link uses it; null if it is known. */
function unknownDomain(step: UndoStep, names: ReferenceNames): Reference | null {
  const domain = keyAfterStep(step)?.domain ?? null;
  return domain === null || (domain.id !== null && names.isKnown("domain", domain.id)) ? null : domain;
}

/** Writes steps as declarations and tombstones, and collects references that no longer exist as losses. */
class ProjectWriter {
  readonly losses: Loss[] = [];
  readonly #names: ReferenceNames;

  constructor(names: ReferenceNames) {
    this.#names = names;
  }

  /** A glob that matches only the key of the record after the undo. */
  keyGlob(step: Extract<UndoStep, { action: "restore" }>): string {
    const { domain, name } = keyAfterStep(step) ?? keyOf(step.record);
    return domain === null || domain.id === null ? name : `${this.#names.labelOrId("domain", domain.id)}/${name}`;
  }

  tombstone({ change, record }: Extract<UndoStep, { action: "delete" }>): Tombstone {
    return { kind: record.kind, ...this.#writtenKey(keyOf(record)), id: record.id, place: change.place };
  }

  declaration(step: Exclude<UndoStep, { action: "delete" }>): Declaration | null {
    const { change, record } = step;
    const { kind, place } = change;
    const newKey = keyAfterStep(step);
    const key = newKey ?? (step.action === "restore" ? keyOf(step.record) : null);
    if (key === null) return null;
    const fields = new Map<string, Declared>();
    for (const [path, fieldValue] of step.action === "restore" ? step.fields : snapshotFields(step.snapshot, kind)) {
      if (path === KEY_FIELD[kind]) continue;
      const value = this.#declaredValue(change, path, fieldValue);
      if (value !== undefined) fields.set(path, { value, place });
    }
    const written = this.#writtenKey(key);
    fields.set(KEY_FIELD[kind], { value: key.name, place });
    if (written.domain !== null) fields.set(REFERENCE_FIELD.domain, { value: written.domain, place });
    const secrets = [...step.secrets].map(([path, name]) => [path, { from: "env" as const, name, place }] as const);
    return {
      kind,
      ...written,
      place,
      fields,
      secrets: new Map(secrets),
      unspecified: step.action === "restore" ? "keep" : "reset",
      renamedFrom: record === null || newKey === null ? null : { kind, ...this.#writtenKey(keyOf(record)), place },
      protect: null,
      utm: new Map(),
      owners: [],
      reviewBy: null,
      note: null,
      waivers: new Map(),
      liveId: record?.id ?? null,
    };
  }

  #writtenKey({ domain, name }: RecordKey): { readonly domain: string | null; readonly name: string } {
    const id = domain?.id ?? null;
    return { domain: id === null ? (domain?.name ?? null) : this.#names.labelOrId("domain", id), name };
  }

  /** A value as a file would declare it; undefined for a field that does not exist. */
  #declaredValue(change: RecordedChange, path: string, fieldValue: FieldValue): Value | undefined {
    const field = fieldAt(change.kind, path);
    if (field === undefined) return undefined;
    if ("value" in fieldValue) return field.kind === "instant" ? wallTime(fieldValue.value) : fieldValue.value;
    const { references } = fieldValue;
    if (field.kind === "references") return references.flatMap((pixel) => this.#pixelName(change, pixel) ?? []);
    const [reference] = references;
    if (reference === undefined || field.kind !== "reference") return null;
    const { id, name } = reference;
    if (id !== null && this.#names.isKnown(field.to, id)) return this.#names.labelOrId(field.to, id);
    const hint = declareHint(field.to, reference);
    this.#addLoss(change, `the ${field.to} \`${name}\`, which linkform did not find in this account. ${hint}`);
    return null;
  }

  #pixelName(change: RecordedChange, pixel: Reference): string | null {
    const match = this.#names.pixel(pixel);
    if (match === null) this.#addLoss(change, `the pixel \`${pixel.name}\`, which no longer exists.`);
    else if (match.isSubstitute)
      this.#addLoss(change, `the pixel \`${pixel.name}\`. Another pixel now has this name and is used instead.`);
    return match?.name ?? null;
  }

  #addLoss({ kind, key, place }: RecordedChange, message: string): void {
    this.losses.push({ kind, key, message, place });
  }
}

/** The known fields of a deleted object, without its key. */
function snapshotFields(snapshot: Snapshot, kind: ResourceKind): Map<string, FieldValue> {
  const keyPaths = new Set([KEY_FIELD[kind], REFERENCE_FIELD.domain]);
  return new Map(
    FIELDS[kind].flatMap(({ path }) => {
      const value = keyPaths.has(path) ? undefined : fieldValueOf(snapshot, path);
      return value === undefined ? [] : [[path, value] as const];
    }),
  );
}

/** The name of a pixel after the undo. */
interface PixelMatch {
  readonly name: string;
  /** Whether this is another pixel with the name from the record. */
  readonly isSubstitute: boolean;
}

/** How the project of an undo names domains, spaces and pixels. */
export class ReferenceNames {
  readonly #labels: Readonly<Record<"domain" | "space", readonly Label[]>>;
  readonly #known: Readonly<Record<"domain" | "space", ReadonlyMap<number, string>>>;
  /** By the current id, or the id before it was deleted. */
  readonly #pixels: ReadonlyMap<number, string>;

  /** `state` is null before anything is read. */
  constructor(
    steps: readonly UndoStep[],
    { domains, spaces }: Pick<Project, "domains" | "spaces">,
    state: LiveState | null,
  ) {
    this.#known = {
      domain: namesById("domain", state, state?.domains ?? []),
      space: namesById("space", state, state?.spaces ?? []),
    };
    this.#labels = { domain: domains, space: spaces };
    this.#pixels = pixelNamesAfter(steps, state);
  }

  /** The labels of the files, without those that are also the id of another record: this project uses ids. */
  labelsOf(kind: "domain" | "space"): readonly Label[] {
    return this.#labels[kind].filter(
      ({ label, id }) => !/^\d+$/.test(label) || Number(label) === id || !this.#known[kind].has(Number(label)),
    );
  }

  /** Whether a record has this id. */
  isKnown(kind: "domain" | "space", id: number): boolean {
    return this.#known[kind].has(id) || this.#labels[kind].some((label) => label.id === id && label.name !== null);
  }

  /** The label of a record in the files, or its id. */
  labelOrId(kind: "domain" | "space", id: number): string {
    return this.labelsOf(kind).find((label) => label.id === id)?.label ?? String(id);
  }

  /** The pixel with this id, or else with this name; null for none. */
  pixel({ id, name }: Reference): PixelMatch | null {
    const own = id === null ? undefined : this.#pixels.get(id);
    if (own !== undefined) return { name: own, isSubstitute: false };
    const other = [...this.#pixels.values()].find((one) => fold(one) === fold(name));
    return other === undefined ? null : { name: other, isSubstitute: id !== null };
  }
}

function namesById(kind: "domain" | "space", state: LiveState | null, listed: readonly Named[]): Map<number, string> {
  const records = state === null ? [] : [...state.links, ...state.unreadable];
  const named = records.flatMap(({ references }) => references.get(REFERENCE_FIELD[kind]) ?? []);
  return new Map([...named, ...listed].map(({ id, name }) => [id, name]));
}

/** The names of all pixels after these steps. A recreated pixel has its former id here. */
function pixelNamesAfter(steps: readonly UndoStep[], state: LiveState | null): Map<number, string> {
  const names = new Map((state?.pixels ?? []).map((record) => [record.id, nameOf(record)]));
  for (const step of steps) {
    if (step.change.kind !== "pixel") continue;
    const key = keyAfterStep(step);
    if (step.action === "delete") names.delete(step.record.id);
    else if (key !== null && step.action === "restore") names.set(step.record.id, key.name);
    else if (key !== null && step.change.id !== null) names.set(step.change.id, key.name);
  }
  return names;
}

/** The time zone of this project. Its dates are never shown. */
const ZONE = "UTC";

/**
 * The settings and the policy of the files. Nothing is pruned. A glob protects each block with `protect`, because the project has no
 * blocks of the files.
 */
export function undoSettings(files: Project, names: ReferenceNames): Omit<Project, "declarations" | "tombstones"> {
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
    utm: new Map(),
    domains: names.labelsOf("domain"),
    spaces: names.labelsOf("space"),
    policy: {
      ...policy,
      // No file has these addresses, so nobody can correct them: the service decides.
      rules: new Map([...policy.rules, ["refused-address", "off"] as const]),
      prune: { mode: "none", place: null },
      protect: [...policy.protect, ...blocks],
    },
  };
}

/** An instant as this project would declare it. */
export function wallTime(value: Value): Value {
  return typeof value === "string" ? wallTimeOf(value, ZONE) : value;
}
