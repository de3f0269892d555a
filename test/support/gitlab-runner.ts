// Runs a job of the GitLab template as GitLab's runner would: with the inputs, the jobs that it extends, its rules, and its lines in one
// shell. The shell is `sh`, because an image may have no other.

import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { npmEnv } from "./checkout.ts";
import type { Pipeline } from "./ci.ts";
import { ROOT } from "./documents.ts";
import { CLI, run } from "./program.ts";
import { git, GIT_ENV } from "./repository.ts";
import { temporaryFolder, type Ran } from "./scenario.ts";
import { isTrue } from "./workflow-runner.ts";

type Strings = Readonly<Record<string, string>>;

interface GitLabJob {
  readonly extends?: string;
  readonly variables?: Strings;
  readonly rules?: readonly { readonly if: string }[];
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly resource_group?: string;
  readonly environment?: { readonly name: string; readonly action?: string };
  readonly artifacts?: {
    readonly when?: string;
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

type GitLabJobs = Readonly<Record<string, GitLabJob>>;

/** The template's jobs with these inputs, and the defaults for the others. */
export async function readTemplate(inputs: Strings = {}): Promise<GitLabJobs> {
  return jobsOf(await readFile(path.join(ROOT, "templates/linkform.yml"), "utf8"), inputs);
}

/** The jobs of a repository: those of the files in it that its pipeline includes. */
export async function readPipeline(folder: string): Promise<GitLabJobs> {
  const { include }: { include: readonly { local: string; inputs: Strings }[] } = parse(
    await readFile(path.join(folder, ".gitlab-ci.yml"), "utf8"),
  );
  const jobs = await Promise.all(
    include.map(async ({ local, inputs }) => jobsOf(await readFile(path.join(folder, local), "utf8"), inputs)),
  );
  return Object.assign({}, ...jobs);
}

function jobsOf(template: string, inputs: Strings): GitLabJobs {
  const [head, body] = parseAllDocuments(template);
  const known: Readonly<Record<string, { readonly default: string }>> = head?.toJS().spec.inputs;
  // GitLab inserts inputs into values, so an empty one is a text and not YAML's null.
  const text = JSON.stringify(body?.toJS()).replaceAll(/\$\[\[ inputs\.([a-z-]+) \]\]/g, (_, name: string) =>
    JSON.stringify(inputs[name] ?? known[name]?.default ?? "").slice(1, -1),
  );
  return JSON.parse(text);
}

/** GitLab's variables for a pipeline of the default branch, in an image with linkform. */
export async function variablesOf({ forge, sandbox, remote }: Pipeline): Promise<Record<string, string>> {
  const image = await temporaryFolder();
  await mkdir(path.join(image, "bin"));
  await symlink(CLI, path.join(image, "bin/linkform"));
  const { CI_MERGE_REQUEST_IID: _, ...gitlab } = forge.env.gitlab;
  return {
    ...gitlab,
    PATH: `${image}/bin:${process.env["PATH"] ?? ""}`,
    LINKFORM_API_KEY: sandbox.apiKey,
    LINKFORM_BASE_URL: sandbox.url,
    CI_COMMIT_BRANCH: "main",
    CI_DEFAULT_BRANCH: "main",
    CI_PROJECT_URL: remote.replace(/\.git$/, ""),
    CI_MERGE_REQUEST_PROJECT_PATH: "acme/links",
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "acme/links",
  };
}

/** The variables that a merge request adds. */
export const MERGE_REQUEST: Strings = {
  CI_PIPELINE_SOURCE: "merge_request_event",
  CI_MERGE_REQUEST_IID: "1",
  CI_MERGE_REQUEST_EVENT_TYPE: "merged_result",
  CI_COMMIT_BRANCH: "",
};

/** Whether the job is part of a pipeline with these variables. */
export function isIn(job: GitLabJob, variables: Strings): boolean {
  // Their conditions differ from GitHub's in how variables and texts are written.
  return (job.rules ?? []).some(({ if: condition }) =>
    isTrue(condition.replaceAll(/\$(\w+)/g, "variables.$1").replaceAll('"', "'"), { variables }),
  );
}

/** Runs a job's lines in a checkout, each variable as GitLab would set it. Default: a job of the template. */
export async function runGitLabJob(
  name: string,
  cwd: string,
  variables: Strings,
  inputs: Strings = {},
  given?: GitLabJobs,
): Promise<Ran> {
  const jobs = given ?? (await readTemplate(inputs));
  // A job after those that it extends.
  const chain: GitLabJob[] = [];
  for (let next: string | undefined = name; next !== undefined; next = chain[0]?.extends) {
    const found: GitLabJob | undefined = jobs[next];
    if (found === undefined) throw new Error(`There is no job ${next}.`);
    chain.unshift(found);
  }
  const lines = [
    ...(chain.findLast(({ before_script }) => before_script)?.before_script ?? []),
    ...(chain.findLast(({ script }) => script)?.script ?? []),
  ];
  const own = chain.flatMap((one) => Object.entries(one.variables ?? {}));
  return run("sh", ["-e", "-c", lines.join("\n")], cwd, {
    ...GIT_ENV,
    ...(await npmEnv()),
    CI: "true",
    GITLAB_CI: "true",
    CI_PROJECT_DIR: cwd,
    CI_COMMIT_SHA: await git(cwd, "rev-parse", "HEAD"),
    // `$$` is how GitLab writes a $.
    ...Object.fromEntries(own.map(([variable, value]) => [variable, value.replaceAll("$$", "$")])),
    ...variables,
  });
}
