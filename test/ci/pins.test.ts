// Everything that runs in CI is pinned. Fails when a workflow, example, document or Dockerfile runs code that somebody else can replace, when
// a job has no time limit or permissions, or when a pin passes the comparison although the tag of its version is another commit.

import { rename } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/documents.ts";
import { linkform, run } from "../support/program.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";
const DIGEST = `sha256:${"5".repeat(64)}`;

const pins = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  run(process.execPath, [path.join(ROOT, "scripts/pins.mjs"), ...args], ROOT, env);

const workflow = (uses: string, more = "timeout-minutes: 5\n    permissions: {}"): string =>
  `on: push\npermissions: {}\njobs:\n  build:\n    ${more}\n    steps:\n      - uses: ${uses}\n`;

test("this repository has no unpinned action or image, and no job without limits", async () => {
  expect(await pins([])).toMatchObject({ exit: 0, err: "" });
});

test("neither has what init writes", async () => {
  const folder = await temporaryFolder();
  const flags = ["--yes", "--offline", "--base-url", "https://short.example.com", "--ci-source", "OWNER/linkform"];
  expect(await linkform(folder, ["init", ...flags, "--ci", "github"])).toMatchObject({ exit: 0 });
  expect(await pins([folder])).toMatchObject({ exit: 0, err: "" });
});

test.each([
  ["the tag of an action", { "a.yml": workflow("acme/tool@v1") }, "a.yml:8: acme/tool@v1 is not pinned."],
  ["a hash without its version", { "a.yml": workflow(`acme/tool@${HASH}`) }, "a.yml:8: acme/tool@0123"],
  ["a short hash", { "a.yml": workflow("acme/tool@0123456 # v1.2.3") }, "a.yml:8: acme/tool@0123456 is not pinned."],
  ["an action in a document", { "a.md": "# A\n\n```yml\n- uses: acme/tool@v1\n```\n" }, "a.md:4: acme/tool@v1"],
  [
    "the step of an action",
    { "action.yml": "runs:\n  using: composite\n  steps:\n    - uses: acme/tool@v1\n" },
    "action.yml:4: acme/tool@v1",
  ],
  [
    "an image of a stage",
    { Dockerfile: `FROM a@${DIGEST} AS b\nFROM b\nFROM node:24\n` },
    "Dockerfile:3: The image node:24",
  ],
  [
    "a container",
    { "a.yml": workflow("./x", "container: node:24\n    timeout-minutes: 5\n    permissions: {}") },
    "a.yml:5: The",
  ],
  ["an image of a pipeline", { "a.yml": "build:\n  image: { name: node:24 }\n" }, "a.yml:2: The image node:24"],
  [
    "two versions of an action",
    { "a.yml": workflow(`a/b@${HASH} # v1.2.3`), "b.yml": workflow(`a/b@${HASH} # v1.2.4`) },
    "a/b has different pins: 0123",
  ],
  [
    "a job without a time limit",
    { "a.yml": workflow("./x", "permissions: {}") },
    "a.yml:4: The job build needs `timeout-minutes`.",
  ],
  [
    "a job without permissions",
    { "a.yml": workflow("./x", "timeout-minutes: 5") },
    "a.yml:4: The job build needs `permissions`.",
  ],
  [
    "a workflow that can write",
    { "a.yml": workflow("./x").replace("permissions: {}", "permissions: { contents: write }") },
    "a.yml:1: The workflow needs `permissions` without write access",
  ],
  [
    "a checkout that keeps the token",
    { "a.yml": workflow(`actions/checkout@${HASH} # v1.2.3`) },
    "a.yml:8: The checkout needs `persist-credentials: false`.",
  ],
])("%s is an error", async (_, files, problem) => {
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  const { exit, err } = await pins([folder]);
  expect([exit, err.trim().split("\n")]).toEqual([1, [expect.stringContaining(problem)]]);
});

test("--compare asks the repository of each action for the commit of its version", async () => {
  const [folder, repository] = [await temporaryFolder(), await startRepository()];
  const [old, now] = [await repository.commit({ a: "1" }), await repository.commit({ a: "2" })];
  await repository.git("tag", "v1.2.3", old);
  // A signed tag is an object that names the commit.
  await repository.git("tag", "--annotate", "--message", "b", "v1.2.30", now);
  await writeFiles(folder, { "acme/readme": "" });
  await rename(repository.folder, path.join(folder, "acme/tool"));
  const env = {
    ...GIT_ENV,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.file://${folder}/.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://github.com/",
  };
  const compare = async (pin: string): Promise<Ran> => {
    await writeFiles(folder, { "workflows/a.yml": workflow(`acme/tool/part@${pin}`) });
    return pins(["--compare", path.join(folder, "workflows")], env);
  };
  expect(await compare(`${old} # v1.2.3`)).toMatchObject({ exit: 0, err: "" });
  expect(await compare(`${now} # v1.2.30`)).toMatchObject({ exit: 0, err: "" });
  expect((await compare(`${now} # v1.2.3`)).err).toBe(`a.yml:8: acme/tool/part v1.2.3 is ${old}, not ${now}.\n`);
  expect((await compare(`${now} # v1.2.4`)).err).toContain("acme/tool/part v1.2.4 is no tag");
  await rename(path.join(folder, "acme"), path.join(folder, "gone"));
  expect((await compare(`${old} # v1.2.3`)).err).toContain(
    "The tags of https://github.com/acme/tool could not be read.",
  );
});
