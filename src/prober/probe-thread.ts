import { getAsset, isSea } from "node:sea";
import { Worker } from "node:worker_threads";
import type { ProberOptions } from "#prober/prober";

/** Starts a thread on probe-worker, wherever it lies: beside this file, beside the bundle, or in the one executable. */
export function startProbeThread(options: ProberOptions): Worker {
  const settings = { workerData: options, stdout: false, stderr: false };
  // A thread of the one executable has no file to load: its code is text that the executable carries.
  if (isSea()) return new Worker(getAsset(bundledWorker, "utf8"), { ...settings, eval: true });
  const bundled = import.meta.url.endsWith(".mjs");
  return new Worker(
    new URL(bundled ? bundledWorker : "probe-worker.ts", import.meta.url),
    settings,
  );
}

/** What the build calls it, in the folder of the bundle and as an asset of the executable. */
const bundledWorker = "probe-worker.mjs";
