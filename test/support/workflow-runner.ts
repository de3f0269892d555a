// Runs a job of a workflow as GitHub's runner would, with GitHub's evaluator of expressions: the shell steps in bash, and our action by its
// action.yml, in the test's checkout. Of other actions, it records the inputs.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";
import { ROOT } from "./documents.ts";
import { run } from "./program.ts";
import { git, GIT_ENV } from "./repository.ts";
import { temporaryFolder } from "./scenario.ts";

/** A step in a workflow or in action.yml. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Values;
  readonly env?: Values;
}

type Values = Readonly<Record<string, string | number | boolean>>;
type Strings = Readonly<Record<string, string>>;

/** GitHub's data about a run. */
export interface Occasion {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly ref?: string;
  readonly actor?: string;
  /** Where the repository is checked out. */
  readonly checkout: string;
  readonly secrets?: Strings;
  readonly inputs?: Strings;
  /** The value of `github.token`. */
  readonly token?: string;
  /** The checkout of our action. Default: this one. */
  readonly action?: string;
  /** What happens elsewhere during the checkout. */
  readonly meanwhile?: () => Promise<unknown>;
  /** The runner's own variables: where the API is, and whatever else a test wants there. SUMMARY_BYTES_BEFORE: what a step's
   * summary holds already. */
  readonly env?: Strings;
}

interface StepRun {
  /** The conclusion, and what `steps.ID.outputs` holds. */
  readonly outcome: "success" | "failure" | "skipped";
  readonly outputs: Strings;
  readonly step: Step;
  readonly with: Strings;
  readonly log: string;
  readonly summary: string;
  /** The steps of our action. */
  readonly inner?: readonly StepRun[];
}

export interface JobRun {
  readonly outcome: "success" | "failure" | "skipped";
  readonly log: string;
  /** The step with this id. */
  step(id: string): StepRun;
  /** The only step of our action. */
  ours(): StepRun;
}

interface Scope {
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly isFine: boolean;
}

interface Job {
  readonly if?: string;
  readonly env?: Values;
  readonly steps: readonly Step[];
}

/** The jobs of a workflow's file, with its variables. */
async function jobsOf(file: string): Promise<Readonly<Record<string, Job>>> {
  const { env, jobs }: { env?: Values; jobs: Record<string, Job> } = parse(
    await readFile(path.resolve(ROOT, file), "utf8"),
  );
  return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, { ...job, env: { ...env, ...job.env } }]));
}

/** Runs a job of a workflow's file. */
export async function runJob(file: string, name: string, occasion: Occasion): Promise<JobRun> {
  const job = (await jobsOf(file))[name];
  if (job === undefined) throw new Error(`${file} has no job ${name}`);
  return runSteps(job.steps, occasion, job.env, job.if);
}

/** Runs steps that are in no file. */
export async function runSteps(
  steps: readonly Step[],
  occasion: Occasion,
  env: Values = {},
  condition = "true",
): Promise<JobRun> {
  const runner = await runnerOf(occasion);
  const github = await githubOf(occasion);
  const known = { github, secrets: occasion.secrets ?? {}, inputs: occasion.inputs ?? {} };
  if (!holds(condition, { contexts: known, isFine: true })) return jobRun("skipped", []);
  // As actions/checkout leaves it with `fetch-depth: 0`.
  await git(occasion.checkout, "fetch", "--quiet", "--force", "--tags", "origin");
  await occasion.meanwhile?.();
  const ran = await runAll(steps, known, env, runner, occasion.checkout);
  return jobRun(ran.some(({ outcome }) => outcome === "failure") ? "failure" : "success", ran);
}

/** Runs all jobs of a workflow file. Returns those that were not skipped. Each has a new clone of the remote at the commit of the checkout. */
export async function runWorkflow(file: string, occasion: Occasion): Promise<Readonly<Record<string, JobRun>>> {
  const contexts = { github: await githubOf(occasion), inputs: occasion.inputs ?? {} };
  const ran: Record<string, JobRun> = {};
  for (const [name, job] of Object.entries(await jobsOf(file))) {
    if (!holds(job.if ?? "success()", { contexts, isFine: true })) continue;
    const checkout = await cloned(occasion.checkout);
    ran[name] = await runSteps(job.steps, { ...occasion, checkout }, job.env);
  }
  return ran;
}

async function cloned(source: string): Promise<string> {
  const folder = await temporaryFolder();
  await git(folder, "clone", "--quiet", await git(source, "remote", "get-url", "origin"), ".");
  await git(folder, "fetch", "--quiet", source, "HEAD");
  await git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD");
  return folder;
}

function jobRun(outcome: JobRun["outcome"], steps: readonly StepRun[]): JobRun {
  const find = (name: string, isIt: (step: Step) => boolean): StepRun => {
    const found = steps.find(({ step }) => isIt(step));
    if (found === undefined) throw new Error(`no step ${name}`);
    return found;
  };
  return {
    outcome,
    log: steps.map(({ log }) => log).join(""),
    step: (id) => find(id, (step) => step.id === id),
    ours: () => find("of our action", isOurs),
  };
}

function isOurs({ uses = "" }: Step): boolean {
  return /\/linkform@/.test(uses);
}

async function runAll(
  steps: readonly Step[],
  known: Readonly<Record<string, unknown>>,
  env: Values,
  runner: Strings,
  cwd: string,
): Promise<StepRun[]> {
  const ran: StepRun[] = [];
  for (const step of steps) {
    const done = ran.flatMap(({ step: { id }, outputs, outcome }) =>
      id === undefined ? [] : [[id, { outputs, outcome, conclusion: outcome }]],
    );
    const isFine = ran.every(({ outcome }) => outcome !== "failure");
    const before = { contexts: { ...known, steps: Object.fromEntries(done), env: {} }, isFine };
    const outer = fill(env, before);
    const scope = { contexts: { ...before.contexts, env: outer }, isFine };
    const given = fill(step.with ?? {}, scope);
    const skipped: StepRun = { outcome: "skipped", outputs: {}, step, with: given, log: "", summary: "" };
    if (!holds(step.if ?? "success()", scope)) {
      ran.push(skipped);
      continue;
    }
    const own = { ...outer, ...fill(step.env ?? {}, scope) };
    if (step.run !== undefined) ran.push({ ...(await runShell(step, own, runner, cwd)), with: given });
    else if (isOurs(step)) ran.push(await runOurs(step, given, own, known, runner, cwd));
    else ran.push({ ...skipped, outcome: "success" });
  }
  return ran;
}

/** Our action, by its file. */
async function runOurs(
  step: Step,
  given: Strings,
  env: Values,
  known: Readonly<Record<string, unknown>>,
  runner: Strings,
  cwd: string,
): Promise<StepRun> {
  const action: {
    inputs: Record<string, { default?: string }>;
    outputs: Record<string, { value: string }>;
    runs: { steps: Step[] };
  } = parse(await readFile(path.join(ROOT, "action.yml"), "utf8"));
  const defaults = fill(
    Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""])),
    { contexts: known, isFine: true },
  );
  const inner = { github: known["github"], inputs: { ...defaults, ...given } };
  const ran = await runAll(action.runs.steps, inner, env, runner, cwd);
  const steps = Object.fromEntries(ran.map(({ step: { id = "" }, outputs }) => [id, { outputs }]));
  const values = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value]));
  return {
    outcome: ran.some(({ outcome }) => outcome === "failure") ? "failure" : "success",
    outputs: fill(values, { contexts: { ...inner, steps }, isFine: true }),
    step,
    with: given,
    log: ran.map(({ log }) => log).join(""),
    summary: ran.map(({ summary }) => summary).join(""),
    inner: ran,
  };
}

async function runShell(step: Step, env: Values, runner: Strings, cwd: string): Promise<StepRun> {
  const folder = await temporaryFolder();
  const [script, output, summary] = ["script.sh", "output", "summary"].map((name) => path.join(folder, name));
  if (script === undefined || output === undefined || summary === undefined) throw new Error("no files");
  await writeFile(script, step.run ?? "");
  await writeFile(output, "");
  await writeFile(summary, "x".repeat(Number(runner["SUMMARY_BYTES_BEFORE"] ?? "0")));
  const flags = step.shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"];
  const texts = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, `${value}`]));
  const { exit, out, err } = await run("bash", [...flags, script], cwd, {
    ...runner,
    ...texts,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
  });
  return {
    outcome: exit === 0 ? "success" : "failure",
    outputs: outputsOf(await readFile(output, "utf8")),
    step,
    with: {},
    log: `${out}${err}`,
    summary: await readFile(summary, "utf8"),
  };
}

/** The outputs of a step, as the runner reads them. */
function outputsOf(text: string): Strings {
  const found: Record<string, string> = {};
  const lines = text.split("\n");
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    const [, name, end] = /^([^=]*?)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined && end !== undefined) {
      const last = lines.indexOf(end);
      if (last < 0) throw new Error(`The output ${name} has no end.`);
      found[name] = lines
        .splice(0, last + 1)
        .slice(0, -1)
        .join("\n");
      continue;
    }
    const at = line.indexOf("=");
    if (at > 0) found[line.slice(0, at)] = line.slice(at + 1);
    else if (line !== "") throw new Error(`The runner does not understand the output ${line}.`);
  }
  return found;
}

async function runnerOf({
  env = {},
  event,
  payload,
  checkout,
  action = ROOT,
  ref = "refs/heads/main",
}: Occasion): Promise<Strings> {
  const folder = await temporaryFolder();
  const file = path.join(folder, "event.json");
  await writeFile(file, JSON.stringify(payload));
  return {
    ...GIT_ENV,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "octo/links",
    GITHUB_RUN_ID: "7",
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: file,
    GITHUB_REF: ref,
    GITHUB_REF_NAME: ref.replace(/^refs\/(?:heads|tags|pull)\//, ""),
    GITHUB_SHA: await git(checkout, "rev-parse", "HEAD"),
    GITHUB_WORKSPACE: checkout,
    GITHUB_ACTION_PATH: action,
    RUNNER_TEMP: await temporaryFolder(),
    ...env,
  };
}

async function githubOf({
  event,
  payload,
  ref = "refs/heads/main",
  actor = "someone",
  token = "",
  checkout,
  env,
  inputs,
}: Occasion): Promise<Record<string, unknown>> {
  return {
    event_name: event,
    event: { ...payload, ...(inputs !== undefined && { inputs }) },
    ref,
    ref_name: ref.replace(/^refs\/(?:heads|tags|pull)\//, ""),
    sha: await git(checkout, "rev-parse", "HEAD"),
    repository: env?.["GITHUB_REPOSITORY"] ?? "octo/links",
    actor,
    token,
    workflow: "a workflow",
  };
}

/** Texts with evaluated expressions. */
function fill(values: Values, scope: Scope): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      `${value}`.replaceAll(/\$\{\{([^]*?)\}\}/g, (_, text: string) => evaluate(text, scope).coerceString()),
    ]),
  );
}

/** Whether an `if` is true. Without a status function, only if no step failed. */
function holds(condition: string, scope: Scope): boolean {
  const text = /^\s*\$\{\{([^]*)\}\}\s*$/.exec(condition)?.[1] ?? condition;
  const asks = /\b(?:always|success|failure|cancelled)\(/.test(text);
  return evaluate(`!!(${text})`, scope).coerceString() === "true" && (asks || scope.isFine);
}

/** Whether a condition is true, in GitHub's expression language. */
export function isTrue(text: string, contexts: Readonly<Record<string, unknown>>): boolean {
  return holds(text, { contexts, isFine: true });
}

function evaluate(text: string, { contexts, isFine }: Scope): data.ExpressionData {
  const states = { always: true, cancelled: false, success: isFine, failure: !isFine };
  const functions = Object.entries(states).map(([name, state]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(state),
  }));
  const { tokens } = new Lexer(text).lex();
  const expression = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known: data.Dictionary = JSON.parse(JSON.stringify(contexts), data.reviver);
  return new Evaluator(expression, known, new Map(functions.map((one) => [one.name, one]))).evaluate();
}
