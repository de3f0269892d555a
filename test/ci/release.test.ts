// The release workflow. Fails if something could be published although a step before it failed, if npm would get a package of another
// repository, if a tag of a version could move, or if a job has rights that it does not need. `npm run release:check` makes a release
// and checks its files.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/documents.ts";
import { run } from "../support/program.ts";
import { copyWorkTree, GIT_ENV, startRepository } from "../support/repository.ts";

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions: unknown;
}

const version: string = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")).version;
const text = await readFile(path.join(ROOT, ".github/workflows/release.yml"), "utf8");
const jobs: Readonly<Record<string, Job>> = parse(text).jobs;

/** What the checks before a release read. */
const FILES = ["package.json", "package-lock.json", "CHANGELOG.md", "scripts/release.mjs"];

test.each([
  ["package.json has another version", "9.9.9", {}, "package.json has version"],
  ["the version is a command", "1.0.0; touch x", {}, "The version must be three numbers"],
  [
    "package.json has another repository",
    version,
    { url: "git+https://github.com/Acme/links.git" },
    "names the repository",
  ],
  ["package.json has no whole address", version, { url: "acme/links" }, "repository.url in package.json must be"],
  ["the tag exists", version, { tag: `v${version}` }, `The tag v${version} exists.`],
])("nothing is built if %s", async (_, given, { url, tag }: { url?: string; tag?: string }, message) => {
  const repository = await startRepository();
  const { folder } = repository;
  await copyWorkTree(folder, (file) => FILES.includes(file));
  const log = path.join(folder, "CHANGELOG.md");
  await writeFile(log, (await readFile(log, "utf8")).replace(/^(## \[.+\] - )unreleased$/m, "$12026-11-23"));
  const manifest = path.join(folder, "package.json");
  const more = url === undefined ? {} : { repository: { type: "git", url } };
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, "utf8")), ...more }));
  const commit = await repository.commitAll();
  if (tag !== undefined) await repository.git("tag", tag);
  const env = { ...GIT_ENV, GITHUB_REPOSITORY: "acme/links" };
  const { exit, out, err } = await run(process.execPath, ["scripts/release.mjs", given, "release"], folder, env);
  expect([exit, out, err]).toEqual([1, "", expect.stringContaining(message)]);
  expect([await repository.git("status", "--porcelain"), await repository.git("rev-parse", "HEAD")]).toEqual([
    "",
    commit,
  ]);
});

test("each job needs those before it, and only the tag of the minor or major version may move", () => {
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
  expect(text.match(/git push .*/g)).toEqual([
    'git push --quiet --atomic origin "refs/tags/v$VERSION" ${moving:+"+refs/tags/$moving"}',
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
