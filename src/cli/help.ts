// `linkform help [TOPIC]`: the help of a command, or a topic.

import type { Command } from "commander";
import { nearestOrLonger } from "../domain/nearest.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { FORMATS_OF, type FormatName } from "../report/format.ts";
import type { OutStream } from "../session/terminal-line.ts";
import { sharedFlagsHelp } from "./flags.ts";

/** What each exit code means. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: "Done, no changes, or changes shown without --detailed-exitcode",
  [EXIT.error]: "Error, and nothing was applied",
  [EXIT.changes]: "Changes are pending (plan --detailed-exitcode, drift)",
  [EXIT.refused]: "Refused by a brake, or every change of a saved plan is different now",
  [EXIT.partial]: "Partly applied: something failed, was skipped or could not be verified",
  [EXIT.usage]: "Wrong usage, or a confirmation is needed and there is no terminal",
  [EXIT.interrupted]: "Interrupted",
};

/** Environment variables that linkform reads. */
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

/** What each format is for. */
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

/** Help topics, each with its text. */
export const TOPICS: Readonly<Record<string, () => string>> = {
  environment: () => `Environment variables:\n${table(VARIABLES)}`,
  "exit-codes": () =>
    `Exit codes:\n${table(Object.entries(EXIT_MEANINGS))}\n\nIf several apply, the order is 64, 130, 4, 1, 3, 2, 0.\nWarnings never change the exit code.\n`,
  flags: sharedFlagsHelp,
  formatting: formattingHelp,
};

/** Prints the help of a command or a topic; without a name, that of the program. Throws a user error for an unknown name. */
export async function help(program: Command, name: string | null, out: OutStream): Promise<ExitCode> {
  const command = program.commands.find((one) => one.name() === name || one.aliases().includes(name ?? ""));
  const topic = TOPICS[name ?? ""];
  if (topic !== undefined) out.write(`${topic().trimEnd()}\n`);
  else if (name === null) program.outputHelp();
  else if (command !== undefined) command.outputHelp();
  else throw unknownTopic(program, name);
  return EXIT.done;
}

function unknownTopic(program: Command, name: string): UserError {
  const names = [...program.commands.map((one) => one.name()), ...Object.keys(TOPICS)];
  const meant = nearestOrLonger(name, names);
  const hint =
    meant === null ? "Run `linkform --help` to list commands and topics." : `Did you mean \`linkform help ${meant}\`?`;
  return new UserError("unknown-command", `Unknown command or help topic \`${name}\`.`, { hint, exit: EXIT.usage });
}

function formattingHelp(): string {
  const commands = Object.entries(FORMATS_OF).map(([command, formats]) => [command, formats.join(", ")] as const);
  return `Formats of --format:
${table(Object.entries(FORMAT_MEANINGS))}

Formats of each command:
${table(commands)}

The result goes to stdout, and everything else goes to stderr. One format goes
to stdout. Any number of formats can go to files:

  linkform plan --format json
  linkform plan --format markdown=plan.md --format html=plan.html

--json is short for --format json. --quiet prints only the result and errors.
--verbose explains each request, and lists every finding.
NO_COLOR disables colors; FORCE_COLOR enables them in a pipe.`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`).join("\n");
}
