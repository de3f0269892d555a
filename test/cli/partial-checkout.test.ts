// A file that a checkout lacks is not a removed file. Fails if its links are deleted or reported as removed, or if the fix in the hint
// does not help.

import { appendFile, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git, GIT_ENV, Repository, repositoryIn } from "../support/repository.ts";
import { commandIn } from "../support/command.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

const link = (alias: string): string => `links: { go.example.com/${alias}: { url: https://example.com/${alias} } }\n`;
const PRUNES = {
  removed: "prune: removed\n",
  scope: "prune: scope\nscope: { domains: [go.example.com] }\n",
} as const;

interface Project {
  readonly repository: Repository;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  readonly aliases: () => string[];
}

/** The repositories of the project and of its submodule, which each test copies. */
const templates = await mkdtemp(path.join(tmpdir(), "linkform-"));
afterAll(() => rm(templates, { recursive: true }));

beforeAll(async () => {
  const folder = path.join(templates, "project");
  const repository = await repositoryIn(folder);
  const sub = await repositoryIn(path.join(templates, "sub"));
  await sub.commit({ "sub.yaml": link("sub") });
  await writeFiles(folder, {
    "team/links/here/a.yaml": link("a"),
    "team/links/teams/b.yaml": link("b"),
    "team/links/teams/c.yaml": link("c"),
    "team/shared/far.yaml": link("far"),
  });
  await symlink("../shared", path.join(folder, "team/links/shared"));
  await allowFiles(folder, "submodule", "--quiet", "add", path.join(templates, "sub"), "team/links/sub");
  await repository.commitAll();
});

/** A project in `team/`, all of it applied at the tag `applied`, with `links/sub` as a submodule. */
async function startProject(prune: keyof typeof PRUNES, env: Readonly<Record<string, string>>): Promise<Project> {
  const links = ["a", "b", "c", "sub", "far"].map((alias) => ({
    alias,
    domain: 2,
    url: `https://example.com/${alias}`,
  }));
  const sandbox = await sandboxFor({ seed: { links } });
  const repository = new Repository(path.join(await temporaryFolder(), "repository"));
  const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
  await cp(path.join(templates, "project"), repository.folder, options);
  const head = `version: 1\nservice: { base_url: "${sandbox.url}" }\ndomains: { go.example.com: 2 }\nbrake: { deletes: 100% }\n`;
  await writeFiles(repository.folder, { "team/linkform.yaml": head + PRUNES[prune] });
  await repository.commitAll("refs/tags/applied");
  const all = { ...GIT_ENV, LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_BASE_URL: sandbox.url, ...env };
  return {
    repository,
    run: (...args) => commandIn(path.join(repository.folder, "team"), args, all),
    aliases: () => sandbox.state().links.map(({ alias }) => alias),
  };
}

async function allowFiles(folder: string, ...args: readonly string[]): Promise<string> {
  return git(folder, "-c", "protocol.file.allow=always", ...args);
}

interface Partial {
  readonly make: (repository: Repository) => Promise<unknown>;
  readonly message: string;
  /** Which commands of the hint to run. */
  readonly fix: RegExp;
  readonly prune?: "scope";
  readonly env?: Readonly<Record<string, string>>;
}

const remove = (repository: Repository, ...files: readonly string[]): Promise<unknown> =>
  Promise.all(files.map((file) => rm(path.join(repository.folder, "team", file), { recursive: true })));

const removeSkipped = async (repository: Repository, file: string, mark = "--skip-worktree"): Promise<void> => {
  await repository.git("update-index", mark, `team/${file}`);
  await remove(repository, file);
};

const FILE = "links/teams/b.yaml";
const CI = { CI: "true" };
const IN_CI = "Check out all files. In CI, linkform treats a file as removed only if a commit removed it.";

const PARTIAL: Readonly<Record<string, Partial>> = {
  "a sparse checkout": {
    make: (repository) => repository.git("sparse-checkout", "set", "team/links/here", "team/shared"),
    message: `git tracks \`${FILE}\` and 1 more file, but they are not checked out.`,
    fix: /sparse/,
    prune: "scope",
  },
  "a sparse checkout with a sparse index, in which a link leads to a folder that is missing": {
    make: (repository) =>
      repository.git("sparse-checkout", "set", "--sparse-index", "team/links/here", "team/links/teams"),
    message: "git tracks `links/shared/far.yaml`, but it is not checked out.",
    fix: /sparse/,
  },
  "a file marked skip-worktree": {
    make: (repository) => removeSkipped(repository, FILE),
    message: `git tracks \`${FILE}\`, but it is not checked out.`,
    fix: /update-index|restore/,
  },
  "a file marked assume-unchanged": {
    make: (repository) => removeSkipped(repository, FILE, "--assume-unchanged"),
    message: `git tracks \`${FILE}\`, but it is not checked out.`,
    fix: /update-index|restore/,
  },
  "a submodule that is not checked out": {
    make: (repository) => repository.git("submodule", "--quiet", "deinit", "--force", "team/links/sub"),
    message: "The submodule `links/sub` is not checked out.",
    fix: /submodule/,
    prune: "scope",
  },
  "a submodule whose folder is missing": {
    make: (repository) => remove(repository, "links/sub"),
    message: "The submodule `links/sub` is not checked out.",
    fix: /submodule/,
  },
  "a sparse checkout of a submodule": {
    make: async ({ folder }) => {
      const sub = path.join(folder, "team/links/sub");
      await git(sub, "update-index", "--skip-worktree", "sub.yaml");
      await rm(path.join(sub, "sub.yaml"));
    },
    message: "git tracks `links/sub/sub.yaml`, but it is not checked out.",
    fix: /none/,
  },
  "a link to a folder, marked skip-worktree": {
    make: (repository) => removeSkipped(repository, "links/shared"),
    message: "git tracks `links/shared`, but it is not checked out.",
    fix: /update-index|restore/,
  },
  "a file that is missing in CI": {
    make: (repository) => remove(repository, FILE),
    message: `git tracks \`${FILE}\`, but it is not checked out.`,
    fix: /none/,
    env: CI,
  },
  "a clone that has only some files in its index, in CI": {
    make: (repository) => repository.git("rm", "--quiet", "-r", "team/links/teams"),
    message: `git tracks \`${FILE}\` and 1 more file, but they are not checked out.`,
    fix: /none/,
    env: CI,
  },
};

test.each(Object.entries(PARTIAL))(
  "nothing is deleted, and the fix in the hint helps: %s",
  async (_, { make, message, fix, prune, env }) => {
    const { repository, run, aliases } = await startProject(prune ?? "removed", env ?? {});
    const before = aliases();
    await make(repository);
    let hint = "";
    for (const args of [
      ["validate", "--base", "applied"],
      ["apply", "--yes", "--base", "applied"],
      ["apply", "--yes"],
    ]) {
      const { exit, out } = await run(...args, "--format", "json");
      const errors = JSON.parse(out).diagnostics.filter(({ severity }: { severity: string }) => severity !== "info");
      expect([args, exit, errors]).toEqual([
        args,
        1,
        [expect.objectContaining({ code: "file-not-checked-out", message })],
      ]);
      hint = errors[0].hint;
    }
    expect(aliases()).toEqual(before);
    const { err } = await run("projects", "--changed", "--base", "applied");
    expect(err).toContain(`error[file-not-checked-out] linkform.yaml: ${message}\n`);
    if (env !== undefined) expect(hint).toBe(IN_CI);
    const commands = [...hint.matchAll(/`git ([^`]+)`/g)].flatMap(([, command = ""]) =>
      fix.test(command) ? [command] : [],
    );
    for (const command of commands) await allowFiles(path.join(repository.folder, "team"), ...command.split(" "));
    if (commands.length === 0) return;
    expect(await run("plan", "--base", "applied", "--detailed-exitcode")).toMatchObject({ exit: 0 });
  },
);

test("a file that was removed and not committed is a deletion, outside CI", async () => {
  for (const staged of [false, true]) {
    const { repository, run, aliases } = await startProject("removed", {});
    await remove(repository, FILE);
    if (staged) await repository.git("add", "--all");
    const { exit } = await run("apply", "--yes", "--base", "applied");
    expect([exit, aliases()]).toEqual([0, ["a", "c", "sub", "far"]]);
  }
});

test("a file that git skips, and that is there, is a file like any other", async () => {
  const { repository, run } = await startProject("removed", CI);
  await repository.git("update-index", "--skip-worktree", `team/${FILE}`);
  await writeFiles(repository.folder, { [`team/${FILE}`]: link("other") });
  const { exit, out } = await run("plan", "--base", "applied", "--format", "json");
  expect([exit, JSON.parse(out).summary]).toMatchObject([0, { create: 1, delete: 1 }]);
});

test("a submodule that no glob reaches may be missing", async () => {
  const { repository, run } = await startProject("removed", CI);
  await repository.git("submodule", "--quiet", "deinit", "--force", "team/links/sub");
  const file = path.join(repository.folder, "team/linkform.yaml");
  await appendFile(file, "files: [links/here/*.yaml, links/teams/*.yaml, shared/*.yaml]\n");
  expect((await run("plan", "--base", "applied")).exit).toBe(0);
});

test("`projects` does not leave out a project whose file is not checked out", async () => {
  const { repository, run } = await startProject("removed", {});
  await removeSkipped(repository, "linkform.yaml");
  const { exit, err } = await run("projects");
  expect([exit, err]).toEqual([
    1,
    expect.stringMatching(
      /^error\[file-not-checked-out\] git tracks `linkform\.yaml`, but it is not checked out\.\n.*--config/,
    ),
  ]);
});

test("`prune: scope` warns if git cannot list the files", async () => {
  const { run } = await startProject("scope", { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
  const { out } = await run("validate");
  expect(out).toContain("warning[checkout-unknown]");
  expect(out).toContain("git config --global --add safe.directory");
});
