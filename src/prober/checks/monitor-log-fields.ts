import { shownTarget } from "#check/shown-target";
import type { Monitor } from "#check/monitor";
import type { LogFields } from "#log";
import { showText } from "#text";

/** Which monitor a log line is about, as a person knows it: its name, or where the service gives none its target. */
export const monitorFields = (monitor: Monitor): LogFields => ({
  monitor: monitor.id,
  name: monitor.name ?? undefined,
  kind: monitor.kind,
  target: showText(shownTarget(monitor)),
});
