import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A rollout on a real API server and kubelet: needs root, an engine, etcd, and what test/kubernetes/build.sh builds. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/kubernetes/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // Each test goes on from where the one before it came to.
    bail: 1,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
