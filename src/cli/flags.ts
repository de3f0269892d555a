// Flags that several commands share, and the tables of the help.

import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import { FORMATS_OF, isReportingCommand, PROJECT_COMMANDS, type FormatName } from "../report/format.ts";
import { EXIT, type ExitCode } from "../errors.ts";

/** Parses an integer of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  };
}

export function numberOrBranch(text: string): number | string {
  if (/^\d+$/.test(text)) return wholeNumber(1)(text);
  if (/^[\w.][\w./-]*$/.test(text)) return text;
  throw new InvalidArgumentError("Expected a number or the name of a branch.");
}

/** The command with this name or alias. */
export function commandNamed(program: Command, name = ""): Command | undefined {
  return program.commands.find((one) => one.name() === name || one.aliases().includes(name));
}

/** Collects the values of a flag that can be repeated. */
export function collect(text: string, before: unknown): readonly string[] {
  return Array.isArray(before) ? [...before.map(String), text] : [text];
}

/** The allowed words of a value, a function that reads it, or the flags that it cannot be used with. */
type ReadValue = string | ((text: string, before: unknown) => unknown) | { readonly conflicts: string[] };

/** A flag or an argument. A text alone is the title of the group of the flags after it. */
export type Input = string | readonly [written: string, about: string, read?: ReadValue];

export function addInputs(command: Command, inputs: readonly Input[]): void {
  for (const input of inputs) {
    if (typeof input === "string") {
      command.optionsGroup(input);
      continue;
    }
    const [written, about, read] = input;
    const added = written.startsWith("-") ? new Option(written, about) : new Argument(written, about);
    if (typeof read === "string") added.choices(read.split(" "));
    if (typeof read === "function") added.argParser(read);
    if (added instanceof Argument) command.addArgument(added);
    else command.addOption(typeof read === "object" ? added.conflicts(read.conflicts) : added);
  }
}

/** Flags that have the same meaning in many commands. */
export const SHARED = "Shared flags:";

/** Adds the flags of every command that reports a result. */
export function addReport(command: Command): void {
  const name = command.name();
  if (!isReportingCommand(name)) return;
  const formats: readonly FormatName[] = FORMATS_OF[name];
  const isForSeveral = PROJECT_COMMANDS.some((one) => one === name);
  const use = isForSeveral ? "Use this project file, or several; repeatable or a glob" : "Use this project file";
  addInputs(command, [
    SHARED,
    ["--config <file>", `${use} (default: linkform.yaml here or in a parent folder)`, collect],
    ["--format <format[=file]>", "Choose the output format; with =file, write it to a file (repeatable)", collect],
    ["--json", "Print JSON; short for --format json"],
    ["--quiet", "Print only the result and errors", { conflicts: ["verbose"] }],
    ["--verbose", "List every place of a finding, and show more details"],
    ...(formats.includes("markdown") ? [MAX_LENGTH] : []),
  ]);
  const meanings = formats.map((format) => [format, FORMAT_MEANINGS[format]] as const);
  command.addHelpText("after", () => `\nFormats:\n${table(meanings)}`);
}

const MAX = "Limit a Markdown report to n characters (default: 65536)";
const MAX_LENGTH: Input = ["--max-length <n>", MAX, wholeNumber(1000)];

export const SERVICE: readonly Input[] = [
  SHARED,
  ["--base-url <url>", "Connect to this service (overrides the files and LINKFORM_BASE_URL)"],
  ["--api-key-file <file>", "Read the API key from a file (default: LINKFORM_API_KEY)"],
  ["--max-wait <seconds>", "Limit the total time spent waiting for the rate limit", wholeNumber(0)],
];

export const RESOURCES: Input = [
  "--resources <file>",
  "Add generated links and pixels in YAML or JSON from this file, or from stdin with `-` (repeatable)",
  collect,
];

/** Which changes are planned, and how many are allowed. */
export const CHOOSING: readonly Input[] = [
  ["--target <glob>", "Plan only keys that match, and what they need (repeatable)", collect],
  ["--exclude <glob>", "Skip keys that match, and anything that depends on them (repeatable)", collect],
  ["--allow-deletes <n>", "Allow up to n deletes in this run", wholeNumber(0)],
  ["--allow-updates <n>", "Allow up to n updates in this run", wholeNumber(0)],
  ["--allow-clicks <n>", "Allow this run to lose up to n clicks", wholeNumber(0)],
];

const CHANGED = "Read and plan only what differs from --base (auto: only with more than 3,000 links)";

/** A saved plan contains these. */
export const PLANNING: readonly Input[] = [
  "Planning:",
  ["--base <ref>", "Compare with this git commit to detect removed links and where changes come from"],
  ["--changed [when]", CHANGED, "always auto never"],
  RESOURCES,
  ["--resend-secrets [glob]", "Send passwords again: of all links, or with =glob of keys that match"],
  ...CHOOSING,
];

export const EXECUTING: readonly Input[] = [
  ["-y, --yes", "Apply without asking for confirmation"],
  ["--concurrency <n>", "Send up to n changes at the same time (default: 10)", wholeNumber(1)],
  [
    "--record <file>",
    "Write the record for `linkform undo` to this file, or `none` (default: in .linkform/runs)",
    (file) => (file === "none" ? false : file),
  ],
];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: "Done, no changes, or changes shown without --detailed-exitcode",
  [EXIT.error]: "Error, and nothing was applied",
  [EXIT.changes]: "Changes are pending (plan --detailed-exitcode, drift)",
  [EXIT.refused]: "Refused by a brake, or every change of a saved plan is different now",
  [EXIT.partial]: "Partly applied: something failed, was skipped or could not be verified",
  [EXIT.usage]: "Wrong usage, or a confirmation is needed and there is no terminal",
  [EXIT.interrupted]: "Interrupted",
};

export const VARIABLES: readonly (readonly [string, string])[] = [
  ["LINKFORM_API_KEY", "The API key (or --api-key-file)"],
  ["LINKFORM_BASE_URL", "The service address; set it in CI"],
  ["LINKFORM_API_KEY_*", "The API key of another account"],
  ["LINKFORM_BASE_URL_*", "The address that gets this key"],
  ["LINKFORM_SECRET_*", "Passwords that the files refer to"],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "The proxy for all connections"],
  ["NODE_EXTRA_CA_CERTS", "A file with more trusted certificates"],
  ["NO_COLOR, FORCE_COLOR", "Disable or force colors"],
  ["GITHUB_TOKEN, GH_TOKEN, GITLAB_TOKEN", "The token for `linkform comment`"],
];

export const FORMAT_MEANINGS: Readonly<Record<FormatName, string>> = {
  text: "For people in a terminal",
  json: "One JSON document, also for errors (see schemas/ in the package)",
  ndjson: "The lines of the record, while the run goes on",
  markdown: "For a comment in a pull request",
  html: "A page to archive or share",
  github: "Annotations in GitHub Actions",
  gitlab: "A code quality report for GitLab",
  csv: "A spreadsheet",
};

/** What follows the commands in the help of the program. */
export function helpTables(): string {
  return `
Exit codes:
${table(Object.entries(EXIT_MEANINGS))}

Environment variables:
${table(VARIABLES)}`;
}

/** Rows of a help text, with their meanings below each other. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`).join("\n");
}
