// Runs the programs of docs/library.md with the built package. Fails if the page is wrong, or if an entry point of the package
// does not work.

import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { sandboxFor } from "../support/sandbox.ts";
import { run } from "../support/program.ts";
import { temporaryFolder } from "../support/scenario.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = path.join(ROOT, "docs/library.md");

/** A folder with the files of the page and the installed package. */
async function folderOfPage(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "node_modules"));
  await symlink(ROOT, path.join(folder, "node_modules/linkform"));
  const written = await run(process.execPath, [path.join(ROOT, "scripts/doc-files.mjs"), PAGE, folder], ROOT, {});
  expect(written).toEqual({ exit: 0, out: "", err: "" });
  return folder;
}

test("the deploy program prints the output on the page, and applies the files", async () => {
  const sandbox = await sandboxFor();
  const env = {
    LINKFORM_API_KEY: sandbox.apiKey,
    LINKFORM_BASE_URL: sandbox.url,
    LINKFORM_SECRET_PRESS: "for the press",
  };
  const { exit, out, err } = await run(process.execPath, ["deploy.mjs"], await folderOfPage(), env);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  const [shown] = /(?<=^```console\n\$ node deploy\.mjs\n).*?(?=^```$)/ms.exec(await readFile(PAGE, "utf8")) ?? [];
  expect(out).toBe(shown);
  expect(sandbox.state().links).toMatchObject([{ alias: "hello" }, { alias: "press", password: "for the press" }]);
});

test("the test program passes", async () => {
  const folder = await folderOfPage();
  const { exit, out } = await run(process.execPath, ["--test", "--test-reporter=tap", "links.test.mjs"], folder, {});
  expect(out).toMatch(/^# pass 1$/m);
  expect(exit).toBe(0);
});
