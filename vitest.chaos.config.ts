import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Real processes that are killed, stopped and cut off: minutes of waiting, little work, so files run side by side. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/chaos/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    maxWorkers: 4,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
