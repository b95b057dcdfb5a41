import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A real container engine: needs root, dockerd, docker and mmdebstrap. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/image/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
