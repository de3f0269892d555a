// The commands that hold the account against the files.

import { common, executing, planning, service } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `validate`, `plan`, `apply` and `drift`. */
export function addPlanning({ program, run, runInterruptible }: Tree): void {
  common(
    program
      .command("validate")
      .description("check the files, without network: every mistake at once")
      .option("--base <ref>", "say what the files declared at this commit of git and no longer do"),
  ).action((flags) => run(async (world) => (await import("../commands/validate.ts")).validate(world, flags)));

  planning(
    program
      .command("plan")
      .description("read the account, compare it with the files, print what would change; never writes")
      .option("--out <file>", "save the plan: `linkform apply FILE` makes its changes and no other")
      .option("--detailed-exitcode", "exit with 2 if there are changes")
      .option("--show-unmanaged", "list what is live and in no file, with the lines that would declare it"),
  ).action((flags) => runInterruptible(async (world) => (await import("../commands/plan.ts")).plan(world, flags)));

  planning(
    executing(
      program
        .command("apply")
        .description("plan, ask, make the changes, and read again what was touched")
        .argument("[plan]", "a plan saved by `plan --out`: what it holds and the files still ask for, without asking")
        .option("--move-base", "after a complete run, move the tag in --base to HEAD"),
    ),
  ).action((file, flags) =>
    runInterruptible(async (world) => (await import("../commands/apply.ts")).apply(world, flags, file)),
  );

  service(
    program
      .command("drift")
      .description("is live still as the files say? For a schedule: exits with 2 if not; never writes")
      .option("--base <ref>", "compare live with the files of this commit of git instead"),
  ).action((flags) => runInterruptible(async (world) => (await import("../commands/drift.ts")).drift(world, flags)));
}
