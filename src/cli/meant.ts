// Commands and flags of other tools, and what they are called here.

/** Hints for unknown commands. */
const COMMANDS: Readonly<Record<string, string>> = {
  ...sameHint("Run `linkform apply` to make the changes of the files.", [
    "deploy",
    "push",
    "sync",
    "up",
    "publish",
    "update",
  ]),
  ...sameHint("Run `linkform plan`: it shows what apply would change, and never writes.", [
    "preview",
    "dry-run",
    "compare",
  ]),
  ...sameHint("Run `linkform rm KEY` to replace a link with a tombstone. The next apply deletes it.", [
    "delete",
    "remove",
    "destroy",
    "del",
  ]),
  ...sameHint("Set the environment variable LINKFORM_API_KEY, then run `linkform doctor` to check it.", [
    "login",
    "auth",
    "configure",
    "logout",
  ]),
  ...sameHint("Run `linkform validate` to check the files.", ["check", "lint", "verify", "test"]),
  ...sameHint("Run `linkform list` to list live links, or `linkform list pixels`.", [
    "ls",
    "links",
    "pixels",
    "search",
    "find",
  ]),
  ...sameHint("Run `linkform show KEY` to show a link or pixel.", ["get", "describe", "inspect", "view", "cat"]),
  ...sameHint("Run `linkform undo last` to revert the last apply.", ["rollback", "revert", "restore"]),
  ...sameHint("Run `linkform init` to create a project.", ["new", "start", "setup", "bootstrap"]),
  ...sameHint("Add the link to a file, then run `linkform plan`. `linkform init` creates a project with an example.", [
    "create",
    "add",
    "shorten",
  ]),
  ...sameHint("Run `linkform pull` to write the live state into the files.", [
    "fetch",
    "download",
    "dump",
    "backup",
    "refresh",
  ]),
  ...sameHint("Run `linkform sandbox` to start a local copy of the service.", [
    "serve",
    "server",
    "mock",
    "start-server",
  ]),
  ...sameHint("Run `linkform explain LINK` to show where a link leads.", ["open", "resolve", "visit", "trace", "why"]),
  ...sameHint(
    "There is no language server. Editors complete and check the files with a schema: add the comment that `linkform init` writes as the first line, or run `linkform schema`.",
    ["lsp", "language-server", "editor"],
  ),
  ...sameHint("Run `linkform help environment` for the environment variables.", ["config", "env", "settings"]),
  version: "Run `linkform --version`.",
  upgrade: "Install the new version in the way that you installed linkform.",
  csv: "Run `linkform import csv FILE` to import a spreadsheet.",
};

/** Hints for unknown flags. */
const FLAGS: Readonly<Record<string, string>> = {
  ...sameHint("Use --yes to apply without a confirmation.", [
    "--auto-approve",
    "--assume-yes",
    "--no-confirm",
    "--non-interactive",
  ]),
  ...sameHint("Set the environment variable LINKFORM_API_KEY, or use --api-key-file FILE.", [
    "--api-key",
    "--token",
    "--key",
    "--api-token",
  ]),
  ...sameHint("Use --base-url URL to connect to another service.", [
    "--url",
    "--host",
    "--server",
    "--endpoint",
    "--api-url",
  ]),
  ...sameHint("Use --format FORMAT=FILE to write a report to a file.", ["--output", "-o", "--report"]),
  ...sameHint("Use --config FILE to use another project file.", ["--file", "-f", "-c", "--project", "--dir", "--cwd"]),
  ...sameHint("Use --base REF to compare with a git commit.", ["--ref", "--branch", "--since", "--from"]),
  ...sameHint("Use --target GLOB to plan only keys that match.", ["--only", "--filter", "--include", "--select"]),
  ...sameHint("Use --exclude GLOB to skip keys that match.", ["--skip", "--ignore-keys", "--except"]),
  ...sameHint("Use --concurrency N.", ["--parallel", "--parallelism", "--jobs", "-j", "--workers"]),
  ...sameHint("Use --quiet.", ["--silent", "-q", "-s"]),
  ...sameHint("Use --verbose.", ["--debug", "--trace", "-V", "--log-level"]),
  ...sameHint("Set `prune` in the project file to delete links that no file declares.", ["--prune", "--delete"]),
  ...sameHint("Use --detailed-exitcode to exit with 2 if there are changes.", ["--exit-code", "--fail-on-changes"]),
  "--dry-run": "Run `linkform plan`: it shows what apply would change, and never writes.",
  "--force": "Use --allow-deletes N or --allow-updates N to raise the limits of the brake for this run.",
};

function sameHint(hint: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hint]));
}

/** The hint for a command of another tool; null if the word is not known. */
export function commandMeant(name: string): string | null {
  return entry(COMMANDS, name.toLowerCase());
}

/** The hint for a flag of another tool; null if the flag is not known. */
export function flagMeant(flag: string): string | null {
  return entry(FLAGS, flag.replace(/=.*/s, ""));
}

function entry(hints: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(hints, name) ? (hints[name] ?? null) : null;
}
