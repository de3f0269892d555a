import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    env: { NO_COLOR: "1", LINKFORM_API_KEY: "", LINKFORM_BASE_URL: "" },
  },
});
