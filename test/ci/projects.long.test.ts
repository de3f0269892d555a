// Three projects of one account in the same workflow and pipeline as for one project. Fails if a project is missing, if their report
// becomes several comments, if one project stops the deploy of another or moves its tag, if a new project needs a change of the workflow,
// or if the name of a folder becomes a command.

import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import { runGitLabJob } from "../support/gitlab-runner.ts";
import { CLI } from "../support/program.ts";
import { temporaryFolder, type Ran } from "../support/scenario.ts";
import { runWorkflow, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const HOSTILE = "$(touch${IFS}x)";
/** Its name in tags. */
const PLAIN = "-touch-IFS-x-";
/** A link that the service refuses. */
const REFUSED =
  'rules: { refused-country: warning }\nlinks: { go.example.com/c: { url: "https://example.com/c", targeting: { country: { CW: "https://example.com/cw" } } } }\n';

/** Runs the workflow. Only this job may run. */
async function github(job: string, occasion: Occasion): Promise<JobRun> {
  const ran = await runWorkflow(path.join(ROOT, "examples/ci/github/linkform.yml"), occasion);
  const [[name, [run]] = ["", []], ...others] = Object.entries(ran).filter(([, runs]) => runs.length > 0);
  if (run === undefined) throw new Error("no job ran");
  expect([name, others]).toEqual([job, []]);
  return run;
}

function filesOf(pipeline: Pipeline, links: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    ["marketing", "press", HOSTILE].map((folder) => [`${folder}/linkform.yaml`, pipeline.project(links[folder] ?? "")]),
  );
}

/** Three projects on `main`, and the tags of those that were deployed. */
async function startProjects(...deployed: readonly string[]): Promise<Pipeline> {
  const pipeline = await startPipeline();
  await pipeline.merge(filesOf(pipeline, {}));
  for (const name of deployed)
    await pipeline.repository.git("push", "--quiet", "origin", `main:refs/tags/applied-${name}`);
  return pipeline;
}

test("a pull request: one comment that the next run updates, also if a project has an error", async () => {
  const pipeline = await startProjects();
  const links = { marketing: linksOf("spring"), press: linksOf("news"), [HOSTILE]: linksOf("odd") };
  await pipeline.propose(filesOf(pipeline, links));
  const planned = await github("plan", pipeline.occasion("pull_request"));
  expect(planned).toMatchObject({ outcome: "success" });
  expect(planned.ours().outputs).toMatchObject({ "has-changes": "true", create: "3", applied: "" });

  const wrong = { ...links, press: 'links:\n  go.example.com/a: { url: "nowhere" }\n' };
  await pipeline.propose(filesOf(pipeline, wrong));
  expect(await github("plan", pipeline.occasion("pull_request"))).toMatchObject({ outcome: "failure" });
  expect(pipeline.forge.comments).toHaveLength(1);
  const body = pipeline.forge.comments[0]?.body ?? "";
  for (const text of ["spring", "odd", "must be a URL with a scheme"]) expect(body).toContain(text);
  expect(pipeline.sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
});

test("a deploy moves the tag of each project after its own complete run only; the first run creates what is missing", async () => {
  const pipeline = await startProjects("marketing", "press");
  const start = await pipeline.there("main");
  const links = { marketing: REFUSED, press: linksOf("news"), [HOSTILE]: linksOf("odd") };
  const tip = await pipeline.merge(filesOf(pipeline, links));
  const aliases = (): string[] =>
    pipeline.sandbox
      .state()
      .links.map(({ alias }) => alias)
      .toSorted();

  const first = await github("deploy", pipeline.occasion("push"));
  expect(first.outcome).toBe("failure");
  expect(first.log).toContain("with the input `first-run`");
  expect(aliases()).toEqual(["news"]);
  expect([await pipeline.there("applied-marketing"), await pipeline.there("applied-press")]).toEqual([start, tip]);

  const fixed = await pipeline.merge(filesOf(pipeline, { ...links, marketing: linksOf("spring") }));
  const second = await github("deploy", pipeline.occasion("workflow_dispatch", { inputs: { "first-run": "true" } }));
  expect({ outcome: second.outcome, log: second.outcome === "success" ? "" : second.log }).toEqual({
    outcome: "success",
    log: "",
  });
  expect(second.ours().outputs).toMatchObject({ applied: "2", failed: "0", complete: "true" });
  expect(second.ours().outputs["record"]?.split("\n")).toHaveLength(2);
  expect(aliases()).toEqual(["news", "odd", "spring"]);
  for (const name of ["marketing", "press", PLAIN]) expect(await pipeline.there(`applied-${name}`)).toBe(fixed);
  expect(await github("drift", pipeline.occasion("schedule"))).toMatchObject({ outcome: "success" });
});

test("GitLab: one note, one deploy that creates the tags, and one check for drift", async () => {
  const pipeline = await startProjects();
  const { repository, sandbox, forge, remote } = pipeline;
  const image = await temporaryFolder();
  await mkdir(path.join(image, "bin"));
  await symlink(CLI, path.join(image, "bin/linkform"));
  const job = async (name: string, more: Readonly<Record<string, string>>): Promise<Ran> =>
    runGitLabJob(`linkform:${name}`, repository.folder, {
      ...forge.env.gitlab,
      PATH: `${image}/bin:${process.env["PATH"] ?? ""}`,
      LINKFORM_API_KEY: sandbox.apiKey,
      LINKFORM_BASE_URL: sandbox.url,
      CI_COMMIT_BRANCH: "main",
      CI_PROJECT_URL: remote.replace(/\.git$/, ""),
      ...more,
    });
  const passes = async (name: string, more: Readonly<Record<string, string>>): Promise<void> => {
    const { exit, out, err } = await job(name, more);
    expect({ name, exit, said: exit === 0 ? "" : out + err }).toEqual({ name, exit: 0, said: "" });
  };
  const links = { marketing: linksOf("spring"), press: linksOf("news"), [HOSTILE]: linksOf("odd") };
  await pipeline.propose(filesOf(pipeline, links));
  await passes("plan", { CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" });
  expect(forge.comments).toHaveLength(1);
  for (const text of ["spring", "news", "odd"]) expect(forge.comments[0]?.body).toContain(`go.example.com/${text}`);

  const broken = await pipeline.merge(filesOf(pipeline, { ...links, marketing: REFUSED }));
  const push = await job("deploy", { CI_PIPELINE_SOURCE: "push" });
  expect([push.exit, push.out + push.err]).toEqual([1, expect.stringContaining("LINKFORM_FIRST_RUN=true")]);
  const first = { CI_PIPELINE_SOURCE: "web", LINKFORM_FIRST_RUN: "true" };
  expect((await job("deploy", first)).exit).toBe(1);
  expect(await pipeline.there("applied-press")).toBe(broken);
  await expect(pipeline.there("applied-marketing")).rejects.toThrow(/unknown revision/);
  const fixed = await pipeline.merge(filesOf(pipeline, links));
  await passes("deploy", first);
  for (const name of ["marketing", "press", PLAIN]) expect(await pipeline.there(`applied-${name}`)).toBe(fixed);
  await passes("drift", { CI_PIPELINE_SOURCE: "schedule" });
});
