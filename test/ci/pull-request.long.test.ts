// The pull request workflow, run as by GitHub, with the sandbox and a fake GitHub. Fails if a pull request gets no comment, a second one
// for the same plan, or another project's; if the job is green although the plan was refused or the files are invalid; if a fork gets the
// key, or needs it; or if text in a title, a branch or a file becomes a command.

import { describe, expect, test } from "vitest";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { runJob, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const FILE = "examples/ci/github/linkform.yml";
const plan = (occasion: Occasion): Promise<JobRun> => runJob(FILE, "plan", occasion);
const validate = (occasion: Occasion): Promise<JobRun> => runJob(FILE, "validate", occasion);

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

const annotationsOf = ({ log }: JobRun): string[] =>
  log.split("\n").filter((line) => /^::(?:error|warning|notice) /.test(line));

test("the plan of the merge result is in the log, the summary, a comment and a file, and writes nothing", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"));
  const run = await plan(pipeline.occasion("pull_request"));
  expect({ outcome: run.outcome, log: run.outcome === "success" ? "" : run.log }).toEqual({
    outcome: "success",
    log: "",
  });
  expect(run.log).toContain("+ create link go.example.com/b");
  const { outputs, summary } = run.ours();
  expect(outputs).toMatchObject({
    "exit-code": "2",
    "has-changes": "true",
    create: "2",
    update: "0",
    delete: "0",
    unchanged: "0",
  });
  expect(outputs["applied"]).toBe("");
  const [comment, ...others] = pipeline.forge.comments;
  expect(others).toEqual([]);
  expect(comment?.body).toContain("go.example.com/b");
  expect(summary).toContain("go.example.com/b");
  const uploaded = { name: "linkform-plan", path: `${outputs["report"]}\n${outputs["json"]}\n\n` };
  expect(run.ours().inner?.at(-1)).toMatchObject({ outcome: "success", with: uploaded });
  expect(pipeline.sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
});

test("the comment is updated in place when the pull request changes", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"));
  await plan(pipeline.occasion("pull_request"));
  await pipeline.propose({ "linkform.yaml": pipeline.project(linksOf("a", "c")) });
  await plan(pipeline.occasion("pull_request"));
  expect(pipeline.forge.writes().map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH"]);
  expect(
    pipeline.forge.comments.map(({ body }) => [body.includes("go.example.com/b"), body.includes("go.example.com/c")]),
  ).toEqual([[false, true]]);
});

test("no changes: the comment says so, and the job succeeds", async () => {
  const pipeline = await startProposed("", "# a remark\n");
  const run = await plan(pipeline.occasion("pull_request"));
  expect(run.outcome).toBe("success");
  expect(run.ours().outputs).toMatchObject({ "exit-code": "0", "has-changes": "false", create: "0" });
  expect(annotationsOf(run)).toEqual([]);
});

test("a plan beyond the brake is a warning, because people review it", async () => {
  const aliases = ["a", "b", "c", "d"];
  const links = aliases.map((alias, at) => ({ id: at + 1, alias, url: `https://example.com/${alias}`, domain: 2 }));
  const absent = `absent: { links: [${aliases.map((alias) => `go.example.com/${alias}`).join(", ")}] }\n`;
  const pipeline = await startProposed(linksOf(...aliases), absent, { sandbox: { seed: { links } } });
  const run = await plan(pipeline.occasion("pull_request"));
  expect(run.outcome).toBe("success");
  expect(run.ours().outputs).toMatchObject({
    "exit-code": "3",
    braked: "true",
    "has-changes": "true",
    delete: "4",
  });
  expect(pipeline.forge.comments[0]?.body).toContain("allow-deletes: 4");
  expect(run.ours().summary).not.toBe("");
  expect(annotationsOf(run).filter((line) => line.startsWith("::error "))).toEqual([]);
  expect(annotationsOf(run).some((line) => line.startsWith("::warning "))).toBe(true);
  expect(run.ours().inner?.at(-1)?.outcome).toBe("success");
});

test("a mistake in the files fails the job, and is reported once at its line and in the comment", async () => {
  const wrong = 'links:\n  go.example.com/a: { url: "nowhere" }\n';
  const pipeline = await startProposed(linksOf("a"), wrong);
  const run = await plan(pipeline.occasion("pull_request"));
  expect(run.outcome).toBe("failure");
  expect(run.ours().outputs).toMatchObject({ "exit-code": "1", "has-changes": "", create: "" });
  const errors = annotationsOf(run).filter((line) => line.startsWith("::error "));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain("file=linkform.yaml,line=5");
  expect(pipeline.forge.comments[0]?.body).toContain("must be a URL with a scheme");
});

test("a comment without permission is a warning", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"), { forge: { rights: "read" } });
  const run = await plan(pipeline.occasion("pull_request"));
  expect(run.outcome).toBe("success");
  expect(annotationsOf(run).join("\n")).toContain("::warning title=linkform::The comment could not be written");
  expect(run.ours().summary).toContain("go.example.com/b");
});

test("without room in the summary, it is a failure", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"), { forge: { rights: "read" } });
  const run = await plan(pipeline.occasion("pull_request", { env: { SUMMARY_BYTES_BEFORE: "1048576" } }));
  expect(run.outcome).toBe("failure");
  expect(run.ours().summary).toHaveLength(1024 * 1024);
});

test("a fork is checked without the key, and is not planned", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"));
  const given = pipeline.occasion("pull_request", { secrets: {}, token: "" });
  const fork = { number: 1, head: { ref: "main", repo: { full_name: "stranger/links" } } };
  const occasion = { ...given, payload: { ...given.payload, pull_request: fork } };
  expect((await plan(occasion)).outcome).toBe("skipped");
  const checked = await validate(occasion);
  expect({ outcome: checked.outcome, log: checked.outcome === "success" ? "" : checked.log }).toEqual({
    outcome: "success",
    log: "",
  });
  expect(checked.log).toContain("linkform.yaml\n\nValid: 1 file read.");
  expect(pipeline.sandbox.requests).toEqual([]);
  expect(pipeline.forge.requests).toEqual([]);
});

test("an error of a fork fails its check, at its line", async () => {
  const pipeline = await startProposed(linksOf("a"), 'links:\n  go.example.com/a: { url: "nowhere" }\n');
  const given = pipeline.occasion("pull_request", { secrets: {}, token: "" });
  const fork = { number: 1, head: { ref: "main", repo: { full_name: "stranger/links" } } };
  const run = await validate({ ...given, payload: { ...given.payload, pull_request: fork } });
  expect(run.outcome).toBe("failure");
  expect(annotationsOf(run).join("\n")).toContain("file=linkform.yaml,line=5");
});

test("a pull request of this repository is checked once, by its plan; one of Dependabot, which gets no secrets, without a plan", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"));
  expect((await validate(pipeline.occasion("pull_request"))).outcome).toBe("skipped");
  const bot = pipeline.occasion("pull_request", { actor: "dependabot[bot]", secrets: {} });
  expect([(await validate(bot)).outcome, (await plan(bot)).outcome]).toEqual(["success", "skipped"]);
});

describe("in the merge queue", () => {
  const queued = async (pipeline: Pipeline): Promise<JobRun> => {
    const base = await pipeline.there("main");
    const given = pipeline.occasion("merge_group", { ref: "refs/heads/gh-readonly-queue/main/pr-1-abc" });
    const occasion = { ...given, payload: { ...given.payload, merge_group: { base_sha: base } } };
    expect((await validate(occasion)).outcome).toBe("skipped");
    return plan(occasion);
  };

  test("the commit is planned with its own base, without a comment", async () => {
    const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"));
    const run = await queued(pipeline);
    expect({ outcome: run.outcome, log: run.log }).toMatchObject({
      outcome: "success",
      log: expect.stringContaining(`Base: ${await pipeline.there("main")}`),
    });
    expect(run.ours().outputs).toMatchObject({ "exit-code": "2", create: "2" });
    expect(pipeline.forge.requests).toEqual([]);
  });

  test("a plan with an error fails, and one that only the brake stops does not", async () => {
    const wrong = await startProposed(linksOf("a"), 'links:\n  go.example.com/a: { url: "nowhere" }\n');
    expect((await queued(wrong)).outcome).toBe("failure");
    const links = [{ id: 1, alias: "a", url: "https://example.com/a", domain: 2 }];
    const strict = "brake: { deletes: 0 }\n";
    const braked = await startProposed(strict + linksOf("a"), `${strict}absent: { links: [go.example.com/a] }\n`, {
      sandbox: { seed: { links } },
    });
    const run = await queued(braked);
    expect([run.outcome, run.ours().outputs["braked"]]).toEqual(["success", "true"]);
    expect(annotationsOf(run).filter((line) => line.startsWith("::error "))).toEqual([]);
  });
});

test("key and token are only printed to be masked", async () => {
  const pipeline = await startProposed(linksOf("a"), linksOf("a", "b"));
  const { log } = await plan(pipeline.occasion("pull_request"));
  for (const secret of [pipeline.sandbox.apiKey, pipeline.forge.env.github["GITHUB_TOKEN"] ?? ""]) {
    expect(log.split("\n").filter((line) => line.includes(secret))).toEqual([`::add-mask::${secret}`]);
  }
});

test("titles, branches and files are only text", async () => {
  const hostile = "$(touch x) `touch x` \"; touch x #'\n::set-output name=has-changes::false\n::add-mask::create";
  const url = "https://example.com/::set-env::b?##[add-mask]create";
  const pipeline = await startPipeline();
  const rules = "rules: { refused-address: off }\n";
  await pipeline.merge({ "linkform.yaml": pipeline.project(rules) });
  await pipeline.propose(
    {
      "linkform.yaml": pipeline.project(
        `${rules}pixels:\n  "::error::mine": { type: linkedin, value: "1234" }\nlinks:\n  go.example.com/a:\n    url: ${JSON.stringify(url)}\n    note: ${JSON.stringify(hostile)}\n    pixels: ["::error::mine"]\n`,
      ),
    },
    "$(touch${IFS}x)",
  );
  const given = pipeline.occasion("pull_request");
  const pull = { number: 1, title: hostile, head: { ref: "$(touch${IFS}x)", repo: { full_name: "acme/links" } } };
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
});
