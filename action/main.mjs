// Runs linkform once in every format that GitHub shows, then pushes the tag and writes the summary, the outputs, the comment and the issue.

import { mkdtempSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { BRANCH, deleteDrift, pushDrift } from "./drift.mjs";
import { isNewest, openGit, pushTags, readTags } from "./git.mjs";
import { addSummary, annotate, annotateAll, mask, setOutputs, withoutCommands } from "./github.mjs";
import { findProgram, runProgram } from "./program.mjs";
import { argumentsOf, readInputs, reportsIn } from "./inputs.mjs";
import { BRAKED, outputsOf, reportsOf } from "./outputs.mjs";

/** Exit codes for done and for pending changes. */
const FINE = [0, 2];
const INTERRUPTED = 130;

process.exitCode = await main(process.env);

async function main(env) {
  const { inputs, problem } = readInputs(env);
  mask(inputs.key);
  mask(inputs.token);
  if (problem !== null) return fail(problem, 64);

  const folder = mkdtempSync(path.join(env.RUNNER_TEMP || ".", "linkform-"));
  const cwd = path.resolve(env.GITHUB_WORKSPACE || ".", inputs.workingDirectory);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    return fail(
      `The folder ${inputs.workingDirectory} does not exist in the checkout. Fix the input working-directory.`,
      64,
    );
  if (!isInside(realpathSync(cwd), realpathSync(env.GITHUB_WORKSPACE || ".")))
    return fail(`The folder ${inputs.workingDirectory} is outside the checkout. Fix the input working-directory.`, 64);
  const reports = path.resolve(cwd, inputs.reports);
  if (inputs.command === "merge" && statSync(reports, { throwIfNoEntry: false })?.isDirectory() !== true)
    return fail(`The folder ${inputs.reports} does not exist. Fix the input reports.`, 64);

  const files = filesOf(inputs, folder, cwd);
  const git = openGit(cwd, inputs, env);
  const isDeploy = inputs.command === "apply" && inputs.moveBase !== "false";
  const tags = isDeploy ? await tagsToMove(git, env) : null;
  if (tags === "old") {
    setOutputs({ "exit-code": 0, complete: false }, env);
    return 0;
  }
  if (tags === "unknown") return 1;
  const { program, problem: missing } = await withoutCommands(() => findProgram(inputs, env));
  if (missing !== undefined) return fail(missing, 1);

  // The list of projects is data: it goes into a file.
  const out = inputs.command === "projects" ? openSync(files.json, "w") : undefined;
  const args = argumentsOf(inputs, files);
  const exit = await withoutCommands(() => runProgram(program, args, cwd, childEnv(inputs, env), out));
  const isPushed = tags === null || (await push(git, tags));
  // A braked plan fails no pull request and no merge queue: people review it, and the brake still stops the deploy.
  const isReview = isPullRequest(env) || env.GITHUB_EVENT_NAME === "merge_group";
  const isReviewed = exit === BRAKED && ["plan", "merge"].includes(inputs.command) && isReview;
  const report = textOf(files.markdown);
  // At night, the issue has what was found.
  const isReported = exit === 1 && inputs.command === "check" && inputs.issue && !isPullRequest(env) && report !== "";
  const isFine = FINE.includes(exit) || isReviewed || isReported;
  const annotations = textOf(files.github);
  if (annotations !== "") annotateAll(annotations);
  else if (!isFine) annotate("error", `linkform ${inputs.command} failed with exit code ${exit}. See the log.`);

  const isSummed = addSummary(report, env);
  setOutputs(outputsOf(inputs, files, exit), env);

  const isPosted = await post(inputs, { exit, isSummed, report, files, program, cwd, git }, env);
  return isFine ? (isPosted && isPushed ? 0 : 1) : exit;
}

/** The tags before a deploy; "old" if the branch has a newer commit, whose run deploys, and "unknown" if git fails. */
async function tagsToMove(git, env) {
  try {
    if (await isNewest(git, env)) return await readTags(git);
    annotate("notice", "Not deployed, because the branch has a newer commit. Its run deploys these changes, too.");
    return "old";
  } catch (cause) {
    annotate("error", `git could not fetch the branch: ${cause.stderr || cause.message}`);
    return "unknown";
  }
}

/** Pushes the tags that linkform moved. It moves a tag only if everything in the files is live, so that later deploys see pending deletions. */
async function push(git, before) {
  try {
    await pushTags(git, before);
    return true;
  } catch (cause) {
    annotate("error", `The tag of the last applied commit could not be pushed: ${cause.stderr || cause.message}`);
    return false;
  }
}

/** A pull request can replace this folder with a link. linkform itself refuses links inside the folder. */
function isInside(folder, checkout) {
  const way = path.relative(checkout, folder);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

function fail(message, exit) {
  annotate("error", message);
  return exit;
}

/** The paths of the files that this run writes. */
function filesOf({ command, report, reports, planFile }, folder, cwd) {
  const own = (end) => path.join(folder, `linkform-${command}${end}`);
  return {
    json: own(".json"),
    markdown: own(".md"),
    html: report === "" ? own(".html") : path.resolve(cwd, report),
    github: own(".annotations"),
    record: own(".record.jsonl"),
    folder,
    cwd,
    reports: command === "merge" ? reportsIn(path.resolve(cwd, reports)) : [],
    plan: planFile === "" ? "" : path.resolve(cwd, planFile),
  };
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // A run that ended early has not written the file.
    return "";
  }
}

/** The environment of linkform, without the inputs and the GitHub tokens. */
function childEnv({ key, baseUrl }, env) {
  const kept = Object.entries(env).filter(([name]) => !/^(?:INPUT_.*|GITHUB_TOKEN|GH_TOKEN)$/.test(name));
  return {
    ...Object.fromEntries(kept),
    ...(key !== "" && { LINKFORM_API_KEY: key }),
    ...(baseUrl !== "" && { LINKFORM_BASE_URL: baseUrl }),
  };
}

/**
 * Writes the requested comment and issue. A failure is a warning, because a pull request from a fork cannot write comments. Returns
 * false if the report is shown nowhere else, because nobody reads the log of a scheduled job.
 */
async function post(inputs, { exit, isSummed, report, files, program, cwd, git }, env) {
  const write = async (what, flags) => {
    const tokens = { GITHUB_TOKEN: inputs.token, GH_TOKEN: "" };
    const args = ["comment", files.markdown, "--github", ...flags];
    const plain = { ...withoutKeys(childEnv({ key: "", baseUrl: "" }, env)), ...tokens };
    const code = await withoutCommands(() => runProgram(program, args, cwd, plain));
    if (code !== 0) annotate("warning", `The ${what} could not be written. See the log.`);
    return code === 0;
  };
  // The run that replaces a cancelled one writes the comment. Otherwise both would write one.
  if (report === "" || exit === INTERRUPTED) return true;
  const isCheck = inputs.command === "check";
  const found = reportsOf(files.json).flatMap(({ diagnostics = [] }) => diagnostics);
  const isQuiet = isCheck && found.every(({ severity }) => severity === "info");
  if (inputs.comment) {
    const flags = await commentFlags(inputs, files, git, env, isQuiet);
    if (flags === null) process.stdout.write("No comment, because this run has no pull request.\n");
    else if (!(await write("comment", flags)) && !isSummed) return false;
  }
  if (isCheck ? isPullRequest(env) || exit > 1 : inputs.command !== "drift" || !FINE.includes(exit)) return true;
  const close = (isCheck ? isQuiet : exit === 0) ? ["--close"] : [];
  if (inputs.issue) return write("issue", ["--issue", ...close]);
  if (!inputs.pullRequest) return true;
  const pull = (root, args) => withoutCommands(() => runProgram(program, args, root, childEnv(inputs, env)));
  try {
    if (exit !== 0) await pushDrift(git, files, env, pull);
    const isWritten = await write("pull request", [`--pull-request=${BRANCH}`, ...close]);
    if (exit === 0) await deleteDrift(git);
    return isWritten;
  } catch (cause) {
    annotate("error", cause.stderr || cause.message);
    return false;
  }
}

/** An apply is reported in the pull requests that it deployed; null if a run belongs to none. */
async function commentFlags({ command }, { json }, git, env, isQuiet) {
  if (isPullRequest(env)) return isQuiet ? ["--close"] : [];
  if (command !== "apply") return null;
  const bases = reportsOf(json).flatMap(({ base }) => base?.commit ?? []);
  if (bases.length === 0) return ["--merged"];
  // The common ancestor is the oldest base, because a tag only moves forward.
  const oldest = await git("merge-base", "--octopus", ...bases).catch(() => bases[0]);
  return [`--merged=${oldest}`];
}

/** The environment without API keys. */
function withoutKeys(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("LINKFORM_API_KEY")));
}

function isPullRequest(env) {
  return typeof eventOf(env).pull_request?.number === "number";
}

function eventOf(env) {
  try {
    return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));
  } catch {
    return {};
  }
}
