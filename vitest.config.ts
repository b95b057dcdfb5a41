import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Timing is measured alone (npm run test:wire), and what is broken on purpose takes minutes (npm run test:chaos).
    exclude: ["test/wire-truth/**", "test/chaos/**"],
    // A test that hangs is a defect to name, not to wait for.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
