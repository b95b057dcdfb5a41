import type { Worker } from "node:worker_threads";
import type { ProbeThreadOptions } from "#prober/prober";
import { startThread } from "#thread/start-thread";

/** Starts a thread on probe-worker. */
export const startProbeThread = (options: ProbeThreadOptions): Worker =>
  startThread(
    { source: new URL("probe-worker.ts", import.meta.url), bundled: "probe-worker.mjs" },
    options,
  );
