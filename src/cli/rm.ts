// The command that takes what is declared out of the files.

import { service, wholeNumber } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `rm`. */
export function addRm({ program, runInterruptible }: Tree): void {
  service(
    program
      .command("rm")
      .description("turn declared links or pixels into tombstones, comments kept: the next apply deletes them")
      .argument("<key...>", "as a plan shows it; an alias alone; a pixel's name; or link:KEY, pixel:NAME")
      .option("--id <n>", "which row, where two live ones have the key", wholeNumber(1))
      .option("--offline", "ask nobody: the tombstone has no id, and deletes whatever has the key by then")
      .option("--keep-tombstone", "a tombstone for what is not live, too: it may be live elsewhere")
      .option("--dry-run", "write nothing, show it as a unified diff"),
  ).action((keys, flags) =>
    runInterruptible(async (world) => (await import("../commands/rm.ts")).rm(world, flags, keys)),
  );
}
