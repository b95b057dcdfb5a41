import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A real container engine, and an emulated arm64: needs root, dockerd, docker, mmdebstrap and qemu-user-static. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/image/**/*.test.ts"],
    // The memory of a small container is judged with nobody else at work.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 480_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
