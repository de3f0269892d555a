// What `linkform init` wrote runs: as GitHub would run it, from the first pull request to the night after. Fails when the workflows
// of a project in a folder don't find it, hold it against another tag than the one they move, or read another branch.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { init } from "../../src/init/command.ts";
import { startPipeline, type Pipeline } from "../support/ci.ts";
import { runIn, writeFiles } from "../support/scenario.ts";
import { runSteps, type JobRun, type Occasion, type Step } from "../support/workflow-runner.ts";

/** A job of a file that was written, with the program as it is here in place of the package. */
async function runWritten(pipeline: Pipeline, name: string, job: string, occasion: Occasion): Promise<JobRun> {
  const file = path.join(pipeline.repository.folder, `.github/workflows/linkform-marketing-${name}.yml`);
  const workflow: {
    env?: Record<string, string>;
    jobs: Record<string, { if?: string; steps: readonly Step[] }>;
  } = parse(await readFile(file, "utf8"));
  const { if: condition, steps = [] } = workflow.jobs[job] ?? {};
  const own = steps.map((step) => {
    const { version: _, ...given } = step.with ?? {};
    return { ...step, ...(step.with !== undefined && { with: given }) };
  });
  return runSteps(own, occasion, workflow.env, condition);
}

test("a project in a folder is planned, applied, and found as it was declared", async () => {
  const pipeline = await startPipeline();
  const { repository, sandbox } = pipeline;
  // What is there before the project is: the tag goes to it.
  await pipeline.merge({ "README.md": "ours\n" });
  await repository.git("push", "--quiet", "origin", "main:refs/tags/applied-marketing");

  await repository.git("switch", "--quiet", "--create", "begin");
  await writeFiles(repository.folder, { "marketing/README.md": "theirs\n" });
  const folder = path.join(repository.folder, "marketing");
  const begun = await runIn(folder, { LINKFORM_API_KEY: sandbox.apiKey }, (world) =>
    init(world, {
      baseUrl: sandbox.url,
      domain: ["go.example.com"],
      ci: "github",
      ciSource: "acme/linkform",
    }),
  );
  expect({ exit: begun.exit, err: begun.err }).toEqual({ exit: 0, err: "" });
  await writeFiles(folder, { "links/first.yaml": "links: { first: { url: https://www.example.com/ } }\n" });
  await repository.commitAll();
  await repository.git("switch", "--quiet", "--detach", "main");
  await repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "begin");

  const planned = await runWritten(pipeline, "pull-request", "plan", pipeline.occasion("pull_request"));
  expect(planned.log).toContain("+ create link go.example.com/first");
  expect(planned.outcome).toBe("success");
  expect(pipeline.forge.comments).toHaveLength(1);

  await repository.git("switch", "--quiet", "--force-create", "main");
  await repository.git("push", "--quiet", "--force", "origin", "main");
  const tip = await repository.git("rev-parse", "HEAD");
  const deployed = await runWritten(pipeline, "deploy", "deploy", pipeline.occasion("push"));
  expect({ outcome: deployed.outcome, log: deployed.outcome === "success" ? "" : deployed.log }).toEqual({
    outcome: "success",
    log: "",
  });
  expect(sandbox.state().links.map(({ alias }) => alias)).toEqual(["first"]);
  expect(await pipeline.there("applied-marketing")).toBe(tip);

  const night = await runWritten(pipeline, "drift", "drift", pipeline.occasion("schedule"));
  expect(night.outcome).toBe("success");
  expect(night.step("drift").outputs).toMatchObject({ "exit-code": "0" });
});
