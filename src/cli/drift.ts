// `linkform drift`: prints differences between the files and live. It cannot write; scheduled jobs use its exit code.

import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { differences } from "../view/drift.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { withPlan, type CustomPlanner } from "../session/prepare.ts";
import type { LogDetail } from "../session/read-links.ts";
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
  const planner = flags.shard && (await shardPlanner(world, flags.shard, (text) => out.detail(text)));
  const options = planOptionsOf(flags);
  const request = { options, command: "drift" as const, plansBase: true, ...(planner && { planner }) };
  return withPlan(world, flags, out, request, async ({ plan, baseUrl }) => {
    out.findings(plan.diagnostics);
    const isWritten = await out.result({ of: "drift", plan, problems: [], baseUrl });
    if (!isWritten || hasErrors(plan.diagnostics)) return EXIT.error;
    return differences(plan).length > 0 ? EXIT.changes : EXIT.done;
  });
}

/** Plans one part of the links. */
async function shardPlanner(world: World, shard: ShardNumber, detail: LogDetail): Promise<CustomPlanner> {
  const [{ digest, readShard }, { planShard }] = await Promise.all([
    import("../session/read-shard.ts"),
    import("../plan/shard.ts"),
  ]);
  return {
    isOfFiles: true,
    projectToRead: async (_opened, project) => project,
    plan: async (project, _state, reader, options) => {
      const { part, ...reading } = await readShard(project, reader, shard, detail);
      return {
        project,
        state: reading.state,
        plan: planShard(project, part, reading, shard, world.now(), options, digest),
      };
    },
  };
}
