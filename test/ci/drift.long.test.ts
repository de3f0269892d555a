// The nightly workflow, run as by GitHub. Fails if drift opens no issue or a second one, if the issue stays open after the drift is gone,
// if pending changes count as drift, or if the job is green although drift could not be reported.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import type { ForgeRequest, Reply } from "../support/forge-state.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { runJob, type JobRun, type Occasion } from "../support/workflow-runner.ts";

const FILE = "examples/ci/github/linkform.yml";
const drift = (occasion: Occasion): Promise<JobRun> => runJob(FILE, "drift", occasion);

const seed = (url: string): { links: { id: number; alias: string; url: string; domain: number }[] } => ({
  links: [{ id: 1, alias: "a", url, domain: 2 }],
});

/** An account whose link has this destination, while the applied files have https://example.com/a. */
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

test("the issue is closed after the drift is gone, and none is opened without drift", async () => {
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

test("merged changes that wait for their deploy are no drift", async () => {
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

describe("as a pull request", () => {
  const BRANCH = "refs/heads/linkform/drift";

  /** The workflow with the other mode, as docs/ci.md describes it. */
  async function driftInRequest(occasion: Occasion): Promise<JobRun> {
    const file = path.join(await temporaryFolder(), "linkform.yml");
    const text = await readFile(path.join(ROOT, FILE), "utf8");
    await writeFile(file, text.replace("drift-mode: issue", "drift-mode: pull-request"));
    return runJob(file, "drift", occasion);
  }

  const branches = async ({ repository, remote }: Pipeline): Promise<string> =>
    repository.git("--git-dir", remote, "for-each-ref", "--format=%(refname)", "refs/heads");

  test("it keeps the manual change, the next night updates it, and merging it ends the drift", async () => {
    const pipeline = await startApplied("https://example.com/elsewhere");
    const applied = await pipeline.there("applied");
    const later = { "linkform.yaml": pipeline.project(linksOf("a")), "links/later.yaml": linksOf("later") };
    const main = await pipeline.merge(later);
    const first = await driftInRequest(pipeline.occasion("schedule"));
    expect({ outcome: first.outcome, log: first.outcome === "success" ? "" : first.log }).toEqual({
      outcome: "success",
      log: "",
    });
    expect(pipeline.forge.opened).toMatchObject([{ state: "open", head: "linkform/drift", base: "main" }]);
    expect(pipeline.forge.opened[0]?.body).toMatch(
      /^<!-- linkform drift [^]*go\.example\.com\/a[^]*Merge this to keep/,
    );
    expect([await pipeline.there(`${BRANCH}~`), await pipeline.there("main")]).toEqual([applied, main]);
    const tip = await pipeline.there(BRANCH);
    expect(await pipeline.repository.git("--git-dir", pipeline.remote, "diff", "--stat", applied, tip)).toContain(
      "linkform.yaml | 2 +-",
    );

    await driftInRequest(pipeline.occasion("schedule"));
    expect([await pipeline.there(BRANCH), pipeline.forge.opened.length]).toEqual([tip, 1]);

    await pipeline.repository.git("fetch", "--quiet", "origin", BRANCH);
    await pipeline.repository.git("merge", "--quiet", "--no-edit", "FETCH_HEAD");
    expect(await pipeline.repository.git("show", "main:linkform.yaml")).toContain("https://example.com/elsewhere");
    await pipeline.repository.git("push", "--quiet", "origin", "main");
    const deployed = await runJob(FILE, "deploy", pipeline.occasion("push"));
    expect(deployed.ours().outputs).toMatchObject({ applied: "1", create: "1", unchanged: "1", complete: "true" });
    expect((await driftInRequest(pipeline.occasion("schedule"))).ours().outputs["exit-code"]).toBe("0");
    expect(await branches(pipeline)).toBe("refs/heads/main");
  });

  test("it closes itself when the drift is gone, and its branch is deleted", async () => {
    const pipeline = await startApplied("https://example.com/elsewhere");
    await driftInRequest(pipeline.occasion("schedule"));
    const kept = linksOf("a").replace('example.com/a" }', 'example.com/elsewhere" }');
    await pipeline.merge({ "linkform.yaml": pipeline.project(kept) });
    await pipeline.repository.git("push", "--quiet", "--force", "origin", "main:refs/tags/applied");
    for (const _ of [1, 2]) {
      const run = await driftInRequest(pipeline.occasion("schedule"));
      expect({ outcome: run.outcome, log: run.outcome === "success" ? "" : run.log }).toEqual({
        outcome: "success",
        log: "",
      });
    }
    expect(pipeline.forge.opened).toMatchObject([{ state: "closed" }]);
    expect(await branches(pipeline)).toBe("refs/heads/main");
  });

  test("a new file for an undeclared link is part of it", async () => {
    const links = [{ domain: 2 }, { domain: 2, space: 1 }, { domain: 3 }].map((rest, id) => {
      const alias = `l${id + 1}`;
      return { id: id + 1, alias, url: `https://example.com/${alias}`, ...rest };
    });
    const pipeline = await startPipeline({ sandbox: { seed: { links } } });
    await pipeline.merge({
      "linkform.yaml": pipeline.project("files: [links/*.yaml]\nprune: scope\nscope: { pixels: [x] }\n"),
      "links/1.yaml": linksOf("l1"),
      "links/2.yaml": linksOf("l2").replace(" }", ", space: Marketing }"),
    });
    await pipeline.repository.git("tag", "applied");
    const run = await driftInRequest(pipeline.occasion("schedule"));
    expect(run.outcome === "success" ? "" : run.log).toBe("");
    const args = ["--git-dir", pipeline.remote, "show", "--name-status", "--format=", BRANCH];
    expect(await pipeline.repository.git(...args)).toMatch(/^A\tlinks\/\S+$/);
  });

  test("commits of others on its branch stay, and the job fails", async () => {
    const pipeline = await startApplied("https://example.com/elsewhere");
    await pipeline.repository.git("push", "--quiet", "origin", `main:${BRANCH}`);
    const run = await driftInRequest(pipeline.occasion("schedule"));
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain("The branch linkform/drift has commits by somebody else. Merge or delete the branch.");
    expect(await pipeline.there(BRANCH)).toBe(await pipeline.there("main"));
    expect(pipeline.forge.opened).toEqual([]);
  });

  test("a commit that somebody amended stays, although its author is the same", async () => {
    const pipeline = await startApplied("https://example.com/elsewhere");
    const { repository } = pipeline;
    await driftInRequest(pipeline.occasion("schedule"));
    await repository.git("fetch", "--quiet", "origin", BRANCH);
    await repository.git("switch", "--quiet", "--detach", "FETCH_HEAD");
    await repository.git("commit", "--quiet", "--amend", "--message", "amended");
    await repository.git("push", "--quiet", "--force", "origin", `HEAD:${BRANCH}`);
    const tip = await pipeline.there(BRANCH);
    await repository.git("switch", "--quiet", "main");
    const run = await driftInRequest(pipeline.occasion("schedule"));
    expect([run.outcome, await pipeline.there(BRANCH)]).toEqual(["failure", tip]);
    expect(run.log).toContain("The branch linkform/drift has commits by somebody else.");
  });

  test("a repository that does not allow workflows to open pull requests gets a message with the setting", async () => {
    const refuses = ({ method, path: asked }: ForgeRequest): Reply | null =>
      method === "POST" && asked.endsWith("/pulls")
        ? {
            status: 403,
            json: { message: "GitHub Actions is not permitted to create or approve pull requests." },
          }
        : null;
    const pipeline = await startApplied("https://example.com/elsewhere", { forge: { answer: refuses } });
    const run = await driftInRequest(pipeline.occasion("schedule"));
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain("Allow it in Settings, Actions, General, or use the token of an app.");
  });
});
