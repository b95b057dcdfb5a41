import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** What takes minutes, or has to be built or to be alone, is run by commands of its own (README.md, Develop). */
const stages = ["wire-truth", "chaos", "systemd", "image", "kubernetes", "collector"];

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: stages.map((stage) => `test/${stage}/**`),
    // On a small machine the default is one; most tests wait for a socket or a process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A test that hangs is a defect to name, not to wait for.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
