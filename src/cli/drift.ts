// `linkform drift`: prints differences between the files and live. It cannot write; scheduled jobs use its exit code.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { differences } from "../report/document.ts";
import { driftReport } from "../report/run-document.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { planFiles } from "../session/planned.ts";

export type DriftFlags = CommonFlags & ServiceFlags & Pick<PlanningFlags, "base">;

export async function drift(
  world: World,
  flags: DriftFlags,
  out: Console = new Console(world, flags, "drift"),
): Promise<ExitCode> {
  return out.run(async () => {
    const request = { command: "drift", options: planOptionsOf(flags) } as const;
    const { plan, baseUrl } = await planFiles(out, request);
    out.findings(plan.diagnostics);
    const isDrifted = differences(plan).length > 0;
    const exit = hasErrors(plan.diagnostics) ? EXIT.error : isDrifted ? EXIT.changes : EXIT.done;
    return out.result(driftReport, { plan, problems: [], baseUrl }, exit);
  });
}
