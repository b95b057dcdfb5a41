import { type Hearer, hears } from "#service/alerting/hearing";
import type { Planning } from "#service/configuration/planning";
import type { WantedMonitor } from "#service/configuration/wanted";
import type { ObjectRef } from "#service/store/configuration-store";

/** How many monitors of the files notify no one once all of it is made. Those that are paused are not counted. */
export function unheardMonitors(planning: Planning, wanted: readonly WantedMonitor[]): number {
  const hearers = hearersAfter(planning);
  return wanted.filter(({ name, definition }) => {
    if (!definition.active) return false;
    const [ref] = planning.monitorsNamed([{ kind: definition.kind, name }], "The files");
    const heard = { labels: definition.labels, locations: null };
    return ref !== undefined && hearers.every((one) => !hears(one, ref, heard));
  }).length;
}

/** The channels as they will be. */
function hearersAfter({ estate, writes }: Planning): readonly Hearer[] {
  const changed = new Map(writes.channels.map((one) => [one.id, one]));
  const removed = new Set(
    writes.removals.filter(({ kind }) => kind === "channel").map(({ id }) => id),
  );
  const staying = estate.channels
    .filter(({ id }) => !removed.has(id))
    .map(({ id, rules, monitors }) => {
      const change = changed.get(id);
      return change === undefined
        ? hearer(rules, monitors)
        : hearer(change.to.rules, change.monitors);
    });
  const made = writes.newChannels.map((one) => hearer(one.made.rules, one.monitors));
  return [...staying, ...made];
}

function hearer(rules: Hearer["rules"], monitors: readonly ObjectRef[]): Hearer {
  const named = new Set<ObjectRef>(monitors);
  return { rules, names: (monitor) => named.has(monitor) };
}
