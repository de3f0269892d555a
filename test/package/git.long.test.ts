// The package installed from its git repository. Fails when the command is a link to a folder that npm deletes, when dist/ is not built, or
// when the installed program lacks a file.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/documents.ts";
import { key, projectFor, run } from "../support/program.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { copyWorkTree, startRepository } from "../support/repository.ts";
import { temporaryFolder, type Ran } from "../support/scenario.ts";

const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
const ENV = { HOME: process.env["HOME"] ?? "", npm_config_prefer_offline: "true", npm_config_update_notifier: "false" };

type Npm = (folder: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;

/** This major version of npm: the one on this machine, or one that it downloads. */
async function npmOf(major: string): Promise<Npm> {
  const { out } = await run("npm", ["--version"], ROOT, ENV);
  if (out.startsWith(`${major}.`)) return (cwd, args, env) => run("npm", args, cwd, { ...ENV, ...env });
  const folder = await temporaryFolder();
  expect(await run("npm", ["install", "--silent", `npm@${major}`], folder, ENV)).toMatchObject({ exit: 0 });
  const program = path.join(folder, "node_modules/npm/bin/npm-cli.js");
  return (cwd, args, env) => run(process.execPath, [program, ...args], cwd, { ...ENV, ...env });
}

// Each install builds the program. Only a global one, where npm once left a link to a deleted folder, runs with both.
test.each([
  ["10", "in a project"],
  ["11", "by npx"],
])("npm %s installs it globally and %s", async (major, how) => {
  const [npm, server, sandbox] = [await npmOf(major), await startRepository(), await sandboxFor()];
  await copyWorkTree(server.folder);
  await server.commitAll();
  const address = `git+file://${server.folder}`;
  const [prefix, local, project] = [await temporaryFolder(), await temporaryFolder(), await projectFor(sandbox.url)];
  const modules = [path.join(prefix, "lib/node_modules")];
  expect(await npm(local, ["install", "--global", "--prefix", prefix, address])).toMatchObject({ exit: 0 });
  let other = (args: readonly string[]) =>
    npm(project, ["exec", "--yes", "--package", address, "--", "linkform", ...args], key);
  if (how === "in a project") {
    expect(await npm(local, ["install", address])).toMatchObject({ exit: 0 });
    modules.push(path.join(local, "node_modules"));
    other = (args) => run(path.join(local, "node_modules/.bin/linkform"), args, project, key);
  }
  const installed = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json", "schemas"];
  for (const folder of modules) expect((await readdir(path.join(folder, "linkform"))).toSorted()).toEqual(installed);
  const global = (args: readonly string[]) => run(path.join(prefix, "bin/linkform"), args, project, key);
  for (const linkform of [global, other]) {
    expect(await linkform(["--version"])).toMatchObject({ exit: 0, out: `${version}\n` });
    expect(await linkform(["plan"])).toMatchObject({ exit: 0, out: expect.stringContaining("Plan: 1 to create.") });
  }
});
