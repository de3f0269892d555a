// Runs TypeScript of the project in a script, and writes the files that are generated from it.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

/** What a module with these contents exports. Its imports are relative to the root of the project. */
export async function evaluate(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.resolve(import.meta.dirname, ".."), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    // The yaml package is CommonJS and calls require for Node's own modules.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(process.argv[1]);',
    },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Writes generated files, by name. With --check, it only says which are not fresh; `command` writes them. */
export async function writeGenerated(files, command) {
  const stale = [];
  for (const [file, fresh] of files) {
    if ((await readFile(file, "utf8").catch(() => "")) === fresh) continue;
    if (process.argv.includes("--check")) stale.push(file);
    else await writeFile(file, fresh);
  }
  if (stale.length === 0) return;
  console.error(`Not fresh: ${stale.join(", ")}. Run \`${command}\` and commit.`);
  process.exitCode = 1;
}
