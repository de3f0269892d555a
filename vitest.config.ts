import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { CI_TEXTS } from "./scripts/ci-texts.mjs";

const config: ViteUserConfig = defineConfig({
  // As the build does.
  define: { LINKFORM_CI_TEXTS: JSON.stringify(CI_TEXTS) },
  test: {
    include: ["test/**/*.test.ts"],
    // They have a configuration of their own.
    exclude: ["test/browser/**"],
    // Vitest leaves one core idle by default, which halves the speed on a machine with two.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    env: { NO_COLOR: "1", LINKFORM_API_KEY: "", LINKFORM_BASE_URL: "" },
  },
});

export default config;
