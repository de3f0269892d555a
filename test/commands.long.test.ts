// Each test file is run. Fails if no command runs one, or two do.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { run } from "./support/program.ts";

it("every test file is run by exactly one of `npm test`, `test:full` and `test:browser`", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
  const flags = ["test", "test:full", "test:browser"].map((name) => /vitest run (.*)/.exec(scripts[name])?.[1]);
  expect(flags).toEqual(["--project short", "--project long", "--config vitest.browser.config.ts"]);
  const listed: { readonly file: string }[] = [];
  for (const config of [[], ["--config", "vitest.browser.config.ts"]]) {
    const { out } = await run("node_modules/.bin/vitest", ["list", "--filesOnly", "--json", ...config], ".", {});
    listed.push(...JSON.parse(out));
  }
  const there = (await readdir("test", { recursive: true }))
    .filter((file) => /\.test\.[cm]?[jt]sx?$/.test(file))
    .map((file) => path.join("test", file));
  expect(listed.map(({ file }) => path.relative("", file)).toSorted()).toEqual(there.toSorted());
});
