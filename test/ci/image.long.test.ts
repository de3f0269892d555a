// The Dockerfile without Docker: its instructions on a checkout without what .dockerignore excludes, with folders in place of the file
// systems of the stages. Fails if the build needs a file that is not copied, if the image lacks a file that the program reads, or if
// it has parts of the build, or runs as root or without git.

import { cp, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/documents.ts";
import { key, projectFor, run, startService } from "../support/program.ts";
import { copyWorkTree } from "../support/repository.ts";
import { temporaryFolder, type Ran } from "../support/scenario.ts";

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage. Lines that end with a backslash continue. */
function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile.replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  const instructions = [...lines.matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, name = "", text = ""]) => ({ name, text }));
  const starts = instructions.flatMap(({ name }, at) => (name === "FROM" ? [at] : []));
  return starts.map((start, index) => instructions.slice(start, starts[index + 1]));
}

/** Runs the instructions of a stage in a folder. `from` is the context, or the folder of the stage that COPY names. */
async function build(stage: readonly Instruction[], folder: string, from: string): Promise<void> {
  let cwd = folder;
  for (const { name, text } of stage) {
    if (name === "WORKDIR") await mkdir((cwd = path.join(folder, text)), { recursive: true });
    if (name === "COPY") {
      const [to = "", ...sources] = text
        .split(" ")
        .filter((word) => word !== "--from=build")
        .toReversed();
      const target = to.startsWith("/") ? path.join(folder, to) : path.join(cwd, to);
      for (const source of sources.map((file) => path.join(from, file))) {
        // A folder is copied without its name.
        const isFolder = (await stat(source)).isDirectory();
        await cp(source, isFolder ? target : path.join(target, path.basename(source)), { recursive: true });
      }
    }
    if (name !== "RUN" || text.startsWith("apk ")) continue;
    if (text.startsWith("npm ci ")) {
      expect(await readdir(cwd)).toEqual([".npmrc", "package-lock.json", "package.json"]);
      await symlink(path.join(ROOT, "node_modules"), path.join(cwd, "node_modules"));
    } else
      expect(await run("sh", ["-c", text.replaceAll(" /", ` ${folder}/`)], cwd, { HOME: folder })).toMatchObject({
        exit: 0,
      });
  }
}

test("the image has everything that linkform needs, and nothing of the build", async () => {
  const stages = stagesOf(await readFile(path.join(ROOT, "Dockerfile"), "utf8"));
  const [context, first, second] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  const ignored = (await readFile(path.join(ROOT, ".dockerignore"), "utf8")).trim().split("\n");
  await copyWorkTree(context, (file) => !ignored.includes(file.split("/")[0] ?? ""));
  await mkdir(path.join(second, "usr/local/bin"), { recursive: true });
  const [builder = [], image = []] = stages;
  await build(builder, first, context);
  await build(image, second, first);
  const files = (await readdir(path.join(second, "opt/linkform"))).toSorted();
  expect(files).toEqual(["LICENSE", "dist", "package.json", "schemas"]);
  const last = (name: string): string | undefined => image.findLast((one) => one.name === name)?.text;
  expect([last("USER"), last("ENTRYPOINT")]).toEqual(["node", '["linkform"]']);
  expect(image.map(({ text }) => text)).toContain("apk add --no-cache git");

  // The entry point, in a folder that is mounted at WORKDIR.
  const sandbox = await startService();
  const project = await projectFor(sandbox.url);
  const linkform = (args: string): Promise<Ran> =>
    run(path.join(second, "usr/local/bin/linkform"), args.split(" "), project, key);
  const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  expect(await linkform("--version")).toMatchObject({ exit: 0, out: `${version}\n` });
  expect(await linkform("plan")).toMatchObject({ exit: 0, out: expect.stringContaining("Plan: 1 to create.") });
  const flags = "--yes --offline --base-url https://short.example.com --config new/linkform.yaml";
  expect(await linkform(`init ${flags} --ci gitlab --ci-image linkform:1`)).toMatchObject({ exit: 0 });
});
