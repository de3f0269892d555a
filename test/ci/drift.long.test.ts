// The nightly workflow, run as GitHub would run it. Fails when drift opens no issue or a second one, when the issue stays open after
// all is well again, when what waits for its deploy counts as drift, or when nobody would hear of a drift that could not be told.

import { expect, test } from "vitest";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { runJob, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const drift = (occasion: Occasion): Promise<JobRun> => runJob("examples/ci/github/linkform.yml", "drift", occasion);

const seed = (url: string): { links: { id: number; alias: string; url: string; domain: number }[] } => ({
  links: [{ id: 1, alias: "a", url, domain: 2 }],
});

/** An account whose link leads there, while the files that were applied say https://example.com/a. */
async function startApplied(url: string, given: Parameters<typeof startPipeline>[0] = {}): Promise<Pipeline> {
  const pipeline = await startPipeline({ ...given, sandbox: { seed: seed(url) } });
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  await pipeline.repository.git("tag", "applied");
  await pipeline.repository.git("push", "--quiet", "origin", "applied");
  return pipeline;
}

test("drift opens an issue, and the next night updates it", async () => {
  const pipeline = await startApplied("https://example.com/elsewhere");
  const run = await drift(pipeline.occasion("schedule"));
  expect({ outcome: run.outcome, log: run.outcome === "success" ? "" : run.log }).toEqual({
    outcome: "success",
    log: "",
  });
  expect(run.ours().outputs).toMatchObject({ "exit-code": "2", "has-changes": "true", update: "1" });
  expect(pipeline.forge.issues).toMatchObject([{ state: "open" }]);
  expect(pipeline.forge.issues[0]?.body).toContain("go.example.com/a");
  await drift(pipeline.occasion("schedule"));
  expect(pipeline.forge.issues).toHaveLength(1);
  expect(pipeline.forge.comments).toEqual([]);
});

test("the issue is closed when all is well again, and none is opened when all is well", async () => {
  const pipeline = await startApplied("https://example.com/elsewhere");
  await drift(pipeline.occasion("schedule"));
  await pipeline.repository.git(
    "tag",
    "--force",
    "applied",
    await pipeline.merge({
      "linkform.yaml": pipeline.project(linksOf("a").replace('example.com/a" }', 'example.com/elsewhere" }')),
    }),
  );
  await pipeline.repository.git("push", "--quiet", "--force", "origin", "applied");
  const run = await drift(pipeline.occasion("schedule"));
  expect(run.ours().outputs).toMatchObject({ "exit-code": "0", "has-changes": "false" });
  expect(pipeline.forge.issues).toMatchObject([{ state: "closed" }]);
  await drift(pipeline.occasion("schedule"));
  expect(pipeline.forge.issues).toHaveLength(1);
});

test("what was merged and waits for its deploy is no drift", async () => {
  const pipeline = await startApplied("https://example.com/a");
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a", "b")) });
  const run = await drift(pipeline.occasion("schedule"));
  expect(run.ours().outputs["exit-code"]).toBe("0");
  expect(pipeline.forge.issues).toEqual([]);
});

test("drift that cannot be reported in an issue fails the job", async () => {
  const pipeline = await startApplied("https://example.com/elsewhere", { forge: { rights: "read" } });
  const run = await drift(pipeline.occasion("schedule"));
  expect(run.ours().outputs["exit-code"]).toBe("2");
  expect(run.outcome).toBe("failure");
});
