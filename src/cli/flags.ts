// Flags that several commands share. A command's help shows its own flags and names these; `linkform help flags` describes them.

import { Command, Help, InvalidArgumentError, Option } from "commander";
import { FORMATS_OF, isReportingCommand, type FormatName } from "../report/format.ts";

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

interface SharedFlag {
  readonly flags: string;
  readonly description: string;
  readonly parse?: (text: string) => unknown;
  readonly isRepeatable?: boolean;
}

const COMMON: readonly SharedFlag[] = [
  {
    flags: "--config <file>",
    description: "Use this project file; repeatable or a glob (default: linkform.yaml here or in a parent folder)",
    isRepeatable: true,
  },
  {
    flags: "--format <format[=file]>",
    description: "Choose the output format; with =file, write it to a file (repeatable)",
    isRepeatable: true,
  },
  { flags: "--json", description: "Print JSON; short for --format json" },
  { flags: "--quiet", description: "Print only the result and errors, and of similar changes only the keys" },
  { flags: "--verbose", description: "List every finding, and show more details" },
];

const MAX_LENGTH: SharedFlag = {
  flags: "--max-length <n>",
  description: "Limit a Markdown report to this number of characters (default: 65536)",
  parse: wholeNumber(1000),
};

const SERVICE: readonly SharedFlag[] = [
  { flags: "--base-url <url>", description: "Connect to this service (overrides the files and LINKFORM_BASE_URL)" },
  { flags: "--api-key-file <file>", description: "Read the API key from a file (default: LINKFORM_API_KEY)" },
  {
    flags: "--max-wait <seconds>",
    description: "Limit the total time spent waiting for the rate limit",
    parse: wholeNumber(0),
  },
];

function add(command: Command, shared: readonly SharedFlag[]): void {
  for (const { flags, description, parse, isRepeatable } of shared) {
    const option = new Option(flags, description).hideHelp();
    if (parse !== undefined) option.argParser(parse);
    if (isRepeatable === true) option.argParser(collect);
    command.addOption(option);
  }
}

/** Flags of every command that reports a result. */
export function common(command: Command): Command {
  const name = command.name();
  const formats: readonly FormatName[] = isReportingCommand(name) ? FORMATS_OF[name] : [];
  add(command, formats.includes("markdown") ? [...COMMON, MAX_LENGTH] : COMMON);
  return command.addHelpText("after", () => {
    const names = command.options.flatMap(({ hidden, long }) => (hidden ? (long ?? []) : []));
    // Wraps at 79 columns.
    return `\n${new Help().boxWrap(`Shared flags: ${names.join(", ")}`, 79).replaceAll("\n", "\n  ")}\nRun \`linkform help flags\` for what they do.`;
  });
}

/** Flags of commands that connect to the service. */
export function service(command: Command): Command {
  add(command, SERVICE);
  return common(command);
}

/** The shared flags, by the commands that have them. */
export const SHARED_FLAGS: readonly (readonly [string, readonly SharedFlag[]])[] = [
  ["All commands that print a result:", COMMON],
  ["Commands with Markdown reports:", [MAX_LENGTH]],
  ["Commands that connect to the service:", SERVICE],
];

/** The shared flags as a help text. */
export function sharedFlagsHelp(): string {
  const help = new Command().usage("").helpOption(false);
  for (const [group, shared] of SHARED_FLAGS) {
    help.optionsGroup(group);
    for (const { flags, description } of shared) help.option(flags, description);
  }
  return help.helpInformation().replace(/^Usage:.*\n\n/, "");
}

/** The flag for generated resources, of commands that read them. */
export const RESOURCES = [
  "--resources <file>",
  "Add generated links and pixels in YAML or JSON from this file, or from stdin with `-` (repeatable)",
  collect,
] as const;

/** Options of a plan. A saved plan contains them. */
export function planning(command: Command): Command {
  command
    .optionsGroup("Planning:")
    .option("--base <ref>", "Compare with this git commit to detect removed links and where changes come from")
    .addOption(
      new Option(
        "--changed [when]",
        "Read and plan only what differs from --base (auto: only with more than 3,000 links)",
      ).choices(["always", "auto", "never"]),
    )
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
