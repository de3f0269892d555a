import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    env: { NO_COLOR: "1", LINKFORM_API_KEY: "", LINKFORM_BASE_URL: "" },
  },
});

export default config;
