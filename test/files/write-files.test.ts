// Several files are written together or not at all. Fails if one of them is left changed, made or gone where another could not be
// written; if a file that somebody has changed since it was read is overwritten; or if anything is left lying beside them.

import { chmod, lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { ProjectFolder } from "../../src/files/folder.ts";
import { writeFiles } from "../../src/files/write-files.ts";
import { temporaryFolder, textsOf, writeFiles as layOut } from "../support/scenario.ts";

const BEFORE = { "a.yaml": "a\n", "deep/b.yaml": "b\n", "c.yaml": "c\n" };

async function begin(): Promise<string> {
  const folder = await temporaryFolder();
  await layOut(folder, BEFORE);
  return folder;
}

it("writes, makes and removes", async () => {
  const folder = await begin();
  await chmod(path.join(folder, "a.yaml"), 0o640);
  const texts = new Map([
    ["a.yaml", "A\n"],
    ["new/deep/d.yaml", "D\n"],
    ["c.yaml", null],
  ]);
  expect(await writeFiles(new ProjectFolder(folder), texts, new Map(Object.entries(BEFORE)))).toBeNull();
  expect(Object.fromEntries(await textsOf(folder))).toEqual({
    "a.yaml": "A\n",
    "deep/b.yaml": "b\n",
    "new/deep/d.yaml": "D\n",
  });
  expect((await stat(path.join(folder, "a.yaml"))).mode & 0o777).toBe(0o640);
});

it("writes what a link leads to, and leaves the link", async () => {
  const folder = await begin();
  await symlink("deep/b.yaml", path.join(folder, "link.yaml"));
  expect(
    await writeFiles(new ProjectFolder(folder), new Map([["link.yaml", "B\n"]]), new Map([["link.yaml", "b\n"]])),
  ).toBeNull();
  expect((await lstat(path.join(folder, "link.yaml"))).isSymbolicLink()).toBe(true);
  expect(await readFile(path.join(folder, "deep/b.yaml"), "utf8")).toBe("B\n");
});

it("puts back what it had written where one of them can't be", async () => {
  const folder = await begin();
  // There is a folder at the path of the last file.
  await mkdir(path.join(folder, "d.yaml/inside"), { recursive: true });
  const texts = new Map([
    ["a.yaml", "A\n"],
    ["new/deep/n.yaml", "N\n"],
    ["c.yaml", null],
    ["d.yaml", "D\n"],
  ]);
  const problem = await writeFiles(new ProjectFolder(folder), texts, new Map(Object.entries(BEFORE)));
  expect(problem?.message).toMatch(/^d\.yaml cannot be written \(E\w+\)\.$/);
  expect(problem?.hint).toContain("Nothing was written");
  expect(Object.fromEntries(await textsOf(folder))).toEqual(BEFORE);
  expect((await readdir(folder)).toSorted()).toEqual(["a.yaml", "c.yaml", "d.yaml", "deep"]);
});

it.each([
  ["has been changed", "a.yaml"],
  ["has appeared", "new.yaml"],
])("overwrites nothing that %s meanwhile", async (_what, file) => {
  const folder = await begin();
  await writeFile(path.join(folder, file), "by somebody else\n");
  const texts = new Map([
    ["c.yaml", "C\n"],
    [file, "mine\n"],
  ]);
  const problem = await writeFiles(new ProjectFolder(folder), texts, new Map(Object.entries(BEFORE)));
  expect(problem?.message).toBe(`${file} cannot be written (it changed in the meantime).`);
  expect(await readFile(path.join(folder, file), "utf8")).toBe("by somebody else\n");
  expect(await readFile(path.join(folder, "c.yaml"), "utf8")).toBe("c\n");
});
