// Plans an undo: opens the receipt, reads what it is about from the account, and calls the planner of every other command.

import path from "node:path";
import pLimit from "p-limit";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import type { Change, Live, Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { BrakeSettings, Declaration, Declared, Project, SecretSource, Tombstone } from "../domain/project.ts";
import type { RecordKey, LeftAlone, Loss, Receipt, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { EXIT, UserError } from "../errors.ts";
import { createPlan, type PlanOptions } from "../plan/plan.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { trippedBrakes } from "../plan/brake.ts";
import type { Variable } from "./decide.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import { policyOf, UndoNames, undoProject, wallOf, type Undo } from "./project.ts";
import { undoDiagnostics, undoFindings, addValues, type UndoSummary } from "../view/undo.ts";
import { VariableNames } from "../edit/variable-names.ts";
import type { Reader } from "../service/service.ts";
import type { World } from "../session/context.ts";
import type { Instead, PlanResult } from "../session/prepare.ts";
import type { OpenedProject } from "../session/project.ts";
import { mergeRecords } from "../session/read-links.ts";
import { openReceipt, type OpenedReceipt } from "./receipt-files.ts";
import { keyMatcher } from "../domain/glob.ts";
import { heldAt } from "./live.ts";
import { sameValue } from "../domain/value.ts";
import { resolve } from "../plan/resolve.ts";

export interface UndoPlanFlags {
  readonly force?: boolean;
  readonly receipt?: string | false;
  readonly concurrency?: number;
}

/** What was planned, and what it was planned from. */
interface PlannedUndo {
  readonly undo: Undo;
  readonly left: readonly LeftAlone[];
  /** Files that ask for what each change takes back. */
  readonly against: ReadonlyMap<Change, readonly string[]>;
  /** What the files ask for as the account is before the undo. */
  readonly asked: Plan;
}

export class UndoPlanner implements Instead {
  readonly #world: World;
  readonly #flags: UndoPlanFlags;
  readonly #named: string;
  #opened: OpenedReceipt | null = null;
  #planned: PlannedUndo | null = null;

  constructor(world: World, flags: UndoPlanFlags, named: string) {
    this.#world = world;
    this.#flags = flags;
    this.#named = named;
  }

  /** The receipt as people name it. */
  get file(): string {
    return this.#receipt.file;
  }

  async reading(opened: OpenedProject, project: Project): Promise<Project> {
    this.#opened = await openReceipt(this.#world, this.#named, opened);
    const { receipt } = this.#flags;
    if (typeof receipt === "string" && path.resolve(this.#world.cwd, receipt) === this.#opened.file)
      throw new UserError("receipt-twice", "The receipt that is taken back can't be written over by the new one.", {
        hint: "Give --receipt another name.",
        exit: EXIT.usage,
      });
    return undoReading(this.#opened.receipt, project);
  }

  checkAddress(baseUrl: string): void {
    const { file, baseUrl: then } = this.#receipt;
    if (then === baseUrl) return;
    throw new UserError("receipt-address", `${file} is of ${then}, and this run speaks to ${baseUrl}.`, {
      hint: "Undo it with the project it was made in; if the service has moved, add --base-url with the address that the receipt has.",
    });
  }

  async plan(project: Project, read: LiveState, reader: Reader, options: PlanOptions): Promise<PlanResult> {
    const receipt = this.#receipt;
    const state = await this.#withMissing(read, reader);
    const whole = undoProject(receipt, project, state, {
      force: this.#flags.force === true,
      variableFor: this.#variables(project),
    });
    const now = this.#world.now();
    const chosen = withoutIdleGlobs(receipt, whole.project, options);
    const resendSecrets = chosen.project === whole.project ? whole.resendSecrets : [];
    const planned = createPlan(chosen.project, state, now, { ...chosen.options, resendSecrets });
    const isSaid = isWanted(receipt, options);
    // What a target brings along is made as well.
    const toMake = new Set(planned.changes.map(({ source }) => source));
    const undo = {
      ...whole,
      left: whole.left.filter(isSaid),
      losses: whole.losses.filter((loss) => toMake.has(loss.place) || isSaid(loss)),
    };
    // What the files would change now tells what they still ask for; and what they are about is what the brake takes shares of.
    const asked = createPlan(project, state, now, NO_OPTIONS);
    const atStake = togetherAtStake(planned.atStake, asked.atStake);
    const brakes = trippedBrakes(planned.changes, atStake, project.policy.brake, options.allowances);
    const { keptLive, isPruneBlind } = asked;
    const made = { ...planned, atStake, brakes, keptLive, isPruneBlind };
    const account = project.accountZone ?? state.accountZone;
    const zones = { files: project.zone ?? account ?? made.zones.files, account };
    const left = undo.left.map((one) => addValues(one, zones));
    this.#planned = { undo, left, against: filesAgainst(project, state, made.changes, asked.changes), asked };
    const findings: readonly Diagnostic[] = [
      ...undoFindings(left, undo.doubtful),
      ...undoDiagnostics(made, receipt.file),
    ];
    return { project: undo.project, state, plan: { ...made, zones, diagnostics: findings } };
  }

  /** What is to be said of it; `done` are the changes that were made, null where none was yet. */
  summary({ withheld, changes: toMake }: Plan, done: readonly Change[] | null): UndoSummary {
    const { undo, left, against, asked } = this.#result;
    const { file, at, changes, isEnded } = this.#receipt;
    const out = new Set(withheld.map(({ change }) => change.source));
    const files = new Map<string, string[]>();
    for (const change of done ?? [])
      for (const name of against.get(change) ?? []) files.set(name, [...(files.get(name) ?? []), change.key]);
    return {
      receipt: file,
      at,
      isEnded,
      changes: changes.length,
      alreadyUndone: undo.already,
      losses: undo.losses.filter(({ place }) => !out.has(place)),
      left,
      restored: new Set((done ?? toMake).map(({ source }) => source)),
      files: [...files].map(([name, keys]) => ({ file: name, keys })),
      // With errors in the files, what they ask for is not known.
      pending: asked.complete ? pendingBeside(asked.changes, done ?? []).length + asked.withheld.length : 1,
    };
  }

  get #receipt(): Receipt {
    if (this.#opened === null) throw new Error("the receipt was not opened");
    return this.#opened.receipt;
  }

  get #result(): PlannedUndo {
    if (this.#planned === null) throw new Error("nothing was planned");
    return this.#planned;
  }

  /** Adds links of the receipt that were not read under the keys it names: they may have others by now. */
  async #withMissing(state: LiveState, reader: Reader): Promise<LiveState> {
    if (state.isWhole) return state;
    const read = new Set(state.links.map(({ id }) => id));
    const ids = this.#receipt.changes.flatMap(({ kind, id, newId }) =>
      kind === "link" ? [id, newId].filter((one) => one !== null && !read.has(one)) : [],
    );
    const limit = pLimit(this.#flags.concurrency ?? DEFAULT_CONCURRENCY);
    const records = await Promise.all(
      [...new Set(ids)].map((id) => limit(() => (id === null ? Promise.resolve(null) : reader.show("link", id)))),
    );
    const found = records.filter((record): record is LiveRecord => record !== null);
    const users = await Promise.all(
      this.#renamedSince(state).map((pixel) => limit(() => reader.list("link", { pixel }))),
    );
    const unreadableLinks = state.unreadable.filter(({ kind }) => kind === "link");
    const links = separateUnreadable(
      mergeRecords(state.links, unreadableLinks, found, ...users.map((list) => list.records)),
    );
    const pixels = state.unreadable.filter(({ kind }) => kind === "pixel");
    const unreadable = [...links.unreadable, ...pixels];
    return { ...state, links: links.readable, unreadable, requests: reader.requests };
  }

  /** Pixels that may go, and were not looked for under the name they have by now: who uses them must be known. */
  #renamedSince({ pixels }: LiveState): number[] {
    return this.#receipt.changes.flatMap(({ kind, is, newId }) => {
      const record = kind === "pixel" ? pixels.find(({ id }) => id === newId) : undefined;
      return record === undefined || record.values.get(KEY_FIELD.pixel) === is?.name ? [] : [record.id];
    });
  }

  /** Names are made up from the key, the same ones each time: whatever of the receipt has been taken back by then. */
  #variables({ declarations }: Project): (change: ReceiptChange, path: string) => Variable {
    const names = new VariableNames(declarations);
    const { env } = this.#world;
    const given = new Map<ReceiptChange, ReadonlyMap<string, string>>();
    for (const change of this.#receipt.changes) {
      const { kind, id, was, before } = change;
      const row = { kind, id: id ?? 0, values: new Map([[KEY_FIELD[kind], was?.name ?? ""]]) };
      const secrets = FIELDS[kind].flatMap((field) =>
        field.kind === "secret" && before?.values.get(field.path) === true ? [field.path] : [],
      );
      given.set(change, new Map(secrets.map((field) => [field, names.nameFor(row, field)])));
    }
    return (change, field) => {
      const name = given.get(change)?.get(field);
      if (name === undefined) throw new Error(`${field} is no secret that was set`);
      return { name, isSet: (env[name] ?? "") !== "" };
    };
  }
}

type Globs = Pick<PlanOptions, "targets" | "excludes">;

/** A test whether what is said of a change of this receipt is wanted: it may be named by either key. */
function isWanted({ changes }: Receipt, { targets, excludes }: Globs): (said: Loss | LeftAlone) => boolean {
  const [isTargeted, isExcluded] = [keyMatcher(targets), keyMatcher(excludes)];
  const keysAt = new Map(changes.map(({ place, key, previousKey }) => [place, [key, previousKey ?? key]]));
  return ({ place, key }) => {
    const keys = keysAt.get(place) ?? [key];
    return (targets.length === 0 || keys.some(isTargeted)) && !keys.some(isExcluded);
  };
}

/**
 * The same plan to make, without globs that name only what the receipt speaks of and needs no change: to the planner they would be slips. Where
 * nothing else is targeted, nothing is planned.
 */
function withoutIdleGlobs(
  { changes }: Receipt,
  project: Project,
  options: PlanOptions,
): { readonly project: Project; readonly options: PlanOptions } {
  const planned = new Set([...project.declarations, ...project.tombstones].map(({ place }) => place));
  const isIdle = (glob: string): boolean => {
    const isMatch = keyMatcher([glob]);
    const named = changes.filter(({ key, previousKey }) => [key, previousKey ?? key].some(isMatch));
    return named.length > 0 && !named.some(({ place }) => planned.has(place));
  };
  const targets = options.targets.filter((glob) => !isIdle(glob));
  const excludes = options.excludes.filter((glob) => !isIdle(glob));
  const isNothing = targets.length === 0 && options.targets.length > 0;
  return {
    project: isNothing ? { ...project, declarations: [], tombstones: [] } : project,
    options: { ...options, targets, excludes: isNothing ? [] : excludes },
  };
}

/**
 * A project in which every key that the receipt names, before and after, is declared, and every record that may go has a tombstone. What the files
 * name is read as well where the brake may take a share of it.
 */
function undoReading(receipt: Receipt, files: Project): Project {
  const names = new UndoNames([], files, null);
  const domainOf = ({ domain }: RecordKey): string | null =>
    domain === null || domain.id === null ? null : names.text("domain", domain.id);
  const declared = receipt.changes.flatMap((change): Declaration[] => {
    const fields = formerFields(change, names);
    return [change.was, change.is].flatMap((key) =>
      key === null
        ? []
        : [{ ...EMPTY, kind: change.kind, domain: domainOf(key), name: key.name, place: change.place, fields }],
    );
  });
  const buried = receipt.changes.flatMap(({ kind, is, newId, place }): Tombstone[] =>
    is === null ? [] : [{ kind, domain: domainOf(is), name: is.name, id: newId, place }],
  );
  const policy = policyOf(files, names);
  if (!mayTripBrake(receipt, files.policy.brake)) return { ...policy, declarations: declared, tombstones: buried };
  return {
    ...policy,
    domains: files.domains,
    spaces: files.spaces,
    declarations: [...files.declarations, ...declared],
    tombstones: [...files.tombstones, ...buried],
  };
}

/** Whether there are more changes than any brake lets through without a look at what else there is. */
function mayTripBrake({ changes }: Receipt, { deletes, from }: BrakeSettings): boolean {
  const least = Math.min(
    ...Object.values(deletes).map((limit) => ("share" in limit ? Math.floor(limit.share * from) : Infinity)),
  );
  return changes.length >= from || changes.length > least;
}

/** What names a space or a date: these are asked for where the links don't tell. */
function formerFields({ kind, before, place }: ReceiptChange, names: UndoNames): ReadonlyMap<string, Declared> {
  const fields = new Map<string, Declared>();
  for (const field of FIELDS[kind]) {
    const held = before === null ? undefined : heldAt(before, field.path);
    if (held === undefined) continue;
    if ("value" in held) {
      if (field.kind === "instant") fields.set(field.path, { value: wallOf(held.value), place });
    } else if (field.kind === "reference") {
      const id = held.pointers[0]?.id ?? null;
      if (id !== null) fields.set(field.path, { value: names.text(field.to, id), place });
    }
  }
  return fields;
}

const EMPTY = {
  secrets: new Map<string, SecretSource>(),
  unspecified: "keep",
  renamedFrom: null,
  protect: null,
} as const;

/**
 * For each change of an undo the files that ask for the state before it: they name the object, and `asked`, what they would change about the
 * account as it is now, has nothing of it. Files that were taken back already would change it back, and are not among them.
 */
function filesAgainst(
  files: Project,
  state: LiveState,
  changes: readonly Change[],
  asked: readonly Change[],
): ReadonlyMap<Change, readonly string[]> {
  const { desired, tombstones } = resolve(files, state);
  const named = new Map<string, Set<string>>();
  const note = (identity: string, file: string): void =>
    void named.set(identity, (named.get(identity) ?? new Set()).add(file));
  for (const { identity, renamedFrom, place } of desired) {
    note(identity, place.file);
    if (renamedFrom !== null) note(renamedFrom.identity, place.file);
  }
  for (const { identity, tombstone } of tombstones) note(identity, tombstone.place.file);
  const planned = new Set(asked.flatMap(identitiesOf));
  const { mode, place } = files.policy.prune;
  return new Map(
    changes.map((change) => {
      const identities = identitiesOf(change);
      if (identities.some((identity) => planned.has(identity))) return [change, []];
      const asking = new Set(identities.flatMap((identity) => [...(named.get(identity) ?? [])]));
      // What is made again and not declared lies in the scope all the same.
      if (asking.size === 0 && change.action === "create" && mode === "scope" && place !== null) asking.add(place.file);
      return [change, [...asking]];
    }),
  );
}

/** The changes that the files ask for and an undo does not make as well. */
function pendingBeside(asked: readonly Change[], changes: readonly Change[]): Change[] {
  return asked.filter((one) => !changes.some((other) => makesAsWell(other, one)));
}

/** Whether a change does everything that another one does. */
function makesAsWell(change: Change, wanted: Change): boolean {
  if (change.action !== wanted.action || change.kind !== wanted.kind) return false;
  const isSameRecord = JSON.stringify(rowsOf(change)) === JSON.stringify(rowsOf(wanted));
  return (
    isSameRecord &&
    wanted.fields.every((one) =>
      change.fields.some((field) => field.path === one.path && sameValue(field.after, one.after)),
    )
  );
}

/** The record that a change is made to, and the key that it then has. */
function rowsOf(change: Change): readonly (number | string | null)[] {
  const id = change.action === "create" ? null : change.live.id;
  return [id, change.action === "delete" ? null : change.desired.identity];
}

/** The keys that a change is about. */
function identitiesOf(change: Change): string[] {
  const live = change.action === "create" ? [] : [change.live.identity];
  return change.action === "delete" ? live : [...live, change.desired.identity];
}

/** What both plans are about, each record once. */
function togetherAtStake(one: Plan["atStake"], other: Plan["atStake"]): Plan["atStake"] {
  const all = (kind: ResourceKind): readonly Live[] => [
    ...new Map([...one[kind], ...other[kind]].map((live) => [live.id, live])).values(),
  ];
  return { link: all("link"), pixel: all("pixel") };
}
