// The nightly workflow, run as by GitHub. Fails if drift opens no issue or a second one, if the issue or the pull request stays open after
// the drift is gone, if pending changes count as drift, or if the job is green although drift could not be reported.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accountWith, expectSuccess, linksOf, startApplied, startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import type { ForgeRequest, Reply } from "../support/forge-state.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { runJob, type JobRun } from "../support/workflow-runner.ts";

const FILE = "examples/ci/github/linkform.yml";
const drift = (pipeline: Pipeline): Promise<JobRun> => runJob(FILE, "drift", pipeline.occasion("schedule"));

/** An account whose link has another destination than the applied files. */
const startDrifted = (given: Parameters<typeof startApplied>[1] = {}): ReturnType<typeof startApplied> =>
  startApplied(linksOf("a").replace('com/a"', 'com/mine"'), { ...given, sandbox: accountWith("a") });

test("drift opens an issue, the next night updates it, and it is closed after the drift is gone", async () => {
  const pipeline = await startDrifted();
  const run = await drift(pipeline);
  expectSuccess(run);
  expect(run.ours().outputs).toMatchObject({ "exit-code": "2", "has-changes": "true", update: "1" });
  expect(pipeline.forge.issues).toMatchObject([{ state: "open", body: expect.stringContaining("go.example.com/a") }]);
  await drift(pipeline);
  expect(pipeline.forge.issues).toMatchObject([{ state: "open" }]);
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  await pipeline.moveTag("applied");
  for (const _ of [1, 2]) {
    expect((await drift(pipeline)).ours().outputs).toMatchObject({ "exit-code": "0", "has-changes": "false" });
    expect(pipeline.forge.issues).toMatchObject([{ state: "closed" }]);
  }
  expect(pipeline.forge.comments).toEqual([]);
});

test("drift that cannot be reported in an issue fails the job", async () => {
  const run = await drift(await startDrifted({ forge: { rights: "read" } }));
  expect([run.outcome, run.ours().outputs["exit-code"]]).toEqual(["failure", "2"]);
});

describe("as a pull request", () => {
  const BRANCH = "refs/heads/linkform/drift";

  /** The workflow with the other mode, as docs/ci.md describes it. */
  async function driftInRequest(pipeline: Pipeline): Promise<JobRun> {
    const file = path.join(await temporaryFolder(), "linkform.yml");
    const text = await readFile(path.join(ROOT, FILE), "utf8");
    await writeFile(file, text.replace("drift-mode: issue", "drift-mode: pull-request"));
    return runJob(file, "drift", pipeline.occasion("schedule"));
  }

  const there = ({ repository, remote }: Pipeline, ...args: readonly string[]): Promise<string> =>
    repository.git("--git-dir", remote, ...args);

  test("it keeps the manual change, the next night updates it, and merging it ends the drift", async () => {
    const pipeline = await startDrifted();
    const { repository, forge, applied } = pipeline;
    // Merged changes that wait for their deploy are no drift.
    const before = await repository.git("show", "main:linkform.yaml");
    const main = await pipeline.merge({ "linkform.yaml": `${before}\n`, "links/later.yaml": linksOf("later") });
    expectSuccess(await driftInRequest(pipeline));
    expect(forge.opened).toMatchObject([{ state: "open", head: "linkform/drift", base: "main" }]);
    expect(forge.opened[0]?.body).toMatch(/^<!-- linkform drift [^]*go\.example\.com\/a[^]*Merge this to keep/);
    expect([await pipeline.there(`${BRANCH}~`), await pipeline.there("main")]).toEqual([applied, main]);
    const tip = await pipeline.there(BRANCH);
    expect(await there(pipeline, "diff", "--stat", applied, tip)).toContain("linkform.yaml | 2 +-");

    await driftInRequest(pipeline);
    expect([await pipeline.there(BRANCH), forge.opened.length]).toEqual([tip, 1]);

    await repository.git("fetch", "--quiet", "origin", BRANCH);
    await repository.git("merge", "--quiet", "--no-edit", "FETCH_HEAD");
    expect(await repository.git("show", "main:linkform.yaml")).toContain("url: https://example.com/a }");
    await repository.git("push", "--quiet", "origin", "main");
    const deployed = await runJob(FILE, "deploy", pipeline.occasion("push"));
    expect(deployed.ours().outputs).toMatchObject({ applied: "1", create: "1", unchanged: "1", complete: "true" });
    for (const _ of [1, 2]) {
      const run = await driftInRequest(pipeline);
      expectSuccess(run);
      expect(run.ours().outputs["exit-code"]).toBe("0");
    }
    expect(forge.opened).toMatchObject([{ state: "closed" }]);
    expect(await there(pipeline, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
  });

  test("a new file for an undeclared link is part of it", async () => {
    // The only link of its domain goes into a new file.
    const links = [{ domain: 2 }, { domain: 2, space: 1 }, { domain: 3 }].map((rest, at) => {
      const alias = `l${at + 1}`;
      return { alias, url: `https://example.com/${alias}`, ...rest };
    });
    const pipeline = await startPipeline({ sandbox: { seed: { links } } });
    await pipeline.merge({
      "linkform.yaml": pipeline.project("files: [links/*.yaml]\nprune: scope\nscope: { pixels: [x] }\n"),
      "links/1.yaml": linksOf("l1"),
      "links/2.yaml": linksOf("l2").replace(" }", ", space: Marketing }"),
    });
    await pipeline.moveTag("applied");
    expectSuccess(await driftInRequest(pipeline));
    const changed = await there(pipeline, "show", "--name-status", "--format=", BRANCH);
    expect(changed).toMatch(/^A\tlinks\/\S+$/);
  });

  test("commits of others on its branch stay, even amended ones with the same author, and the job fails", async () => {
    const pipeline = await startDrifted();
    const { repository } = pipeline;
    await driftInRequest(pipeline);
    await repository.git("fetch", "--quiet", "origin", BRANCH);
    await repository.git("switch", "--quiet", "--detach", "FETCH_HEAD");
    await repository.git("commit", "--quiet", "--amend", "--message", "amended");
    await repository.git("push", "--quiet", "--force", "origin", `HEAD:${BRANCH}`);
    const tip = await pipeline.there(BRANCH);
    await repository.git("switch", "--quiet", "main");
    const run = await driftInRequest(pipeline);
    expect([run.outcome, await pipeline.there(BRANCH)]).toEqual(["failure", tip]);
    expect(run.log).toContain("The branch linkform/drift has commits by somebody else. Merge or delete the branch.");
  });

  test("a repository that does not allow workflows to open pull requests gets a message with the setting", async () => {
    const json = { message: "GitHub Actions is not permitted to create or approve pull requests." };
    const answer = ({ method, path: asked }: ForgeRequest): Reply | null =>
      method === "POST" && asked.endsWith("/pulls") ? { status: 403, json } : null;
    const run = await driftInRequest(await startDrifted({ forge: { answer } }));
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain("Allow it in Settings, Actions, General, or use the token of an app.");
  });
});
