// Several files are written together. Fails if a file is written although another one cannot be; if a file that somebody has changed since
// it was read is overwritten; if a failure does not say which files were written; or if temporary files remain.

import { chmod, lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { ProjectFolder } from "../../src/files/folder.ts";
import { writeFiles, type TextEdit } from "../../src/files/write-files.ts";
import { temporaryFolder, textsOf, writeFiles as layOut } from "../support/scenario.ts";

const BEFORE: Readonly<Record<string, string>> = { "a.yaml": "a\n", "deep/b.yaml": "b\n", "c.yaml": "c\n" };

async function begin(): Promise<string> {
  const folder = await temporaryFolder();
  await layOut(folder, BEFORE);
  return folder;
}

const edit = (file: string, after: string): TextEdit => ({ file, before: BEFORE[file] ?? null, after });

it("writes files in old and new folders", async () => {
  const folder = await begin();
  await chmod(path.join(folder, "a.yaml"), 0o640);
  const edits = [edit("a.yaml", "A\n"), edit("deep/b.yaml", "B\n"), edit("new/deep/d.yaml", "D\n")];
  writeFiles(new ProjectFolder(folder), edits);
  expect(Object.fromEntries(await textsOf(folder))).toEqual({
    "a.yaml": "A\n",
    "c.yaml": "c\n",
    "deep/b.yaml": "B\n",
    "new/deep/d.yaml": "D\n",
  });
  expect((await stat(path.join(folder, "a.yaml"))).mode & 0o777).toBe(0o640);
});

it("writes what a link leads to, and leaves the link", async () => {
  const folder = await begin();
  await symlink("deep/b.yaml", path.join(folder, "link.yaml"));
  const edits = [{ file: "link.yaml", before: "b\n", after: "B\n" }];
  writeFiles(new ProjectFolder(folder), edits);
  expect((await lstat(path.join(folder, "link.yaml"))).isSymbolicLink()).toBe(true);
  expect(await readFile(path.join(folder, "deep/b.yaml"), "utf8")).toBe("B\n");
});

it("writes nothing if one of the files cannot be written", async () => {
  const folder = await begin();
  // There is a folder at the path of the last file.
  await mkdir(path.join(folder, "d.yaml/inside"), { recursive: true });
  const edits = [edit("a.yaml", "A\n"), edit("new/deep/n.yaml", "N\n"), edit("d.yaml", "D\n")];
  const message = "d.yaml cannot be written (EISDIR).";
  const hint: unknown = expect.stringContaining("Nothing was written");
  expect(() => writeFiles(new ProjectFolder(folder), edits)).toThrow(expect.objectContaining({ message, hint }));
  expect(Object.fromEntries(await textsOf(folder))).toEqual(BEFORE);
  expect((await readdir(folder)).toSorted()).toEqual(["a.yaml", "c.yaml", "d.yaml", "deep"]);
});

it("names the files that were written before one failed", async () => {
  const folder = await begin();
  // The second name of the same file: its text is no longer the one that was read.
  const edits = [edit("a.yaml", "A\n"), { ...edit("./a.yaml", "other\n"), before: "a\n" }, edit("c.yaml", "C\n")];
  const message = "./a.yaml cannot be written (it changed in the meantime).";
  const hint: unknown = expect.stringContaining("Written: a.yaml. Not written: ./a.yaml, c.yaml.");
  expect(() => writeFiles(new ProjectFolder(folder), edits)).toThrow(expect.objectContaining({ message, hint }));
  expect(Object.fromEntries(await textsOf(folder))).toEqual({ ...BEFORE, "a.yaml": "A\n" });
});

it.each([
  ["has been changed", "a.yaml"],
  ["has appeared", "new.yaml"],
])("overwrites nothing that %s meanwhile", async (_what, file) => {
  const folder = await begin();
  await writeFile(path.join(folder, file), "by somebody else\n");
  const edits = [edit("c.yaml", "C\n"), edit(file, "mine\n")];
  const message = `${file} cannot be written (it changed in the meantime).`;
  expect(() => writeFiles(new ProjectFolder(folder), edits)).toThrow(message);
  expect(await readFile(path.join(folder, file), "utf8")).toBe("by somebody else\n");
  expect(await readFile(path.join(folder, "c.yaml"), "utf8")).toBe("c\n");
});
