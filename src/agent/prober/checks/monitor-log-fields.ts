import { shownTarget } from "#check/shown-target";
import type { Monitor } from "#check/monitor";
import type { LogFields } from "#base/log";
import { showText } from "#base/text";

const known = new WeakMap<Monitor, LogFields>();

/** The same by its id, also of one that does not run any more. */
export function fieldsOfMonitor(id: string, running: ReadonlyMap<string, Monitor>): LogFields {
  const monitor = running.get(id);
  return monitor === undefined ? { monitor: id } : monitorFields(monitor);
}

/** Which monitor a log line is about, as a person knows it: its name, or where the service gives none its target. */
export const monitorFields = (monitor: Monitor): LogFields =>
  known.getOrInsertComputed(monitor, ({ id, name, kind }) => ({
    monitor: id,
    name: name ?? undefined,
    kind,
    target: showText(shownTarget(monitor)),
  }));
