// From an empty repository and a new account to a clean night: the commands of `linkform init --ci` as a person types them, and then
// every job that it wrote, each in a new clone. Fails if a job needs something that neither `init` wrote nor its output asked for.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { aliasesIn, expectSuccess, NO_DESTINATION, runOnly, startPipeline, type Pipeline } from "../support/ci.ts";
import { isIn, MERGE_REQUEST, readPipeline, runGitLabJob, variablesOf } from "../support/gitlab-runner.ts";
import { linkform } from "../support/program.ts";
import { GIT_ENV } from "../support/repository.ts";
import { temporaryFolder } from "../support/scenario.ts";
import type { JobRun, Occasion } from "../support/workflow-runner.ts";

/** Runs `linkform init` in the empty repository, whose output must name how the first deploy is started. */
async function begin(
  { repository, sandbox }: Pipeline,
  start: string,
  tag: string,
  ...flags: readonly string[]
): Promise<void> {
  await repository.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  const env = { ...GIT_ENV, LINKFORM_API_KEY: sandbox.apiKey };
  const begun = await linkform(repository.folder, ["init", "--base-url", sandbox.url, ...flags], env);
  expect({ exit: begun.exit, err: begun.err }).toEqual({ exit: 0, err: "" });
  expect(begun.out).toContain(`After the first merge, ${start}. It creates the tag ${tag}.`);
}

/** Commits all files to a new branch, and checks out its merge with the target branch. */
async function propose({ repository }: Pipeline, branch: string): Promise<void> {
  await repository.git("push", "--quiet", "origin", "main");
  await repository.git("switch", "--quiet", "--create", branch);
  await repository.commitAll();
  await repository.git("switch", "--quiet", "--detach", "main");
  await repository.git("merge", "--quiet", "--no-ff", "--message", "merge", branch);
}

/** Merges the pull request. Returns the commit. */
async function merge({ repository }: Pipeline): Promise<string> {
  await repository.git("switch", "--quiet", "--force-create", "main");
  await repository.git("push", "--quiet", "origin", "main");
  return repository.git("rev-parse", "HEAD");
}

/** Follows the comment in the example: removes the # characters before the link. */
async function declareExample({ repository }: Pipeline, folder = "."): Promise<void> {
  const file = path.join(repository.folder, folder, "links/example.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replaceAll(/^ {2}# /gm, "  "));
}

test("GitHub: every job of the workflow passes, for a project in a folder", async () => {
  const pipeline = await startPipeline();
  const { repository, sandbox } = pipeline;
  const source = `acme/linkform@${"5".repeat(40)}`;
  const flags = ["--config", "marketing/linkform.yaml", "--ci", "github", "--ci-source", source];
  await begin(pipeline, "start the workflow with `first-run`", "applied-marketing", ...flags);
  const file = path.join(repository.folder, ".github/workflows/linkform.yml");

  const passed = new Set<string>();
  /** Runs the workflow for an event, and returns the only job that runs. */
  const pass = async (job: string, occasion: Occasion): Promise<JobRun> => {
    const found = await runOnly(file, job, occasion);
    expectSuccess(found);
    passed.add(job);
    return found;
  };

  const key = "go.example.com/hello";
  // First the files as they were written, which declare nothing. Then a link.
  for (const links of [[], ["hello"]]) {
    if (links.length > 0) await declareExample(pipeline, "marketing");
    await propose(pipeline, `change-${links.length}`);
    await pass("validate", pipeline.occasion("pull_request", { actor: "dependabot[bot]", secrets: {} }));
    const before = sandbox.requests.length;
    const planned = await pass("plan", pipeline.occasion("pull_request"));
    const { outputs, summary, inner } = planned.ours();
    const isChange = links.length > 0;
    expect(outputs).toMatchObject({
      "exit-code": isChange ? "2" : "0",
      "has-changes": `${isChange}`,
      create: `${links.length}`,
      delete: "0",
      applied: "",
    });
    for (const text of [planned.log, summary, pipeline.forge.comments[0]?.body])
      expect(text?.includes(key)).toBe(isChange);
    expect(planned.log).not.toMatch(/^::(?:error|warning) /m);
    // The second pull request has the same number, so its plan updates the comment of the first one.
    expect(pipeline.forge.comments).toHaveLength(1);
    const uploaded = { name: "linkform-plan", path: `${outputs["report"]}\n${outputs["json"]}\n\n` };
    expect(inner?.at(-1)).toMatchObject({ outcome: "success", with: uploaded });
    const commented = pipeline.forge.requests.length;
    const given = pipeline.occasion("merge_group", { ref: "refs/heads/gh-readonly-queue/main/pr-1" });
    const base = await pipeline.there("main");
    const queued = await pass("plan", { ...given, payload: { ...given.payload, merge_group: { base_sha: base } } });
    expect(queued.log).toContain(`Base: ${base}`);
    expect(pipeline.forge.requests).toHaveLength(commented);
    expect(sandbox.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);

    const tip = await merge(pipeline);
    const start = isChange
      ? pipeline.occasion("push")
      : pipeline.occasion("workflow_dispatch", { inputs: { "first-run": "true" } });
    const deployed = await pass("deploy", start);
    expect(deployed.ours().outputs).toMatchObject({ "exit-code": "0", applied: `${links.length}`, complete: "true" });
    expect(deployed.ours().summary.includes(key)).toBe(isChange);
    expect(aliasesIn(pipeline)).toEqual(links);
    expect(await pipeline.there("applied-marketing")).toBe(tip);
  }

  const night = await pass("drift", pipeline.occasion("schedule"));
  expect(night.ours().outputs).toMatchObject({ "exit-code": "0" });
  // `check` runs beside others (`runOnly`).
  const { check: _, ...jobs } = parse(await readFile(file, "utf8")).jobs;
  expect([...passed].toSorted()).toEqual(Object.keys(jobs).toSorted());
});

test("GitLab: every job of the pipeline passes", async () => {
  const pipeline = await startPipeline();
  const { repository, forge, remote } = pipeline;
  await begin(
    pipeline,
    "run a pipeline with the variable LINKFORM_FIRST_RUN=true",
    "applied",
    "--ci",
    "gitlab",
    "--ci-image",
    "registry.example.com/linkform:1",
  );
  const common = await variablesOf(pipeline);
  const passed = new Set<string>();
  /** Runs the jobs of a pipeline with these variables, each in a new clone. Returns what they printed. */
  const pass = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const all = { ...common, ...variables, ...NO_DESTINATION };
    let printed = "";
    const jobs = await readPipeline(repository.folder);
    for (const name of Object.keys(jobs).filter((one) => !one.startsWith(".") && isIn(jobs[one] ?? {}, all))) {
      const clone = await temporaryFolder();
      await repository.git("clone", "--quiet", remote, clone);
      await repository.git("-C", clone, "fetch", "--quiet", repository.folder, "HEAD");
      await repository.git("-C", clone, "checkout", "--quiet", "--detach", "FETCH_HEAD");
      const { exit, out, err } = await runGitLabJob(name, clone, all, {}, jobs);
      expect({ name, exit, said: exit === 0 ? "" : out + err }).toEqual({ name, exit: 0, said: "" });
      printed += out;
      passed.add(name);
    }
    return printed;
  };

  for (const links of [[], ["hello"]]) {
    if (links.length > 0) await declareExample(pipeline);
    await propose(pipeline, `change-${links.length}`);
    const planned = await pass(MERGE_REQUEST);
    expect(planned.includes("+ create link go.example.com/hello")).toBe(links.length > 0);
    expect(forge.comments).toHaveLength(1);

    const tip = await merge(pipeline);
    const start =
      links.length > 0 ? { CI_PIPELINE_SOURCE: "push" } : { CI_PIPELINE_SOURCE: "web", LINKFORM_FIRST_RUN: "true" };
    await pass(start);
    expect(aliasesIn(pipeline)).toEqual(links);
    expect(await pipeline.there("applied")).toBe(tip);
  }

  expect(await pass({ CI_PIPELINE_SOURCE: "schedule" })).toMatch(/linkform\.yaml\n\nCompared .*\n\nNo drift\. /);
  const all = Object.keys(await readPipeline(repository.folder)).filter((name) => !name.startsWith("."));
  expect([...passed].toSorted()).toEqual(all.toSorted());
});
