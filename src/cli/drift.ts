// `linkform drift`: prints differences between the files and live. It cannot write; scheduled jobs use its exit code.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { differences } from "../view/drift.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { withPlan, type CustomPlanner } from "../session/prepare.ts";
import type { ShardNumber } from "../domain/shard.ts";

export type DriftFlags = CommonFlags &
  ServiceFlags &
  Pick<PlanningFlags, "base"> & {
    /** Compare only this part of the links. */
    readonly shard?: ShardNumber;
  };

export async function drift(
  world: World,
  flags: DriftFlags,
  out: Console = new Console(world, flags, "drift"),
): Promise<ExitCode> {
  const planner = flags.shard && (await shardPlanner(world, flags, flags.shard, out));
  const options = planOptionsOf(flags);
  const request = { options, command: "drift" as const, plansBase: true, ...(planner && { planner }) };
  return withPlan(world, flags, out, request, async ({ plan, baseUrl }) => {
    out.findings(plan.diagnostics);
    const isWritten = await out.result({ of: "drift", plan, problems: [], baseUrl });
    if (!isWritten || hasErrors(plan.diagnostics)) return EXIT.error;
    return differences(plan).length > 0 ? EXIT.changes : EXIT.done;
  });
}

async function shardPlanner(world: World, flags: DriftFlags, shard: ShardNumber, out: Console): Promise<CustomPlanner> {
  const { ShardPlanner } = await import("../session/shard-planner.ts");
  return new ShardPlanner(world, flags, shard, (text) => out.detail(text));
}
