// The pull request workflow, run as by GitHub, with the sandbox and a fake GitHub. Fails if the job is green although the plan was refused
// or the files are invalid; if a fork gets the key, or needs it; or if text in a title, a branch or a file becomes a command. The first
// day has the plan that succeeds, its comment and the merge queue.

import { expect, test } from "vitest";
import { accountWith, linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { runJob, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const FILE = "examples/ci/github/linkform.yml";
const plan = (occasion: Occasion): Promise<JobRun> => runJob(FILE, "plan", occasion);
const validate = (occasion: Occasion): Promise<JobRun> => runJob(FILE, "validate", occasion);

const WRONG = 'links:\n  go.example.com/a: { url: "nowhere" }\n';

/** A pipeline with this on `main`, and a pull request with other text. */
async function startProposed(
  before: string,
  after: string,
  given: Parameters<typeof startPipeline>[0] = {},
): Promise<Pipeline> {
  const pipeline = await startPipeline(given);
  await pipeline.merge({ "linkform.yaml": pipeline.project(before) });
  await pipeline.propose({ "linkform.yaml": pipeline.project(after) });
  return pipeline;
}

/** A pull request that deletes the only link, which the brake does not allow. */
async function startBraked(): Promise<Pipeline> {
  const strict = "brake: { deletes: 0 }\n";
  const absent = `${strict}absent: { links: [go.example.com/a] }\n`;
  return startProposed(strict + linksOf("a"), absent, { sandbox: accountWith("a") });
}

/** The run of a pull request in the merge queue, which only the job `plan` checks. */
async function queued(pipeline: Pipeline): Promise<JobRun> {
  const given = pipeline.occasion("merge_group", { ref: "refs/heads/gh-readonly-queue/main/pr-1-abc" });
  const merge_group = { base_sha: await pipeline.there("main") };
  return plan({ ...given, payload: { ...given.payload, merge_group } });
}

const annotationsOf = ({ log }: JobRun): string[] =>
  log.split("\n").filter((line) => /^::(?:error|warning|notice) /.test(line));

test("a plan beyond the brake is a warning, because people review it; also in the merge queue, without a comment", async () => {
  const pipeline = await startBraked();
  const inQueue = await queued(pipeline);
  expect(pipeline.forge.requests).toEqual([]);
  const run = await plan(pipeline.occasion("pull_request"));
  for (const ran of [run, inQueue]) {
    const { outputs, summary, inner } = ran.ours();
    expect(outputs).toMatchObject({ "exit-code": "3", braked: "true", "has-changes": "true", delete: "1" });
    expect(summary).not.toBe("");
    expect([ran.outcome, inner?.at(-1)?.outcome]).toEqual(["success", "success"]);
  }
  expect(pipeline.forge.comments[0]?.body).toContain("allow-deletes: 1");
  expect([...annotationsOf(run), ...annotationsOf(inQueue)].filter((line) => line.startsWith("::error "))).toEqual([]);
  expect(annotationsOf(run).some((line) => line.startsWith("::warning "))).toBe(true);
});

test("a mistake in the files fails the job, and is reported once at its line and in the comment; it fails the merge queue, too", async () => {
  const pipeline = await startProposed(linksOf("a"), WRONG);
  expect((await queued(pipeline)).outcome).toBe("failure");
  const run = await plan(pipeline.occasion("pull_request"));
  expect(run.outcome).toBe("failure");
  expect(run.ours().outputs).toMatchObject({ "exit-code": "1", "has-changes": "", create: "" });
  const errors = annotationsOf(run).filter((line) => line.startsWith("::error "));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain("file=linkform.yaml,line=5");
  expect(pipeline.forge.comments[0]?.body).toContain("must be a URL with a scheme");
});

test("a comment without permission is a warning; without room in the summary, it is a failure", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"), { forge: { rights: "read" } });
  const run = await plan(pipeline.occasion("pull_request"));
  expect(run.outcome).toBe("success");
  expect(annotationsOf(run).join("\n")).toContain("::warning title=linkform::The comment could not be written");
  expect(run.ours().summary).toContain("go.example.com/b");

  const full = await plan(pipeline.occasion("pull_request", { env: { SUMMARY_BYTES_BEFORE: "1048576" } }));
  expect(full.outcome).toBe("failure");
  expect(full.ours().summary).toHaveLength(1024 * 1024);
});

test("a fork is not planned, and its check without the key fails at the line of an error", async () => {
  const pipeline = await startProposed(linksOf("a"), WRONG);
  const given = pipeline.occasion("pull_request", { secrets: {}, token: "" });
  const pull_request = { number: 1, head: { ref: "main", repo: { full_name: "stranger/links" } } };
  const occasion = { ...given, payload: { ...given.payload, pull_request } };
  expect((await plan(occasion)).outcome).toBe("skipped");
  const run = await validate(occasion);
  expect(run.outcome).toBe("failure");
  expect(annotationsOf(run).join("\n")).toContain("file=linkform.yaml,line=5");
  expect([pipeline.sandbox.requests, pipeline.forge.requests]).toEqual([[], []]);
});

test("titles, branches and files are only text, and key and token are only printed to be masked", async () => {
  const hostile = "$(touch x) `touch x` \"; touch x #'\n::set-output name=has-changes::false\n::add-mask::create";
  const url = "https://example.com/::set-env::b?##[add-mask]create";
  const rules = "rules: { refused-address: off }\n";
  const text = `${rules}pixels:\n  "::error::mine": { type: linkedin, value: "1234" }\nlinks:\n  go.example.com/a:\n    url: ${JSON.stringify(url)}\n    note: ${JSON.stringify(hostile)}\n    pixels: ["::error::mine"]\n`;
  const branch = "$(touch${IFS}x)";
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(rules) });
  await pipeline.propose({ "linkform.yaml": pipeline.project(text) }, branch);
  const given = pipeline.occasion("pull_request");
  const pull = { number: 1, title: hostile, head: { ref: branch, repo: { full_name: "acme/links" } } };
  const run = await plan({ ...given, payload: { ...given.payload, pull_request: pull } });
  expect(run.outcome).toBe("success");
  expect(await pipeline.repository.git("status", "--porcelain")).toBe("");
  // The output of linkform is between two lines that nobody can guess.
  let stopped: string | null = null;
  const obeyed = run.log.split("\n").filter((line) => {
    const [, word] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (stopped === null && word !== undefined) stopped = word;
    else if (line === `::${stopped}::`) stopped = null;
    else return stopped === null && (/^\s*::/.test(line) || line.includes("##["));
    return false;
  });
  for (const line of obeyed)
    expect(line).toMatch(/^::(?:add-mask::(?:sandbox-key|forge-token-\d+)$|(?:error|warning|notice) )/);
  expect(run.log).toMatch(/\n::stop-commands::(\S+)\n[^]*create link[^]*::set-env::b[^]*\n::\1::\n/);
  for (const secret of [pipeline.sandbox.apiKey, pipeline.forge.env.github["GITHUB_TOKEN"] ?? ""])
    expect(run.log.split("\n").filter((line) => line.includes(secret))).toEqual([`::add-mask::${secret}`]);
});
