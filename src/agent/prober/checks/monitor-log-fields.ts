import { shownTarget } from "#check/shown-target";
import type { Monitor } from "#check/monitor";
import type { LogFields } from "#base/log";
import { showText } from "#base/text";

const known = new WeakMap<Monitor, LogFields>();

/** Which monitor a log line is about, as a person knows it: its name, or where the service gives none its target. */
export const monitorFields = (monitor: Monitor): LogFields =>
  known.getOrInsertComputed(monitor, ({ id, name, kind }) => ({
    monitor: id,
    name: name ?? undefined,
    kind,
    target: showText(shownTarget(monitor)),
  }));
