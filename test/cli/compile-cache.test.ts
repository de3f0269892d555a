// The folder with compiled code, whose content runs as code. Fails if it is one that others can write to, or if CI gets one.

import { chmod, mkdir, readdir, stat, symlink } from "node:fs/promises";
import module from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { linkform } from "../support/program.ts";
import { temporaryFolder } from "../support/scenario.ts";

const isOffered = "enableCompileCache" in module;

test.each<[name: string, env: Readonly<Record<string, string>>, folder: string]>([
  ["in the home folder", {}, ".cache/linkform"],
  ["in the folder for caches", { XDG_CACHE_HOME: "caches" }, "caches/linkform"],
])("compiled code is kept %s, closed to others, if Node can", async (_, given, folder) => {
  const home = await temporaryFolder();
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, path.join(home, value)]));
  expect(await linkform(home, ["--help"], { HOME: home, ...env })).toMatchObject({ exit: 0, err: "" });
  const found = await stat(path.join(home, folder)).catch(() => null);
  expect(found && (found.mode & 0o777).toString(8)).toBe(isOffered ? "700" : null);
});

test.each<[name: string, prepare: (caches: string) => Promise<unknown>, env?: Readonly<Record<string, string>>]>([
  ["in CI", (caches) => mkdir(path.join(caches, "linkform"), { mode: 0o700 }), { CI: "true" }],
  [
    "that others can read",
    (caches) => mkdir(path.join(caches, "linkform")).then(() => chmod(path.join(caches, "linkform"), 0o755)),
  ],
  [
    "that a link leads to",
    (caches) =>
      mkdir(path.join(caches, "other"), { mode: 0o700 }).then(() => symlink("other", path.join(caches, "linkform"))),
  ],
  [
    "in the project",
    (caches) => mkdir(path.join(caches, "linkform"), { mode: 0o700 }),
    { XDG_CACHE_HOME: ".cache", HOME: "." },
  ],
])("nothing is kept in a folder %s", async (_, prepare, env = {}) => {
  const home = await temporaryFolder();
  const caches = path.join(home, ".cache");
  await mkdir(caches);
  await prepare(caches);
  expect(await linkform(home, ["--help"], { HOME: home, ...env })).toMatchObject({ exit: 0, err: "" });
  expect(await readdir(path.join(caches, "linkform"))).toEqual([]);
});
