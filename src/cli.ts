// The command tree: reads the flags, loads the command that runs, and is the only place that sets an exit code.

import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { systemClock } from "./commands/clock.ts";
import { diagnosticOf, exitOf, internalError, screenOf, type World } from "./commands/context.ts";
import { interruption } from "./commands/interruption.ts";
import { TerminalLine } from "./commands/terminal-line.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import { diagnosticsText } from "./report/diagnostics-text.ts";
import { FORMATS_OF } from "./report/format.ts";
import { jsonText } from "./report/json.ts";
import { VERSION } from "./version.ts";

const line = new TerminalLine(process.stderr, process.env);

const world: Omit<World, "signal"> = {
  cwd: process.cwd(),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  line,
  stdin: process.stdin,
  version: VERSION,
  now: () => `${new Date().toISOString().slice(0, 19)}Z`,
  clock: systemClock,
};

/** The world of a command that speaks to the service: Ctrl-C lets it end in good order. */
function interruptible(): World {
  const signal = interruption(
    process,
    () => line.breakIn("Stopping: what is under way is finished first. Ctrl-C again stops at once."),
    () => {
      line.show("");
      line.breakIn("Stopped at once: what was under way may have been done or not. `linkform plan` shows it.");
      process.exit(EXIT.interrupted);
    },
  );
  return { ...world, signal };
}

/** The world of a command that writes nothing: it may be ended at any moment. */
const plainWorld: World = { ...world, signal: new AbortController().signal };

// A stream that can't be written must not end an apply halfway. What is lost of the result is noticed where it is written.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

let exit: ExitCode = EXIT.done;

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
  };
}

function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** How a command can say its result; a report that must fit somewhere can be told how much fits. */
function reporting(command: Command): Command {
  const [, formats = []] = Object.entries(FORMATS_OF).find(([name]) => name === command.name()) ?? [];
  const words = `${formats.slice(0, -1).join(", ")} or ${formats.at(-1)}`;
  command.option("--format <format[=file]>", `${words}; with a file it goes there (repeatable)`, collect);
  return formats.includes("markdown")
    ? command.option(
        "--max-length <n>",
        "characters that a markdown report may have (default: 65536)",
        wholeNumber(1000),
      )
    : command;
}

/** Flags stand in groups, those of a command's own first: each of these adds its own behind what is there. */
function common(command: Command): Command {
  command
    .optionsGroup("Everywhere:")
    .option("--config <file>", "the project file (default: linkform.yaml here or in a folder above)");
  return reporting(command)
    .option("--no-color", "no colour (NO_COLOR and FORCE_COLOR are honoured too)")
    .option("--quiet", "the result and errors only")
    .option("--verbose", "say what is asked of the service, and why")
    .helpOption("--help", "print this help");
}

function service(command: Command): Command {
  command
    .optionsGroup("The service:")
    .option("--base-url <url>", "speak to this service, whatever files and LINKFORM_BASE_URL say")
    .option("--api-key-file <file>", "read the API key from a file (default: the variable LINKFORM_API_KEY)")
    .option("--max-wait <seconds>", "give up rather than wait longer in all for the rate limit", wholeNumber(0))
    .option("--timeout <seconds>", "begin nothing new after so long (default: no limit)", wholeNumber(1));
  return common(command);
}

/** What a plan is made with. A saved plan holds it. */
function planning(command: Command): Command {
  command
    .optionsGroup("What is planned (a saved plan holds these):")
    .option("--base <ref>", "hold the files against this commit of git: what was removed, where changes come from")
    .option(
      "--target <glob>",
      "only keys like this, as go.example.com/spring-*, and what they need (repeatable)",
      collect,
    )
    .option("--exclude <glob>", "no keys like this, nor what waits for them (repeatable)", collect)
    .option("--resend-secrets [glob]", "send passwords again: of all links, or with =glob of keys like this")
    .option("--allow-deletes <n>", "let this plan make n deletes in all, whatever the brake says", wholeNumber(0))
    .option("--allow-updates <n>", "let this plan make n updates in all, whatever the brake says", wholeNumber(0))
    .option("--allow-clicks <n>", "let this plan lose n clicks, whatever the brake says", wholeNumber(0));
  return service(command);
}

const program = new Command("linkform")
  .description("Short links and tracking pixels as code: plan in the pull request, apply in the deploy.")
  .version(VERSION, "--version", "print the version")
  .helpOption("--help", "print this help")
  .helpCommand("help [command]", "print the help of a command")
  .exitOverride()
  // What it has to say is said in our words: see endingOf.
  .configureOutput({ outputError: () => undefined })
  .addHelpText(
    "after",
    `
Exit codes:
    0  done; or a plan was made, whatever it says
    1  an error, and nothing was applied
    2  changes are pending (plan --detailed-exitcode), or live is not as
       declared (drift)
    3  refused by a brake, or every change of a saved plan has moved
    4  something was applied, and something failed, was skipped or could not
       be verified
   64  wrong usage
  130  interrupted`,
  );

common(
  program
    .command("validate")
    .description("check the files, without network: every mistake at once")
    .option("--base <ref>", "say what the files declared at this commit of git and no longer do"),
).action(async (flags) => {
  exit = await (await import("./commands/validate.ts")).validate(plainWorld, flags);
});

planning(
  program
    .command("plan")
    .description("read the account, compare it with the files, print what would change; never writes")
    .option("--out <file>", "save the plan: `linkform apply FILE` makes its changes and no other")
    .option("--detailed-exitcode", "exit with 2 if there are changes")
    .option("--show-unmanaged", "list what is live and in no file, with the lines that would declare it"),
).action(async (flags) => {
  exit = await (await import("./commands/plan.ts")).plan(interruptible(), flags);
});

planning(
  program
    .command("apply")
    .description("plan, ask, make the changes, and read again what was touched")
    .argument("[plan]", "a plan saved by `plan --out`: what it holds and the files still ask for, without asking")
    .option("--yes", "don't ask")
    .option("--concurrency <n>", "changes under way at once (default: 10)", wholeNumber(1))
    .option("--journal <file>", "append to this file what is done: JSON lines, before and after each call"),
).action(async (file, flags) => {
  exit = await (await import("./commands/apply.ts")).apply(interruptible(), flags, file);
});

service(
  program
    .command("drift")
    .description("is live still as the files say? For a schedule: exits with 2 if not; never writes")
    .option("--base <ref>", "compare live with the files of this commit of git instead"),
).action(async (flags) => {
  exit = await (await import("./commands/drift.ts")).drift(interruptible(), flags);
});

service(program.command("doctor"))
  .description("check the way to the service: address, key, time zone, domains and spaces, rate limit, deletes")
  .action(async (flags) => {
    exit = await (await import("./commands/doctor.ts")).doctor(interruptible(), flags);
  });

program
  .command("comment")
  .description("put a report into the pull or merge request: its comment is updated, or written if there is none")
  .argument("<file>", "a report that `--format markdown=FILE` wrote")
  .option("--github", "on GitHub: with GITHUB_TOKEN, and what a job's variables say")
  .option("--gitlab", "on GitLab: with GITLAB_TOKEN, and what a job's variables say")
  .option("--pull-request <n>", "the pull or merge request (default: the one that the job is of)", wholeNumber(1))
  .option("--issue", "into an issue instead: the open one is updated, or one is opened")
  .option("--close", "with --issue: say it in the open one and close that; never opens one")
  .helpOption("--help", "print this help")
  .action(async (file, flags) => {
    exit = await (await import("./commands/comment.ts")).comment(plainWorld, file, flags);
  });

program
  .command("sandbox")
  .description("run the service in one process, for trying and testing")
  .option("--port <n>", "the port to listen on (default: any free one)", wholeNumber(0))
  .option("--data <file>", "keep the state in this file (default: in memory)")
  .option("--seed <file>", "begin with the state of this file")
  .option("--rate-limit <n>", "requests a minute, 0 for no limit (default: 60)", wholeNumber(0))
  .addOption(
    new Option("--delete-path <path>", "which delete path works (default: api)").choices(["documented", "api", "both"]),
  )
  .option("--timezone <zone>", "the account's time zone (default: UTC)")
  .addOption(new Option("--software <version>", "the version to imitate (default: 4.1)").choices(["4.1", "4.9"]))
  .action(async (flags) => {
    const stopped = new Promise((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    exit = await (await import("./commands/sandbox.ts")).sandbox(plainWorld, flags, stopped);
  });

/** What commander throws is wrong usage, unless somebody asked for help or the version; those have been printed already. */
async function endingOf(cause: unknown): Promise<ExitCode> {
  line.show("");
  const isHelp = cause instanceof CommanderError && (cause.exitCode === 0 || cause.code === "commander.help");
  if (isHelp) return cause.exitCode === 0 ? EXIT.done : EXIT.usage;
  const { failureDocument, failureEvents, usageProblem, wantsOnStdout } = await import("./commands/usage.ts");
  const args = process.argv.slice(2);
  const named = args.find((arg) => !arg.startsWith("-"));
  const command = program.commands.find((one) => one.name() === named);
  const flags = (command?.createHelp().visibleOptions(command) ?? program.options).flatMap(({ long }) => long ?? []);
  const problem =
    cause instanceof CommanderError
      ? usageProblem(cause, command?.name() ?? null, flags)
      : (diagnosticOf(cause) ?? internalError(cause));
  const ended = cause instanceof CommanderError ? EXIT.usage : exitOf(cause);
  if (wantsOnStdout("json", args))
    process.stdout.write(`${jsonText(failureDocument(command?.name() ?? null, problem), 2)}\n`);
  else if (wantsOnStdout("ndjson", args) && command?.name() === "apply")
    process.stdout.write(failureEvents(problem, ended, VERSION, new Date().toISOString()));
  else line.print(diagnosticsText([problem], screenOf(process.stderr, process.env, !args.includes("--no-color"))));
  return ended;
}

try {
  await program.parseAsync();
} catch (cause) {
  exit = await endingOf(cause);
}
process.exitCode = exit;
