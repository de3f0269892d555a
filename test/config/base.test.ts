// The base, read from real repositories: its declarations, the errors if it cannot be read, and that the repository does not change.
import { chmod, cp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openBase } from "../../src/config/base.ts";
import { showPlace } from "../../src/domain/place.ts";
import { showKey } from "../../src/domain/project.ts";
import { UserError } from "../../src/errors.ts";
import { git, GIT_ENV, startRepository, type Repository } from "../support/repository.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";

const link = (alias: string): string => `links: { go.example.com/${alias}: { url: https://example.com/ } }\n`;
const PROJECT = { "linkform.yaml": HEAD, "links/a.yaml": link("a") };

const projectIn = (folder: string): Parameters<typeof openBase>[0] => ({
  folder,
  file: "linkform.yaml",
  addresses: [],
});

/** Keys and places of the base's declarations; null if the base has no project. */
async function declaredAt(folder: string, ref: string, env = GIT_ENV): Promise<string[] | null> {
  const { project } = await openBase(projectIn(folder), ref, env);
  return project && project.declarations.map((one) => `${showKey(one)} ${showPlace(one.place)}`);
}

/** The error if the base cannot be opened. */
async function refusal(folder: string, ref: string, env = GIT_ENV): Promise<Record<string, unknown>> {
  const cause: unknown = await openBase(projectIn(folder), ref, env).catch((thrown: unknown) => thrown);
  if (!(cause instanceof UserError)) throw new Error(`not refused: ${String(cause)}`);
  return { code: cause.code, message: cause.message, hint: cause.hint, exit: cause.exit };
}

async function cloned(origin: Repository, ...options: readonly string[]): Promise<string> {
  const clone = path.join(await temporaryFolder(), "clone");
  await git(origin.folder, "clone", "--quiet", ...options, `file://${origin.folder}`, clone);
  return clone;
}

/** A repository with one commit of a project. */
async function committed(): Promise<Repository> {
  const repository = await startRepository();
  await repository.commit(PROJECT);
  return repository;
}

describe("a base", () => {
  // Fails if the work tree or the index is read instead of the commit.
  test.each(["sha1", "sha256"] as const)("is the commit, whatever the state of the work tree (%s)", async (format) => {
    const repository = await startRepository(format);
    const commit = await repository.commit(PROJECT);
    await repository.commit({ ...PROJECT, "links/a.yaml": link("b") });
    await repository.replace({ "linkform.yaml": "broken: [", "links/a.yaml": link("c"), "links/d.yaml": link("d") });
    for (const ref of ["HEAD~1", commit, commit.slice(0, 10), "main^", "HEAD^{/change}~1"]) {
      expect(await openBase(projectIn(repository.folder), ref, GIT_ENV)).toMatchObject({ ref, commit });
      expect(await declaredAt(repository.folder, ref)).toEqual(["go.example.com/a links/a.yaml:1:10"]);
    }
  });

  // Fails if a pull request can bring a repository with another base.
  test.each(["folder", "file", "link"])(
    "is of the repository that has committed the folder, and not of one that is unpacked in it: .git is a %s",
    async (shape) => {
      const [outer, forged] = [await startRepository(), await startRepository()];
      const team = path.join(outer.folder, "team");
      await writeFiles(team, PROJECT);
      await outer.commitAll();
      await forged.commit({ ...PROJECT, "links/a.yaml": link("forged") });
      await cp(path.join(forged.folder, ".git"), path.join(team, "store"), { recursive: true });
      if (shape === "folder") await rename(path.join(team, "store"), path.join(team, ".git"));
      if (shape === "file") await writeFile(path.join(team, ".git"), "gitdir: store\n");
      if (shape === "link") await symlink("store", path.join(team, ".git"));
      expect(await declaredAt(team, "HEAD")).toEqual(["go.example.com/a links/a.yaml:1:10"]);
      await writeFiles(outer.folder, { "new/.git/HEAD": "ref: refs/heads/main\n", "new/.git/refs/x": "" });
      expect(await declaredAt(path.join(outer.folder, "new"), "HEAD")).toBeNull();
      await rename(forged.folder, path.join(outer.folder, "clone"));
      expect(await declaredAt(path.join(outer.folder, "clone"), "HEAD")).toHaveLength(1);
    },
  );

  // Fails if reading refreshes the index, writes into the work tree, or takes a lock.
  test("leaves the work tree, the index and references unchanged", async () => {
    const repository = await committed();
    await repository.commit({ ...PROJECT, "links/a.yaml": link("b") });
    await writeFiles(repository.folder, { "links/a.yaml": link("c"), "links/new.yaml": link("d") });
    // An unchanged file with a new time stamp, which git would record in the index if it looked.
    await utimes(path.join(repository.folder, "linkform.yaml"), 1, 1);
    const index = path.join(repository.folder, ".git/index");
    const state = async (): Promise<unknown> => [
      await readFile(index, "base64"),
      await git(repository.folder, "--no-optional-locks", "status", "--porcelain"),
      await git(repository.folder, "for-each-ref"),
      await git(repository.folder, "count-objects", "-v"),
    ];
    const before = await state();
    expect(await declaredAt(repository.folder, "HEAD~1")).toEqual(["go.example.com/a links/a.yaml:1:10"]);
    expect(await state()).toEqual(before);
  });

  // Fails if each file takes a process, or if git gets our secrets, the repository of another variable, or not our settings.
  test("of a hundred files takes a few processes, which get our settings and no secrets", async () => {
    const repository = await startRepository();
    const files = Array.from({ length: 100 }, (_, at) => [`links/${at}.yaml`, link(`a${at}`)]);
    await repository.commit({ "linkform.yaml": HEAD, ...Object.fromEntries(files) });
    const bin = await temporaryFolder();
    await writeFile(
      path.join(bin, "git"),
      `#!/bin/sh\necho "$@" >> "${bin}/calls"\nenv >> "${bin}/env"\nPATH="\${PATH#*:}"\nexec git "$@"\n`,
    );
    await chmod(path.join(bin, "git"), 0o755);
    const env = { ...GIT_ENV, PATH: `${bin}:${GIT_ENV["PATH"]}`, LINKFORM_API_KEY: "hunter2", GIT_DIR: "/elsewhere" };
    expect(await declaredAt(repository.folder, "HEAD", env)).toHaveLength(100);
    expect((await readFile(path.join(bin, "calls"), "utf8")).match(/^-c safe.bareRepository=.*\n/gm)).toHaveLength(2);
    expect(await readFile(path.join(bin, "env"), "utf8")).not.toMatch(/hunter2|elsewhere/);
  });

  // Fails if a file is cut, duplicated or mixed with the next one, whatever its length and last byte.
  test("has every file complete: large, empty, without a final line break, with a byte order mark", async () => {
    const repository = await startRepository();
    const many = Array.from({ length: 5000 }, (_, at) => `  go.example.com/x${at}: { url: https://example.com/${at} }`);
    await repository.commit({
      "linkform.yaml": HEAD,
      "links/a.yaml": `links:\n${many.join("\n")}`,
      "links/b.yaml": "",
      "links/c.yaml": "\uFEFFlinks: { go.example.com/ü: { url: https://example.com/ } }",
      "links/d ä\n'.yaml": link("d"),
    });
    const declared = await declaredAt(repository.folder, "HEAD");
    expect(declared).toHaveLength(5002);
    expect(declared?.slice(-2)).toEqual([
      "go.example.com/ü links/c.yaml:1:10",
      "go.example.com/d links/d ä\n'.yaml:1:10",
    ]);
  });
});

// That globs match the same files in a commit and on disk, also through links: discovery.property.long.test.ts.
describe("symbolic links", () => {
  // Fails if a project file that is a link is not followed, or counts as missing.
  test("a project file can be a link", async () => {
    const repository = await startRepository();
    await writeFiles(repository.folder, { "team/real.yaml": HEAD, "team/links/a.yaml": link("a"), "out.yaml": HEAD });
    const team = path.join(repository.folder, "team");
    await symlink("real.yaml", path.join(team, "linkform.yaml"));
    await repository.commitAll();
    expect(await declaredAt(team, "HEAD")).toEqual(["go.example.com/a links/a.yaml:1:10"]);
    await repository.git("rm", "--quiet", "team/linkform.yaml");
    await symlink("../out.yaml", path.join(team, "linkform.yaml"));
    await repository.commitAll();
    expect(await refusal(team, "HEAD")).toMatchObject({
      code: "base-invalid",
      message:
        "The files at `HEAD` have an error at linkform.yaml:1:1: This file is a symbolic link that linkform cannot follow.",
    });
  });
});

describe("a base that cannot be read", () => {
  // Fails if an option for git is accepted as a ref.
  test.each(["--help", "-h", "--output=/tmp/x", "", " "])("the ref `%s` is wrong usage", async (ref) => {
    const { folder } = await committed();
    const hint = "Pass a commit, branch or tag, such as --base origin/main.";
    expect(await refusal(folder, ref)).toMatchObject({ code: "wrong-base", hint, exit: 64 });
  });

  test.each(["nope", "^HEAD", "HEAD..HEAD", "HEAD:linkform.yaml", "HEAD^{tree}", "0".repeat(40), "HEAD~9", "@{99}"])(
    "`%s` is not a commit",
    async (ref) => {
      const { folder } = await committed();
      const message = `\`${ref}\` is not a commit, branch or tag in this repository.`;
      const hint = "Check the name, or run `git fetch origin`. In CI, check out with `fetch-depth: 0`.";
      expect(await refusal(folder, ref)).toEqual({ code: "base-missing", message, hint, exit: 1 });
    },
  );

  // Fails if the hint does not name the branch of the remote.
  test("a branch that only the remote has: the hint names it", async () => {
    const origin = await committed();
    await origin.git("branch", "release");
    const clone = await cloned(origin);
    expect(await refusal(clone, "release")).toMatchObject({
      code: "base-missing",
      hint: "Did you mean `origin/release`?",
    });
    expect(await declaredAt(clone, "origin/release")).toHaveLength(1);
  });

  // Fails if the error does not name the shallow clone, or if the command in its hint does not help.
  test("a shallow clone, until its history is fetched", async () => {
    const origin = await startRepository();
    const first = await origin.commit(PROJECT);
    await origin.commit({ ...PROJECT, "links/a.yaml": link("b") });
    const clone = await cloned(origin, "--depth", "1");
    for (const ref of ["HEAD~1", first]) {
      expect(await refusal(clone, ref)).toEqual({
        code: "base-missing",
        message: `\`${ref}\` is not available because this clone is shallow.`,
        hint: "Run `git fetch --unshallow`. In CI, check out with `fetch-depth: 0` (GitLab: `GIT_DEPTH: 0`).",
        exit: 1,
      });
    }
    expect(await declaredAt(clone, "HEAD")).toEqual(["go.example.com/b links/a.yaml:1:10"]);
    await git(clone, "fetch", "--quiet", "--unshallow");
    expect(await declaredAt(clone, "HEAD~1")).toEqual(["go.example.com/a links/a.yaml:1:10"]);
  });

  // Fails if a file that the clone left out is fetched over the network, or counts as an error of the project.
  test.each(["blob:none", "tree:0"])("a partial clone (%s) is not filled", async (filter) => {
    const origin = await startRepository();
    await origin.git("config", "uploadpack.allowFilter", "true");
    await origin.commit(PROJECT);
    await origin.commit({ ...PROJECT, "links/a.yaml": link("b") });
    const clone = await cloned(origin, `--filter=${filter}`);
    const objects = await git(clone, "count-objects", "-v");
    expect(await refusal(clone, "HEAD~1")).toEqual({
      code: "base-missing",
      message: "Some files of `HEAD~1` are missing from this clone.",
      hint: "Clone the repository again without `--filter`. To check for other missing objects, run `git fsck`.",
      exit: 1,
    });
    expect(await git(clone, "count-objects", "-v")).toBe(objects);
  });

  // Fails if a folder outside of any repository counts as one, or if only git's message is printed.
  test.each<[string, (folder: string) => Promise<typeof GIT_ENV | void>, Record<string, unknown>]>([
    [
      "a folder in no repository",
      (folder) => rm(path.join(folder, ".git"), { recursive: true }),
      {
        code: "base-no-repository",
        message: "The project is not in a git repository, so it has no base.",
        hint: "Remove --base, or run linkform in a clone of the repository. In CI, check the repository out with git.",
      },
    ],
    [
      "git is not installed",
      async () => ({ ...GIT_ENV, PATH: await temporaryFolder() }),
      {
        code: "base-no-git",
        message: "linkform cannot read the base because git is not installed.",
        hint: "Install git, or remove --base.",
      },
    ],
    [
      "a repository of another user",
      // As git's own tests do, because only root can change the owner of a folder.
      async () => ({ ...GIT_ENV, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" }),
      {
        code: "base-not-trusted",
        message: "git refuses to read this repository because its folder belongs to another user.",
        hint: expect.stringMatching(/^If you trust this repository, run: git config --global --add safe\.directory \//),
      },
    ],
    [
      "a damaged repository",
      (folder) => writeFile(path.join(folder, ".git/config"), "[broken\n"),
      {
        code: "base-unreadable",
        message: expect.stringMatching(/^git cannot read this repository: bad config line 1/),
        hint: "Run `git status` and fix the errors that it reports.",
      },
    ],
  ])("%s", async (_, damage, expected) => {
    const { folder } = await committed();
    expect(await refusal(folder, "HEAD", (await damage(folder)) ?? GIT_ENV)).toEqual({ ...expected, exit: 1 });
  });

  // Fails if git is searched for in the working directory, which a commit can fill, or in a folder of the project.
  test.each(["", ".", "bin", "<root>", "<root>/bin", "<link>"])(
    "git in a folder of the project: PATH=%s",
    async (place) => {
      const repository = await committed();
      const { folder } = repository;
      await writeFiles(folder, { "bin/README": "" });
      const outside = path.join(await temporaryFolder(), "bin");
      await symlink(path.join(folder, "bin"), outside);
      const script = `#!/bin/sh\ntouch "${folder}/ran"\n`;
      for (const file of ["git", "bin/git"]) await writeFile(path.join(folder, file), script, { mode: 0o755 });
      const inProject = place.replace("<root>", folder).replace("<link>", outside);
      const env = (rest: string): Record<string, string> => ({ ...GIT_ENV, PATH: `${inProject}:${rest}` });
      expect(await declaredAt(folder, "HEAD", env(GIT_ENV["PATH"] ?? ""))).toHaveLength(1);
      expect(await refusal(folder, "HEAD", env(""))).toMatchObject({ code: "base-no-git" });
      expect(await readdir(folder)).not.toContain("ran");
    },
  );
});
