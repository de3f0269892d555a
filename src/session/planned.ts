// From files to a plan: open the files and their base, connect, read the account, plan.

import type { Plan } from "../domain/change.ts";
import type { GeneratedResources } from "../config/load.ts";
import { projectsSince, type OpenedBase } from "../config/base.ts";
import { baseProblems, isUnclear, newFindings, safetySince } from "../config/base-findings.ts";
import type { LiveState } from "../domain/live.ts";
import { info, type Diagnostic } from "../domain/diagnostic.ts";
import { changedPart, type ComparesAll } from "../plan/changed.ts";
import type { Project } from "../domain/project.ts";
import { besidePlan } from "../domain/rules.ts";
import { UserError } from "../errors.ts";
import { pruneWithoutBase } from "../plan/base.ts";
import { trippedBrakes } from "../plan/brake.ts";
import type { AccountNames } from "../plan/names.ts";
import { projectClaims } from "../plan/project-claims.ts";
import type { CreatePlanOptions } from "../plan/options.ts";
import { createPlan } from "../plan/plan.ts";
import { resolve } from "../plan/resolve.ts";
import { impliedNote, type Pace } from "../report/plan-remarks.ts";
import { secondsAtLimit } from "../service/limit.ts";
import type { ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { isChangedOnly, type WantedOptions } from "./plan-flags.ts";
import { openBaseOf, openProject, requireValid, type OpenedProject } from "./project.ts";
import { projectPath } from "./render-context.ts";
import { partialState, readAccount, withAccount } from "./read-account.ts";
import type { Files } from "./read-links.ts";
import type { ResourceFlags } from "./resources.ts";
import { connect, type Connected } from "./session.ts";

export type ReadFlags = CommonFlags & ServiceFlags & ResourceFlags & { readonly showUnmanaged?: boolean };

export interface PlanRequest {
  /** `drift` plans the files of the base if there is one. The others use the tag of the last applied commit as the base of their reports. */
  readonly command: "plan" | "apply" | "drift";
  readonly options: WantedOptions;
  /** A plan to save, or to make a saved plan again: it needs the account. */
  readonly isSaved?: boolean;
  /** The first deploy: nothing was applied yet, so there is no base. */
  readonly isFirst?: boolean;
  /** Those of a saved plan, instead of `--resources`. */
  readonly resources?: readonly GeneratedResources[];
  /** Called before anything is read. */
  readonly checkAddress?: (baseUrl: string) => void;
}

/** A plan, and all that is needed to apply it. */
export interface Planned extends Connected {
  readonly state: LiveState;
  /** When the reading began, in milliseconds of the clock. */
  readonly readAt: number;
  readonly project: Project;
  readonly opened: OpenedProject;
  readonly base: OpenedBase | null;
  readonly options: CreatePlanOptions;
  /** With the diagnostics of the files and of the plan. */
  readonly plan: Plan;
  /** The names of the account, which normalize records that are read later as the plan normalized its own. */
  readonly side: AccountNames;
}

/** How long the changes of a plan take at the service's limit; null if it does not report one. */
export function paceOf({ plan, transport: { pace } }: Pick<Planned, "plan" | "transport">): Pace | null {
  const { apply, verify } = plan.requests;
  const { limit } = pace;
  return limit && { per_minute: limit.perMinute, seconds: secondsAtLimit(apply + verify, limit) };
}

/**
 * In a run of several projects, it waits for the plans of the others. Throws a refusal if the files have errors, and a user error if the
 * base cannot be used.
 */
export async function planFiles(out: Console<ReadFlags>, request: PlanRequest): Promise<Planned> {
  const { world, flags } = out;
  const { command, isFirst, isSaved } = request;
  const { files, base, problems, between, options: all, ...opened } = await openFiles(world, flags, request);
  const connected = await connect(out, opened.project);
  request.checkAddress?.(connected.baseUrl);
  const readAt = world.clock.now();
  const { reader } = connected;
  // With `--changed`, only a part of the files is planned, or all of them for a reason.
  const read =
    between === undefined ? null : changedPart(opened.project, base?.project ?? null, between, all.resendSecrets);
  const part = typeof read === "string" ? null : read;
  const wantsAll = flags.showUnmanaged === true;
  const needed: Files =
    part === null ? { project: opened.project, base: all.base?.project ?? null, wantsAll } : { ...part, isPart: true };
  const found = part?.planned.length === 0 ? partialState({}, 0) : await readAccount(needed, reader);
  const state = isSaved === true ? await withAccount(found, reader) : found;
  out.progress.stop();
  const { project } = needed;
  const options =
    part === null ? all : { ...all, base: all.base && { ...all.base, project: part.base }, changed: part };
  const resolved = resolve(project, state);
  const own = createPlan(resolved, world.now(), options);
  const { conflicts, others } =
    command === "drift" || world.turn === undefined
      ? { conflicts: [], others: [] }
      : await world.turn.compare({
          claims: projectClaims(await projectPath(world.cwd, flags.config), resolved, own),
          plan: own,
        });
  const alone = conflicts.length === 0 ? own : createPlan(resolved, world.now(), { ...options, conflicts });
  const made = others.length === 0 ? alone : { ...alone, brakes: trippedBrakes(alone, options.allowances, others) };
  const comparesAll = typeof read === "string" ? read : undefined;
  const { diagnostics } = files;
  const { verbose } = flags;
  const about = { ...opened, diagnostics, base, problems, comparesAll, command, isFirst, verbose };
  const plan = { ...withFiles(about, made), secretsUnset: unsetSecrets(made, world) };
  return { ...connected, project, opened: files, base, state, readAt, options, plan, side: resolved.side };
}

async function openFiles(world: World, flags: ReadFlags, request: PlanRequest) {
  const { options: wanted, command, isFirst, resources } = request;
  const isDrift = command === "drift";
  const isAtBase = isDrift && wanted.base !== null;
  // With `--changed`, the plan of a deploy covers what earlier deploys since the base may have left half done.
  const isDeploy = command === "apply" || request.isSaved === true;
  const files = await openProject(world, flags, resources);
  // Mistakes in the files are reported before those of the base; a plan of the base ignores them.
  if (!isAtBase) requireValid(files);
  const hasNone = wanted.base === null && (isDrift || isFirst === true);
  const { base, problems } = hasNone ? { base: null, problems: [] } : await openBaseOf(world, files, wanted.base, true);
  if (wanted.base !== null && base !== null && base.problem !== null && command !== "plan") throw base.problem;
  const project = isAtBase ? projectAtBase(base, files.file) : requireValid(files).project;
  const isOnlyChanged = base !== null && isChangedOnly(wanted.changed, project);
  const earlier = isOnlyChanged && isDeploy ? projectsSince(files, base.commit, world.env) : [];
  return {
    files,
    project,
    base,
    /** Problems with the tag that is the base without `--base`. */
    problems,
    /** With `--changed`, the files of earlier deploys; null if they cannot be read. Undefined if everything is planned. */
    between: isOnlyChanged ? await earlier : undefined,
    options: { ...wanted, base: isAtBase ? null : base, changed: null } satisfies CreatePlanOptions,
  };
}

interface PlannedFiles extends Pick<PlanRequest, "command"> {
  readonly diagnostics: readonly Diagnostic[];
  readonly project: Project;
  readonly base: OpenedBase | null;
  readonly problems?: readonly Diagnostic[];
  readonly comparesAll?: ComparesAll | undefined;
  readonly isFirst?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** Adds to a plan what it says about the files and their base. */
export function withFiles(
  { diagnostics, project, base, problems = [], comparesAll, command, isFirst, verbose }: PlannedFiles,
  made: Plan,
): Plan {
  const isDrift = command === "drift";
  const isAtBase = isDrift && base !== null;
  const ofFiles = besidePlan(isAtBase ? [] : diagnostics, made.diagnostics);
  const ofBase = base && { ...base, findings: besidePlan(base.findings, made.diagnostics) };
  const { shown, hidden } =
    isAtBase || verbose === true ? { shown: ofFiles, hidden: [] } : newFindings(ofBase, ofFiles);
  return {
    ...made,
    hiddenFindings: hidden,
    orphans: base !== null && isUnclear(base) ? [] : made.orphans,
    isPruneBlind: made.isPruneBlind && isFirst !== true,
    base: isAtBase ? { ref: base.ref, commit: base.commit } : made.base,
    diagnostics: [
      ...(isAtBase || base === null ? [] : [...safetySince(base, project), ...baseProblems(base)]),
      ...shown,
      ...(isDrift || isFirst === true ? [] : [...problems, ...pruneWithoutBase(base, project)]),
      ...(base === null || comparesAll === undefined ? [] : [comparesAllNote(base.ref, comparesAll)]),
      ...made.diagnostics,
      // A refused plan has no remarks.
      ...(made.complete ? [] : impliedNote(base)),
    ],
  };
}

/** Files with secrets, and variables that are not set. */
export function unsetSecrets({ secretsNeeded }: Plan, { env }: Pick<World, "env">): Plan["secretsUnset"] & object {
  return secretsNeeded.filter(({ from, name }) => from === "file" || (env[name] ?? "") === "");
}

function comparesAllNote(ref: string, reason: ComparesAll): Diagnostic {
  const [why, hint = null] = {
    settings: [`settings that apply to all of them differ from \`${ref}\`, or cannot be read there`],
    pixels: ["any link may use a pixel that is to be deleted"],
    domains: ["the files name some domains by id and others by name", "Add a label for each domain under `domains`."],
    deploys: [
      `linkform cannot read what earlier deploys since \`${ref}\` may have changed`,
      "Deploy each commit, and check out with the whole history (`fetch-depth: 0`).",
    ],
  }[reason];
  return info("changed-all", `\`--changed\` compares all links and pixels, because ${why}.`, null, hint);
}

function projectAtBase(base: OpenedBase | null, file: string): Project {
  if (base !== null && base.project !== null) return base.project;
  throw new UserError("base-invalid", `The base does not contain ${file}.`, {
    hint: "Pass a later commit with --base.",
  });
}
