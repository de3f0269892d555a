// What the program loads before it does anything, and the requests of common runs. Fails if a command loads a library that it does not need,
// if the package grows, or if a run sends more requests (docs/performance.md).

import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commandIn } from "../support/command.ts";
import { CLI, linkform } from "../support/program.ts";
import { folderFor } from "../support/library.ts";
import { sandboxFor } from "../support/sandbox.ts";
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
  { args: ["--version"], files: 1, kilobytes: 1 },
  { args: ["--help"], files: 6, kilobytes: 110 },
  { args: ["validate"], files: 8, kilobytes: 400 },
  { args: ["plan"], files: 26, kilobytes: 1150 },
  { args: ["apply", "--yes", "--quiet"], files: 32, kilobytes: 1235 },
])("linkform $args loads at most $files files and $kilobytes kB", async ({ args, files, kilobytes }) => {
  const loaded = await loadedBy(args);
  expect(loaded.files).toBeGreaterThan(0);
  expect(loaded.files).toBeLessThanOrEqual(files);
  expect(loaded.kilobytes).toBeLessThanOrEqual(kilobytes);
});

test("the package has at most 1.9 MB of code", async () => {
  const folder = path.dirname(CLI);
  const scripts = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const sizes = await Promise.all(scripts.map(async (file) => (await stat(path.join(folder, file))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_900_000);
});

test("common runs on an account of 1,000 links send as few requests as they can", async () => {
  const links = Array.from({ length: 1000 }, (_, at) => ({ alias: `l-${at}`, domain: 2, url: "https://example.com/" }));
  const sandbox = await sandboxFor({ seed: { links } });
  const declared = links.map(({ alias, url }) => `  go.example.com/${alias}: { url: "${url}" }\n`).join("");
  const whole = await folderFor(sandbox, `links:\n${declared}`);
  const small = await folderFor(sandbox, "links:\n  go.example.com/l-500: { url: https://new.example.com/ }\n");
  const runs: readonly [args: string, folder: string, requests: number][] = [
    ["validate", whole, 0],
    ["projects", whole, 0],
    ["plan", whole, 11],
    ["drift", whole, 11],
    ["list --limit 20", whole, 1],
    ["list --search l-99", whole, 1],
    ["show go.example.com/l-500", whole, 2],
    ["explain --live go.example.com/l-500", whole, 1],
    ["pull --dry-run go.example.com/l-500", whole, 3],
    ["plan", small, 3],
    ["apply --yes", small, 6],
    ["undo last --yes", small, 6],
  ];
  for (const [args, folder, requests] of runs) {
    const before = sandbox.requests.length;
    const { exit, err } = await commandIn(folder, args.split(" "), { LINKFORM_API_KEY: sandbox.apiKey });
    expect([args, exit, sandbox.requests.length - before, exit === 0 ? "" : err]).toEqual([args, 0, requests, ""]);
  }
});
