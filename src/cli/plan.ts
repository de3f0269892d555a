// `linkform plan` and `linkform drift`: read the account, compare it with the files and print the changes. They cannot write to the service.

import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { brakeDiagnostics } from "../report/brakes.ts";
import { differences } from "../report/document.ts";
import { driftReport, planReport } from "../report/run-document.ts";
import { declarables } from "../edit/declare.ts";
import { visible } from "../domain/control-characters.ts";
import { HIDDEN } from "../http/redact.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { brakeRun } from "../session/render-context.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { checkChanged, planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { paceOf, planFiles, type Planned } from "../session/planned.ts";

export interface PlanFlags extends CommonFlags, ServiceFlags, PlanningFlags {
  readonly detailedExitcode?: boolean;
  readonly showUnmanaged?: boolean;
  readonly out?: string;
}

export async function plan(
  world: World,
  flags: PlanFlags,
  out: Console = new Console(world, flags, "plan"),
): Promise<ExitCode> {
  let isRefused = false;
  const exit = await out.run(async () => {
    checkChanged(flags);
    isRefused = true;
    const request = { command: "plan", options: planOptionsOf(flags), isSaved: flags.out !== undefined } as const;
    const planned = await planFiles(out, request);
    const { plan: made, baseUrl, project, base } = planned;
    const flagFor = brakeRun(world.env);
    const problems = brakeDiagnostics(made.brakes, flagFor);
    const canBeApplied = !hasErrors([...made.diagnostics, ...problems]);
    // Without a named base, deletes do not depend on it.
    const canBeSaved = canBeApplied && (base?.isPartial !== true || base.impliedDays !== undefined);
    out.findings(made.diagnostics, problems);
    const unmanaged = flags.showUnmanaged === true ? declarables(made, project) : null;
    const pace = paceOf(planned);
    const printed = await out.result(planReport, { plan: made, problems, flagFor, baseUrl, unmanaged, pace });
    isRefused = !canBeSaved;
    const isSaved = flags.out === undefined || !canBeSaved || (await save(out, flags.out, planned));
    if (printed !== EXIT.done || !isSaved || hasErrors(made.diagnostics)) return EXIT.error;
    if (!canBeApplied) return EXIT.refused;
    return flags.detailedExitcode === true && made.changes.length > 0 ? EXIT.changes : EXIT.done;
  });
  if (flags.out !== undefined && isRefused)
    out.note(`${visible(flags.out)} was not written, because this plan cannot be applied.\n`);
  return exit;
}

export type DriftFlags = CommonFlags & ServiceFlags & Pick<PlanningFlags, "base">;

/** Prints differences between the files and the account. Scheduled jobs use its exit code. */
export async function drift(
  world: World,
  flags: DriftFlags,
  out: Console = new Console(world, flags, "drift"),
): Promise<ExitCode> {
  return out.run(async () => {
    const { plan: made, baseUrl } = await planFiles(out, { command: "drift", options: planOptionsOf(flags) });
    out.findings(made.diagnostics);
    const isDrifted = differences(made).length > 0;
    const exit = hasErrors(made.diagnostics) ? EXIT.error : isDrifted ? EXIT.changes : EXIT.done;
    return out.result(driftReport, { plan: made, problems: [], baseUrl }, exit);
  });
}

/** Returns whether the plan is saved. */
async function save(out: Console, file: string, planned: Planned): Promise<boolean> {
  const [{ savePlan }, { planLineOf }, { shellQuote }] = await Promise.all([
    import("../record/file.ts"),
    import("../session/run-record.ts"),
    import("../session/record-files.ts"),
  ]);
  const line = planLineOf(planned);
  const name = visible(file);
  const problem = out.world.secrets.has(line) ? hasSecret(name) : await savePlan(out.world.cwd, file, line);
  if (problem === null)
    out.note(`Saved the plan in ${name}. Run \`linkform apply ${shellQuote(name)}\` to make exactly these changes.\n`);
  else out.diagnose([problem]);
  return problem === null;
}

function hasSecret(file: string): Diagnostic {
  const message = `${file} was not written, because the plan contains the API key or a password.`;
  const hint = `The plan shows it as ${HIDDEN}. Remove it from the files and from the service, and replace it if others have seen it.`;
  return error("plan-with-secret", message, null, hint);
}
