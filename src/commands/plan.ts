// `linkform plan`: reads the account, compares it with the files, and prints what would change. It can't write.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { declarables } from "../report/declare.ts";
import { planDocument } from "../report/document.ts";
import { planText } from "../report/text.ts";
import { unmanagedText } from "../report/unmanaged.ts";
import type { ServiceFlags } from "./connect.ts";
import { Console, type CommonFlags, type World } from "./context.ts";
import { withPlan } from "./prepare.ts";

export interface PlanFlags extends CommonFlags, ServiceFlags {
  readonly detailedExitcode?: boolean;
  readonly showUnmanaged?: boolean;
}

/** Prints the plan; the exit code says whether there are changes if `detailedExitcode` asks for it. */
export async function plan(world: World, flags: PlanFlags): Promise<ExitCode> {
  const out = new Console(world, flags);
  return withPlan(world, flags, out, {}, async ({ plan: made, baseUrl, project }) => {
    if (out.format !== "json") out.diagnose(made.diagnostics);
    const unmanaged = flags.showUnmanaged === true ? declarables(made, project) : null;
    const isWritten = await out.result({
      text: (paint) => `${unmanagedText(unmanaged ?? [], paint)}${planText(made, paint)}`,
      json: () => planDocument(made, baseUrl, unmanaged),
    });
    if (!isWritten || hasErrors(made.diagnostics)) return EXIT.error;
    return flags.detailedExitcode === true && made.changes.length > 0 ? EXIT.changes : EXIT.done;
  });
}
