import type { Service } from "#service/server";

/**
 * Ends a service whose clock stands still. A browser keeps a connection on which it asks nothing yet, and makes another one
 * when that is cut off: the service would wait for it until a limit of its clock.
 */
export async function goneAtOnce(service: Service): Promise<void> {
  const ended = new AbortController();
  const gone = Promise.resolve(service[Symbol.asyncDispose]()).finally(() => ended.abort());
  while (!ended.signal.aborted) {
    service.abandon();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await gone;
}
