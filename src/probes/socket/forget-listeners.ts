import type { EventEmitter } from "node:events";

/**
 * Has a closed stream, socket or session forget who listened. Its handle outlives it: the collector of young objects
 * keeps whatever a handle leads to, be it dead or not, and all of a check would live on until a full collection.
 */
export function forgetListeners(emitter: EventEmitter): void {
  emitter.once("close", () => forget(emitter));
}

function forget(emitter: EventEmitter): void {
  emitter.removeAllListeners();
  emitter.on("error", ignored);
}

const ignored = (): void => {};
