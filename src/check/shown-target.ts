import type { KindEntry } from "#check/kinds/kind-entry";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind, Monitor, TargetOf } from "#check/monitor";

/** The target of a monitor as everyone may read it: without query and user-info, whatever was written. */
export const shownTarget = (monitor: Monitor): string =>
  monitor.rejection === null
    ? shown(monitor.target.kind, monitor.target)
    : kindTable[monitor.kind].shownUri(monitor.uri);

function shown<K extends Kind>(kind: K, target: TargetOf<K>): string {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.shown(target);
}
