import { systemClock } from "#base/clock";
import type { MonitorDefinition } from "#check/definition";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";

/** What the service is told: which monitors there are, or how many of them the agent has from now on. */
export type ServiceOrder = readonly MonitorDefinition[] | number;

/** What it answers when the monitors are there. */
export interface ServiceReady {
  readonly url: string;
  readonly token: string;
}

/* The service that the measured agent reports to, in a separate process: it is not what is measured. */

const [database = ""] = process.argv.slice(2);
const service = await startService({
  database,
  host: "127.0.0.1",
  port: 0,
  clock: systemClock,
  log: silentLogger,
});
const { admin } = service;
const location = await admin.createPrivateLocation({ name: "bench", monitorIds: [], metadata: {} });
/** The store lets no more than some thousand calls wait. */
const madeAtOnce = 500;
let ids: readonly string[] = [];
const obey = async (order: ServiceOrder): Promise<void> => {
  if (typeof order === "number")
    return admin.updatePrivateLocation(location.id, { monitorIds: ids.slice(0, order) });
  const made: string[] = [];
  for (let first = 0; first < order.length; first += madeAtOnce) {
    const some = order.slice(first, first + madeAtOnce);
    const monitors = some.map((monitor) => admin.createMonitor(monitor, "assignment"));
    made.push(...(await Promise.all(monitors)).map(({ id }) => id));
  }
  ids = made;
  await admin.updatePrivateLocation(location.id, { monitorIds: ids });
  const ready: ServiceReady = { url: service.url, token: location.token };
  process.send?.(ready);
};
process.on("message", (order: ServiceOrder) => void obey(order));
process.once("disconnect", () => void service[Symbol.asyncDispose]());
