// What `plan` and `apply` share: load the files, reach the service, read the account, make the plan.

import type { Plan } from "../domain/change.ts";
import type { OpenedBase } from "../config/git.ts";
import { safetySince } from "../config/safety.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { doubtsAbout } from "../plan/doubts.ts";
import type { PlanOptions } from "../plan/options.ts";
import { createPlan } from "../plan/plan.ts";
import type { FailureReport } from "../view/report.ts";
import type { PlanPace } from "../view/plan-remarks.ts";
import { secondsAtLimit, type RateLimit } from "../service/limit.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";
import { chooseBaseUrl, type ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { checkLimits, type WantedBase, type WantedOptions } from "./plan-flags.ts";
import { openBaseOf, openProject, type OpenedProject } from "./project.ts";
import { readAccount } from "./read-account.ts";
import { refuse, runSession } from "./session.ts";

export interface Prepared {
  readonly project: Project;
  /** The files that it was made of. */
  readonly opened: OpenedProject;
  readonly folder: string;
  readonly baseUrl: string;
  readonly state: LiveState;
  /** What the plan was made with. */
  readonly options: PlanOptions;
  /** With every diagnostic so far: of the files and of the comparison. */
  readonly plan: Plan;
  /** What the service takes a minute, and what of that was left when the account had been read; null where it does not say. */
  readonly limit: RateLimit | null;
  readonly transport: Transport;
  /** Aborted when nothing new may begin: interrupted, or out of time. */
  readonly signal: AbortSignal;
  /** Reads the account again, and plans from it. */
  readonly again: () => Promise<Prepared>;
}

/** How long the changes of a plan take at the service's limit; null where it does not say. */
export function paceOf({ plan, limit }: Pick<Prepared, "plan" | "limit">): PlanPace | null {
  const { apply, verify } = plan.requests;
  return limit && { perMinute: limit.perMinute, seconds: secondsAtLimit(apply + verify, limit) };
}

/** Which plan is wanted, and what is said without one. */
export interface PlanRequest {
  readonly options: WantedOptions;
  readonly command: FailureReport["command"];
  /** With a base, what that declared is planned and not what the files do. */
  readonly plansBase?: boolean;
  /** Told of the address before the first request; throws a user error to keep it from being spoken to. */
  readonly checkAddress?: (baseUrl: string) => void;
  /** What is planned in place of what the files say. */
  readonly instead?: Instead;
}

/** A plan of something else than the files: they only say what is allowed. */
export interface Instead {
  /** Looks at what is to be planned, and returns a project that names all that must be read for it. Throws a user error where nothing can be planned. */
  readonly reading: (opened: OpenedProject, project: Project) => Promise<Project>;
  readonly plan: (project: Project, state: LiveState, reader: Reader, options: PlanOptions) => Promise<PlanResult>;
}

/** A plan, and what it was made of. */
export interface PlanResult {
  readonly project: Project;
  readonly state: LiveState;
  readonly plan: Plan;
}

/** Prepares a plan and returns the exit code of `proceed`. Errors that keep a plan from being made are reported here. */
export function withPlan(
  world: World,
  flags: CommonFlags & ServiceFlags & { readonly showUnmanaged?: boolean },
  out: Console,
  { options: wanted, command, plansBase, checkAddress, instead }: PlanRequest,
  proceed: (prepared: Prepared) => Promise<ExitCode>,
): Promise<ExitCode> {
  return runSession(world, flags, out, command, async ({ signal, connect }) => {
    const opened = await openProject(world, flags);
    const isAtBase = plansBase === true && wanted.base !== null;
    // Diagnostics of the files are for commands that plan these files.
    const isOfFiles = !isAtBase && (instead === undefined || opened.project === null);
    const diagnostics = isOfFiles ? opened.diagnostics : [];
    // Mistakes in the files are reported before those of the base; a plan of the base ignores them.
    const base = isAtBase || opened.project !== null ? await openWanted(world, flags, wanted.base, opened) : null;
    const project = isAtBase ? projectAtBase(base, opened.file) : opened.project;
    if (project === null) return refuse(out, command, null, diagnostics, EXIT.error);
    const options: PlanOptions = { ...wanted, base: isAtBase ? null : base, checkLimits };
    const named = (await instead?.reading(opened, project)) ?? project;
    const baseUrl = chooseBaseUrl(project, flags, world.env);
    const transport = await connect(baseUrl, project.software, checkAddress);
    const reader = connectReader(transport);
    const prepare = async (): Promise<Prepared> => {
      const read = await readAccount(
        { project: named, base: options.base?.project ?? null },
        reader,
        flags.showUnmanaged === true,
        (text) => out.detail(text),
        (count) => out.progress.count("look-up", count),
      );
      out.progress.stop();
      out.events?.read(read);
      const made =
        instead === undefined
          ? { project, state: read, plan: createPlan(project, read, world.now(), options) }
          : await instead.plan(project, read, reader, options);
      const doubts = plansBase === true ? [] : doubtsAbout(base, project);
      const plan = {
        ...made.plan,
        base: isAtBase && base !== null ? { ref: base.ref, commit: base.commit } : made.plan.base,
        diagnostics: [
          ...(isAtBase || base === null ? [] : safetySince(base, project)),
          ...diagnostics,
          ...doubts,
          ...made.plan.diagnostics,
        ],
      };
      const { folder } = opened;
      const { limit } = transport;
      return { ...made, opened, folder, baseUrl, options, plan, limit, transport, signal, again: prepare };
    };
    return proceed(await prepare());
  });
}

/** Opens a base: the commit that a saved plan names, else what the ref means now. */
async function openWanted(
  world: World,
  flags: ServiceFlags,
  base: WantedBase | null,
  opened: OpenedProject,
): Promise<OpenedBase | null> {
  return base === null ? null : { ...(await openBaseOf(world, base.commit ?? base.ref, opened, flags)), ref: base.ref };
}

/** The project as it is at the base. */
function projectAtBase(base: OpenedBase | null, file: string): Project {
  if (base !== null && base.project !== null) return base.project;
  throw new UserError("base-invalid", `There is no ${file} at the base.`, { hint: "Name a later commit with --base." });
}
