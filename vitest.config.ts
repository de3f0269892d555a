import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { defineConfig, type Plugin, type ViteUserConfig } from "vitest/config";
import { CI_TEXTS } from "./scripts/ci-texts.mjs";

const LONG = "test/**/*.long.test.ts";
// As the build does.
const define = { LINKFORM_CI_TEXTS: JSON.stringify(CI_TEXTS) };

/** Compiles `src` once for all workers, and Node loads it. Loaded by Vite, it would make the tests a tenth slower. */
function compiledSource(): Plugin {
  mkdirSync(".vitest", { recursive: true });
  const outdir = mkdtempSync(path.resolve(".vitest/src-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const options = { bundle: true, splitting: true, format: "esm", platform: "node", packages: "external" } as const;
  buildSync({ ...options, entryPoints: ["src/**/*.ts"], outdir, define, sourcemap: "inline" });
  return {
    name: "compiled-source",
    enforce: "pre",
    resolveId(file, importer) {
      const inside = importer === undefined ? "" : path.relative("src", path.resolve(importer, "..", file));
      const isSource = file.startsWith(".") && !inside.startsWith("..");
      return isSource ? { id: path.join(outdir, inside.replace(/\.ts$/, ".js")), external: true } : null;
    },
  };
}

const config: ViteUserConfig = defineConfig({
  define,
  // Without `run`, Vitest follows changes of `src`.
  plugins: process.argv.includes("run") ? [compiledSource()] : [],
  test: {
    // A third of the time, tests wait for processes. By default, Vitest leaves one core idle.
    maxWorkers: availableParallelism() + 1,
    // Loading the same modules anew for each file would take most of the time of short tests. Nothing here keeps state in a module.
    isolate: false,
    server: { deps: { external: [/\/\.vitest\//] } },
    setupFiles: ["test/support/seed.ts"],
    env: { NO_COLOR: "1", LINKFORM_API_KEY: "", LINKFORM_BASE_URL: "" },
    projects: [
      {
        // `npm test`
        extends: true,
        test: {
          name: "short",
          include: ["test/**/*.test.ts"],
          // The browser tests have a configuration of their own.
          exclude: [LONG, "test/browser/**"],
          testTimeout: 60_000,
        },
      },
      {
        // `npm run test:full`: every fault at every request, kills, editors, CI jobs, and the long property tests
        extends: true,
        test: { name: "long", include: [LONG], testTimeout: 600_000 },
      },
    ],
  },
});

export default config;
