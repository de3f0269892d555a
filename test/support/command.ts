// Runs a command line in this process as the built program would, without the start of a process.

import { Command } from "commander";
import { prepare } from "../../src/cli/prepare.ts";
import { addCommands, type RunCommand } from "../../src/cli/program.ts";
import { diagnosticOf } from "../../src/config/located-error.ts";
import { EXIT, type ExitCode } from "../../src/errors.ts";
import { exitOf } from "../../src/session/context.ts";
import { PLAIN } from "../../src/report/text/screen.ts";
import { diagnosticsText } from "../../src/report/text/blocks.ts";
import { runIn, type Ran } from "./scenario.ts";

/** Runs a command with its flags. Errors before it begins are thrown. */
export function commandIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return runIn(folder, { PATH: process.env["PATH"] ?? "", ...env }, async (world) => {
    let exit: ExitCode = EXIT.done;
    const run: RunCommand = async (load) => {
      exit = await load(world);
    };
    const program = new Command("linkform").exitOverride().hook("preAction", async (_program, command) => {
      await prepare(world, command);
    });
    addCommands(program, run);
    await program.parseAsync(args, { from: "user" });
    return exit;
  });
}

/** As `commandIn`. An error before the command begins is printed as the program prints it. */
export async function refusedIn(...run: Parameters<typeof commandIn>): Promise<Ran> {
  try {
    return await commandIn(...run);
  } catch (cause) {
    const problem = diagnosticOf(cause);
    if (problem === null) throw cause;
    return { exit: exitOf(cause), out: "", err: diagnosticsText([problem], PLAIN) };
  }
}
