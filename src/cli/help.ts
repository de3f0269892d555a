// What the help and docs/commands.md have besides commands and flags.

import { EXIT, type ExitCode } from "../errors.ts";
import type { FormatName } from "../report/format.ts";

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
export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`).join("\n");
}
