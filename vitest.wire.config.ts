import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Apart from the other tests, and one file after the other: a figure is worth nothing beside somebody else's load. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/wire-truth/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
