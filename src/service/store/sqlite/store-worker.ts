import { parentPort, workerData } from "node:worker_threads";
import { serveStore } from "#service/store/sqlite/serve-store";

/** A thread of the store. One writes, another reads. */
if (parentPort !== null) await serveStore(workerData, parentPort);
