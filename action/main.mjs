// What action.yml runs: linkform once, in every format that GitHub shows, then what GitHub is told of it.

import { mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { addSummary, annotate, annotateAll, mask, setOutputs, withoutCommands } from "./github.mjs";
import { findProgram, runProgram } from "./program.mjs";
import { argumentsOf, readInputs } from "./inputs.mjs";
import { outputsOf } from "./outputs.mjs";

/** linkform is done, or says that changes are pending. */
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
      `There is no folder ${inputs.workingDirectory} in the checkout: correct the input working-directory.`,
      64,
    );
  if (!isInside(realpathSync(cwd), realpathSync(env.GITHUB_WORKSPACE || ".")))
    return fail(`The folder ${inputs.workingDirectory} is not in the checkout: fix the input working-directory.`, 64);
  const files = filesOf(inputs, folder, cwd);
  const program = await withoutCommands(() => findProgram(inputs.version, env));
  if (program === null) return fail("linkform could not be installed: the log says why.", 1);

  const exit = await withoutCommands(() => runProgram(program, argumentsOf(inputs, files), cwd, childEnv(inputs, env)));
  const isFine = FINE.includes(exit);
  const annotations = textOf(files.github);
  if (annotations !== "") annotateAll(annotations);
  else if (!isFine) annotate("error", `linkform ${inputs.command} ended with ${exit}: the log says why.`);

  const report = textOf(files.markdown);
  const isSummed = addSummary(report, env);
  setOutputs(outputsOf(inputs, files, exit), env);

  const isTold = await tell(inputs, { exit, isSummed, report, files, program, cwd }, env);
  return isFine ? (isTold ? 0 : 1) : exit;
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

/** Where this run's files go, by what is in them. */
function filesOf({ command, report, journal, planFile }, folder, cwd) {
  const own = (end) => path.join(folder, `linkform-${command}${end}`);
  return {
    json: own(".json"),
    markdown: own(".md"),
    html: report === "" ? own(".html") : path.resolve(cwd, report),
    github: own(".annotations"),
    journal: command !== "apply" ? "" : journal === "" ? own(".journal") : path.resolve(cwd, journal),
    receipt: command === "apply" ? own(".receipt.json") : "",
    plan: planFile === "" ? "" : path.resolve(cwd, planFile),
  };
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // What ended too early has written none.
    return "";
  }
}

/** What linkform is given: no inputs, and not what writes to GitHub. */
function childEnv({ key, baseUrl }, env) {
  const kept = Object.entries(env).filter(([name]) => !/^(?:INPUT_.*|GITHUB_TOKEN|GH_TOKEN)$/.test(name));
  return {
    ...Object.fromEntries(kept),
    ...(key !== "" && { LINKFORM_API_KEY: key }),
    ...(baseUrl !== "" && { LINKFORM_BASE_URL: baseUrl }),
  };
}

/**
 * Writes the comment and the issue that were asked for. One that can't be written is a warning (a pull request from a fork may
 * write none), and false where nothing else tells what it would have: a job of the night is read by nobody.
 */
async function tell(inputs, { exit, isSummed, report, files, program, cwd }, env) {
  const write = async (what, flags) => {
    const tokens = { GITHUB_TOKEN: inputs.token, GH_TOKEN: "" };
    const args = ["comment", files.markdown, "--github", ...flags];
    const plain = { ...childEnv({ key: "", baseUrl: "" }, env), LINKFORM_API_KEY: "", ...tokens };
    const code = await withoutCommands(() => runProgram(program, args, cwd, plain));
    if (code !== 0) annotate("warning", `The ${what} could not be written: the log says why.`);
    return code === 0;
  };
  // Of a run that was cancelled, another one tells: both at once would write two comments.
  if (report === "" || exit === INTERRUPTED) return true;
  if (inputs.comment) {
    const isThere = isPullRequest(env);
    if (!isThere) process.stdout.write("No comment: this run is for no pull request.\n");
    else if (!(await write("comment", [])) && !isSummed) return false;
  }
  if (inputs.issue && inputs.command === "drift" && FINE.includes(exit))
    return write("issue", exit === 0 ? ["--issue", "--close"] : ["--issue"]);
  return true;
}

function isPullRequest(env) {
  try {
    return typeof JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")).pull_request?.number === "number";
  } catch {
    return false;
  }
}
