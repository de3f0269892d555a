// The workflows for many projects, run as GitHub would run them. Fails when a changed project has no job, when the reports of the jobs
// become several comments, when a fork gets the key, when one project stops the deploy of another or moves its tag, or when the name
// of a folder becomes a command.

import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import { runGitLabJob, type GitLabJob } from "../support/gitlab-runner.ts";
import { CLI } from "../support/program.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { runWorkflow, type Occasion, type WorkflowRun } from "../support/workflow-runner.ts";

const HOSTILE = "$(touch${IFS}x)";
/** Its name in tags. */
const PLAIN = "-touch-IFS-x-";

const workflow = (name: string, occasion: Occasion): Promise<WorkflowRun> =>
  runWorkflow(path.join(ROOT, "examples/ci/github", `projects-${name}.yml`), occasion);

/** Three projects on `main`. */
async function startProjects(): Promise<Pipeline> {
  const pipeline = await startPipeline();
  await pipeline.merge(filesOf(pipeline, {}));
  return pipeline;
}

function filesOf(pipeline: Pipeline, links: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    ["marketing", "press", HOSTILE].map((folder) => [`${folder}/linkform.yaml`, pipeline.project(links[folder] ?? "")]),
  );
}

const outcomesOf = (ran: WorkflowRun): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(ran).map(([name, runs]) => [name, runs.map(({ outcome }) => outcome)]));

test("a pull request: a job for each changed project, and one comment that the next run updates", async () => {
  const pipeline = await startProjects();
  const links = { press: linksOf("news"), [HOSTILE]: linksOf("odd") };
  await pipeline.propose(filesOf(pipeline, links));
  for (const _ of [1, 2]) {
    const ran = await workflow("pull-request", pipeline.occasion("pull_request"));
    expect(outcomesOf(ran)).toEqual({
      projects: ["success"],
      validate: [],
      plan: ["success", "success"],
      report: ["success"],
    });
    expect(ran["report"]?.[0]?.step("merge").outputs).toMatchObject({ "has-changes": "true", create: "2" });
  }
  expect(pipeline.forge.comments).toHaveLength(1);
  const body = pipeline.forge.comments[0]?.body ?? "";
  for (const text of ["press", "go.example.com/news", "go.example.com/odd"]) expect(body).toContain(text);
  expect(body).not.toContain("marketing");
  expect(pipeline.sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
});

test("a pull request with a mistake in one project still shows the plan of the other", async () => {
  const pipeline = await startProjects();
  const links = { press: 'links:\n  go.example.com/a: { url: "nowhere" }\n', marketing: linksOf("spring") };
  await pipeline.propose(filesOf(pipeline, links));
  const ran = await workflow("pull-request", pipeline.occasion("pull_request"));
  expect(outcomesOf(ran)["plan"]?.toSorted()).toEqual(["failure", "success"]);
  expect(pipeline.forge.comments).toHaveLength(1);
  const body = pipeline.forge.comments[0]?.body ?? "";
  expect(body).toContain("go.example.com/spring");
  expect(body).toContain("must be a URL with a scheme");
});

test("a pull request that changes no project plans nothing", async () => {
  const pipeline = await startProjects();
  await pipeline.propose({ ...filesOf(pipeline, {}), "README.md": "ours\n" });
  const ran = await workflow("pull-request", pipeline.occasion("pull_request"));
  expect(outcomesOf(ran)).toEqual({ projects: ["success"], validate: [], plan: [], report: [] });
  expect(pipeline.sandbox.requests).toEqual([]);
});

test("a fork is validated without the key, and not planned", async () => {
  const pipeline = await startProjects();
  await pipeline.propose(filesOf(pipeline, { press: linksOf("news") }));
  const given = pipeline.occasion("pull_request", { secrets: {}, token: "" });
  const fork = { number: 1, head: { ref: "main", repo: { full_name: "stranger/links" } } };
  const ran = await workflow("pull-request", { ...given, payload: { ...given.payload, pull_request: fork } });
  expect(outcomesOf(ran)).toEqual({ projects: ["success"], validate: ["success"], plan: [], report: [] });
  expect(pipeline.sandbox.requests).toEqual([]);
});

test("a deploy applies every project, and moves the tag of each after its own complete run only", async () => {
  const pipeline = await startProjects();
  const start = await pipeline.there("main");
  for (const name of ["marketing", "press", PLAIN])
    await pipeline.repository.git("push", "--quiet", "origin", `main:refs/tags/applied-${name}`);
  const refused =
    'rules: { refused-country: warning }\nlinks: { go.example.com/c: { url: "https://example.com/c", targeting: { country: { CW: "https://example.com/cw" } } } }\n';
  const links = { marketing: refused, press: linksOf("news"), [HOSTILE]: linksOf("odd") };
  const tip = await pipeline.merge(filesOf(pipeline, links));

  const ran = await workflow("deploy", pipeline.occasion("push"));
  expect(outcomesOf(ran)["deploy"]?.toSorted()).toEqual(["failure", "success", "success"]);
  const aliases = pipeline.sandbox.state().links.map(({ alias }) => alias);
  expect(aliases.toSorted()).toEqual(["news", "odd"]);
  expect(await pipeline.there("applied-marketing")).toBe(start);
  expect(await pipeline.there("applied-press")).toBe(tip);
  expect(await pipeline.there(`applied-${PLAIN}`)).toBe(tip);
});

test("GitLab: the child pipeline has a job for each changed project, and writes one note", async () => {
  const pipeline = await startProjects();
  const { repository, sandbox, forge } = pipeline;
  await pipeline.propose(filesOf(pipeline, { press: linksOf("news"), [HOSTILE]: linksOf("odd") }));
  const image = await temporaryFolder();
  await mkdir(path.join(image, "bin"));
  await symlink(CLI, path.join(image, "bin/linkform"));
  const variables = {
    ...forge.env.gitlab,
    PATH: `${image}/bin:${process.env["PATH"] ?? ""}`,
    LINKFORM_API_KEY: sandbox.apiKey,
    LINKFORM_BASE_URL: sandbox.url,
    CI_MERGE_REQUEST_EVENT_TYPE: "merged_result",
  };
  const clone = async (): Promise<string> => {
    const folder = await temporaryFolder();
    await repository.git("clone", "--quiet", repository.folder, folder);
    return folder;
  };
  const jobsOf = async (file: string): Promise<Record<string, GitLabJob>> => parse(await readFile(file, "utf8"));
  const pass = async (name: string, folder: string, jobs: Record<string, GitLabJob>): Promise<void> => {
    const { exit, out, err } = await runGitLabJob(name, folder, variables, {}, jobs);
    expect({ name, exit, said: exit === 0 ? "" : out + err }).toEqual({ name, exit: 0, said: "" });
  };

  const first = await clone();
  await pass("linkform:projects", first, await jobsOf(path.join(ROOT, "examples/ci/gitlab/projects.gitlab-ci.yml")));
  const { include, ...generated } = await jobsOf(path.join(first, "linkform-child.yml"));
  expect(include).toEqual([{ local: "/.gitlab/projects-child.yml" }]);
  const common = await jobsOf(path.join(ROOT, "examples/ci/gitlab/projects-child.yml"));
  expect(Object.keys(generated)).toHaveLength(2);
  const last = await clone();
  for (const name of Object.keys(generated)) {
    const folder = await clone();
    await pass(name, folder, { ...common, ...generated });
    const reports = (await readdir(folder)).filter((file) => /^linkform-plan-\d+\.json$/.test(file));
    expect(reports).toHaveLength(1);
    for (const file of reports) await cp(path.join(folder, file), path.join(last, file));
  }
  await pass("linkform:report", last, common);
  expect(forge.comments).toHaveLength(1);
  for (const text of ["go.example.com/news", "go.example.com/odd"]) expect(forge.comments[0]?.body).toContain(text);
});
