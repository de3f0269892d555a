// What benchmarks share: the rooms of the project as one module, and the time that something takes.

import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT, scratchFolder } from "./processes.mjs";

/** Bundles what `exports` names, as a module of TypeScript in the project's root would, and loads it. */
export async function bundled(exports) {
  const outdir = await scratchFolder();
  await build({
    stdin: { contents: exports, resolveDir: ROOT, sourcefile: "bench.ts" },
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
    },
  });
  return import(pathToFileURL(path.join(outdir, "stdin.mjs")).href);
}

/** Milliseconds that it takes. */
export function timeOf(run) {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
