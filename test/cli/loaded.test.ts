// What the program loads before it does anything: the start of every command takes as long as this code takes to compile. Fails if a
// command loads a library that it does not need, or if the package grows.

import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CLI, linkform } from "../support/program.ts";
import { folderFor, sandboxFor } from "../support/library.ts";
import { temporaryFolder } from "../support/scenario.ts";

/** The files of the package that a run has loaded, and their size. Node lists them for a report of the coverage. */
async function loadedBy(args: readonly string[]): Promise<{ files: number; kilobytes: number }> {
  const sandbox = await sandboxFor();
  const folder = await folderFor(sandbox, "links:\n  go.example.com/a: { url: https://example.com/ }\n");
  const coverage = await temporaryFolder();
  const env = { LINKFORM_API_KEY: sandbox.apiKey, NODE_V8_COVERAGE: coverage };
  expect(await linkform(folder, args, env)).toMatchObject({ exit: 0 });
  const loaded = new Set<string>();
  for (const report of await readdir(coverage)) {
    const { result }: { result: { url: string }[] } = JSON.parse(await readFile(path.join(coverage, report), "utf8"));
    for (const { url } of result) if (url.startsWith("file:")) loaded.add(fileURLToPath(url));
  }
  const sizes = await Promise.all([...loaded].map(async (file) => (await stat(file)).size));
  return { files: loaded.size, kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1000 };
}

// The limits are a little above the real numbers. Before you raise one, look for what the command need not load.
test.each([
  { args: ["--version"], files: 1, kilobytes: 2 },
  { args: ["--help"], files: 11, kilobytes: 115 },
  { args: ["validate"], files: 21, kilobytes: 760 },
  { args: ["plan"], files: 42, kilobytes: 1230 },
  { args: ["apply", "--yes", "--quiet"], files: 48, kilobytes: 1300 },
])("linkform $args loads at most $files files and $kilobytes kB", async ({ args, files, kilobytes }) => {
  const loaded = await loadedBy(args);
  expect(loaded.files).toBeGreaterThan(0);
  expect(loaded.files).toBeLessThanOrEqual(files);
  expect(loaded.kilobytes).toBeLessThanOrEqual(kilobytes);
});

test("the package has at most 2 MB of code", async () => {
  const folder = path.dirname(CLI);
  const scripts = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const sizes = await Promise.all(scripts.map(async (file) => (await stat(path.join(folder, file))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2_000_000);
});
