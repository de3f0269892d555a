// The GitLab template, its jobs run as by GitLab's runner, with the sandbox, a fake GitLab and real repositories. Fails if a merge request
// gets no note or a second one, if its reports are not where GitLab looks for them, if a merge request from a fork is planned with the key,
// if the tag of an applied commit moves without a full success, or if drift is not reported.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accountWith, aliasesIn, linksOf, REFUSED, startApplied, startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import { isIn, MERGE_REQUEST, readTemplate, runGitLabJob, variablesOf } from "../support/gitlab-runner.ts";
import { run } from "../support/program.ts";
import { temporaryFolder, type Ran } from "../support/scenario.ts";

type Strings = Readonly<Record<string, string>>;

async function job(name: string, pipeline: Pipeline, more: Strings = {}, inputs: Strings = {}): Promise<Ran> {
  const variables = { ...(await variablesOf(pipeline)), ...more };
  return runGitLabJob(`linkform:${name}`, pipeline.repository.folder, variables, inputs);
}

/** Runs a job that must succeed. Returns its output. */
async function pass(...args: Parameters<typeof job>): Promise<string> {
  const { exit, out, err } = await job(...args);
  expect({ exit, said: exit === 0 ? "" : out + err }).toEqual({ exit: 0, said: "" });
  return out;
}

const read = ({ repository }: Pipeline, file: string): Promise<string> =>
  readFile(path.join(repository.folder, file), "utf8");

test("a package runs only with its hash, and in place of the image's program", async () => {
  const folder = await temporaryFolder();
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const tarball = path.join(folder, (await run("npm", pack, ROOT, {})).out.trim());
  const hash = createHash("sha512").update(await readFile(tarball));
  const integrity = `sha512-${hash.digest("base64")}`;
  const pipeline = await startPipeline();
  await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
  for (const wrong of ["", `sha512-${"A".repeat(86)}==`]) {
    const { exit, out, err } = await job("plan", pipeline, MERGE_REQUEST, { package: tarball, integrity: wrong });
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain(`has the hash ${integrity}, which is not the one in the input integrity.`);
  }
  expect(pipeline.sandbox.requests).toEqual([]);
  const { PATH: _, ...variables } = { ...(await variablesOf(pipeline)), ...MERGE_REQUEST };
  const inputs = { package: tarball, integrity };
  const ran = await runGitLabJob("linkform:validate", pipeline.repository.folder, variables, inputs);
  expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining("Valid: 1 file read.")]);
});

describe("a merge request", () => {
  test("is validated, with the report of the kind Code Quality where GitLab looks for it", async () => {
    const pipeline = await startPipeline();
    await pipeline.merge({ "linkform.yaml": pipeline.project("") });
    await pipeline.propose({ "linkform.yaml": pipeline.project('links:\n  go.example.com/a: { url: "nowhere" }\n') });
    const { exit, out } = await job("validate", pipeline, { ...MERGE_REQUEST, LINKFORM_API_KEY: "" });
    expect([exit, out]).toEqual([1, expect.stringContaining("error[refused-address]")]);
    const { artifacts } = (await readTemplate())["linkform:validate"] ?? {};
    const report = JSON.parse(await read(pipeline, artifacts?.reports?.["codequality"] ?? ""));
    expect(report).toMatchObject([{ location: { path: "linkform.yaml", lines: { begin: 5 } } }]);
    expect(pipeline.sandbox.requests).toEqual([]);
  });

  test("of merged results is planned against the target, with one note for its projects that the next run updates, and counts for GitLab", async () => {
    const pipeline = await startPipeline();
    const files = (press: string, shop: string): Strings => ({
      "press/linkform.yaml": pipeline.project(press),
      "shop/linkform.yaml": pipeline.project(shop),
    });
    await pipeline.merge(files("", ""));
    await pipeline.propose(files(linksOf("a"), linksOf("b")));
    expect(await pass("plan", pipeline, MERGE_REQUEST)).toContain("Base: HEAD^1");
    await pass("plan", pipeline, MERGE_REQUEST);
    expect(pipeline.forge.writes().map((line) => line.split(" ")[0])).toEqual(["POST", "PUT"]);
    expect(pipeline.forge.comments).toMatchObject([{ body: expect.stringMatching(/\/a[^]*go\.example\.com\/b/) }]);
    const { artifacts } = (await readTemplate())["linkform:plan"] ?? {};
    const counts = JSON.parse(await read(pipeline, artifacts?.reports?.["terraform"] ?? ""));
    expect(counts).toEqual({ create: 2, update: 0, delete: 0 });
    for (const file of artifacts?.paths ?? []) expect(typeof (await read(pipeline, file))).toBe("string");
    expect(pipeline.sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("of the source branch alone is planned against the commit where it started", async () => {
    const pipeline = await startPipeline();
    const began = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    await pipeline.propose({ "linkform.yaml": pipeline.project(linksOf("b")) });
    await pipeline.repository.git("checkout", "--quiet", "change");
    const detached = { CI_MERGE_REQUEST_EVENT_TYPE: "detached", CI_MERGE_REQUEST_DIFF_BASE_SHA: began };
    expect(await pass("plan", pipeline, { ...MERGE_REQUEST, ...detached })).toContain(`Base: ${began}`);
  });

  test("beyond the brake fails its job, but has a note; without a token there is no note", async () => {
    const pipeline = await startPipeline({ sandbox: accountWith("a") });
    const strict = "brake: { deletes: 0 }\n";
    await pipeline.merge({ "linkform.yaml": pipeline.project(strict + linksOf("a")) });
    await pipeline.propose({ "linkform.yaml": pipeline.project(`${strict}absent: { links: [go.example.com/a] }\n`) });
    expect((await job("plan", pipeline, { ...MERGE_REQUEST, GITLAB_TOKEN: "" })).exit).toBe(3);
    expect(pipeline.forge.requests).toEqual([]);
    expect((await job("plan", pipeline, MERGE_REQUEST)).exit).toBe(3);
    expect(pipeline.forge.comments).toHaveLength(1);
  });
});

// The first day has the jobs of all other pipelines.
test.each([
  [
    "a fork",
    { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "x/links" },
    ["linkform:validate", "linkform:check"],
  ],
  ["another branch", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "mine" }, []],
])("the jobs for %s", async (_, more, expected) => {
  const variables = { ...(await variablesOf(await startPipeline())), ...more };
  const jobs = Object.entries(await readTemplate());
  expect(jobs.flatMap(([name, one]) => (isIn(one, variables) ? [name] : []))).toEqual(expected);
});

test("deploy and drift are in one group", async () => {
  const jobs = await readTemplate({ "resource-group": "one" });
  expect(["deploy", "drift"].map((name) => jobs[`linkform:${name}`]?.resource_group)).toEqual(["one", "one"]);
});

describe("the deploy", () => {
  test("applies the newest commit and moves the tag to it; an older one does nothing", async () => {
    const pipeline = await startApplied("");
    const older = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const newest = await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("b")) });
    await pass("deploy", pipeline);
    await pipeline.repository.git("checkout", "--quiet", older);
    expect(await pass("deploy", pipeline)).toContain("Not deployed, because the branch has a newer commit.");
    expect(aliasesIn(pipeline)).toEqual(["b"]);
    expect(await pipeline.there("applied")).toBe(newest);
  });

  test("reads only what changed where the input asks for it, and everything if somebody starts it", async () => {
    const pipeline = await startApplied("");
    await pipeline.merge({ "linkform.yaml": `${pipeline.project("")}# note\n` });
    for (const [source, isRead] of [
      ["push", false],
      ["web", true],
    ] as const) {
      await pass("deploy", pipeline, { CI_PIPELINE_SOURCE: source }, { changed: "always" });
      expect(pipeline.sandbox.requests.length > 0).toBe(isRead);
    }
  });

  test("that is applied in part ends with 4, keeps its report and record, and the tag stays", async () => {
    const pipeline = await startApplied("");
    await pipeline.merge({ "linkform.yaml": pipeline.project(REFUSED), "links/b.yaml": linksOf("b") });
    expect((await job("deploy", pipeline)).exit).toBe(4);
    expect(await pipeline.there("applied")).toBe(pipeline.applied);
    const [report = "", records] = (await readTemplate())["linkform:deploy"]?.artifacts?.paths ?? [];
    expect(await read(pipeline, report)).toContain("go.example.com/b");
    expect(records).toBe("**/.linkform/runs/*.jsonl");
    const kept = await readdir(path.join(pipeline.repository.folder, ".linkform/runs"));
    expect(kept.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  });

  test("exceeds the brake by the number in the pipeline's variable", async () => {
    const pipeline = await startApplied("", { sandbox: accountWith("a") });
    const text = "brake: { deletes: 0 }\nabsent: { links: [go.example.com/a] }\n";
    const commit = await pipeline.merge({ "linkform.yaml": pipeline.project(text) });
    expect((await job("deploy", pipeline)).exit).toBe(3);
    await pass("deploy", pipeline, { LINKFORM_ALLOW_DELETES: "1" });
    expect(await pipeline.there("applied")).toBe(commit);
  });

  test("moves the tag of each of several projects, and creates tags only in a first run", async () => {
    const pipeline = await startPipeline();
    const merge = (links: string): Promise<string> =>
      pipeline.merge({
        "marketing/linkform.yaml": pipeline.project(links),
        "$(touch${IFS}x)/linkform.yaml": pipeline.project(linksOf("odd")),
      });
    const broken = await merge(REFUSED);
    const push = await job("deploy", pipeline, { CI_PIPELINE_SOURCE: "push" });
    expect([push.exit, push.out + push.err]).toEqual([1, expect.stringContaining("LINKFORM_FIRST_RUN=true")]);
    const first = { CI_PIPELINE_SOURCE: "web", LINKFORM_FIRST_RUN: "true" };
    expect((await job("deploy", pipeline, first)).exit).toBe(1);
    expect(await pipeline.there("applied--touch-IFS-x-")).toBe(broken);
    await expect(pipeline.there("applied-marketing")).rejects.toThrow(/unknown revision/);
    const fixed = await merge(linksOf("spring"));
    await pass("deploy", pipeline, first);
    for (const name of ["marketing", "-touch-IFS-x-"]) expect(await pipeline.there(`applied-${name}`)).toBe(fixed);
  });

  test.each([
    [{ GITLAB_TOKEN: "project-token" }, "linkform:project-token"],
    [{ GITLAB_TOKEN: "", CI_JOB_TOKEN: "job-token" }, "gitlab-ci-token:job-token"],
  ])("pushes the tag with the token that it has, which is in no address: %o", async (tokens, credentials) => {
    const refused = { status: 401, json: {}, headers: { "www-authenticate": 'Basic realm="git"' } };
    const pipeline = await startApplied("", {
      forge: { answer: ({ path: asked }) => (asked.startsWith("/git/") ? refused : null) },
    });
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    const more = { CI_PROJECT_URL: `${pipeline.forge.url}/git/links`, ...tokens };
    const { exit, out, err } = await job("deploy", pipeline, more);
    expect(exit).not.toBe(0);
    const sent = pipeline.forge.requests.flatMap(({ headers }) => headers.authorization ?? []);
    expect(sent).toContain(`Basic ${Buffer.from(credentials).toString("base64")}`);
    const addresses = pipeline.forge.requests.map(({ path: asked }) => asked).join("\n");
    expect(addresses + out + err).not.toContain(credentials.split(":")[1]);
  });
});

describe("drift", () => {
  const startDrifted = (): ReturnType<typeof startApplied> =>
    startApplied(linksOf("a").replace('com/a"', 'com/mine"'), { sandbox: accountWith("a") });

  test("opens an issue and closes it; without a token the job fails", async () => {
    const pipeline = await startDrifted();
    await pass("drift", pipeline);
    expect(pipeline.forge.issues).toMatchObject([{ state: "open", body: expect.stringContaining("go.example.com/a") }]);
    expect((await job("drift", pipeline, { GITLAB_TOKEN: "" })).exit).not.toBe(0);
    await pipeline.merge({ "linkform.yaml": pipeline.project(linksOf("a")) });
    await pipeline.moveTag("applied");
    await pass("drift", pipeline);
    expect(pipeline.forge.issues).toMatchObject([{ state: "closed" }]);
  });

  test("becomes a merge request on top of the applied commit, which closes itself", async () => {
    const pipeline = await startDrifted();
    const { repository, forge, remote } = pipeline;
    const branch = "refs/heads/linkform/drift";
    const inputs = { "drift-mode": "pull-request" };
    const before = await repository.git("show", "main:linkform.yaml");
    await pipeline.merge({ "linkform.yaml": `${before}\n`, "links/later.yaml": linksOf("later") });
    await pass("drift", pipeline, {}, inputs);
    expect(forge.opened).toMatchObject([{ state: "open", head: "linkform/drift", base: "main" }]);
    expect(await pipeline.there(`${branch}~`)).toBe(pipeline.applied);
    const tip = await pipeline.there(branch);
    await pass("drift", pipeline, {}, inputs);
    expect([await pipeline.there(branch), forge.opened.length]).toEqual([tip, 1]);

    await repository.git("fetch", "--quiet", "origin", branch);
    await repository.git("merge", "--quiet", "--no-edit", "FETCH_HEAD");
    await repository.git("tag", "--force", "applied");
    await repository.git("push", "--quiet", "origin", `main:${branch}`);
    const refused = await job("drift", pipeline, {}, inputs);
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining("has commits by somebody else")]);
    await repository.git("push", "--quiet", "--force", "origin", `${tip}:${branch}`);
    await repository.git("tag", "--force", "applied", tip);
    await pass("drift", pipeline, {}, inputs);
    expect(forge.opened).toMatchObject([{ state: "closed" }]);
    const branches = await repository.git("--git-dir", remote, "for-each-ref", "--format=%(refname)", "refs/heads");
    expect(branches).toBe("refs/heads/main");
  });
});
