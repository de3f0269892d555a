// The release workflow. Fails if something could be published although a step before it failed, if npm would get a package of another
// repository, if a tag of a version could move, if a token is an argument of a program, or if a job has rights that it does not need.
// `npm run release:check` makes a release and checks its files.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/documents.ts";
import { run } from "../support/program.ts";
import { copyWorkTree, git, GIT_ENV, startRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/scenario.ts";

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions: unknown;
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

const version: string = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")).version;
const { jobs }: { readonly jobs: Readonly<Record<string, Job>> } = parse(
  await readFile(path.join(ROOT, ".github/workflows/release.yml"), "utf8"),
);

/** The files that the checks before a release read. */
const FILES = ["package.json", "package-lock.json", "CHANGELOG.md", "scripts/release.mjs", "scripts/processes.mjs"];

test("nothing is built if the version, the repository or the tag is wrong", async () => {
  const repository = await startRepository();
  const { folder } = repository;
  await copyWorkTree(folder, (file) => FILES.includes(file));
  const log = path.join(folder, "CHANGELOG.md");
  await writeFile(log, (await readFile(log, "utf8")).replace(/^(## \[.+\] - )unreleased$/m, "$12026-11-23"));
  const manifest = path.join(folder, "package.json");
  const before = JSON.parse(await readFile(manifest, "utf8"));
  for (const [given, url, message] of [
    ["9.9.9", undefined, "package.json has version"],
    ["1.0.0; touch x", undefined, "The version must be three numbers"],
    [version, "git+https://github.com/Acme/links.git", "names the repository"],
    [version, "acme/links", "repository.url in package.json must be"],
    // The last one, because it creates the tag.
    [version, undefined, `The tag v${version} exists.`],
  ] as const) {
    const more = url === undefined ? {} : { repository: { type: "git", url } };
    await writeFile(manifest, JSON.stringify({ ...before, ...more }));
    const commit = await repository.commitAll();
    if (message.startsWith("The tag")) await repository.git("tag", `v${version}`);
    const env = { ...GIT_ENV, GITHUB_REPOSITORY: "acme/links" };
    const { exit, out, err } = await run(process.execPath, ["scripts/release.mjs", given, "release"], folder, env);
    expect([exit, out, err]).toEqual([1, "", expect.stringContaining(message)]);
    const left = await repository.git("status", "--porcelain");
    expect([left, await repository.git("rev-parse", "HEAD")]).toEqual(["", commit]);
  }
});

test("each job needs those before it", () => {
  const needs = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.needs]));
  const all = {
    test: undefined,
    build: "test",
    image: "build",
    publish: ["build", "image"],
    npm: ["build", "publish"],
  };
  expect(needs).toEqual(all);
  // Without a repository in package.json, nothing is published to npm.
  const conditions = Object.entries(jobs).flatMap(([name, job]) => (job.if === undefined ? [] : [[name, job.if]]));
  expect(Object.fromEntries(conditions)).toEqual({
    test: "github.ref_name == github.event.repository.default_branch",
    npm: "needs.build.outputs.repository != ''",
  });
});

test("the tag of the minor version moves, unless the version already has a tag", async () => {
  const { run: script = "" } = jobs["publish"]?.steps.find(({ name }) => name === "Push the tags") ?? {};
  const [remote, clone, tools] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  await writeFile(path.join(tools, "gh"), "#!/bin/sh\n", { mode: 0o755 });
  const env = { ...GIT_ENV, PATH: `${tools}:${GIT_ENV["PATH"]}`, VERSION: "0.1.1" };
  const source = await startRepository();
  const before = await source.commit({ a: "0.1.0" });
  const tags = ["v0.1.1", "v0.1"];
  await source.git("tag", "v0.1");
  await source.git("clone", "--quiet", "--bare", source.folder, remote);
  await source.git("clone", "--quiet", remote, clone);
  await mkdir(path.join(clone, "release"));

  const publish = async (text: string): Promise<{ readonly exit: number; readonly commit: string }> => {
    await source.git("reset", "--quiet", "--hard", before);
    const commit = await source.commit({ a: text });
    for (const tag of tags) await source.git("tag", "--force", tag);
    const refs = tags.map((tag) => `refs/tags/${tag}`);
    await source.git("bundle", "create", "--quiet", path.join(clone, "release/release.bundle"), ...refs, `^${before}`);
    return { exit: (await run("bash", ["-e", "-c", script], clone, env)).exit, commit };
  };
  const there = async (): Promise<string[]> => (await git(remote, "rev-parse", ...tags, "main")).split("\n");
  const { exit, commit } = await publish("0.1.1");
  expect([exit, await there()]).toEqual([0, [commit, commit, before]]);
  expect((await publish("again")).exit).toBe(1);
  expect(await there()).toEqual([commit, commit, before]);
});

test("every script is valid shell, and only standard input gets the token", async () => {
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run: script }) => script ?? []));
  for (const script of scripts)
    expect(await run("bash", ["-n", "-c", script], ROOT, {})).toEqual({ exit: 0, out: "", err: "" });
  expect(scripts.join("\n").match(/.*\$\{?\w*TOKEN.*/g)).toEqual([
    'echo "$TOKEN" | docker login ghcr.io --username "$ACTOR" --password-stdin',
  ]);
});

test("no job has unnecessary permissions", () => {
  const attests = { "id-token": "write", attestations: "write" };
  expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
    test: { contents: "read" },
    build: { contents: "read" },
    image: { contents: "read", packages: "write", ...attests },
    publish: { contents: "write", ...attests },
    npm: { contents: "read", "id-token": "write" },
  });
});
