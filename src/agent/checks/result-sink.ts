import { monitorFields } from "#agent/prober/checks/monitor-log-fields";
import type { DecidedCheck } from "#agent/prober/checks/decided-check";
import type { Logger } from "#base/log";

/** Takes a result in as soon as it is decided. Each sink gets every result once; none is waited for. */
export type ResultSink = (decided: DecidedCheck) => void;

/** A line of the log for each check, at debug: no other level needs it, and its fields take memory. */
export const logSink =
  (log: Logger): ResultSink =>
  ({ result, monitor }) =>
    log.debug("checked", {
      ...monitorFields(monitor),
      slot: result.slot,
      status: result.status,
      latency: result.latency,
      "error.type": result.failure?.code,
    });
