import type { Worker } from "node:worker_threads";
import type { ThreadOptions } from "#agent/prober/lane-messages";
import { closeLeft, descriptorMemory } from "#probes/raw/descriptor-list";
import { letYoungGrowLater } from "#machine/young-generation";
import { startThread } from "#machine/start-thread";

/** What a thread of probes is started with. */
export interface ProbeThreadStart {
  readonly options: ThreadOptions;
  readonly descriptors: SharedArrayBuffer;
}

/** Starts a thread on probe-worker, and closes behind it what it left open: the runtime knows nothing of raw sockets. */
export function startProbeThread(options: ThreadOptions): Worker {
  const start: ProbeThreadStart = { options, descriptors: descriptorMemory() };
  letYoungGrowLater();
  const worker = startThread(
    { source: new URL("probe-worker.ts", import.meta.url), bundled: "probe-worker.mjs" },
    start,
  );
  worker.once("exit", () => closeLeft(start.descriptors));
  return worker;
}
