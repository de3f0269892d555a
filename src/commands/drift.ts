// `linkform drift`: is live still as declared? For a schedule: it can't write, and its exit code tells.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { planDocument } from "../report/document.ts";
import { differences, driftText } from "../report/drift.ts";
import type { ServiceFlags } from "./connect.ts";
import { Console, type CommonFlags, type World } from "./context.ts";
import { planOptionsOf, type PlanningFlags } from "./planning.ts";
import { withPlan } from "./prepare.ts";

export type DriftFlags = CommonFlags & ServiceFlags & Pick<PlanningFlags, "base">;

/** Prints what differs; the exit code says whether anything does. */
export async function drift(world: World, flags: DriftFlags): Promise<ExitCode> {
  const out = new Console(world, flags);
  const request = { options: planOptionsOf(flags), undone: {}, plansBase: true };
  return withPlan(world, flags, out, request, async ({ plan, baseUrl }) => {
    if (out.format !== "json") out.diagnose(plan.diagnostics);
    const isWritten = await out.result({
      text: (screen) => driftText(plan, screen),
      // What differs is what a plan would change: whoever reads plans reads this as well.
      json: () => planDocument(plan, baseUrl),
    });
    if (!isWritten || hasErrors(plan.diagnostics)) return EXIT.error;
    return differences(plan).length > 0 ? EXIT.changes : EXIT.done;
  });
}
