// The program: runs a command line, and is the only place that sets an exit code.

import { Command, CommanderError, Help } from "commander";
import { addCommands, type RunCommand } from "./program.ts";
import { exitOf, problemsOf, screenOf, systemClock, type World } from "../session/context.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { secretsIn } from "../http/redact.ts";
import { commandNamed, helpTables } from "./flags.ts";
import { TerminalLine } from "../session/terminal-line.ts";
import { VERSION } from "../version.ts";

const terminal = new TerminalLine(process.stderr, process.env);

/** For a command that may be killed at any moment. */
const ours: World = {
  cwd: process.cwd(),
  env: process.env,
  secrets: secretsIn(process.env),
  stdout: process.stdout,
  stderr: process.stderr,
  line: terminal,
  // Few commands read it, and Node takes long to open it.
  get stdin() {
    return process.stdin;
  },
  version: VERSION,
  now: () => `${new Date().toISOString().slice(0, 19)}Z`,
  clock: systemClock,
  signal: new AbortController().signal,
};

/** For a command that sends requests: the first Ctrl-C or SIGTERM asks the run to end, and the second one ends the process. */
function interruptible(): World {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) {
      terminal.show("");
      terminal.breakIn(
        "Stopped immediately. Requests in progress may or may not have taken effect. Run `linkform plan` to check.",
      );
      process.exit(EXIT.interrupted);
    }
    terminal.breakIn("Stopping after the requests in progress. Press Ctrl-C again to stop immediately.");
    controller.abort(
      new UserError("interrupted", "The run was interrupted.", {
        hint: "Run the command again. If it applied changes, they stay, and the rest is planned again.",
        exit: EXIT.interrupted,
      }),
    );
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return { ...ours, signal: controller.signal };
}

export async function main(): Promise<void> {
  // A stream that cannot be written must not stop an apply halfway. The code that writes the result notices a loss.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.exitCode = await runCommandLine(process.argv.slice(2), ours, interruptible);
}

/** Runs a command line, and prints its error. `sending` makes the world of a command that sends requests. */
export async function runCommandLine(args: readonly string[], world: World, sending: () => World): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const program = new Command("linkform")
    .description("Manage short links and tracking pixels as code: plan in the pull request, apply in the deploy")
    .usage("<command> [flags]")
    .version(world.version, "-v, --version", "Print the version")
    .helpOption("-h, --help", "Print this help")
    .configureHelp({
      // Each command in one line, without its aliases and arguments.
      subcommandTerm: (command) => command.name(),
      commandUsage: (command) => new Help().commandUsage(command).replace("[options]", "[flags]"),
      styleTitle: (title) => title.replace("Options:", "Flags:"),
    })
    .exitOverride()
    // endingOf prints errors.
    .configureOutput({ writeOut: (text) => void world.stdout.write(text), outputError: () => undefined })
    .hook("preAction", async (_program, command) => (await import("./prepare.ts")).prepare(world, command))
    .addHelpText("after", () => `${helpTables()}\n\nRun \`linkform help COMMAND\` for its flags.`);
  const run: RunCommand = async (load, sendsRequests) => {
    exit = await load(sendsRequests ? sending() : world);
  };
  addCommands(program, run, args[0]);
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (cause) {
    return endingOf(cause, program, args, world);
  }
}

const CODES: Readonly<Record<string, string>> = {
  "commander.unknownOption": "unknown-flag",
  "commander.unknownCommand": "unknown-command",
  "commander.conflictingOption": "conflicting-flags",
  "commander.optionMissingArgument": "missing-value",
  "commander.invalidArgument": "wrong-value",
  "commander.missingArgument": "missing-argument",
  "commander.excessArguments": "too-many-arguments",
};

/** `command` is undefined if there is none with this name. */
function usageProblem({ code, message }: CommanderError, command: string | undefined): Diagnostic {
  const [, text = message, meant] = /^error: (.*?)(?:\n\(Did you mean (?:one of )?(.+)\?\))?$/s.exec(message) ?? [];
  const isUnknown = command === undefined || code === "commander.unknownCommand";
  const help = isUnknown ? "linkform --help" : `linkform ${command} --help`;
  const quoted = text.replaceAll("''", "(empty)").replaceAll("'", "`");
  const sentence = `${quoted.charAt(0).toUpperCase()}${quoted.slice(1)}`.replace(/\.?$/, ".");
  const near = meant?.split(", ").join("` or `");
  const isConflict = code === "commander.conflictingOption";
  const remedy = isConflict ? "Remove one of them." : `Run \`${help}\` to see how to write the command.`;
  const hint = near === undefined ? remedy : `Did you mean \`${near}\`?`;
  return error(CODES[code] ?? "wrong-usage", sentence, null, hint);
}

/** Commander also throws after it printed the help or the version. Its other errors are wrong usage. */
async function endingOf(cause: unknown, program: Command, args: readonly string[], world: World): Promise<ExitCode> {
  const { line, secrets, stdout, stderr, env } = world;
  line.show("");
  const isHelp = cause instanceof CommanderError && (cause.exitCode === 0 || cause.code === "commander.help");
  if (isHelp) return cause.exitCode === 0 ? EXIT.done : EXIT.usage;
  const command = commandNamed(
    program,
    args.find((arg) => !arg.startsWith("-")),
  )?.name();
  const problems = secrets.hideIn(cause instanceof CommanderError ? [usageProblem(cause, command)] : problemsOf(cause));
  const wantsJson = args.some(
    (arg, at) => arg === "--json" || arg === "--format=json" || (arg === "json" && args[at - 1] === "--format"),
  );
  if (wantsJson) {
    const { usageDocument } = await import("../report/failure.ts");
    const { jsonText } = await import("../report/json/text.ts");
    stdout.write(`${jsonText(usageDocument(command ?? "", problems), 2)}\n`);
  } else {
    const { diagnosticsText } = await import("../report/text/blocks.ts");
    line.print(diagnosticsText(problems, screenOf(stderr, env)));
  }
  return cause instanceof CommanderError ? EXIT.usage : exitOf(cause);
}
