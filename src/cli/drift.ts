// `linkform drift`: prints differences between the files and live. It cannot write; scheduled jobs use its exit code.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { differences } from "../report/drift.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { withPlan } from "../session/prepare.ts";

export type DriftFlags = CommonFlags & ServiceFlags & Pick<PlanningFlags, "base">;

export async function drift(
  world: World,
  flags: DriftFlags,
  out: Console = new Console(world, flags, "drift"),
): Promise<ExitCode> {
  const options = planOptionsOf(flags);
  const request = { options, command: "drift" as const, plansBase: true };
  return withPlan(world, flags, out, request, async ({ plan, baseUrl }) => {
    out.findings(plan.diagnostics);
    const isWritten = await out.result({ of: "drift", plan, problems: [], baseUrl });
    if (!isWritten || hasErrors(plan.diagnostics)) return EXIT.error;
    return differences(plan).length > 0 ? EXIT.changes : EXIT.done;
  });
}
