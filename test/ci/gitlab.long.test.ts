// The GitLab template, its jobs run as by GitLab's runner, with the sandbox, a fake GitLab and real repositories. Fails if a merge request
// gets no note or a second one, if its reports are not where GitLab looks for them, if a merge request from a fork is planned with the key,
// or if the tag of the applied commit moves without a full success.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { linksOf, startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import { isIn, readTemplate, runGitLabJob } from "../support/gitlab-runner.ts";
import { CLI } from "../support/program.ts";
import { temporaryFolder, type Ran } from "../support/scenario.ts";

/** GitLab's variables for a pipeline of the default branch. */
function variablesOf({ forge, sandbox, remote }: Pipeline): Record<string, string> {
  const { CI_MERGE_REQUEST_IID: _, ...gitlab } = forge.env.gitlab;
  return {
    ...gitlab,
    LINKFORM_API_KEY: sandbox.apiKey,
    LINKFORM_BASE_URL: sandbox.url,
    CI_COMMIT_BRANCH: "main",
    CI_DEFAULT_BRANCH: "main",
    CI_PROJECT_URL: remote.replace(/\.git$/, ""),
  };
}

async function ofMergeRequest(
  pipeline: Pipeline,
  more: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const { CI_COMMIT_BRANCH: _, ...variables } = variablesOf(pipeline);
  return { ...variables, CI_MERGE_REQUEST_IID: "1", CI_MERGE_REQUEST_EVENT_TYPE: "merged_result", ...more };
}

const packed = await mkdtemp(path.join(tmpdir(), "linkform-"));
afterAll(() => rm(packed, { recursive: true }));
const { stdout } = await promisify(execFile)(
  "npm",
  ["pack", "--silent", "--ignore-scripts", "--pack-destination", packed],
  { cwd: ROOT },
);

const tarball = path.join(packed, stdout.trim());
const integrity = `sha512-${createHash("sha512")
  .update(await readFile(tarball))
  .digest("base64")}`;

/** The job with the current package. */
async function job(
  name: string,
  { repository }: Pipeline,
  variables: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>> = { package: tarball, integrity },
): Promise<Ran> {
  return runGitLabJob(`linkform:${name}`, repository.folder, variables, inputs);
}

const read = ({ repository }: Pipeline, file: string): Promise<string> =>
  readFile(path.join(repository.folder, file), "utf8");

test("the program is the image's if no package is named", async () => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  const image = await temporaryFolder();
  await mkdir(path.join(image, "bin"));
  await symlink(CLI, path.join(image, "bin/linkform"));
  const variables = { ...(await ofMergeRequest(pipeline)), PATH: `${image}/bin:${process.env["PATH"] ?? ""}` };
  expect(await job("validate", pipeline, variables, {})).toMatchObject({
    exit: 0,
    out: expect.stringContaining("linkform.yaml\n\nValid: 1 file read."),
  });
});

test.each(["", `sha512-${"A".repeat(86)}==`])("a package with another hash than `%s` does not run", async (wrong) => {
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  const inputs = { package: tarball, integrity: wrong };
  const { exit, out, err } = await job("plan", pipeline, await ofMergeRequest(pipeline), inputs);
  expect([exit, out]).toEqual([1, ""]);
  expect(err).toContain(`has the hash ${integrity}, which is not the one in the input integrity.`);
  expect(pipeline.sandbox.requests).toEqual([]);
});

describe("a merge request", () => {
  test("is validated, with the report of the kind Code Quality where GitLab looks for it", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project("") });
    await pipeline.propose({ "linkform.yaml": pipeline.project('links:\n  go.example.com/a: { url: "nowhere" }\n') });
    const { LINKFORM_API_KEY: _, ...keyless } = await ofMergeRequest(pipeline);
    const { exit, out } = await job("validate", pipeline, keyless);
    expect(exit).toBe(1);
    expect(out).toContain("error[refused-address]");
    const { artifacts } = (await readTemplate())["linkform:validate"] ?? {};
    const report = JSON.parse(await read(pipeline, artifacts?.reports?.["codequality"] ?? ""));
    expect(report).toMatchObject([{ location: { path: "linkform.yaml", lines: { begin: 5 } } }]);
    expect(pipeline.sandbox.requests).toEqual([]);
  });

  test("of merged results is planned against the target, with a note that the next run updates, and counts for GitLab", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    await pipeline.propose({ "linkform.yaml": pipeline.project(linksOf("a", "b")) });
    const first = await job("plan", pipeline, await ofMergeRequest(pipeline));
    expect({ exit: first.exit, said: first.exit === 0 ? "" : first.out + first.err }).toEqual({ exit: 0, said: "" });
    expect(first.out).toContain("Base: HEAD^1");
    await job("plan", pipeline, await ofMergeRequest(pipeline));
    expect(pipeline.forge.writes().map((line) => line.split(" ")[0])).toEqual(["POST", "PUT"]);
    expect(pipeline.forge.comments).toMatchObject([{ body: expect.stringContaining("go.example.com/b") }]);
    const { artifacts } = (await readTemplate())["linkform:plan"] ?? {};
    expect(JSON.parse(await read(pipeline, artifacts?.reports?.["terraform"] ?? ""))).toEqual({
      create: 2,
      update: 0,
      delete: 0,
    });
    for (const file of artifacts?.paths ?? []) expect(typeof (await read(pipeline, file))).toBe("string");
    expect(pipeline.sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("of the source branch alone is planned against the commit that it began at", async () => {
    const pipeline = await startPipeline();
    const began = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    await pipeline.propose({ "linkform.yaml": pipeline.project(linksOf("b")) });
    await pipeline.repository.git("checkout", "--quiet", "change");
    const variables = await ofMergeRequest(pipeline, {
      CI_MERGE_REQUEST_EVENT_TYPE: "detached",
      CI_MERGE_REQUEST_DIFF_BASE_SHA: began,
    });
    const { exit, out } = await job("plan", pipeline, variables);
    expect(exit).toBe(0);
    expect(out).toContain(`Base: ${began}`);
  });

  test("beyond the brake fails its job, with a note all the same; without a token there is no note", async () => {
    const pipeline = await startPipeline({
      sandbox: { seed: { links: [{ id: 1, alias: "a", url: "https://example.com/a", domain: 2 }] } },
    });
    const strict = "brake: { deletes: 0 }\n";
    await pipeline.merge({ "linkform.yaml": pipeline.project(strict + linksOf("a")) });
    await pipeline.propose({ "linkform.yaml": pipeline.project(`${strict}absent: { links: [go.example.com/a] }\n`) });
    const { GITLAB_TOKEN: token = "", ...without } = await ofMergeRequest(pipeline);
    expect((await job("plan", pipeline, without)).exit).toBe(3);
    expect(pipeline.forge.requests).toEqual([]);
    expect((await job("plan", pipeline, { ...without, GITLAB_TOKEN: token })).exit).toBe(3);
    expect(pipeline.forge.comments).toHaveLength(1);
  });
});

describe("the jobs of a pipeline", () => {
  const jobsIn = async (variables: Readonly<Record<string, string>>): Promise<string[]> =>
    Object.entries(await readTemplate()).flatMap(([name, one]) => (isIn(one, variables) ? [name] : []));
  const ours = "acme/links";

  test.each([
    [
      "of a merge request",
      {
        CI_PIPELINE_SOURCE: "merge_request_event",
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: ours,
        CI_MERGE_REQUEST_PROJECT_PATH: ours,
      },
      ["linkform:validate", "linkform:plan"],
    ],
    [
      "of a merge request from a fork",
      {
        CI_PIPELINE_SOURCE: "merge_request_event",
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "x/links",
        CI_MERGE_REQUEST_PROJECT_PATH: ours,
      },
      ["linkform:validate"],
    ],
    ["of a push to the default branch", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" }, ["linkform:deploy"]],
    ["that is run by hand", { CI_PIPELINE_SOURCE: "web", CI_COMMIT_BRANCH: "main" }, ["linkform:deploy"]],
    ["of another branch", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "mine" }, []],
    ["of a schedule", { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main" }, ["linkform:drift"]],
  ])("%s", async (_, variables, expected) => {
    expect(await jobsIn({ CI_DEFAULT_BRANCH: "main", ...variables })).toEqual(expected);
  });

  test("deploy and drift are in one group", async () => {
    const jobs = await readTemplate({ "resource-group": "one" });
    expect([jobs["linkform:deploy"]?.resource_group, jobs["linkform:drift"]?.resource_group]).toEqual(["one", "one"]);
  });
});

describe("the deploy", () => {
  async function startDeployed(
    given: Parameters<typeof startPipeline>[0] = {},
  ): Promise<{ pipeline: Pipeline; applied: string }> {
    const pipeline = await startPipeline(given);
    const applied = await pipeline.merge({ "linkform.yaml": pipeline.project("") });
    await pipeline.repository.git("tag", "applied");
    await pipeline.repository.git("push", "--quiet", "origin", "applied");
    return { pipeline, applied };
  }

  test("applies the newest commit and moves the tag to it; an older one does nothing", async () => {
    const { pipeline } = await startDeployed();
    const older = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const newest = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("b")) });
    const ran = await job("deploy", pipeline, variablesOf(pipeline));
    expect({ exit: ran.exit, said: ran.exit === 0 ? "" : ran.out + ran.err }).toEqual({ exit: 0, said: "" });
    expect(pipeline.sandbox.state().links.map(({ alias }) => alias)).toEqual(["b"]);
    expect(await pipeline.there("applied")).toBe(newest);
    await pipeline.repository.git("checkout", "--quiet", older);
    const late = await job("deploy", pipeline, variablesOf(pipeline));
    expect(late.exit).toBe(0);
    expect(late.out).toContain("Not deployed, because the branch has a newer commit.");
    expect(pipeline.sandbox.state().links.map(({ alias }) => alias)).toEqual(["b"]);
    expect(await pipeline.there("applied")).toBe(newest);
  });

  test("reads only what changed where the input asks for it, and everything if somebody starts it", async () => {
    const { pipeline } = await startDeployed();
    await pipeline.merge({ "linkform.yaml": `${pipeline.project("")}# note\n` });
    const inputs = { package: tarball, integrity, changed: "always" };
    const asked = async (source: string): Promise<[number, boolean]> => {
      const before = pipeline.sandbox.requests.length;
      const { exit } = await job("deploy", pipeline, { ...variablesOf(pipeline), CI_PIPELINE_SOURCE: source }, inputs);
      return [exit, pipeline.sandbox.requests.length > before];
    };
    expect(await asked("push")).toEqual([0, false]);
    expect(await asked("web")).toEqual([0, true]);
  });

  test("that was made in part ends with 4, and the tag stays", async () => {
    const { pipeline, applied } = await startDeployed();
    const refused = `rules: { refused-country: warning }\n${linksOf("b")}  go.example.com/c: { url: "https://example.com/c", targeting: { country: { CW: "https://example.com/cw" } } }\n`;
    await pipeline.merge({ "linkform.yaml": pipeline.project(refused) });
    expect((await job("deploy", pipeline, variablesOf(pipeline))).exit).toBe(4);
    expect(await pipeline.there("applied")).toBe(applied);
    const [report = "", records] = (await readTemplate())["linkform:deploy"]?.artifacts?.paths ?? [];
    expect(await read(pipeline, report)).toContain("go.example.com/b");
    expect(records).toBe("**/.linkform/runs/*.jsonl");
    const kept = await readdir(path.join(pipeline.repository.folder, ".linkform/runs"));
    expect(kept.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  });

  test("that leaves a deletion over leaves the tag, and a later one makes it", async () => {
    const { pipeline } = await startDeployed();
    const policy = "prune: removed\nbrake: { deletes: 100% }\n";
    const deployed = await pipeline.merge({ "linkform.yaml": pipeline.project(`${policy}${linksOf("a", "b")}`) });
    expect((await job("deploy", pipeline, variablesOf(pipeline))).exit).toBe(0);
    expect(await pipeline.there("applied")).toBe(deployed);
    const text = `${policy}allow: [create, update]\n${linksOf("a", "c")}`;
    await pipeline.merge({ "linkform.yaml": pipeline.project(text) });
    const { exit, out } = await job("deploy", pipeline, variablesOf(pipeline));
    expect([exit, out]).toEqual([0, expect.stringContaining("Incomplete: 1 change not allowed by `allow`")]);
    expect(await pipeline.there("applied")).toBe(deployed);
    const commit = await pipeline.merge({ "linkform.yaml": pipeline.project(`${policy}${linksOf("a", "c")}`) });
    expect((await job("deploy", pipeline, variablesOf(pipeline))).exit).toBe(0);
    expect(pipeline.sandbox.state().links.map(({ alias }) => alias)).toEqual(["a", "c"]);
    expect(await pipeline.there("applied")).toBe(commit);
  });

  test("goes beyond the brake by as many as the pipeline's variable says", async () => {
    const { pipeline } = await startDeployed({
      sandbox: { seed: { links: [{ id: 1, alias: "a", url: "https://example.com/a", domain: 2 }] } },
    });
    const commit = await pipeline.merge({
      "linkform.yaml": pipeline.project("brake: { deletes: 0 }\nabsent: { links: [go.example.com/a] }\n"),
    });
    expect((await job("deploy", pipeline, variablesOf(pipeline))).exit).toBe(3);
    expect((await job("deploy", pipeline, { ...variablesOf(pipeline), LINKFORM_ALLOW_DELETES: "1" })).exit).toBe(0);
    expect(await pipeline.there("applied")).toBe(commit);
  });

  test.each([
    [{ GITLAB_TOKEN: "project-token" }, "linkform:project-token"],
    [{ GITLAB_TOKEN: "", CI_JOB_TOKEN: "job-token" }, "gitlab-ci-token:job-token"],
  ])("pushes the tag with the token that it has, which is in no address: %o", async (tokens, credentials) => {
    const { pipeline } = await startDeployed({
      forge: {
        answer: ({ path: asked }) =>
          asked.startsWith("/git/")
            ? { status: 401, json: {}, headers: { "www-authenticate": 'Basic realm="git"' } }
            : null,
      },
    });
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const variables = { ...variablesOf(pipeline), CI_PROJECT_URL: `${pipeline.forge.url}/git/links`, ...tokens };
    const { exit, out, err } = await job("deploy", pipeline, variables);
    expect(exit).not.toBe(0);
    const sent = pipeline.forge.requests.flatMap(({ headers }) => headers.authorization ?? []);
    expect(sent).toContain(`Basic ${Buffer.from(credentials).toString("base64")}`);
    expect(pipeline.forge.requests.map(({ path: asked }) => asked).join("\n") + out + err).not.toContain(
      credentials.split(":")[1],
    );
  });
});

test("drift opens an issue and closes it; without a token the job fails", async () => {
  const pipeline = await startPipeline({
    sandbox: { seed: { links: [{ id: 1, alias: "a", url: "https://example.com/x", domain: 2 }] } },
  });
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  await pipeline.repository.git("tag", "applied");
  const variables = variablesOf(pipeline);
  const ran = await job("drift", pipeline, variables);
  expect({ exit: ran.exit, said: ran.exit === 0 ? "" : ran.out + ran.err }).toEqual({ exit: 0, said: "" });
  expect(pipeline.forge.issues).toMatchObject([{ state: "open", body: expect.stringContaining("go.example.com/a") }]);
  expect((await job("drift", pipeline, { ...variables, GITLAB_TOKEN: "" })).exit).not.toBe(0);
  await pipeline.merge({
    "linkform.yaml": pipeline.project(linksOf("a").replace('example.com/a" }', 'example.com/x" }')),
  });
  await pipeline.repository.git("tag", "--force", "applied");
  expect((await job("drift", pipeline, variables)).exit).toBe(0);
  expect(pipeline.forge.issues).toMatchObject([{ state: "closed" }]);
});

test("drift becomes a merge request on top of the applied commit, which closes itself", async () => {
  const pipeline = await startPipeline({
    sandbox: { seed: { links: [{ id: 1, alias: "a", url: "https://example.com/x", domain: 2 }] } },
  });
  const { repository, forge, remote } = pipeline;
  const branch = "refs/heads/linkform/drift";
  const inputs = { package: tarball, integrity, "drift-mode": "pull-request" };
  const drift = async (): Promise<void> => {
    const ran = await job("drift", pipeline, variablesOf(pipeline), inputs);
    expect({ exit: ran.exit, said: ran.exit === 0 ? "" : ran.out + ran.err }).toEqual({ exit: 0, said: "" });
  };
  const applied = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  await repository.git("tag", "applied");
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")), "links/later.yaml": linksOf("later") });
  await drift();
  expect(forge.opened).toMatchObject([{ state: "open", head: "linkform/drift", base: "main" }]);
  expect(await pipeline.there(`${branch}~`)).toBe(applied);
  const tip = await pipeline.there(branch);
  await drift();
  expect([await pipeline.there(branch), forge.opened.length]).toEqual([tip, 1]);

  await repository.git("fetch", "--quiet", "origin", branch);
  await repository.git("merge", "--quiet", "--no-edit", "FETCH_HEAD");
  await repository.git("tag", "--force", "applied");
  await repository.git("push", "--quiet", "origin", `main:${branch}`);
  const refused = await job("drift", pipeline, variablesOf(pipeline), inputs);
  expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining("has commits by somebody else")]);
  await repository.git("push", "--quiet", "--force", "origin", `${tip}:${branch}`);
  await repository.git("tag", "--force", "applied", tip);
  await drift();
  expect(forge.opened).toMatchObject([{ state: "closed" }]);
  expect(await repository.git("--git-dir", remote, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
    "refs/heads/main",
  );
});
