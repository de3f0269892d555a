// Content of a pull request that git acts on: embedded repositories, configuration, filters, hooks. None of it runs, and none of it
// changes the base.

import { appendFile, chmod, cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openBase, uncommitted } from "../../src/config/base.ts";
import { openFolder } from "../../src/config/checkout.ts";
import { findFiles } from "../../src/config/find-files.ts";
import { showKey } from "../../src/domain/project.ts";
import { git, GIT_ENV, startRepository, type Repository } from "../support/repository.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { HEAD } from "./loading.ts";
import { runs } from "../support/states.ts";

const link = (alias: string): string => `links: { go.example.com/${alias}: { url: https://example.com/ } }\n`;

const TEXTS = new Map([
  ["linkform.yaml", HEAD],
  ["links/a.yaml", link("a")],
  ["links/b.yaml", link("b")],
]);

/** The commit of a base, the keys that it declares, and the files of the checkout. */
async function baseSeen(folder: string, ref: string, env: Readonly<Record<string, string>> = GIT_ENV): Promise<object> {
  const { commit, project } = await openBase({ folder, file: "linkform.yaml", addresses: [] }, ref, env);
  const source = await openFolder(folder, { env });
  const found = findFiles(source, "linkform.yaml", [{ pattern: "links/*.yaml", place: null }]);
  return { commit, keys: project?.declarations.map(showKey), ...found };
}

/** A repository with the project in `place`, and a base that is tagged `base`. */
async function projectIn(place: string): Promise<Repository> {
  const repository = await startRepository();
  await writeFiles(path.join(repository.folder, place), { "linkform.yaml": HEAD, "links/a.yaml": link("a") });
  await repository.commitAll("refs/tags/base");
  await writeFiles(path.join(repository.folder, place), { "links/b.yaml": link("b") });
  await repository.commitAll();
  return repository;
}

/** A repository whose base declares other links. */
async function forgery(): Promise<string> {
  const forged = await startRepository();
  await forged.commit({ "linkform.yaml": HEAD, "links/forged.yaml": link("forged") }, "refs/tags/base");
  return path.join(forged.folder, ".git");
}

/** Makes a folder a bare repository, with additional configuration. */
async function embed(store: string, folder: string, settings: readonly Setting[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of ["HEAD", "objects", "refs", "index"])
    await cp(path.join(store, name), path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, "config"), configText([["core.bare", "false"], ...settings]));
}

type Setting = readonly [name: string, value: string];

/** Settings in the form of a configuration file. */
function configText(settings: readonly Setting[]): string {
  return settings
    .map(([name, value]) => {
      const [, section = "", subsection, key = ""] = /^(\w+)(?:\.(.+))?\.([\w-]+)$/.exec(name) ?? [];
      const header = subsection === undefined ? section : `${section} ${JSON.stringify(subsection)}`;
      return `[${header}]\n\t${key} = ${JSON.stringify(value)}\n`;
    })
    .join("");
}

/** A program that creates a file when it runs. */
async function trap(): Promise<{
  readonly command: string;
  readonly hooks: string;
  readonly isSprung: () => Promise<boolean>;
}> {
  const folder = await temporaryFolder();
  const command = path.join(folder, "trap");
  await writeFile(command, `#!/bin/sh\ntouch "${folder}/sprung"\ncat\n`);
  await chmod(command, 0o755);
  const hooks = path.join(folder, "hooks");
  await mkdir(hooks);
  for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"])
    await cp(command, path.join(hooks, hook));
  return { command, hooks, isSprung: async () => (await readdir(folder)).includes("sprung") };
}

/** Configuration that makes git run a program, given that program and a folder of hooks. */
const POISONS = [
  (program: string) => ["core.fsmonitor", program],
  (_: string, hooks: string) => ["core.hooksPath", hooks],
  (program: string) => ["filter.x.clean", program],
  (program: string) => ["filter.x.process", program],
  (program: string) => ["filter.a=b.clean", program],
  () => ["filter.x.required", "true"],
  (program: string) => ["diff.x.textconv", program],
  (program: string) => ["diff.external", program],
  (program: string) => ["core.pager", program],
  (program: string) => ["pager.status", program],
  (program: string) => ["core.sshCommand", program],
  (program: string) => ["core.alternateRefsCommand", program],
  (program: string) => ["alias.status", `!${program}`],
  (program: string) => ["alias.ls-tree", `!${program}`],
  (program: string) => ["gpg.program", program],
  () => ["status.submoduleSummary", "true"],
  () => ["core.worktree", "."],
] as const satisfies readonly ((program: string, hooks: string) => Setting)[];

const PLACES = ["", "team", "team/deep"];
const ATTRIBUTES = "* filter=x diff=x\nlinkform.yaml filter=a=b\n";

describe("a pull request that brings a git repository", () => {
  // Fails if a program runs or the base changes, wherever the repository is and whatever its configuration.
  test("of any kind, with any configuration, even if the outer repository has filters", async () => {
    const store = await forgery();
    const projects = new Map<string, string>();
    for (const place of PLACES) projects.set(place, (await projectIn(place)).folder);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PLACES),
        fc.subarray(["", "team", "team/deep", "team/deep/links", "team/links"], { minLength: 1 }),
        fc.subarray([...POISONS], { minLength: 1 }),
        fc.subarray([...POISONS]),
        fc.subarray([...POISONS]),
        async (place, bares, embedded, own, inEnvironment) => {
          const folder = await temporaryFolder();
          await cp(projects.get(place) ?? "", folder, { recursive: true });
          const project = path.join(folder, place);
          const { command, hooks, isSprung } = await trap();
          const before = await baseSeen(project, "base");
          for (const bare of bares)
            await embed(
              store,
              path.join(folder, bare),
              embedded.map((poison) => poison(command, hooks)),
            );
          await writeFiles(folder, { ".gitattributes": ATTRIBUTES });
          // In this state, git must read the content of files.
          await git(folder, "add", "--all");
          await git(folder, "commit", "--quiet", "--message", "attack");
          await rm(path.join(project, "links/a.yaml"));
          await writeFiles(project, { "links/a.yaml": link("a") });
          await appendFile(path.join(folder, ".git/config"), configText(own.map((poison) => poison(command, hooks))));
          const settings = inEnvironment.map((poison) => poison(command, hooks));
          const env = {
            ...GIT_ENV,
            GIT_EXTERNAL_DIFF: command,
            GIT_PAGER: command,
            GIT_SSH_COMMAND: command,
            GIT_CONFIG_COUNT: String(settings.length),
            ...Object.fromEntries(
              settings.flatMap(([name, value], at) => [
                [`GIT_CONFIG_KEY_${at}`, name],
                [`GIT_CONFIG_VALUE_${at}`, value],
              ]),
            ),
          };
          expect(await baseSeen(project, "base", env)).toEqual(before);
          expect(await uncommitted({ folder: project, file: "linkform.yaml", texts: TEXTS }, env)).toEqual([]);
          expect(await isSprung()).toBe(false);
        },
      ),
      { numRuns: runs(12) },
    );
  }, 120_000);
});
