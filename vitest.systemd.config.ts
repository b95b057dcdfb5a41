import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A booted systemd in a root of its own: needs root, systemd-nspawn and mmdebstrap. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/systemd/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
