// The deploy workflow, run as by GitHub, in real repositories with a remote. Fails if a commit is applied that is no longer the newest, if
// the tag of the applied commit moves without a full success or over somebody else's, if a brake is lifted without a manual decision, or if
// one of several projects stops another. The first day has the deploy that succeeds.

import { expect, test } from "vitest";
import {
  accountWith,
  aliasesIn,
  expectSuccess,
  linksOf,
  REFUSED,
  runOnly,
  startApplied,
  startPipeline,
} from "../support/ci.ts";
import { runJob, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const FILE = "examples/ci/github/linkform.yml";
const deploy = (occasion: Occasion): Promise<JobRun> => runJob(FILE, "deploy", occasion);
const only = (job: string, occasion: Occasion): Promise<JobRun> => runOnly(FILE, job, occasion);

test("a commit that is no longer the newest applies nothing, and the log says why", async () => {
  const pipeline = await startApplied("");
  const older = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("b")) });
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("c")) });
  await pipeline.repository.git("checkout", "--quiet", older);
  const run = await deploy(pipeline.occasion("push"));
  expect(run.outcome).toBe("success");
  expect(run.log).toContain("::notice title=linkform::Not deployed, because the branch has a newer commit.");
  expect(run.ours().outputs).toMatchObject({ "exit-code": "0", complete: "false" });
  expect(pipeline.sandbox.requests).toEqual([]);
  expect(await pipeline.there("applied")).toBe(pipeline.applied);
});

test("after a partial deploy the job fails, and the tag stays", async () => {
  const pipeline = await startApplied("");
  await pipeline.merge({ "linkform.yaml": pipeline.project(REFUSED), "links/b.yaml": linksOf("b") });
  const run = await deploy(pipeline.occasion("push"));
  const { outputs, inner } = run.ours();
  expect(outputs).toMatchObject({ "exit-code": "4", applied: "1", failed: "1" });
  expect(run.outcome).toBe("failure");
  expect(await pipeline.there("applied")).toBe(pipeline.applied);
  // The report and the record are kept anyway.
  const kept = `${outputs["report"]}\n${outputs["json"]}\n${outputs["record"]}\n`;
  expect(inner?.at(-1)?.with).toEqual({ name: "linkform-apply", path: kept });
});

test("a brake stops it; a manual run may allow a number of changes, but not on another branch", async () => {
  const pipeline = await startApplied(linksOf("a"), { sandbox: accountWith("a") });
  const absent = "brake: { deletes: 0 }\nabsent: { links: [go.example.com/a] }\n";
  const commit = await pipeline.merge({ "linkform.yaml": pipeline.project(absent) });
  const held = await deploy(pipeline.occasion("push"));
  expect(held.ours().outputs).toMatchObject({ "exit-code": "3", "has-changes": "true", delete: "1", applied: "0" });
  expect(held.outcome).toBe("failure");
  expect(await pipeline.there("applied")).toBe(pipeline.applied);

  const manual = { inputs: { "allow-deletes": "1" } };
  const elsewhere = pipeline.occasion("workflow_dispatch", { ...manual, ref: "refs/heads/mine" });
  expect((await deploy(elsewhere)).outcome).toBe("skipped");
  const lifted = await deploy(pipeline.occasion("workflow_dispatch", manual));
  expect(lifted.ours().outputs).toMatchObject({ "exit-code": "0", applied: "1" });
  expect(await pipeline.there("applied")).toBe(commit);
});

test("a tag that somebody moved meanwhile is not moved back", async () => {
  const pipeline = await startApplied("");
  const moved = await pipeline.merge({ "linkform.yaml": pipeline.project("# moved\n") });
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("b")) });
  const meanwhile = (): Promise<string> =>
    pipeline.repository.git("--git-dir", pipeline.remote, "update-ref", "refs/tags/applied", moved);
  const run = await deploy(pipeline.occasion("push", { meanwhile }));
  expect(run.ours().outputs["exit-code"]).toBe("0");
  expect(run.outcome).toBe("failure");
  expect(await pipeline.there("applied")).toBe(moved);
});

test("a branch whose name looks like a command is only a name", async () => {
  const pipeline = await startApplied("");
  const name = "$(touch${IFS}x)`touch${IFS}x`;touch${IFS}x";
  await pipeline.repository.git("push", "--quiet", "origin", `main:refs/heads/${name}`);
  const payload = { repository: { default_branch: name } };
  const run = await deploy(pipeline.occasion("push", { ref: `refs/heads/${name}`, payload }));
  expect(run.log).not.toContain("Not deployed");
  expect(run.outcome).toBe("success");
  expect(await pipeline.repository.git("status", "--porcelain")).toBe("");
});

test("several projects have one comment, and the tag of each moves after its own complete run only", async () => {
  const pipeline = await startPipeline();
  const hostile = "$(touch${IFS}x)";
  const filesOf = (links: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      ["marketing", "press", hostile].map((folder, at) => [
        `${folder}/linkform.yaml`,
        pipeline.project(links[at] ?? ""),
      ]),
    );
  const start = await pipeline.merge(filesOf([]));
  for (const name of ["marketing", "press"]) await pipeline.moveTag(`applied-${name}`);
  const links = [linksOf("spring"), linksOf("news"), linksOf("odd")];
  await pipeline.propose(filesOf(links));
  expectSuccess(await only("plan", pipeline.occasion("pull_request")));
  expect(pipeline.forge.comments).toHaveLength(1);
  for (const alias of ["spring", "news", "odd"]) expect(pipeline.forge.comments[0]?.body).toContain(alias);

  const tip = await pipeline.merge(filesOf([REFUSED, ...links.slice(1)]));
  const first = await only("deploy", pipeline.occasion("push"));
  expect(first.outcome).toBe("failure");
  expect(first.log).toContain("with the input `first-run`");
  expect(aliasesIn(pipeline)).toEqual(["news"]);
  expect([await pipeline.there("applied-marketing"), await pipeline.there("applied-press")]).toEqual([start, tip]);

  const fixed = await pipeline.merge(filesOf(links));
  const second = await only("deploy", pipeline.occasion("workflow_dispatch", { inputs: { "first-run": "true" } }));
  expectSuccess(second);
  expect(second.ours().outputs).toMatchObject({ applied: "2", failed: "0", complete: "true" });
  expect(second.ours().outputs["record"]?.split("\n")).toHaveLength(2);
  expect(aliasesIn(pipeline)).toEqual(["news", "odd", "spring"]);
  for (const name of ["marketing", "press", "-touch-IFS-x-"])
    expect(await pipeline.there(`applied-${name}`)).toBe(fixed);
  expectSuccess(await only("drift", pipeline.occasion("schedule")));
});
