/** What is bundled into a file each. The names are a contract: the one starts the others, and images and units start the first. */
export const entries = {
  "picket.mjs": "src/main.ts",
  "probe-worker.mjs": "src/prober/probe-worker.ts",
  "store-worker.mjs": "src/store/sqlite/store-worker.ts",
} as const;
