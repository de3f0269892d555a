// Everything that runs in CI is pinned. Fails if a workflow, example, document or Dockerfile runs code that somebody else can replace, if a
// job has no time limit or permissions, or if a pin is accepted although the tag of its version is another commit.

import { readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/documents.ts";
import { commandIn } from "../support/command.ts";
import { run } from "../support/program.ts";
import { GIT_ENV, startRepository } from "../support/repository.ts";
import { temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { complaintsAbout } from "../support/workflow-checker.ts";
import type { Step } from "../support/workflow-runner.ts";

const WORKFLOWS = path.join(ROOT, ".github/workflows");
const HASH = "0".repeat(40);
const DIGEST = `sha256:${"5".repeat(64)}`;

const pins = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  run(process.execPath, [path.join(ROOT, "scripts/pins.mjs"), ...args], ROOT, env);

test("this repository has no unpinned action or image, and no job without limits", async () => {
  expect(await pins([])).toMatchObject({ exit: 0, err: "" });
});

test.each(await readdir(WORKFLOWS))("GitHub's checker accepts %s, and no script has an expression", async (name) => {
  const text = await readFile(path.join(WORKFLOWS, name), "utf8");
  expect(await complaintsAbout(name, text)).toEqual([]);
  expect(Object.keys(parse(text).on)).not.toContain("pull_request_target");
  const jobs: { steps: Step[] }[] = Object.values(parse(text).jobs);
  for (const { run: script = "" } of jobs.flatMap(({ steps }) => steps)) expect(script).not.toContain("${{");
});

test("CI runs the versions of Node.js that `npm run test:nodes` runs, and a release and the image use the same", async () => {
  const { out } = await run(process.execPath, [path.join(ROOT, "scripts/nodes.mjs"), "--list"], ROOT, {});
  const { jobs } = parse(await readFile(path.join(WORKFLOWS, "ci.yml"), "utf8"));
  expect(jobs.node.strategy.matrix.node).toEqual(out.trim().split(" "));
  const files = [path.join(WORKFLOWS, "release.yml"), path.join(ROOT, "Dockerfile")];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  expect(texts.join("").match(/(?<=node-version: |node:)\d+/g)).toEqual(["24", "24", "24", "24", "24"]);
});

test("neither has what init writes", async () => {
  const folder = await temporaryFolder();
  const flags = [
    "--yes",
    "--offline",
    "--base-url",
    "https://short.example.com",
    "--ci-source",
    `OWNER/linkform@${HASH}`,
  ];
  expect(await commandIn(folder, ["init", ...flags, "--ci", "github"])).toMatchObject({ exit: 0 });
  expect(await pins([folder])).toMatchObject({ exit: 0, err: "" });
});

test("every mistake is reported with its line", async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    "actions.yml": `runs:
  steps:
    - uses: acme/tag@v1
    - uses: acme/short@0123456 # v1.2.3
    - uses: acme/no-version@${HASH}
    - uses: acme/two@${HASH} # v1.2.3
    - uses: acme/two@${HASH} # v1.2.4
`,
    "document.md": "# Steps\n\n```yml\n- uses: acme/tag@v1\n```\n",
    Dockerfile: `FROM a@${DIGEST} AS b\nFROM b\nFROM node:24\n`,
    "pipeline.yml": "build:\n  image: { name: node:24 }\n",
    "workflow.yaml": `permissions: { contents: write }
jobs:
  limits: { permissions: {} }
  rights:
    container: node:24
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@${HASH} # v1.2.3
`,
  });
  const { exit, err } = await pins([folder]);
  expect(err).toContain("Use the hash of a commit with its version: @<hash> # v1.2.3");
  const [image, unpinned] = ["The image node:24 is not pinned", "is not pinned"];
  const first = err
    .trim()
    .replaceAll(/\.(?: .*)?$/gm, "")
    .split("\n");
  expect(exit).toBe(1);
  expect(first.toSorted()).toEqual([
    `Dockerfile:3: ${image}`,
    `acme/two has different pins: ${HASH} # v1.2.3 (actions.yml:6), ${HASH} # v1.2.4 (actions.yml:7)`,
    `actions.yml:3: acme/tag@v1 ${unpinned}`,
    `actions.yml:4: acme/short@0123456 ${unpinned}`,
    `actions.yml:5: acme/no-version@${HASH} ${unpinned}`,
    `document.md:4: acme/tag@v1 ${unpinned}`,
    `pipeline.yml:2: ${image}`,
    "workflow.yaml:1: The workflow needs `permissions` without write access, such as {}",
    "workflow.yaml:3: The job limits needs `timeout-minutes`",
    "workflow.yaml:4: The job rights needs `permissions`",
    `workflow.yaml:5: ${image}`,
    "workflow.yaml:8: The checkout needs `persist-credentials: false`",
  ]);
});

test("a wrong argument is an error", async () => {
  for (const args of [["--comapre"], ["nowhere"]])
    expect(await pins(args)).toMatchObject({ exit: 64, err: expect.stringContaining("Usage:") });
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
    await writeFiles(folder, { "workflows/a.yml": `steps:\n  - uses: acme/tool/part@${pin}\n` });
    return pins(["--compare", path.join(folder, "workflows")], env);
  };
  expect(await compare(`${old} # v1.2.3`)).toMatchObject({ exit: 0, err: "" });
  expect(await compare(`${now} # v1.2.30`)).toMatchObject({ exit: 0, err: "" });
  expect((await compare(`${now} # v1.2.3`)).err).toBe(`a.yml:2: acme/tool/part v1.2.3 is ${old}, not ${now}.\n`);
  expect((await compare(`${now} # v1.2.4`)).err).toContain("acme/tool/part v1.2.4 is no tag");
  await rename(path.join(folder, "acme"), path.join(folder, "gone"));
  expect((await compare(`${old} # v1.2.3`)).err).toContain("The tags of https://github.com/acme/tool could not be");
});
