import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The real OpenTelemetry Collector, which test/collector/build.sh builds at the first run: needs Go and some minutes. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/collector/**/*.test.ts"],
    testTimeout: 90_000,
    hookTimeout: 1_200_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
