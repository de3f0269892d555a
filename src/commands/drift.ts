// `linkform drift`: is live still as declared? For a schedule: it can't write, and its exit code tells.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { differences } from "../report/drift.ts";
import type { ServiceFlags } from "./connect.ts";
import { Console } from "./console.ts";
import { type CommonFlags, type World } from "./context.ts";
import { planOptionsOf, type PlanningFlags } from "./planning.ts";
import { withPlan } from "./prepare.ts";

export type DriftFlags = CommonFlags & ServiceFlags & Pick<PlanningFlags, "base">;

/** Prints what differs; the exit code says whether anything does. */
export async function drift(world: World, flags: DriftFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "drift");
  const request = { options: planOptionsOf(flags), command: "drift" as const, plansBase: true };
  return withPlan(world, flags, out, request, async ({ plan, baseUrl }) => {
    out.findings(plan.diagnostics);
    const isWritten = await out.result({ of: "drift", plan, problems: [], baseUrl });
    if (!isWritten || hasErrors(plan.diagnostics)) return EXIT.error;
    return differences(plan).length > 0 ? EXIT.changes : EXIT.done;
  });
}
