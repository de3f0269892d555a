// What the command tree hands to the files that describe its commands.

import type { Command } from "commander";
import type { World } from "../commands/context.ts";
import type { ExitCode } from "../errors.ts";

/** A tree of commands, and how one of them is run. Code is loaded when its command runs: `load` imports it. */
export interface Tree {
  readonly program: Command;
  /** Runs a command that writes nothing, or all of it at once: it may be ended at any moment. */
  readonly run: (load: (world: World) => Promise<ExitCode>) => Promise<void>;
  /** Runs a command that speaks to the service: Ctrl-C lets it end in good order. */
  readonly runInterruptible: (load: (world: World) => Promise<ExitCode>) => Promise<void>;
}
