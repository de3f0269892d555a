// Runs a command line in this process as the built program would, without the start of a process.

import { runCommandLine } from "../../src/cli/main.ts";
import { runIn, type Ran } from "./scenario.ts";

/** Runs a command with its flags. */
export function commandIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  given: Parameters<typeof runIn>[3] = {},
): Promise<Ran> {
  const all = { PATH: process.env["PATH"] ?? "", ...env };
  return runIn(folder, all, (world) => runCommandLine(args, world, () => world), given);
}
