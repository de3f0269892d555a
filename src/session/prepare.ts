// What `plan` and `apply` share: load the files, reach the service, read the account, make the plan.

import type { Plan } from "../domain/change.ts";
import type { OpenedBase } from "../config/git.ts";
import { safetySince } from "../config/safety.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { baseWarnings } from "../plan/base.ts";
import { createPlan, type PlanOptions } from "../plan/plan.ts";
import { countText } from "../view/diagnostics.ts";
import { NOTHING, type FailureReport } from "../view/report.ts";
import type { PlanPace } from "../view/plan-remarks.ts";
import { secondsAtLimit, type RateLimit } from "../service/limit.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";
import { chooseBaseUrl, limitTime, openTransport, type ServiceFlags } from "./connect.ts";
import { Console } from "./console.ts";
import { exitOf, type CommonFlags, type World } from "./context.ts";
import { diagnosticOf } from "../config/located-error.ts";
import type { WantedBase, WantedOptions } from "./plan-flags.ts";
import { openBaseOf, openProject, type OpenedProject } from "./project.ts";
import { readAccount } from "./read-account.ts";

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

/**
 * Prepares a plan and hands it to `proceed`, whose exit code it returns. Whatever keeps a plan from being made is said
 * here: on stderr, or with `--format json` as a document that holds nothing but its diagnostics.
 */
export async function withPlan(
  world: World,
  flags: CommonFlags & ServiceFlags & { readonly showUnmanaged?: boolean },
  out: Console,
  { options: wanted, command, plansBase, checkAddress, instead }: PlanRequest,
  proceed: (prepared: Prepared) => Promise<ExitCode>,
): Promise<ExitCode> {
  const ending = limitTime(world, flags.timeout);
  let baseUrl: string | null = null;
  let transport: Transport | null = null;
  try {
    const opened = await openProject(world, flags);
    const isAtBase = plansBase === true && wanted.base !== null;
    // Advice about the files is for those who plan them.
    const isAside = isAtBase || (instead !== undefined && opened.project !== null);
    const diagnostics = isAside ? [] : opened.diagnostics;
    // Files with mistakes say so first; at the base they don't matter.
    const base = isAtBase || opened.project !== null ? await openWanted(world, flags, wanted.base, opened) : null;
    const project = isAtBase ? atBase(base, opened.file) : opened.project;
    if (project === null) return await refuse(out, command, null, diagnostics, EXIT.error);
    const options: PlanOptions = { ...wanted, base: isAtBase ? null : base };
    const named = (await instead?.reading(opened, project)) ?? project;
    baseUrl = chooseBaseUrl(project, flags, world.env);
    out.events?.start(baseUrl);
    checkAddress?.(baseUrl);
    transport = await openTransport(world, flags, { baseUrl, software: project.software, signal: ending.signal }, out);
    const address = baseUrl;
    const connected = transport;
    const reader = connectReader(connected);
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
      const doubts = plansBase === true ? [] : baseWarnings(base, project);
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
      return {
        project: made.project,
        opened,
        folder: opened.folder,
        baseUrl: address,
        state: made.state,
        options,
        plan,
        limit: connected.limit,
        transport: connected,
        signal: ending.signal,
        again: prepare,
      };
    };
    return await proceed(await prepare());
  } catch (cause) {
    return await refuseFor(out, command, baseUrl, cause);
  } finally {
    out.progress.stop();
    ending.done();
    await transport?.close();
  }
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

/** The base in place of the files. */
function atBase(base: OpenedBase | null, file: string): Project {
  if (base !== null && base.project !== null) return base.project;
  throw new UserError("base-invalid", `There is no ${file} at the base.`, { hint: "Name a later commit with --base." });
}

/** Says what was thrown, if that is somebody's mistake or the service's failure, and returns the exit code it asks for. Throws anything else. */
export async function refuseFor(
  out: Console,
  command: FailureReport["command"],
  baseUrl: string | null,
  cause: unknown,
): Promise<ExitCode> {
  out.progress.stop();
  const problem = diagnosticOf(cause);
  if (problem === null) throw cause;
  return refuse(out, command, baseUrl, [problem], exitOf(cause));
}

/** Says why nothing was done, and returns `exit`. */
export async function refuse(
  out: Console,
  command: FailureReport["command"],
  baseUrl: string | null,
  diagnostics: readonly Diagnostic[],
  exit: ExitCode,
): Promise<ExitCode> {
  out.findings(diagnostics);
  if (!out.isDocument) out.note(`${countText(diagnostics)}: ${NOTHING[command].replace(/^N/, "n")}.\n`);
  return out.conclude({ of: "failure", command, diagnostics, baseUrl }, () => exit);
}
