// The Dockerfile without Docker: its COPY instructions on a checkout without what .dockerignore excludes, and its RUN instructions for
// the build and the link, with folders in place of the file systems of the stages. Fails when the build needs a file that is not
// copied, when the image lacks a file that the program reads, or when the image runs as root or without git.

import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/documents.ts";
import { run } from "../support/program.ts";
import { GIT_ENV } from "../support/repository.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage. Lines that end with a backslash continue. */
function stagesOf(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const line of dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")) {
    const [, name = "", text = ""] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    if (name === "FROM") stages.push([]);
    if (name !== "") stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** What Docker gets: the files of a checkout, without those that .dockerignore excludes. */
async function contextFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const ignored = (await readFile(path.join(ROOT, ".dockerignore"), "utf8")).trim().split("\n");
  const { out } = await run("git", ["ls-files", "-z"], ROOT, GIT_ENV);
  const files = out.split("\0").filter((file) => file !== "" && !ignored.includes(file.split("/")[0] ?? ""));
  for (const file of files) await cp(path.join(ROOT, file), path.join(folder, file));
  return folder;
}

/** COPY of existing files: into the folder, or to its name. */
async function copy(sources: readonly string[], to: string): Promise<void> {
  for (const source of sources) {
    const isFolder = (await readdir(path.dirname(source), { withFileTypes: true })).some(
      (entry) => entry.name === path.basename(source) && entry.isDirectory(),
    );
    await cp(source, isFolder ? to : path.join(to, path.basename(source)), { recursive: true });
  }
}

test("the image has everything that linkform needs, and nothing of the build", async () => {
  const [build = [], image = []] = stagesOf(await readFile(path.join(ROOT, "Dockerfile"), "utf8"));
  const [context, first, second] = [await contextFolder(), await temporaryFolder(), await temporaryFolder()];
  expect(build.map(({ name, text }) => (name === "RUN" ? text : name))).toEqual([
    "FROM",
    "WORKDIR",
    "COPY",
    "npm ci --ignore-scripts",
    "COPY",
    "npm run --silent build",
  ]);

  const work = path.join(first, "linkform");
  await mkdir(work);
  for (const { name, text } of build) {
    if (name === "COPY") {
      const files = text.split(" ").slice(0, -1);
      await copy(
        files.map((file) => path.join(context, file)),
        work,
      );
    }
    if (text.startsWith("npm ci")) {
      for (const file of ["package.json", "package-lock.json"]) await readFile(path.join(work, file));
      await symlink(path.join(ROOT, "node_modules"), path.join(work, "node_modules"));
    }
    if (text === "npm run --silent build")
      expect(await run("npm", ["run", "--silent", "build"], work, { HOME: first })).toMatchObject({ exit: 0 });
  }

  for (const folder of ["opt/linkform", "usr/local/bin"]) await mkdir(path.join(second, folder), { recursive: true });
  for (const { name, text } of image) {
    if (name === "COPY") {
      const [from, ...names] = text.split(" ");
      expect(from).toBe("--from=build");
      const to = path.join(second, names.pop() ?? "");
      await copy(
        names.map((file) => path.join(first, file)),
        to,
      );
    }
    if (text.startsWith("ln "))
      expect(await run("sh", ["-c", text.replaceAll(" /", ` ${second}/`)], second, {})).toMatchObject({ exit: 0 });
  }
  expect((await readdir(path.join(second, "opt/linkform"))).toSorted()).toEqual([
    "LICENSE",
    "dist",
    "package.json",
    "schemas",
  ]);

  // The entry point, in a folder that is mounted at WORKDIR.
  const project = await temporaryFolder();
  await writeFiles(project, {
    "linkform.yaml":
      "version: 1\nservice: { base_url: https://short.example.com }\nlinks: { go.example.com/a: { url: https://example.com/ } }\n",
  });
  const entry = path.join(second, "usr/local/bin/linkform");
  expect(await run(entry, ["validate"], project, {})).toMatchObject({ exit: 0, out: "Valid: 1 file read.\n" });
  const init = [
    "init",
    "--yes",
    "--offline",
    "--base-url",
    "https://short.example.com",
    "--config",
    "new/linkform.yaml",
  ];
  expect(await run(entry, [...init, "--ci", "gitlab", "--ci-image", "linkform:1"], project, {})).toMatchObject({
    exit: 0,
  });

  const last = (name: string): string | undefined => image.findLast((one) => one.name === name)?.text;
  expect([last("USER"), last("ENTRYPOINT")]).toEqual(["node", '["linkform"]']);
  expect(image.map(({ text }) => text)).toContain("apk add --no-cache git");
});
