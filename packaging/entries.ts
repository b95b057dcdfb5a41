/**
 * Where a process or a thread begins, and the file that it begins with once bundled. The names are a contract: the first
 * starts the others, and images and units start the first. It loads further files beside them (bundle.ts).
 */
export const entries = {
  "picket.mjs": "src/main.ts",
  "probe-worker.mjs": "src/agent/prober/probe-worker.ts",
  "store-worker.mjs": "src/service/store/sqlite/store-worker.ts",
} as const;
