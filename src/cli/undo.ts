// The command that takes an apply back.

import { choosing, executing, service } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `undo`. */
export function addUndo({ program, runInterruptible }: Tree): void {
  const command = executing(
    program
      .command("undo")
      .description("take an apply back: a plan of the state before it, shown, confirmed and verified like any other")
      .argument("<receipt>", "the receipt that the apply wrote, or `last` for the newest of this project")
      .option("--dry-run", "print the plan, and write nothing")
      .option("--force", "overwrite what has been changed since"),
  );
  service(choosing(command.optionsGroup("What is taken back:"))).action((receipt, flags) =>
    runInterruptible(async (world) => (await import("../commands/undo.ts")).undo(world, flags, receipt)),
  );
}
