// The job `check` of the workflow and of the template. Fails if it gets the API key, if a dead destination of a pull request is not in a
// comment, if a pull request without one gets a comment, or if the issue of the night is not opened once and closed.

import { expect, test } from "vitest";
import { startPipeline, type Pipeline } from "../support/ci.ts";
import { MERGE_REQUEST, runGitLabJob, variablesOf } from "../support/gitlab-runner.ts";
import { runJob } from "../support/workflow-runner.ts";

/** A link whose destination is known from the files, so that nothing is asked. A loop is dead, and another alias unknown. */
const to = (alias: string): string =>
  `links:\n  go.example.com/a: { url: https://go.example.com/${alias}, owner: web }\n`;

/** The log if the job succeeds, and otherwise "failed" and the log. */
async function onGitHub(pipeline: Pipeline, isNight = false): Promise<string> {
  const given = pipeline.occasion(isNight ? "schedule" : "pull_request", { secrets: {} });
  const { outcome, log } = await runJob("examples/ci/github/linkform.yml", "check", given);
  return outcome === "success" ? log : `failed ${log}`;
}

async function onGitLab(pipeline: Pipeline, isNight = false): Promise<string> {
  const { folder } = pipeline.repository;
  const variables = {
    ...(await variablesOf(pipeline)),
    ...(isNight ? { CI_PIPELINE_SOURCE: "schedule" } : MERGE_REQUEST),
  };
  const { exit, out, err } = await runGitLabJob("linkform:check", folder, variables);
  await pipeline.repository.git("clean", "--quiet", "--force");
  return `${exit === 0 ? "" : "failed "}${out}${err}`;
}

test.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
] as const)("%s comments on what a pull request changes, and keeps an issue at night", async (_, check) => {
  const pipeline = await startPipeline();
  const { forge, sandbox } = pipeline;
  const propose = async (text: string): Promise<string> => {
    await pipeline.propose({ "linkform.yaml": pipeline.project(text) });
    return check(pipeline);
  };
  const merge = (text: string): Promise<string> => pipeline.merge({ "linkform.yaml": pipeline.project(text) });
  const night = async (text: string): Promise<void> => {
    await merge(text);
    expect(await check(pipeline, true)).not.toMatch(/^failed/);
  };
  await merge(to("a"));
  expect(await propose(`${to("a")}# edited\n`)).toMatch(/^(?!failed)[^]*0 destinations checked\./);
  await merge(to("b"));
  expect(forge.comments).toEqual([]);
  expect(await propose(to("a"))).toMatch(/^failed [^]*redirect loop/);
  expect(forge.comments).toMatchObject([{ body: expect.stringMatching(/^<!-- linkform check [^]*: `web`\n/) }]);
  expect(await propose(to("c"))).not.toMatch(/^failed/);
  expect(forge.comments).toMatchObject([{ body: expect.stringContaining("1 destination checked: 1 unknown.") }]);
  await night(to("b"));
  expect(forge.issues).toEqual([]);
  await night(to("a"));
  await night(to("a"));
  expect(forge.issues).toMatchObject([{ state: "open", body: expect.stringMatching(/### ⛔ 1 error: `web`/) }]);
  await night(to("b"));
  expect(forge.issues).toMatchObject([{ state: "closed" }]);
  expect([forge.comments.length, sandbox.requests]).toEqual([1, []]);
});

test("an issue that cannot be written fails the job", async () => {
  const pipeline = await startPipeline({ forge: { rights: "read" } });
  await pipeline.merge({ "linkform.yaml": pipeline.project(to("a")) });
  expect(await onGitHub(pipeline, true)).toMatch(/^failed/);
});
