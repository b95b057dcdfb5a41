import { getAsset, isSea } from "node:sea";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Where the code of a thread lies. */
interface ThreadCode {
  /** In the sources. */
  readonly source: URL;
  /** What the build calls it: a file next to the bundle, or a text inside the one executable. */
  readonly bundled: string;
}

/** Starts a thread, wherever its code lies: a file of the sources, a file next to the bundle, or in the one executable. */
export function startThread({ source, bundled }: ThreadCode, workerData: unknown): Worker {
  const settings: WorkerOptions = { workerData, stdout: false, stderr: false };
  // A thread of the one executable has no file to load: its code is text that the executable carries.
  if (isSea()) return new Worker(getAsset(bundled, "utf8"), { ...settings, eval: true });
  const beside = import.meta.url.endsWith(".mjs");
  return new Worker(beside ? new URL(bundled, import.meta.url) : source, settings);
}
