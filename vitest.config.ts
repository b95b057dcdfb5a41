import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Timing is measured alone (npm run test:wire), and what is broken on purpose takes minutes (npm run test:chaos);
    // the unit, the image and a rollout need a systemd, an engine and a cluster of their own (npm run test:systemd,
    // test:image, test:kubernetes).
    exclude: [
      "test/wire-truth/**",
      "test/chaos/**",
      "test/systemd/**",
      "test/image/**",
      "test/kubernetes/**",
    ],
    // A test that hangs is a defect to name, not to wait for.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;
