// The release workflow, run as GitHub would run it, with stand-ins for docker, gh and the network side of npm. Fails if something is
// published although a step before it failed, if npm gets a package of another repository, if a tag of a version moves, if a token
// is an argument of a program, or if a job has rights that it does not need. `npm run release:check` checks the files of a release.

import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { startPipeline, type Pipeline } from "../support/ci.ts";
import { ROOT } from "../support/documents.ts";
import { run } from "../support/program.ts";
import { copyWorkTree } from "../support/repository.ts";
import { temporaryFolder } from "../support/scenario.ts";
import { runWorkflow, type WorkflowRun } from "../support/workflow-runner.ts";

const FILE = path.join(ROOT, ".github/workflows/release.yml");
const DIGEST = `sha256:${"5".repeat(64)}`;

const version: string = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")).version;

/** This work tree on `main`, ready for a release of this repository, with tests that end with this exit code. */
async function startReady(testExit = 0, url = "git+https://github.com/acme/links.git"): Promise<Pipeline> {
  const pipeline = await startPipeline();
  const { folder } = pipeline.repository;
  await copyWorkTree(folder);
  const log = path.join(folder, "CHANGELOG.md");
  await writeFile(log, (await readFile(log, "utf8")).replace(/^(## \[.+\] - )unreleased$/m, "$12026-11-23"));
  const manifest = path.join(folder, "package.json");
  const repository = { type: "git", url };
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, "utf8")), repository }, null, 2));
  await writeFile(path.join(folder, ".ci/run"), `#!/bin/sh\nexit ${testExit}\n`);
  await pipeline.repository.commitAll();
  await pipeline.repository.git("push", "--quiet", "origin", "main");
  return pipeline;
}

interface Released {
  readonly ran: WorkflowRun;
  /** The calls of programs that talk to a registry or to GitHub. */
  readonly calls: readonly string[];
}

async function release(pipeline: Pipeline, given: string): Promise<Released> {
  const [tools, home] = [await temporaryFolder(), await temporaryFolder()];
  const calls = path.join(tools, "calls");
  const real = (await run("sh", ["-c", "command -v npm"], ROOT, {})).out.trim();
  const tool = async (name: string, lines: string): Promise<void> => {
    await writeFile(path.join(tools, name), `#!/bin/sh\n${lines}`);
    await chmod(path.join(tools, name), 0o755);
  };
  const record = (name: string): string => `echo "${name} $*" >> ${calls}\n`;
  await writeFile(calls, "");
  await tool("docker", `${record("docker")}case $1 in inspect) echo "$4@${DIGEST}";; login) cat >/dev/null;; esac\n`);
  await tool("gh", `${record("gh")}for file do case $file in release/*) cat "$file" >/dev/null;; esac; done\n`);
  const npm = `case $1 in
  ci) cp -a --link ${ROOT}/node_modules . 2>/dev/null || cp -a ${ROOT}/node_modules . ;;
  publish) ${record("npm")} cat "$2" >/dev/null ;;
  *) exec ${real} "$@" ;;
esac
`;
  await tool("npm", npm);
  await mkdir(path.join(home, "tmp"));
  const env = { HOME: home, TMPDIR: path.join(home, "tmp"), PATH: `${tools}:${process.env["PATH"] ?? ""}` };
  const occasion = pipeline.occasion("workflow_dispatch", { inputs: { version: given }, env });
  const ran = await runWorkflow(FILE, occasion);
  return { ran, calls: (await readFile(calls, "utf8")).trim().split("\n") };
}

const outcomesOf = (ran: WorkflowRun): Record<string, string> =>
  Object.fromEntries(Object.entries(ran).map(([name, [one]]) => [name, one?.outcome ?? "skipped"]));

test("a release is an image, a tag from which the action runs, and a package", async () => {
  const pipeline = await startReady();
  const source = await pipeline.there("main");
  const { ran, calls } = await release(pipeline, version);
  const logs = Object.values(ran).flatMap((runs) => runs.map(({ log }) => log));
  expect({ ...outcomesOf(ran), logs: logs.join("\n") }).toEqual({
    test: "success",
    build: "success",
    image: "success",
    publish: "success",
    npm: "success",
    logs: expect.stringContaining(`The image is ghcr.io/acme/links:${version}@${DIGEST}`),
  });

  const tag = `v${version}`;
  const commit = await pipeline.there(tag);
  expect(await pipeline.there(tag.replace(/\.\d+$/, ""))).toBe(commit);
  expect(await pipeline.there(`${tag}^`)).toBe(source);
  const changed = await pipeline.repository.git("--git-dir", pipeline.remote, "diff", "--name-only", source, commit);
  expect(changed.split("\n")).toContain("dist/cli.js");
  expect(changed.split("\n").filter((file) => !file.startsWith("dist/"))).toEqual([]);
  expect(await pipeline.there("main")).toBe(source);

  const names = calls.map((call) => call.split(" ").slice(0, 2).join(" "));
  const docker = ["build", "run", "login", "push", "inspect"].map((name) => `docker ${name}`);
  expect(names).toEqual([...docker, "gh auth", "gh release", "npm publish"]);
  const pin = `acme/links@${commit} # ${tag}`;
  expect(calls[0]).toContain(`--build-arg LINKFORM_ACTION=${pin}`);
  expect(calls.find((call) => call.startsWith("gh release"))).toContain(
    `release/linkform-${version}.tgz release/linkform-${version}.cdx.json release/SHA512SUMS`,
  );
  expect(calls.join("\n")).not.toContain("forge-token");
  const attested = Object.values(ran).flatMap(([one]) =>
    (one?.steps ?? []).filter(({ step }) => step.uses?.startsWith("actions/attest-") === true).map((step) => step.with),
  );
  expect(attested).toEqual([
    { "subject-name": "ghcr.io/acme/links", "subject-digest": DIGEST, "push-to-registry": "true" },
    { "subject-path": "release/*.tgz\nrelease/*.cdx.json\nrelease/SHA512SUMS\n" },
  ]);

  const again = await release(pipeline, version);
  expect(outcomesOf(again.ran)).toMatchObject({ build: "failure", image: "skipped", publish: "skipped" });
  expect(await pipeline.there(tag)).toBe(commit);
});

const OTHER = "git+https://github.com/Acme/links.git";
test.each([
  ["tests fail", 1, version, undefined, ""],
  ["package.json has another version", 0, "9.9.9", undefined, "package.json has version"],
  ["the version is a command", 0, "1.0.0; touch x", undefined, "The version must be three numbers"],
  ["package.json has another repository", 0, version, OTHER, "names the repository Acme/links"],
  ["package.json has no whole address", 0, version, "acme/links", "repository.url in package.json must be"],
])("nothing is published if %s", async (_, exit, given, url, message) => {
  const pipeline = await startReady(exit, url);
  const { ran, calls } = await release(pipeline, given);
  const [tested, build] = exit === 0 ? ["success", "failure"] : ["failure", "skipped"];
  expect(outcomesOf(ran)).toEqual({ test: tested, build, image: "skipped", publish: "skipped", npm: "skipped" });
  expect(ran["build"]?.[0]?.log ?? "").toContain(message);
  expect(calls).toEqual([""]);
  expect(await pipeline.repository.git("--git-dir", pipeline.remote, "tag")).toBe("");
});

test("no job has unnecessary permissions", async () => {
  const { jobs } = parse(await readFile(FILE, "utf8"));
  // Without a repository in package.json, nothing is published to npm.
  expect(jobs.npm.if).toBe("needs.build.outputs.repository != ''");
  const attests = { "id-token": "write", attestations: "write" };
  const rights = Object.entries<{ permissions: unknown }>(jobs).map(([name, job]) => [name, job.permissions]);
  expect(Object.fromEntries(rights)).toEqual({
    test: { contents: "read" },
    build: { contents: "read" },
    image: { contents: "read", packages: "write", ...attests },
    publish: { contents: "write", ...attests },
    npm: { contents: "read", "id-token": "write" },
  });
});
