import { type Hearer, hears, hearsAll } from "#service/alerting/hearing";
import type { MonitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";

/**
 * Which of these monitors notify no one: no channel is notified of their failures. One that is paused is not among them.
 * Where one channel is notified of all, no list is read.
 */
export async function unheardAmong(
  { alerts: { channels } }: Pick<Store, "alerts">,
  rows: readonly HeardMonitor[],
): Promise<ReadonlySet<number>> {
  const active = rows.filter(({ definition }) => definition.active);
  const heads = active.length === 0 ? [] : await channels.heads();
  if (active.length === 0 || heads.some(({ rules }) => hearsAll(rules))) return new Set();
  if (heads.length === 0) return new Set(active.map(({ id }) => id));
  const listing = heads.filter(({ rules }) => !rules.allMonitors);
  const lists = await channels.listed(listing.map(({ id }) => id));
  const hearers = heads.map(({ id, rules }): Hearer => {
    const named = new Set<number | string>(lists.get(id) ?? noMonitors);
    return { rules, names: (monitor) => named.has(monitor) };
  });
  const unheard = active.filter(({ id, labels, locations }) =>
    hearers.every((one) => !hears(one, id, { labels, locations })),
  );
  return new Set(unheard.map(({ id }) => id));
}

type HeardMonitor = Pick<MonitorRow, "id" | "labels" | "locations"> & {
  readonly definition: { readonly active: boolean };
};

const noMonitors: readonly MonitorId[] = [];
