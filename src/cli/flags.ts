// Flags that several commands share. The help of a command lists them after its own.

import { InvalidArgumentError, Option, type Command } from "commander";
import { FORMATS_OF, isReportingCommand, PROJECT_COMMANDS, type FormatName } from "../report/format.ts";
import { FORMAT_MEANINGS, table } from "./help.ts";

/** Parses an integer of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  };
}

/** The number of a request, or the branch of one. */
export function numberOrBranch(text: string): number | string {
  if (/^\d+$/.test(text)) return wholeNumber(1)(text);
  if (/^[\w.][\w./-]*$/.test(text)) return text;
  throw new InvalidArgumentError("Expected a number or the name of a branch.");
}

/** Collects the values of a flag that can be repeated. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** A flag that accepts only these words. */
export function choice(flags: string, description: string, words: string): Option {
  return new Option(flags, description).choices(words.split(" "));
}

/** The group of flags that have the same meaning in many commands. */
export const SHARED = "Shared flags:";

function shared(flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(SHARED);
}

/** Flags of every command that reports a result. */
export function common(command: Command): Command {
  const name = command.name();
  const formats: readonly FormatName[] = isReportingCommand(name) ? FORMATS_OF[name] : [];
  const isForSeveral = PROJECT_COMMANDS.some((one) => one === name);
  const use = isForSeveral ? "Use this project file, or several; repeatable or a glob" : "Use this project file";
  command
    .addOption(
      shared("--config <file>", `${use} (default: linkform.yaml here or in a parent folder)`).argParser(collect),
    )
    .addOption(
      shared(
        "--format <format[=file]>",
        "Choose the output format; with =file, write it to a file (repeatable)",
      ).argParser(collect),
    )
    .addOption(shared("--json", "Print JSON; short for --format json"))
    .addOption(shared("--quiet", "Print only the result and errors"))
    .addOption(shared("--verbose", "List every place of a finding, and show more details"));
  if (formats.includes("markdown"))
    command.addOption(
      shared("--max-length <n>", "Limit a Markdown report to this number of characters (default: 65536)").argParser(
        wholeNumber(1000),
      ),
    );
  return command.addHelpText(
    "after",
    () => `\nFormats:\n${table(formats.map((format) => [format, FORMAT_MEANINGS[format]]))}`,
  );
}

/** Flags of commands that connect to the service. */
export function service(command: Command): Command {
  command
    .addOption(shared("--base-url <url>", "Connect to this service (overrides the files and LINKFORM_BASE_URL)"))
    .addOption(shared("--api-key-file <file>", "Read the API key from a file (default: LINKFORM_API_KEY)"))
    .addOption(
      shared("--max-wait <seconds>", "Limit the total time spent waiting for the rate limit").argParser(wholeNumber(0)),
    );
  return common(command);
}

/** The flag for generated resources, of commands that read them. */
export const RESOURCES = [
  "--resources <file>",
  "Add generated links and pixels in YAML or JSON from this file, or from stdin with `-` (repeatable)",
  collect,
] as const;

const CHANGED = "Read and plan only what differs from --base (auto: only with more than 3,000 links)";

/** Options of a plan. A saved plan contains them. */
export function planning(command: Command): Command {
  command
    .optionsGroup("Planning:")
    .option("--base <ref>", "Compare with this git commit to detect removed links and where changes come from")
    .addOption(choice("--changed [when]", CHANGED, "always auto never"))
    .option(...RESOURCES)
    .option("--resend-secrets [glob]", "Send passwords again: of all links, or with =glob of keys that match");
  return service(choosing(command));
}

/** Which changes are planned, and how many are allowed. */
export function choosing(command: Command): Command {
  return command
    .option("--target <glob>", "Plan only keys that match, and what they need (repeatable)", collect)
    .option("--exclude <glob>", "Skip keys that match, and anything that depends on them (repeatable)", collect)
    .option("--allow-deletes <n>", "Allow up to n deletes in this run", wholeNumber(0))
    .option("--allow-updates <n>", "Allow up to n updates in this run", wholeNumber(0))
    .option("--allow-clicks <n>", "Allow this run to lose up to n clicks", wholeNumber(0));
}

/** How changes are applied. */
export function executing(command: Command): Command {
  return command
    .option("-y, --yes", "Apply without asking for confirmation")
    .option("--concurrency <n>", "Send up to n changes at the same time (default: 10)", wholeNumber(1))
    .option(
      "--record <file>",
      "Write the record for `linkform undo` to this file, or `none` (default: in .linkform/runs)",
      (file: string) => (file === "none" ? (false as const) : file),
    );
}
