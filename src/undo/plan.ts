// An undo as a plan: opens the record, reads its objects from the account, and calls the planner of all commands.

import path from "node:path";
import pLimit from "p-limit";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import { recordIdOf, type Change, type Plan } from "../domain/change.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import {
  BRAKE_FROM,
  type BrakeSettings,
  type Declaration,
  type Declared,
  type Project,
  type SecretSource,
  type Tombstone,
} from "../domain/project.ts";
import type { RecordKey, SkippedChange, Loss, RunRecord, RecordedChange } from "../domain/run-record.ts";
import { FIELDS, KEY_FIELD } from "../domain/table.ts";
import { EXIT, UserError } from "../errors.ts";
import { createPlan, type CreatePlanOptions } from "../plan/plan.ts";
import { checkLimits, NO_OPTIONS, planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { joinAtStake, trippedBrakes } from "../plan/brake.ts";
import type { Variable } from "./step.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import { undoSettings, ReferenceNames, createUndoProject, wallTime, type UndoProject } from "./project.ts";
import type { UndoDocument } from "../report/json/schema.ts";
import { undoDiagnostics, undoFindings, addValues } from "../report/undo.ts";
import { VariableNames } from "../edit/variable-names.ts";
import type { CommonFlags, World } from "../session/context.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { Console } from "../session/console.ts";
import type { ExecuteFlags } from "../session/execute.ts";
import { withAccount } from "../session/read-account.ts";
import { readFor, unsetSecrets, type Connected, type Planned } from "../session/planned.ts";
import { openProject, type OpenedProject } from "../session/project.ts";
import { Refusal } from "../session/session.ts";
import { mergeRecords } from "../session/read-links.ts";
import { accountHash } from "../record/account.ts";
import { openRecord, type OpenRecord } from "../session/record-files.ts";
import { keyMatcher } from "../domain/glob.ts";
import { fieldValueOf } from "./live.ts";
import { sameValue } from "../domain/value.ts";
import { resolve } from "../plan/resolve.ts";

export interface UndoFlags
  extends CommonFlags, ServiceFlags, ExecuteFlags, Omit<PlanningFlags, "base" | "resendSecrets"> {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** The files, whose policy applies, and the record to undo. */
export interface OpenedUndo extends OpenRecord {
  readonly files: OpenedProject;
  readonly project: Project;
}

/** The plan of an undo, and what else its report has. */
export interface PlannedUndo extends Planned {
  readonly record: RunRecord;
  /** With only the losses and skipped changes that `--target` and `--exclude` select. */
  readonly undo: UndoProject;
  /** For each change, the files that ask for the opposite. */
  readonly contradictions: ReadonlyMap<Change, readonly string[]>;
  /** The plan of the files, before the undo. */
  readonly filesPlan: Plan;
}

/** Opens the files and a record: `named` is a file, or `last` for the newest of the project. Throws a user error or a refusal. */
export async function openUndo(world: World, flags: UndoFlags, named: string): Promise<OpenedUndo> {
  const files = await openProject(world, flags);
  if (files.project === null) throw new Refusal(files.diagnostics);
  const opened = await openRecord(world, named, files);
  if (typeof flags.record === "string" && path.resolve(world.cwd, flags.record) === opened.file)
    throw new UserError("record-twice", "The new record cannot overwrite the record that you undo.", {
      hint: "Pass another file with --record.",
      exit: EXIT.usage,
    });
  return { ...opened, files, project: files.project };
}

/** Reads the objects of the record, and plans how to restore them with the planner of all commands. */
export async function planUndo(
  { files, project, record, isOwn }: OpenedUndo,
  connected: Connected,
  world: World,
  flags: UndoFlags,
  out: Console,
): Promise<PlannedUndo> {
  const { baseUrl, transport, signal } = connected;
  if (record.baseUrl !== baseUrl)
    throw new UserError(
      "record-address",
      `${record.file} is a record for ${record.baseUrl}, but this run connects to ${baseUrl}.`,
      {
        hint: "Undo it in the project that wrote it. If the service has moved, pass the address of the record with --base-url.",
      },
    );
  const readAt = world.clock.now();
  const found = await readFor({ project: readingProject(record, project), base: null }, connected, {}, out);
  const read = record.account === null ? found : await withAccount(found, connected.reader);
  const account = accountHash(baseUrl, read);
  if (record.account !== null && account !== null && record.account !== account)
    throw new UserError("record-account", `${record.file} belongs to another account than this API key.`, {
      hint: "Set an API key of the account that the run changed.",
    });
  const state = await withMissing(record, read, connected, flags);
  out.progress.stop();
  const options: CreatePlanOptions = { ...planOptionsOf(flags), base: null, changed: null, checkLimits };
  const whole = createUndoProject(record, project, state, {
    force: flags.force === true,
    variableFor: variablesOf(record, project, world),
  });
  const narrowed = dropDoneGlobs(record, whole.project, options);
  const resendSecrets = narrowed.project === whole.project ? whole.resendSecrets : [];
  const planned = createPlan(narrowed.project, state, world.now(), { ...narrowed.options, resendSecrets });
  // The plan of the files shows what they still ask for, and which objects count for the shares of the brake.
  const filesPlan = createPlan(project, state, world.now(), NO_OPTIONS);
  const { keptLive, isPruneBlind } = filesPlan;
  const atStake = joinAtStake([planned.atStake, filesPlan.atStake]);
  // Deleting what the run created, and nobody changed or clicked, loses nothing.
  const changes = planned.changes.filter(({ source }) => !(isOwn && whole.untouched.has(source)));
  const brakes = trippedBrakes({ ...planned, changes, atStake }, options.allowances);
  const zone = project.accountZone ?? state.account?.zone ?? null;
  const zones = { files: project.zone ?? zone ?? planned.zones.files, account: zone };
  const isSelected = selectionTest(record, options);
  // A change that a target needs is made too, so its losses count.
  const plannedPlaces = new Set(planned.changes.map(({ source }) => source));
  const undo = {
    ...whole,
    skipped: whole.skipped.filter(isSelected).map((one) => addValues(one, zones)),
    losses: whole.losses.filter((loss) => plannedPlaces.has(loss.place) || isSelected(loss)),
  };
  const diagnostics = [...undoFindings(undo.skipped, undo.unconfirmed), ...undoDiagnostics(planned, record.file)];
  const secretsUnset = unsetSecrets(planned, world);
  return {
    project: undo.project,
    opened: files,
    base: null,
    baseUrl,
    transport,
    signal,
    state,
    readAt,
    options,
    record,
    undo,
    filesPlan,
    contradictions: findContradictions(project, state, planned.changes, filesPlan.changes),
    plan: { ...planned, atStake, brakes, keptLive, isPruneBlind, zones, secretsUnset, diagnostics },
  };
}

/** The summary for the report. `done` has the changes that were made; null before the changes. */
export function summarizeUndo(
  { plan, record, undo, contradictions, filesPlan }: PlannedUndo,
  done: readonly Change[] | null,
): UndoDocument {
  const withheldPlaces = new Set(plan.withheld.map(({ change }) => change.source));
  const restored = new Set((done ?? plan.changes).map(({ source }) => source));
  const keysByFile = new Map<string, string[]>();
  for (const change of done ?? [])
    for (const name of contradictions.get(change) ?? [])
      keysByFile.set(name, [...(keysByFile.get(name) ?? []), change.key]);
  return {
    record: record.file,
    at: record.at,
    ended: record.isEnded,
    changes: record.changes.length,
    already: undo.alreadyUndone,
    lost: undo.losses.flatMap(({ kind, key, message, place }) =>
      withheldPlaces.has(place) ? [] : [{ kind, key, message }],
    ),
    left: undo.skipped.map(({ kind, key, previousKey, code, message, hint, paths, place }) => ({
      kind,
      key,
      previous_key: previousKey,
      code,
      message,
      hint,
      fields: [...paths],
      partly: restored.has(place),
    })),
    files: [...keysByFile].map(([name, keys]) => ({ file: name, keys })),
    // Files with errors ask for an unknown number of changes.
    pending: filesPlan.complete ? changesNotIn(filesPlan.changes, done ?? []).length + filesPlan.withheld.length : null,
  };
}

/** Adds links of the record that were not found by its keys, because they have other keys now. */
async function withMissing(
  { changes }: RunRecord,
  state: LiveState,
  { reader }: Connected,
  { concurrency }: ExecuteFlags,
): Promise<LiveState> {
  if (state.isWhole) return state;
  const read = new Set(state.links.map(({ id }) => id));
  const ids = changes.flatMap(({ kind, id, newId }) =>
    kind === "link" ? [id, newId].flatMap((one) => (one === null || read.has(one) ? [] : [one])) : [],
  );
  const limit = pLimit(concurrency ?? DEFAULT_CONCURRENCY);
  const records = await Promise.all([...new Set(ids)].map((id) => limit(() => reader.show("link", id))));
  const found = records.filter((record): record is LiveRecord => record !== null);
  const [unreadableLinks, pixels] = [
    state.unreadable.filter(({ kind }) => kind === "link"),
    state.unreadable.filter(({ kind }) => kind === "pixel"),
  ];
  const links = separateUnreadable(mergeRecords(state.links, unreadableLinks, found));
  const unreadable = [...links.unreadable, ...pixels];
  return { ...state, links: links.readable, unreadable, requests: reader.requests };
}

/** Names the variables after the keys of all changes, so that a second undo uses the same names. */
function variablesOf(
  { changes }: RunRecord,
  { declarations }: Project,
  { env }: World,
): (change: RecordedChange, path: string) => Variable {
  const names = new VariableNames(declarations);
  const variables = new Map<RecordedChange, ReadonlyMap<string, string>>();
  for (const change of changes) {
    const { kind, id, keyBefore, before } = change;
    const subject = { kind, id: id ?? 0, values: new Map([[KEY_FIELD[kind], keyBefore?.name ?? ""]]) };
    const secrets = FIELDS[kind].flatMap((field) =>
      field.kind === "secret" && before?.values.get(field.path) === true ? [field.path] : [],
    );
    variables.set(change, new Map(secrets.map((secret) => [secret, names.nameFor(subject, secret)])));
  }
  return (change, secret) => {
    const name = variables.get(change)?.get(secret);
    if (name === undefined) throw new Error(`${secret} was not set`);
    return { name, isSet: (env[name] ?? "") !== "" };
  };
}

/** A test whether `--target` and `--exclude` select a change of this record. They may name its key before or after. */
function selectionTest(
  { changes }: RunRecord,
  { targets, excludes }: Pick<CreatePlanOptions, "targets" | "excludes">,
): (of: Loss | SkippedChange) => boolean {
  const [isTargeted, isExcluded] = [keyMatcher(targets), keyMatcher(excludes)];
  const keysAt = new Map(changes.map(({ place, key, previousKey }) => [place, [key, previousKey ?? key]]));
  return ({ place, key }) => {
    const keys = keysAt.get(place) ?? [key];
    return (targets.length === 0 || keys.some(isTargeted)) && !keys.some(isExcluded);
  };
}

/**
 * Drops globs that match only changes which need no step. The planner would report that these globs match nothing. If no target is left,
 * nothing is planned.
 */
function dropDoneGlobs(
  { changes }: RunRecord,
  project: Project,
  options: CreatePlanOptions,
): { readonly project: Project; readonly options: CreatePlanOptions } {
  const planned = new Set([...project.declarations, ...project.tombstones].map(({ place }) => place));
  const isDone = (glob: string): boolean => {
    const isMatch = keyMatcher([glob]);
    const matches = changes.filter(({ key, previousKey }) => [key, previousKey ?? key].some(isMatch));
    return matches.length > 0 && !matches.some(({ place }) => planned.has(place));
  };
  const targets = options.targets.filter((glob) => !isDone(glob));
  const excludes = options.excludes.filter((glob) => !isDone(glob));
  const isEmpty = targets.length === 0 && options.targets.length > 0;
  return {
    project: isEmpty ? { ...project, declarations: [], tombstones: [] } : project,
    options: { ...options, targets, excludes: isEmpty ? [] : excludes },
  };
}

/**
 * A project that declares all keys of the record, before and after, and has a tombstone for each record that may be deleted. If the
 * brake may trip, it also has the blocks of the files, because shares count their objects.
 */
function readingProject(record: RunRecord, files: Project): Project {
  const names = new ReferenceNames([], files, null);
  const domainOf = ({ domain }: RecordKey): string | null =>
    domain === null || domain.id === null ? null : names.labelOrId("domain", domain.id);
  const declarations = record.changes.flatMap((change): Declaration[] => {
    const { kind, keyBefore, keyAfter, place } = change;
    const fields = fieldsToRead(change, names);
    return [keyBefore, keyAfter].flatMap((key) =>
      key === null ? [] : [{ ...EMPTY_BLOCK, kind, domain: domainOf(key), name: key.name, place, fields }],
    );
  });
  const tombstones = record.changes.flatMap(({ kind, keyAfter, newId, place }): Tombstone[] =>
    keyAfter === null ? [] : [{ kind, domain: domainOf(keyAfter), name: keyAfter.name, id: newId, place }],
  );
  const settings = undoSettings(files, names);
  if (!mayTripBrake(record, files.policy.brake)) return { ...settings, declarations, tombstones };
  return {
    ...settings,
    domains: files.domains,
    spaces: files.spaces,
    declarations: [...files.declarations, ...declarations],
    tombstones: [...files.tombstones, ...tombstones],
  };
}

/** Whether there are enough changes to trip a brake, whatever the number of other objects. */
function mayTripBrake({ changes }: RunRecord, { deletes }: BrakeSettings): boolean {
  const least = "share" in deletes ? Math.floor(deletes.share * BRAKE_FROM) : Infinity;
  return changes.length >= BRAKE_FROM || changes.length > least;
}

/** References and dates: reading them may need the list of spaces, or the time zone of the account. */
function fieldsToRead({ kind, before, place }: RecordedChange, names: ReferenceNames): ReadonlyMap<string, Declared> {
  const fields = new Map<string, Declared>();
  for (const field of FIELDS[kind]) {
    const fieldValue = before === null ? undefined : fieldValueOf(before, field.path);
    if (fieldValue === undefined) continue;
    if ("value" in fieldValue) {
      if (field.kind === "instant") fields.set(field.path, { value: wallTime(fieldValue.value), place });
    } else if (field.kind === "reference") {
      const id = fieldValue.references[0]?.id ?? null;
      if (id !== null) fields.set(field.path, { value: names.labelOrId(field.to, id), place });
    }
  }
  return fields;
}

const EMPTY_BLOCK = {
  secrets: new Map<string, SecretSource>(),
  unspecified: "keep",
  renamedFrom: null,
  protect: null,
  utm: new Map<never, never>(),
  owners: [],
  reviewBy: null,
  note: null,
  waivers: new Map(),
} as const;

/**
 * For each change of an undo, the files that ask for the opposite: they name the object, and `filesChanges`, the plan of the files before
 * the undo, does not change it. If that plan already changes it, the files were reverted too.
 */
function findContradictions(
  files: Project,
  state: LiveState,
  changes: readonly Change[],
  filesChanges: readonly Change[],
): ReadonlyMap<Change, readonly string[]> {
  const { desired, tombstones } = resolve(files, state);
  const filesByIdentity = new Map<string, Set<string>>();
  const add = (identity: string, file: string): void =>
    void filesByIdentity.set(identity, (filesByIdentity.get(identity) ?? new Set()).add(file));
  for (const { identity, renamedFrom, place } of desired) {
    add(identity, place.file);
    if (renamedFrom !== null) add(renamedFrom.identity, place.file);
  }
  for (const { identity, tombstone } of tombstones) add(identity, tombstone.place.file);
  const changing = new Set(filesChanges.flatMap(identitiesOf));
  const { mode, place } = files.policy.prune;
  return new Map(
    changes.map((change) => {
      const identities = identitiesOf(change);
      if (identities.some((identity) => changing.has(identity))) return [change, []];
      const asking = new Set(identities.flatMap((identity) => [...(filesByIdentity.get(identity) ?? [])]));
      // With `prune: scope`, the next apply deletes a recreated object that is not declared.
      if (asking.size === 0 && change.action === "create" && mode === "scope" && place !== null) asking.add(place.file);
      return [change, [...asking]];
    }),
  );
}

/** The changes that the files ask for and the undo does not make. */
function changesNotIn(wanted: readonly Change[], done: readonly Change[]): Change[] {
  return wanted.filter((change) => !done.some((other) => covers(other, change)));
}

/** Whether a change does everything that another one does. */
function covers(change: Change, wanted: Change): boolean {
  return (
    change.action === wanted.action &&
    change.kind === wanted.kind &&
    recordIdOf(change) === recordIdOf(wanted) &&
    identityAfter(change) === identityAfter(wanted) &&
    wanted.fields.every(({ path: wantedPath, after }) =>
      change.fields.some((field) => field.path === wantedPath && sameValue(field.after, after)),
    )
  );
}

function identityAfter(change: Change): string | null {
  return change.action === "delete" ? null : change.desired.identity;
}

/** The identities of an object before and after a change. */
function identitiesOf(change: Change): string[] {
  const live = change.action === "create" ? [] : [change.live.identity];
  return change.action === "delete" ? live : [...live, change.desired.identity];
}
