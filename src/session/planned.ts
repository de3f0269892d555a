// From files to a plan: open the files and their base, connect, read the account, plan. Each step takes what the one before returned.

import type { Change, Live, Plan } from "../domain/change.ts";
import { projectConflicts } from "../domain/conflicts.ts";
import type { GeneratedResources } from "../config/load.ts";
import { projectsSince, type OpenedBase } from "../config/base.ts";
import { baseProblems, isUnclear, newFindings, safetySince } from "../config/base-findings.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { hasErrors, info, type Diagnostic } from "../domain/diagnostic.ts";
import type { ChangedPart } from "../plan/changed.ts";
import type { Files } from "../plan/reading.ts";
import type { Project } from "../domain/project.ts";
import { besidePlan } from "../domain/rules.ts";
import { UserError } from "../errors.ts";
import { pruneWithoutBase } from "../plan/base.ts";
import { trippedBrakes } from "../plan/brake.ts";
import { projectClaims } from "../plan/project-claims.ts";
import type { CreatePlanOptions } from "../plan/options.ts";
import { createPlan } from "../plan/plan.ts";
import { canonicalRecords } from "../plan/resolve.ts";
import type { FailureReport } from "../report/report.ts";
import type { Pace } from "../report/plan-remarks.ts";
import { impliedNote } from "../report/plan-remarks.ts";
import { secondsAtLimit } from "../service/limit.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";
import { chooseBaseUrl, type ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { checkLimits, isChangedOnly, type WantedOptions } from "./plan-flags.ts";
import { openBaseOf, openImplied, openProject, type OpenedProject } from "./project.ts";
import { projectPath } from "./render-context.ts";
import { readAccount, withAccount } from "./read-account.ts";
import { readChanged } from "./read-changed.ts";
import type { ResourceFlags } from "./resources.ts";
import { Refusal, type CommandSession } from "./session.ts";

export type PlanningFlags = CommonFlags & ServiceFlags & ResourceFlags & { readonly showUnmanaged?: boolean };

/** Which files to plan, and for which command. */
export interface PlanRequest {
  readonly options: WantedOptions;
  readonly command: FailureReport["command"];
  /** With a base, plan the files of the base instead of the current ones. */
  readonly plansBase?: boolean;
  /** What a plan without a base means: the tag of the last applied commit is the base of its report, or nothing was applied yet. */
  readonly withoutBase?: "tag" | "first deploy";
  /** The plan is for an apply. With `--changed`, it covers what earlier deploys since the base may have left half done. */
  readonly isDeploy?: boolean;
  /** The account must be known, to save a plan for it or to apply one. */
  readonly needsAccount?: boolean;
  /** The resources of a saved plan, instead of the input of `--resources`. */
  readonly resources?: readonly GeneratedResources[];
}

/** The files and their base. */
export interface Opened {
  readonly files: OpenedProject;
  /** The project to plan: of the files, or of the base. */
  readonly project: Project;
  readonly base: OpenedBase | null;
  /** Problems with the tag that is the base without `--base`. */
  readonly problems: readonly Diagnostic[];
  readonly isAtBase: boolean;
  /** With `--changed`, the files of earlier deploys; null if they cannot be read. Undefined if everything is planned. */
  readonly between: readonly Project[] | null | undefined;
  readonly options: CreatePlanOptions;
  readonly request: PlanRequest;
}

/** A connection to the service. */
export interface Connected {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly reader: Reader;
  /** Aborted when no new request may be sent: interrupted, or out of time. */
  readonly signal: AbortSignal;
}

/** The part of the account that the files need. */
export interface Read {
  readonly state: LiveState;
  /** When the reading began, in milliseconds of the clock. */
  readonly readAt: number;
  /** The part of the files to plan; null for all. */
  readonly part: ChangedPart | null;
}

/** A plan, and all that is needed to apply it. */
export interface Planned extends Omit<Connected, "reader">, Omit<Read, "part"> {
  /** The planned project, and its files. */
  readonly project: Project;
  readonly opened: OpenedProject;
  readonly base: OpenedBase | null;
  /** The options of the plan. */
  readonly options: CreatePlanOptions;
  /** With the diagnostics of the files and of the plan. */
  readonly plan: Plan;
  /** Creates a function that normalizes records that are read later, as the plan normalized its own. */
  readonly canonical: () => (record: LiveRecord) => Live;
}

/** How long the changes of a plan take at the service's limit; null if it does not report one. */
export function paceOf({ plan, transport: { limit } }: Pick<Planned, "plan" | "transport">): Pace | null {
  const { apply, verify } = plan.requests;
  return limit && { per_minute: limit.perMinute, seconds: secondsAtLimit(apply + verify, limit) };
}

/** Opens the files and their base. Throws a refusal if the files have errors, and a user error if the base cannot be used. */
export async function openFiles(world: World, flags: PlanningFlags, request: PlanRequest): Promise<Opened> {
  const { options: wanted, command, isDeploy = false, resources } = request;
  const isAtBase = request.plansBase === true && wanted.base !== null;
  const files = await openProject(world, flags, resources ?? null);
  // Mistakes in the files are reported before those of the base; a plan of the base ignores them.
  if (files.project === null && !isAtBase) throw new Refusal(files.diagnostics);
  const isImplied = wanted.base === null && request.withoutBase === "tag";
  const implied = isImplied ? await openImplied(world, files, flags, true) : { base: null, problems: [] };
  const named = wanted.base === null ? null : await openBaseOf(world, wanted.base, files, flags);
  if (named !== null && named.problem !== null && (command === "apply" || isAtBase)) throw named.problem;
  const base = implied.base ?? named;
  const project = isAtBase ? projectAtBase(base, files.file) : files.project;
  if (project === null) throw new Refusal(files.diagnostics);
  const isOnlyChanged = base !== null && isChangedOnly(wanted.changed, project);
  const earlier = async ({ commit }: OpenedBase): Promise<readonly Project[] | null> =>
    isDeploy ? projectsSince(files.folder, files.file, commit, world.env) : [];
  return {
    files,
    project,
    base,
    problems: implied.problems,
    isAtBase,
    between: isOnlyChanged ? await earlier(base) : undefined,
    options: { ...wanted, base: isAtBase ? null : base, changed: null, checkLimits },
    request,
  };
}

/** Connects to the service of a project. */
export async function connectTo(
  project: Pick<Project, "baseUrl" | "software">,
  { signal, connect }: CommandSession,
  world: World,
  flags: ServiceFlags,
): Promise<Connected> {
  const baseUrl = chooseBaseUrl(project, flags, world.env);
  const transport = await connect(baseUrl, project.software);
  return { baseUrl, transport, reader: connectReader(transport), signal };
}

/** Reads the account for these files. */
export async function readOpened(
  { project, base, between, options, request }: Opened,
  connected: Connected,
  world: World,
  flags: PlanningFlags,
  out: Console,
): Promise<Read> {
  const readAt = world.clock.now();
  const read = (part: Files): Promise<LiveState> => readAccount(part, connected.reader, flags.showUnmanaged === true);
  const changed =
    between === undefined || between === null
      ? null
      : await readChanged(project, base?.project ?? null, between, options.resendSecrets, read);
  const found = changed?.state ?? (await read({ project, base: options.base?.project ?? null }));
  const state = request.needsAccount === true ? await withAccount(found, connected.reader) : found;
  out.progress.stop();
  return { state, readAt, part: changed?.part ?? null };
}

/** Plans the files. In a run of several projects, waits for the plans of the others. */
export async function planOpened(
  opened: Opened,
  { baseUrl, transport, signal }: Connected,
  { state, readAt, part }: Read,
  world: World,
  flags: PlanningFlags,
): Promise<Planned> {
  const { files, base, isAtBase, between, problems, request } = opened;
  const project = part?.project ?? opened.project;
  const options = part === null ? opened.options : ofPart(opened.options, part);
  const own = createPlan(project, state, world.now(), options);
  const { conflicts, others } =
    request.plansBase === true ? ALONE : await compareProjects(world, flags, baseUrl, project, state, own);
  const refuses = (changes: readonly Change[]): Diagnostic[] => [...checkLimits(changes), ...conflicts];
  const alone =
    conflicts.length === 0 ? own : createPlan(project, state, world.now(), { ...options, checkLimits: refuses });
  const made = others.length === 0 ? alone : { ...alone, brakes: trippedBrakes(alone, options.allowances, others) };
  const isFirst = request.withoutBase === "first deploy";
  const warnings =
    request.plansBase === true || isFirst ? [] : [...problems, ...pruneWithoutBase(base, opened.project)];
  const ofFiles = besidePlan(isAtBase ? [] : files.diagnostics, made.diagnostics);
  const ofBase = base && { ...base, findings: besidePlan(base.findings, made.diagnostics) };
  const { shown, hidden } =
    isAtBase || flags.verbose === true ? { shown: ofFiles, hidden: [] } : newFindings(ofBase, ofFiles);
  const plan = {
    ...made,
    hiddenFindings: hidden,
    secretsUnset: unsetSecrets(made, world),
    orphans: base !== null && isUnclear(base) ? [] : made.orphans,
    isPruneBlind: made.isPruneBlind && !isFirst,
    base: isAtBase && base !== null ? { ref: base.ref, commit: base.commit } : made.base,
    diagnostics: [
      ...(isAtBase || base === null ? [] : [...safetySince(base, opened.project), ...baseProblems(base)]),
      ...shown,
      ...warnings,
      ...(base !== null && between !== undefined && part === null ? [comparesAll(base.ref, between === null)] : []),
      ...made.diagnostics,
      // A refused plan has no remarks.
      ...(made.complete ? [] : impliedNote(base)),
    ],
  };
  const canonical = (): ReturnType<Planned["canonical"]> => canonicalRecords(project, state);
  return { project, opened: files, base, baseUrl, transport, signal, state, readAt, options, plan, canonical };
}

/** Files with secrets, and variables that are not set. */
export function unsetSecrets({ secretsNeeded }: Plan, { env }: Pick<World, "env">): Plan["secretsUnset"] & object {
  return secretsNeeded.filter(({ from, name }) => from === "file" || (env[name] ?? "") === "");
}

/** Throws a refusal if nothing may be applied because of these diagnostics. */
export function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  if (hasErrors(diagnostics)) throw new Refusal(diagnostics);
}

const ALONE = { conflicts: [], others: [] };

/** Waits for the plans of the other projects on the same address, and returns them with what contradicts this project. */
async function compareProjects(
  { turn, cwd }: World,
  { config }: CommonFlags,
  baseUrl: string,
  project: Project,
  state: LiveState,
  plan: Plan,
): Promise<{ readonly conflicts: readonly Diagnostic[]; readonly others: readonly Plan[] }> {
  if (turn === undefined) return ALONE;
  const claims = projectClaims(await projectPath(cwd, config), project, state, plan);
  const others = await turn.share(baseUrl, { claims, plan });
  return {
    conflicts: projectConflicts(
      claims,
      others.map((other) => other.claims),
    ),
    others: others.flatMap((other) => other.plan ?? []),
  };
}

/** The options to plan only a part of the files. */
function ofPart(options: CreatePlanOptions, changed: ChangedPart): CreatePlanOptions {
  return { ...options, base: options.base && { ...options.base, project: changed.base }, changed };
}

/** A note that `--changed` does not limit this plan. */
function comparesAll(ref: string, isUnknown: boolean): Diagnostic {
  const why = isUnknown
    ? `linkform cannot read what earlier deploys since \`${ref}\` may have changed`
    : `\`${ref}\` has other settings that apply to all of them`;
  const hint = isUnknown ? "Deploy each commit, and check out with the whole history (`fetch-depth: 0`)." : null;
  return info("changed-all", `\`--changed\` compares all links and pixels, because ${why}.`, null, hint);
}

/** The project as it is at the base. */
function projectAtBase(base: OpenedBase | null, file: string): Project {
  if (base !== null && base.project !== null) return base.project;
  throw new UserError("base-invalid", `The base does not contain ${file}.`, {
    hint: "Pass a later commit with --base.",
  });
}
