// The log of an interrupted write, as an attacker would plant it: a commit can contain one that writes anything into any file. Fails if
// linkform carries it out, changes a file outside the project, or stops reading because of it without a clear error.

import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { importCsv } from "../../src/import/command.ts";
import { init } from "../../src/init/command.ts";
import { pull } from "../../src/pull/command.ts";
import { rm } from "../../src/cli/rm.ts";
import { validate } from "../../src/cli/validate.ts";
import type { World } from "../../src/session/context.ts";
import { git } from "../support/repository.ts";
import {
  runIn,
  startScenario,
  temporaryFolder,
  textsOf,
  writeFiles,
  type Ran,
  type Scenario,
} from "../support/scenario.ts";

const LOG = ".linkform/unfinished-write.json";
const LINK = "links: { go.example.com/a: { url: https://example.com/ } }\n";

const logOf = (...files: readonly string[]): string =>
  JSON.stringify({ files: files.map((file) => ({ file, before: null, text: "planted\n" })) });

/** A project in a repository, with a log that only its owner can read: so git checks files out if the umask says so. */
async function planted(log: string, { isTracked = true } = {}): Promise<Scenario> {
  const scenario = await startScenario();
  await scenario.write("", { "links/a.yaml": LINK, [LOG]: log, "sheet.csv": "alias,url\nb,https://example.com/\n" });
  await chmod(path.join(scenario.folder, LOG), 0o600);
  await git(scenario.folder, "init", "--quiet");
  await git(scenario.folder, "add", "--", ...(isTracked ? ["."] : ["links"]));
  await git(scenario.folder, "commit", "--quiet", "--message", "planted");
  return scenario;
}

const WRITERS: Readonly<Record<string, (world: World) => Promise<number>>> = {
  pull: (world) => pull(world, { force: true }, []),
  rm: (world) => rm(world, { offline: true }, ["go.example.com/a"]),
  import: (world) => importCsv(world, "sheet.csv", { domain: "go.example.com" }),
  init: (world) => init(world, { ci: "github", yes: true }),
};

/** Runs a command in the project, and reports the errors it printed. */
async function errorsOf(scenario: Scenario, run: (world: World) => Promise<number>): Promise<Ran & { error: string }> {
  const ran = await runIn(scenario.folder, scenario.env, run);
  return { ...ran, error: /error\[.*?\n\n/s.exec(`${ran.err}${ran.out}`)?.[0] ?? "" };
}

describe("a log that a commit added", () => {
  it.each(Object.keys(WRITERS))("is not carried out by %s", async (command) => {
    const scenario = await planted(logOf("linkform.staging.yaml", ".git/hooks/pre-commit"));
    const before = await textsOf(scenario.folder);
    const { exit, error } = await errorsOf(scenario, WRITERS[command] ?? (() => Promise.resolve(0)));
    expect([exit, error]).toEqual([
      1,
      "error[files-unfinished] git tracks .linkform/unfinished-write.json. A commit may have added it, so linkform ignores its content.\n   = Remove it: `git rm .linkform/unfinished-write.json`\n\n",
    ]);
    expect(await textsOf(scenario.folder)).toEqual(before);
    expect(scenario.sandbox.requests).toEqual([]);
  });

  it("is found behind a link, too", async () => {
    const scenario = await startScenario();
    await scenario.write("", { "links/a.yaml": LINK, "planted/unfinished-write.json": logOf("new.yaml") });
    await chmod(path.join(scenario.folder, "planted/unfinished-write.json"), 0o600);
    await symlink("planted", path.join(scenario.folder, ".linkform"));
    await git(scenario.folder, "init", "--quiet");
    await git(scenario.folder, "add", ".");
    const { exit, error } = await errorsOf(scenario, (world) => pull(world, { force: true }, []));
    expect([exit, error]).toEqual([1, expect.stringMatching(/^error\[files-unfinished\] git tracks \.linkform/)]);
    expect((await textsOf(scenario.folder)).has("new.yaml")).toBe(false);
  });

  it("keeps commands that only read from planning, and says why", async () => {
    const scenario = await planted(logOf("new.yaml"));
    const { exit, error } = await errorsOf(scenario, (world) => validate(world, {}));
    expect([exit, error]).toEqual([
      1,
      "error[files-unfinished] A command was interrupted while it wrote the project files. Some files may be old and some new.\n  --> .linkform/unfinished-write.json:1:1\n   = Run the command again (`pull`, `rm`, `import` or `init`). It first completes the interrupted write.\n\n",
    ]);
  });
});

describe("a log that git does not track", () => {
  it.each([
    ["a parent folder", "../outside/canary.yaml"],
    ["an absolute path", "/OUTSIDE/canary.yaml"],
    ["a linked folder", "out/canary.yaml"],
    ["a linked file", "canary.yaml"],
    ["the folder of git", ".git/hooks/pre-commit"],
  ])("writes nothing outside the project: %s", async (_what, named) => {
    const outside = path.join(await temporaryFolder(), "outside");
    await writeFiles(outside, { "canary.yaml": "canary\n" });
    const scenario = await planted(logOf("links/new.yaml", named.replace("/OUTSIDE", outside)), { isTracked: false });
    await symlink(outside, path.join(scenario.folder, "out"));
    await symlink(path.join(outside, "canary.yaml"), path.join(scenario.folder, "canary.yaml"));
    const before = await textsOf(scenario.folder);
    const { exit, error } = await errorsOf(scenario, (world) => pull(world, { force: true }, []));
    expect(exit).toBe(1);
    expect(error).toMatch(/^error\[(?:outside-project|files-unfinished)\] /);
    expect(await textsOf(scenario.folder)).toEqual(before);
    expect(Object.fromEntries(await textsOf(outside))).toEqual({ "canary.yaml": "canary\n" });
    expect(scenario.sandbox.requests).toEqual([]);
  });

  it.each([
    ["is readable by others", logOf("new.yaml"), 0o644],
    ["is no JSON", "{", 0o600],
    ["has another form", '{"files":[{"file":"a"}]}', 0o600],
    ["is about a file that somebody has changed since", logOf("links/a.yaml"), 0o600],
  ])("is refused if it %s", async (_what, log, mode) => {
    const scenario = await planted(log, { isTracked: false });
    await chmod(path.join(scenario.folder, LOG), mode);
    const before = await textsOf(scenario.folder);
    const { exit, error } = await errorsOf(scenario, (world) => pull(world, { force: true }, []));
    expect(exit).toBe(1);
    expect(error).toMatch(/^error\[files-unfinished\] .*\n.*git diff/);
    expect(await textsOf(scenario.folder)).toEqual(before);
  });

  it("is refused if a folder has its name", async () => {
    const scenario = await startScenario();
    await scenario.write("", { "links/a.yaml": LINK });
    await mkdir(path.join(scenario.folder, LOG), { recursive: true });
    const { exit, error } = await errorsOf(scenario, (world) => pull(world, {}, []));
    expect({ exit, error }).toMatchObject({ exit: 1, error: expect.stringContaining("error[files-unfinished]") });
  });

  it("is carried out, and the files are named", async () => {
    const scenario = await planted(logOf("links/new.yaml"), { isTracked: false });
    await writeFile(path.join(scenario.folder, "links/.linkform-999999999-0123456789ab.tmp"), "half");
    const { err } = await errorsOf(scenario, (world) => rm(world, { offline: true }, ["go.example.com/none"]));
    expect(err).toContain("Completed the interrupted write of these files: links/new.yaml\n");
    expect(await readFile(path.join(scenario.folder, "links/new.yaml"), "utf8")).toBe("planted\n");
    expect([...(await textsOf(scenario.folder)).keys()].filter((name) => /linkform[-/]/.test(name))).toEqual([]);
  });
});
