// The deploy workflow, run as by GitHub, in real repositories with a remote. Fails if a commit is applied that is no longer the newest, if
// the tag of the applied commit moves without a full success, over somebody else's or not at all, or if a brake is lifted without a manual
// decision.

import { expect, test } from "vitest";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { runJob, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const deploy = (occasion: Occasion): Promise<JobRun> => runJob("examples/ci/github/linkform.yml", "deploy", occasion);

/** A pipeline whose `main` was applied with these links, and its tag. */
async function startDeployed(...aliases: readonly string[]): Promise<{ pipeline: Pipeline; applied: string }> {
  const pipeline = await startPipeline();
  const applied = await pipeline.merge({ "linkform.yaml": pipeline.project("") });
  await pipeline.repository.git("tag", "applied");
  await pipeline.repository.git("push", "--quiet", "origin", "applied");
  if (aliases.length === 0) return { pipeline, applied };
  const commit = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf(...aliases)) });
  const { outcome, log } = await deploy(pipeline.occasion("push"));
  expect({ outcome, log: outcome === "success" ? "" : log }).toEqual({ outcome: "success", log: "" });
  return { pipeline, applied: commit };
}

test("the merged commit is applied, and the tag moves to it", async () => {
  const { pipeline } = await startDeployed();
  const commit = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a", "b")) });
  const run = await deploy(pipeline.occasion("push"));
  expect(run.log).toContain("Done: 2 created. Verified.");
  expect(run.ours().summary).toContain("go.example.com/a");
  expect(run.outcome).toBe("success");
  const { outputs } = run.ours();
  expect(outputs).toMatchObject({
    "exit-code": "0",
    "has-changes": "true",
    create: "2",
    applied: "2",
    failed: "0",
    skipped: "0",
  });
  expect(pipeline.sandbox.state().links.map(({ alias }) => alias)).toEqual(expect.arrayContaining(["a", "b"]));
  expect(await pipeline.there("applied")).toBe(commit);
});

test("the next deploy detects and reports the links removed since the tag", async () => {
  const { pipeline } = await startDeployed("a", "b");
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  const run = await deploy(pipeline.occasion("push"));
  expect(run.ours().summary).toContain("No longer declared, but still live: 1 object");
  expect(run.outcome).toBe("success");
});

test("a commit that is no longer the newest applies nothing, and the log says why", async () => {
  const { pipeline, applied } = await startDeployed("a");
  const older = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a", "b")) });
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a", "c")) });
  await pipeline.repository.git("checkout", "--quiet", older);
  const before = pipeline.sandbox.requests.length;
  const run = await deploy(pipeline.occasion("push"));
  expect(run.outcome).toBe("success");
  expect(run.log).toContain("::notice title=linkform::Not deployed, because the branch has a newer commit.");
  expect(run.ours().outputs).toMatchObject({ "exit-code": "0", complete: "false" });
  expect(pipeline.sandbox.requests.slice(before)).toEqual([]);
  expect(await pipeline.there("applied")).toBe(applied);
});

test("after a partial deploy the job fails, and the tag stays", async () => {
  const { pipeline, applied } = await startDeployed("a");
  const refused = `rules: { refused-country: warning }\n${linksOf("a", "b")}  go.example.com/c: { url: "https://example.com/c", targeting: { country: { CW: "https://example.com/cw" } } }\n`;
  await pipeline.merge({ "linkform.yaml": pipeline.project(refused) });
  const run = await deploy(pipeline.occasion("push"));
  expect(run.ours().outputs).toMatchObject({ "exit-code": "4", applied: "1", failed: "1" });
  expect(run.outcome).toBe("failure");
  expect(await pipeline.there("applied")).toBe(applied);
  // The report and the record are kept anyway.
  const { with: kept } = run.ours().inner?.at(-1) ?? {};
  const { outputs } = run.ours();
  expect(kept?.["name"]).toBe("linkform-apply");
  expect(kept?.["path"]?.trim().split("\n")).toEqual([outputs["report"], outputs["json"], outputs["record"]]);
});

test("a deletion that a deploy does not make: the tag stays, and a later deploy makes it", async () => {
  const { pipeline, applied } = await startDeployed("a", "b");
  const policy = "prune: removed\nbrake: { deletes: 100% }\n";
  await pipeline.merge({ "linkform.yaml": pipeline.project(`${policy}allow: [create, update]\n${linksOf("a", "c")}`) });
  const first = await deploy(pipeline.occasion("push"));
  expect(first.outcome).toBe("success");
  expect(first.ours().outputs).toMatchObject({ "exit-code": "0", applied: "1", complete: "false" });
  expect(first.log).toContain("Incomplete: 1 change not allowed by `allow`");
  expect(await pipeline.there("applied")).toBe(applied);

  const commit = await pipeline.merge({ "linkform.yaml": pipeline.project(`${policy}${linksOf("a", "c")}`) });
  const second = await deploy(pipeline.occasion("push"));
  expect(second.ours().outputs).toMatchObject({ "exit-code": "0", applied: "1", complete: "true" });
  expect(pipeline.sandbox.state().links.map(({ alias }) => alias)).toEqual(["a", "c"]);
  expect(await pipeline.there("applied")).toBe(commit);
});

test("a brake stops it; a manual run may allow a number of changes", async () => {
  const { pipeline, applied } = await startDeployed("a", "b", "c", "d");
  const all = pipeline.project(
    "absent: { links: [go.example.com/a, go.example.com/b, go.example.com/c, go.example.com/d] }\n",
  );
  const commit = await pipeline.merge({ "linkform.yaml": all });
  const held = await deploy(pipeline.occasion("push"));
  expect(held.ours().outputs).toMatchObject({
    "exit-code": "3",
    "has-changes": "true",
    delete: "4",
    applied: "0",
  });
  expect(held.outcome).toBe("failure");
  expect(await pipeline.there("applied")).toBe(applied);

  const lifted = await deploy(pipeline.occasion("workflow_dispatch", { inputs: { "allow-deletes": "4" } }));
  expect(lifted.ours().outputs).toMatchObject({ "exit-code": "0", applied: "4" });
  expect(await pipeline.there("applied")).toBe(commit);
});

test("a tag that somebody moved meanwhile is not moved back", async () => {
  const { pipeline } = await startDeployed("a");
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a", "b")) });
  const moved = await pipeline.there("main~2");
  const meanwhile = (): Promise<string> =>
    pipeline.repository.git("--git-dir", pipeline.remote, "update-ref", "refs/tags/applied", moved);
  const run = await deploy(pipeline.occasion("push", { meanwhile }));
  expect(run.ours().outputs["exit-code"]).toBe("0");
  expect(run.outcome).toBe("failure");
  expect(await pipeline.there("applied")).toBe(moved);
});

test("without the tag nothing is applied", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  const run = await deploy(pipeline.occasion("push"));
  expect(run.ours().outputs["exit-code"]).toBe("1");
  expect(run.outcome).toBe("failure");
  expect(pipeline.sandbox.requests).toEqual([]);
});

test("a manual run on another branch does nothing", async () => {
  const { pipeline } = await startDeployed("a");
  const run = await deploy(pipeline.occasion("workflow_dispatch", { ref: "refs/heads/mine" }));
  expect(run.outcome).toBe("skipped");
});

test("files with another address than the secret get no key", async () => {
  const { pipeline } = await startDeployed("a");
  await pipeline.merge({
    "linkform.yaml": pipeline.project(linksOf("a", "b")).replace(pipeline.sandbox.url, "http://127.0.0.1:9"),
  });
  const run = await deploy(pipeline.occasion("push"));
  expect(run.ours().outputs["exit-code"]).toBe("1");
  expect(run.log).toContain(", but LINKFORM_BASE_URL is");
});

test("a branch whose name looks like a command is only a name", async () => {
  const { pipeline } = await startDeployed("a");
  const name = "$(touch${IFS}x)`touch${IFS}x`;touch${IFS}x";
  await pipeline.repository.git("push", "--quiet", "origin", `main:refs/heads/${name}`);
  const payload = { repository: { default_branch: name } };
  const run = await deploy(pipeline.occasion("push", { ref: `refs/heads/${name}`, payload }));
  expect(run.log).not.toContain("Not deployed");
  expect(run.outcome).toBe("success");
  expect(await pipeline.repository.git("status", "--porcelain")).toBe("");
});
