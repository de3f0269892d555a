// `linkform drift`: prints differences between the files and live. It cannot write; scheduled jobs use its exit code.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { differences } from "../report/drift.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { connectTo, openFiles, planOpened, readOpened } from "../session/planned.ts";
import { runSession } from "../session/session.ts";

export type DriftFlags = CommonFlags & ServiceFlags & Pick<PlanningFlags, "base">;

export async function drift(
  world: World,
  flags: DriftFlags,
  out: Console = new Console(world, flags, "drift"),
): Promise<ExitCode> {
  const request = { options: planOptionsOf(flags), command: "drift", plansBase: true } as const;
  return runSession(world, flags, out, "drift", async (session) => {
    const opened = await openFiles(world, flags, request);
    const connected = await connectTo(opened.project, session, world, flags);
    const read = await readOpened(opened, connected, world, flags, out);
    const { plan, baseUrl } = await planOpened(opened, connected, read, world, flags);
    out.findings(plan.diagnostics);
    const isWritten = await out.result({ of: "drift", plan, problems: [], baseUrl });
    if (!isWritten || hasErrors(plan.diagnostics)) return EXIT.error;
    return differences(plan).length > 0 ? EXIT.changes : EXIT.done;
  });
}
