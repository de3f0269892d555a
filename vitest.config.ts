import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { CI_TEXTS } from "./scripts/ci-texts.mjs";

const LONG = "test/**/*.long.test.ts";

const config: ViteUserConfig = defineConfig({
  // As the build does.
  define: { LINKFORM_CI_TEXTS: JSON.stringify(CI_TEXTS) },
  test: {
    // A third of the time, tests wait for processes. By default, Vitest leaves one core idle.
    maxWorkers: availableParallelism() + 1,
    // Loading the same modules anew for each file would take most of the time of short tests. Nothing here keeps state in a module.
    isolate: false,
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
