// The inputs of the action, and the arguments that they become.

import { readdirSync } from "node:fs";
import path from "node:path";

const FLAGS = ["COMMENT", "ISSUE"];
const COMMANDS = ["validate", "plan", "apply", "drift", "check", "projects", "merge"];

/** Reads INPUT_…; `problem` is an error message or null. */
export function readInputs(env) {
  const isStarted = env.GITHUB_EVENT_NAME === "workflow_dispatch";
  const input = (name) => (env[`INPUT_${name}`] ?? "").trim();
  const inputs = {
    command: input("COMMAND") || "plan",
    version: input("VERSION"),
    integrity: input("INTEGRITY"),
    workingDirectory: input("WORKING_DIRECTORY") || ".",
    configs: input("CONFIG")
      .split(/\s*\n\s*/)
      .filter(Boolean),
    key: input("KEY"),
    baseUrl: input("BASE_URL"),
    base: input("BASE"),
    // A deploy that somebody starts also restores manual changes, which are not in the files.
    changed: isStarted && input("CHANGED") === "auto" ? "never" : input("CHANGED"),
    moveBase: input("MOVE_BASE") || "false",
    allowDeletes: input("ALLOW_DELETES"),
    allowUpdates: input("ALLOW_UPDATES"),
    allowClicks: input("ALLOW_CLICKS"),
    resendSecrets: input("RESEND_SECRETS"),
    planFile: input("PLAN_FILE"),
    report: input("REPORT"),
    reports: input("REPORTS"),
    comment: input("COMMENT") === "true",
    issue: input("ISSUE") === "true" || input("DRIFT_MODE") === "issue",
    pullRequest: input("DRIFT_MODE") === "pull-request",
    token: input("TOKEN"),
  };
  const flag = FLAGS.find((name) => !["", "true", "false"].includes(input(name)));
  if (flag !== undefined)
    return { inputs, problem: `The input ${flag.toLowerCase().replace("_", "-")} must be true or false.` };
  if (!["true", "false", "create"].includes(inputs.moveBase))
    return { inputs, problem: "The input move-base must be true, false or create." };
  if (!["", "issue", "pull-request"].includes(input("DRIFT_MODE")))
    return { inputs, problem: "The input drift-mode must be issue or pull-request." };
  if (!COMMANDS.includes(inputs.command))
    return { inputs, problem: `The input command must be one of ${COMMANDS.join(", ")}.` };
  if (inputs.command === "merge" && inputs.reports === "")
    return { inputs, problem: "The command merge needs the input reports: the folder with the JSON reports." };
  if (inputs.version !== "" && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(inputs.integrity))
    return {
      inputs,
      problem:
        "The input version needs the input integrity: the hash of the package, such as sha512-…. `npm pack --json` prints it.",
    };
  return { inputs, problem: null };
}

/** The arguments of the run. Values are attached to their flags with `=`, so that no value is read as a flag. */
export function argumentsOf(inputs, files) {
  const { command } = inputs;
  const flag = (name, value) => (value === "" ? [] : [`--${name}=${value}`]);
  // A saved plan is for one project.
  const named = inputs.configs.filter((config) => files.plan === "" || !/[*?{]/.test(config));
  const configs = named.map((config) => `--config=${config}`);
  const isPlanned = command === "plan" || command === "apply";
  const isSaved = command === "apply" && files.plan !== "";
  if (command === "projects")
    return [
      command,
      "--format=json",
      ...configs,
      ...(inputs.base === "" ? [] : ["--changed", ...flag("base", inputs.base)]),
    ];
  const formats = [
    "--format=text",
    ...["json", "markdown", "html", "github"].map((format) => `--format=${format}=${files[format]}`),
  ];
  if (command === "merge") return [command, ...formats, ...files.reports];
  return [
    command,
    ...(isSaved ? [files.plan] : []),
    ...formats,
    ...configs,
    ...flag("base", inputs.base),
    ...(isPlanned && !isSaved && inputs.base !== "" ? flag("changed", inputs.changed) : []),
    ...(isPlanned ? flag("allow-deletes", inputs.allowDeletes) : []),
    ...(isPlanned ? flag("allow-updates", inputs.allowUpdates) : []),
    ...(isPlanned ? flag("allow-clicks", inputs.allowClicks) : []),
    ...(isPlanned ? flag("resend-secrets", inputs.resendSecrets) : []),
    ...(command === "plan" ? ["--detailed-exitcode", ...flag("out", files.plan)] : []),
    ...(command === "apply" && inputs.moveBase === "true" ? ["--move-base"] : []),
    ...(command === "apply" && inputs.moveBase === "create" ? ["--move-base=create"] : []),
    ...(command === "apply" && !isSaved ? ["--yes"] : []),
    ...(command === "check" ? ["--max-wait=3000"] : []), // The job has an hour.
  ];
}

/** The JSON files in a folder and the folders in it, in the order of their paths. */
export function reportsIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .toSorted();
}
