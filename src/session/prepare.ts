// Prepares a plan for `plan`, `apply`, `drift` and `undo`: loads the files, reads the account, and plans.

import type { Change, Plan } from "../domain/change.ts";
import { projectConflicts } from "../domain/conflicts.ts";
import type { GeneratedResources } from "../config/load.ts";
import { projectsSince, type OpenedBase } from "../config/base.ts";
import { baseProblems, isUnclear, newFindings, safetySince } from "../config/base-findings.ts";
import type { LiveState } from "../domain/live.ts";
import { info, type Diagnostic } from "../domain/diagnostic.ts";
import type { ChangedPart } from "../plan/changed.ts";
import type { Files } from "../plan/reading.ts";
import type { Project } from "../domain/project.ts";
import { besidePlan } from "../domain/rules.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { pruneWithoutBase } from "../plan/base.ts";
import { trippedBrakes } from "../plan/brake.ts";
import { projectClaims } from "../plan/project-claims.ts";
import { createPlan, type CreatePlanOptions } from "../plan/plan.ts";
import type { FailureReport } from "../report/report.ts";
import { impliedNote, type Pace } from "../report/plan-remarks.ts";
import { secondsAtLimit, type RateLimit } from "../service/limit.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";
import { chooseBaseUrl, type ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { CHANGED_FROM, checkLimits, isChangedOnly, type WantedOptions } from "./plan-flags.ts";
import {
  openBaseOf,
  openChanged,
  openImplied,
  openProject,
  type ChangedProject,
  type OpenedProject,
} from "./project.ts";
import { projectPath } from "./render-context.ts";
import { readAccount, withAccount } from "./read-account.ts";
import { readChanged } from "./read-changed.ts";
import type { ResourceFlags } from "./resources.ts";
import { refuse, runSession } from "./session.ts";

export interface Prepared {
  readonly project: Project;
  /** The loaded files. */
  readonly opened: OpenedProject;
  readonly folder: string;
  readonly base: OpenedBase | null;
  readonly baseUrl: string;
  readonly state: LiveState;
  /** When the reading of the account began, in milliseconds of the clock. */
  readonly readAt: number;
  /** The options of the plan. */
  readonly options: CreatePlanOptions;
  /** With the diagnostics of the files and of the plan. */
  readonly plan: Plan;
  /** The rate limit after the account was read; null if the service does not report one. */
  readonly limit: RateLimit | null;
  readonly transport: Transport;
  /** Aborted when no new request may be sent: interrupted, or out of time. */
  readonly signal: AbortSignal;
  /** Reads the account again and makes a new plan. */
  readonly again: () => Promise<Prepared>;
}

/** How long the changes of a plan take at the service's limit; null if it does not report one. */
export function paceOf({ plan, limit }: Pick<Prepared, "plan" | "limit">): Pace | null {
  const { apply, verify } = plan.requests;
  return limit && { per_minute: limit.perMinute, seconds: secondsAtLimit(apply + verify, limit) };
}

/** Which plan to make, and for which command. */
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
  /** Called before the first request. It throws a user error to prevent the request. */
  readonly checkAddress?: (baseUrl: string) => void;
  /** Plans something other than the files, or a part of them. */
  readonly planner?: CustomPlanner;
}

/** Plans something other than the files, under the policy of the files. */
export interface CustomPlanner {
  /** Returns a project that names everything to read. Throws a user error if nothing can be planned. */
  readonly projectToRead: (opened: OpenedProject, project: Project) => Promise<Project>;
  readonly plan: (
    project: Project,
    state: LiveState,
    reader: Reader,
    options: CreatePlanOptions,
  ) => Promise<PlanResult>;
}

/** A plan, and the project and state that it was made from. */
export interface PlanResult {
  readonly project: Project;
  readonly state: LiveState;
  readonly plan: Plan;
}

/** Prepares a plan and returns the exit code of `proceed`. Errors that keep a plan from being made are reported here. */
export function withPlan(
  world: World,
  flags: CommonFlags & ServiceFlags & ResourceFlags & { readonly showUnmanaged?: boolean },
  out: Console,
  {
    options: wanted,
    command,
    plansBase,
    withoutBase,
    isDeploy,
    needsAccount,
    resources,
    checkAddress,
    planner,
  }: PlanRequest,
  proceed: (prepared: Prepared) => Promise<ExitCode>,
): Promise<ExitCode> {
  return runSession(world, flags, out, command, async ({ signal, connect }) => {
    const isAtBase = plansBase === true && wanted.base !== null;
    const mayOmit = planner === undefined && (resources ?? []).length === 0 && isReducible(wanted, flags);
    const part = mayOmit ? await openPart(world, flags, wanted, isDeploy === true) : null;
    const opened = part?.opened ?? (await openProject(world, flags, false, resources ?? null));
    // Diagnostics of the files are for commands that plan these files.
    const isOfFiles = !isAtBase && (planner === undefined || opened.project === null);
    const diagnostics = isOfFiles ? opened.diagnostics : [];
    // Mistakes in the files are reported before those of the base; a plan of the base ignores them.
    const mayImply = wanted.base === null && withoutBase === "tag" && planner === undefined && opened.project !== null;
    const implied = mayImply ? await openImplied(world, opened, flags, true) : null;
    const mayOpen = wanted.base !== null && (isAtBase || opened.project !== null);
    const named = part?.base ?? (mayOpen ? await openBaseOf(world, wanted.base, opened, flags) : null);
    if (named !== null && named.problem !== null && (command === "apply" || isAtBase)) throw named.problem;
    const base = implied?.base ?? named;
    const project = isAtBase ? projectAtBase(base, opened.file) : opened.project;
    if (project === null) return refuse(out, command, null, diagnostics, EXIT.error);
    const options: CreatePlanOptions = { ...wanted, base: isAtBase ? null : base, changed: null, checkLimits };
    const omitted = part?.omitted ?? 0;
    const isOnlyChanged = base !== null && (omitted > 0 || isChangedOnly(wanted.changed, project));
    const between = isOnlyChanged ? await commitsBetween(world, opened, base, isDeploy) : null;
    const projectToRead = (await planner?.projectToRead(opened, project)) ?? project;
    const baseUrl = chooseBaseUrl(project, flags, world.env);
    const transport = await connect(baseUrl, project.software, checkAddress);
    const reader = connectReader(transport);
    const prepare = async (): Promise<Prepared> => {
      const readAt = world.clock.now();
      const readFiles = async (files: Files): Promise<LiveState> =>
        readAccount(
          files,
          reader,
          flags.showUnmanaged === true,
          (text) => out.detail(text),
          (count) => out.progress.count("look-up", count),
        );
      const changed =
        between === null
          ? null
          : await readChanged(project, base?.project ?? null, between, wanted.resendSecrets, omitted, readFiles);
      if (changed === null && omitted > 0)
        throw new Error("some links of the files were left out, but all are to be planned");
      const files = { project: projectToRead, base: options.base?.project ?? null };
      const found = changed?.state ?? (await readFiles(files));
      const read = needsAccount === true ? await withAccount(found, reader) : found;
      out.progress.stop();
      out.events?.read(read);
      const planned = changed === null ? project : changed.part.project;
      const own = changed === null ? options : ofPart(options, changed.part);
      const result =
        planner === undefined
          ? { project: planned, state: read, plan: createPlan(planned, read, world.now(), own) }
          : await planner.plan(project, read, reader, options);
      const { conflicts, others } =
        plansBase === true ? ALONE : await compareProjects(world, flags, baseUrl, planned, read, result.plan);
      const together = (plan: Plan): Plan =>
        others.length === 0 ? plan : { ...plan, brakes: trippedBrakes(plan, options.allowances, others) };
      const refuses = (changes: readonly Change[]): Diagnostic[] => [...checkLimits(changes), ...conflicts];
      const made = together(
        conflicts.length === 0 ? result.plan : createPlan(planned, read, world.now(), { ...own, checkLimits: refuses }),
      );
      const isFirst = withoutBase === "first deploy";
      const warnings =
        plansBase === true || isFirst ? [] : [...(implied?.problems ?? []), ...pruneWithoutBase(base, project)];
      const ofFiles = besidePlan(diagnostics, made.diagnostics);
      const ofBase = base && { ...base, findings: besidePlan(base.findings, made.diagnostics) };
      const { shown, hidden } =
        isAtBase || flags.verbose === true ? { shown: ofFiles, hidden: [] } : newFindings(ofBase, ofFiles);
      const plan = {
        ...made,
        hiddenFindings: hidden,
        secretsUnset: made.secretsNeeded.filter(({ from, name }) => from === "file" || (world.env[name] ?? "") === ""),
        orphans: base !== null && isUnclear(base) ? [] : made.orphans,
        isPruneBlind: made.isPruneBlind && !isFirst,
        base: isAtBase && base !== null ? { ref: base.ref, commit: base.commit } : made.base,
        diagnostics: [
          ...(isAtBase || base === null ? [] : [...safetySince(base, project), ...baseProblems(base)]),
          ...shown,
          ...warnings,
          ...(isOnlyChanged && changed === null ? [comparesAll(base.ref, between === null)] : []),
          ...made.diagnostics,
          // A refused plan has no remarks.
          ...(made.complete ? [] : impliedNote(base)),
        ],
      };
      const { folder } = opened;
      const { limit } = transport;
      const about = { opened, folder, base, baseUrl, readAt, options: own, limit, transport, signal };
      return { ...result, ...about, plan, again: prepare };
    };
    return proceed(await prepare());
  });
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

/**
 * Whether links that are the same at the base may be left out before they are parsed. Globs are matched with all keys, and `--verbose`
 * lists all findings.
 */
function isReducible(
  { base, changed, targets, excludes, resendSecrets }: WantedOptions,
  flags: CommonFlags & ResourceFlags,
): boolean {
  const isOnlyFiles = flags.verbose !== true && (flags.resources ?? []).length === 0;
  return (
    base !== null && changed !== "never" && isOnlyFiles && targets.length + excludes.length + resendSecrets.length === 0
  );
}

/** Opens the files and the base of such a plan. */
async function openPart(
  world: World,
  flags: CommonFlags & ServiceFlags,
  { base, changed }: WantedOptions,
  isDeploy: boolean,
): Promise<ChangedProject | null> {
  if (base === null) return null;
  const from = changed === "auto" ? CHANGED_FROM : 0;
  return openChanged(world, flags, base, from, isDeploy);
}

/** The options to plan only a part of the files. */
function ofPart(options: CreatePlanOptions, changed: ChangedPart): CreatePlanOptions {
  return { ...options, base: options.base && { ...options.base, project: changed.base }, changed };
}

/** The files of earlier deploys since the base, which may have been incomplete; null if they cannot be read. */
async function commitsBetween(
  { env }: World,
  { folder, file }: OpenedProject,
  { commit }: OpenedBase,
  isDeploy: boolean | undefined,
): Promise<readonly Project[] | null> {
  return isDeploy === true ? projectsSince(folder, file, commit, env) : [];
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
