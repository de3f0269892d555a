// An undo as a plan: opens the record, reads its objects from the account, and calls the planner of all commands.

import path from "node:path";
import { recordIdOf, type Change, type Plan } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { hasDate, type LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { VariableNames } from "../edit/file-values.ts";
import { UserError, usageError } from "../errors.ts";
import { joinAtStake, trippedBrakes } from "../plan/brake.ts";
import { KeyGlobs } from "../plan/key-globs.ts";
import type { CreatePlanOptions } from "../plan/options.ts";
import { createPlan } from "../plan/plan.ts";
import { resolve, withObjects, type Resolved } from "../plan/resolve.ts";
import { accountHash } from "../record/lines.ts";
import type { RecordKey } from "../record/changes.ts";
import type { RunRecord } from "../record/file.ts";
import type { UndoDocument } from "../report/json/schema.ts";
import { undoDiagnostics, undoFindings, type Loss, type SkippedChange } from "../report/undo.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import type { ExecuteFlags } from "../session/run-record.ts";
import { NO_OPTIONS, planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { unsetSecrets, type Planned } from "../session/planned.ts";
import { openProject, requireValid } from "../session/project.ts";
import { readAccount, withAccount, withLinks } from "../session/read-account.ts";
import { openRecord } from "../session/record-files.ts";
import { connect, type Connected } from "../session/session.ts";
import { Account } from "./account.ts";
import type { DecideOptions } from "./decide.ts";
import { undoChanges, type Undoing } from "./restore.ts";

export interface UndoFlags
  extends CommonFlags, ServiceFlags, ExecuteFlags, Omit<PlanningFlags, "base" | "resendSecrets"> {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

export interface PlannedUndo extends Planned {
  readonly file: string;
  /** What the report has besides the plan. `done` has the changes that were made; null before the changes. */
  readonly summarizeUndo: (done: readonly Change[] | null) => UndoDocument;
}

/**
 * Plans how to restore the objects of a record: `named` is a file, or `last` for the newest of the project. The policy is that of the files.
 * Throws a user error or a refusal if the record cannot be used.
 */
export async function planUndo(out: Console<UndoFlags>, named: string): Promise<PlannedUndo> {
  const { world, flags } = out;
  const files = requireValid(await openProject(world, flags));
  const { project } = files;
  const { record, file, isOwn } = await openRecord(world, named, files);
  if (typeof flags.record === "string" && path.resolve(world.cwd, flags.record) === file)
    throw usageError("record-twice", "The new record cannot overwrite the record that you undo.", {
      hint: "Pass another file with --record.",
    });
  const connected = await connect(out, project);
  const { baseUrl } = connected;
  if (record.baseUrl !== baseUrl) {
    const message = `${record.file} is a record for ${record.baseUrl}, but this run connects to ${baseUrl}.`;
    throw new UserError("record-address", message, {
      hint: "Undo it in the project that wrote it. If the service has moved, pass the address of the record with --base-url.",
    });
  }
  const readAt = world.clock.now();
  const state = await readUndo(record, project, connected, flags);
  const hash = accountHash(baseUrl, state);
  if (record.account !== null && hash !== null && record.account !== hash)
    throw new UserError("record-account", `${record.file} belongs to another account than this API key.`, {
      hint: "Set an API key of the account that the run changed.",
    });
  out.progress.stop();
  const filesResolved = resolve(project, state);
  const policyOnly = withoutBlocks(project, filesResolved);
  const live = resolve(policyOnly, state);
  const undoing = undoChanges(record, new Account(live), {
    force: flags.force === true,
    variableFor: variablesOf(project, world),
  });
  const options: CreatePlanOptions = { ...planOptionsOf(flags), base: null, changed: null };
  const targets = namedBy(options.targets, undoing, live);
  const excludes = namedBy(options.excludes, undoing, live);
  const resolved = withObjects(live, undoing.claims, undoing.tombstones);
  const selection = { ...options, targets: targets.globs, excludes: excludes.globs };
  const planned = createPlan(resolved, world.now(), selection);
  // The plan of the files shows what they still ask for, and which objects count for the shares of the brake.
  const filesPlan = createPlan(filesResolved, world.now(), NO_OPTIONS);
  const { keptLive, isPruneBlind } = filesPlan;
  const atStake = joinAtStake([planned.atStake, filesPlan.atStake]);
  // Deleting what the run created, and nobody changed or clicked, loses nothing.
  const changes = planned.changes.filter(({ source }) => !(isOwn && undoing.untouched.has(source)));
  const brakes = trippedBrakes({ ...planned, changes, atStake }, options.allowances);
  const isSelected = ({ place }: Loss | SkippedChange): boolean =>
    (options.targets.length === 0 || targets.places.has(place)) && !excludes.places.has(place);
  // A change that a target needs is made too, so its losses count.
  const plannedPlaces = new Set(planned.changes.map(({ source }) => source));
  const skipped = undoing.skipped.filter(isSelected);
  const losses = undoing.losses.filter((loss) => plannedPlaces.has(loss.place) || isSelected(loss));
  const diagnostics = [...undoFindings(skipped, undoing.unconfirmed), ...undoDiagnostics(planned, record)];
  const secretsUnset = unsetSecrets(planned, world);
  const plan = { ...planned, atStake, brakes, keptLive, isPruneBlind, secretsUnset, diagnostics };
  const askingFiles = findAskingFiles(project, filesResolved, filesPlan);
  return {
    ...connected,
    project: policyOnly,
    opened: files,
    base: null,
    state,
    readAt,
    side: live.side,
    options,
    plan,
    file: record.file,
    summarizeUndo: (done) => summarizeUndo(record, { ...undoing, skipped, losses }, plan, filesPlan, askingFiles, done),
  };
}

/**
 * The places of the changes that globs name by a key before or after the run. The planner knows only the keys before and after the undo,
 * which may restore other fields than the key. So their keys are added to the globs.
 */
function namedBy(globs: readonly string[], { claims, tombstones }: Undoing, { side }: Resolved) {
  const isMatch = new KeyGlobs(side.domains).matcher(globs);
  const places = new Set(tombstones.flatMap(({ key, tombstone }) => (isMatch(key) ? [tombstone.place] : [])));
  const missed = claims.flatMap(({ desired: { key, renamedFrom, place } }) =>
    places.has(place) && !isMatch(key) && !isMatch(renamedFrom?.key ?? key) ? [key] : [],
  );
  return { globs: [...globs, ...missed], places };
}

/** The policy of the files without their blocks. Nothing is pruned. A glob protects each block with `protect`. */
function withoutBlocks(files: Project, { desired }: Resolved): Project {
  const protect = desired.flatMap(({ key, protect: place }) => (place === null ? [] : [{ text: key, place }]));
  return {
    ...files,
    declarations: [],
    tombstones: [],
    policy: {
      ...files.policy,
      // No file has these addresses, so nobody can correct them: the service decides.
      rules: new Map([...files.policy.rules, ["refused-address", "off"] as const]),
      prune: { mode: "none", place: null },
      protect: [...files.policy.protect, ...protect],
    },
  };
}

/** Reads what the files name, and all keys of the record. A link that has another key now is read by its id. */
async function readUndo(
  { account, changes }: RunRecord,
  project: Project,
  { reader }: Connected,
  { concurrency }: ExecuteFlags,
): Promise<LiveState> {
  const domainOf = ({ domain }: RecordKey): string | null =>
    domain && (project.domains.find(({ id }) => id === domain.id)?.label ?? String(domain.id ?? domain.name));
  // The links that use a pixel must be known only if it is to be deleted.
  const keys = changes.flatMap(({ kind, action, was, is, place }) =>
    (kind === "pixel" && action !== "create" ? [] : [was, is]).flatMap((key) =>
      key === null ? [] : [{ kind, domain: domainOf(key), name: key.name, id: null, place }],
    ),
  );
  const wanted = { ...project, tombstones: [...project.tombstones, ...keys] };
  const states = changes.flatMap(({ before, after }) => [before, after].flatMap((one) => one ?? []));
  const hasDates = states.some(({ values }) => hasDate(values));
  const found = await readAccount({ project: wanted, base: null }, reader);
  const named = account !== null || hasDates ? await withAccount(found, reader) : found;
  const ids = changes.flatMap(({ kind, id, newId }) => (kind === "link" ? [id, newId] : []));
  const state = await withLinks(named, ids, reader, concurrency);
  const usesSpaces = states.some(({ references }) => (references.get(REFERENCE_FIELD.space) ?? []).length > 0);
  if (!usesSpaces || state.spaces !== null) return state;
  return { ...state, spaces: await reader.names("spaces"), requests: reader.requests };
}

/** Names the variables after the former keys, in the order of the record, so that a second undo uses the same names. */
function variablesOf({ declarations }: Project, { env }: World): DecideOptions["variableFor"] {
  const names = new VariableNames(declarations);
  return ({ kind, id, was }, field) => {
    const former = { kind, id: id ?? 0, values: new Map([[KEY_FIELD[kind], was?.name ?? ""]]) };
    const variable = names.nameFor(former, field);
    return { variable, isSet: (env[variable] ?? "") !== "" };
  };
}

/** `undoing` has only what `--target` and `--exclude` select. `filesPlan` is the plan of the files before the undo. */
function summarizeUndo(
  record: RunRecord,
  undoing: Undoing,
  plan: Plan,
  filesPlan: Plan,
  askingFiles: (change: Change) => readonly string[],
  done: readonly Change[] | null,
): UndoDocument {
  const withheldPlaces = new Set(plan.withheld.map(({ change }) => change.source));
  const restored = new Set((done ?? plan.changes).map(({ source }) => source));
  const asking = (done ?? []).flatMap((change) => askingFiles(change).map((file) => ({ file, key: change.key })));
  const pending = filesPlan.changes.filter((change) => done?.some((other) => covers(other, change)) !== true);
  return {
    record: record.file,
    at: record.at,
    ended: record.isEnded,
    changes: record.changes.length,
    already: undoing.alreadyUndone,
    lost: undoing.losses.flatMap(({ place, ...lost }) => (withheldPlaces.has(place) ? [] : [lost])),
    left: undoing.skipped.map(({ place, ...left }) => ({ ...left, partly: restored.has(place) })),
    files: [...groupBy(asking, ({ file }) => file)].map(([file, all]) => ({ file, keys: all.map(({ key }) => key) })),
    // Files with errors ask for an unknown number of changes.
    pending: filesPlan.complete ? pending.length + filesPlan.withheld.length : null,
  };
}

/**
 * Finds the files that ask for the opposite of a change: they name the object, and `filesPlan` does not change it. If it does, the files were
 * reverted too.
 */
function findAskingFiles(
  { policy }: Project,
  { desired, tombstones }: Resolved,
  filesPlan: Plan,
): (change: Change) => readonly string[] {
  const former = desired.flatMap(({ renamedFrom }) => renamedFrom ?? []);
  const absent = tombstones.map(({ identity, tombstone: { place } }) => ({ identity, place }));
  const naming = groupBy([...desired, ...former, ...absent], ({ identity }) => identity);
  const changing = new Set(filesPlan.changes.flatMap(identitiesOf));
  const { mode, place } = policy.prune;
  return (change) => {
    const identities = identitiesOf(change);
    if (identities.some((identity) => changing.has(identity))) return [];
    const asking = new Set(identities.flatMap((identity) => naming.get(identity) ?? []).map((one) => one.place.file));
    // With `prune: scope`, the next apply deletes a recreated object that is not declared.
    if (asking.size === 0 && change.action === "create" && mode === "scope" && place !== null) asking.add(place.file);
    return [...asking];
  };
}

/** Whether a change does everything that another one does. */
function covers(change: Change, wanted: Change): boolean {
  return (
    change.action === wanted.action &&
    change.kind === wanted.kind &&
    recordIdOf(change) === recordIdOf(wanted) &&
    // The files may give the name of a pixel to be deleted to another one, so that it has another key there.
    (change.action === "delete" || change.key === wanted.key) &&
    wanted.fields.every(({ path: wantedPath, after }) =>
      change.fields.some((field) => field.path === wantedPath && sameValue(field.after, after)),
    )
  );
}

function identitiesOf(change: Change): string[] {
  const live = change.action === "create" ? [] : [change.live.identity];
  return change.action === "delete" ? live : [...live, change.desired.identity];
}
