import { fewAtOnce } from "#base/few-at-once";
import { downtimesReadAtOnce } from "#limits/incident-limits";
import type { Incident } from "#service/alerting/incident";
import { seenDowntime } from "#service/alerts/outage-figures";
import type { Picture } from "#service/operator/picture";
import type { Store } from "#service/store/store";
import type { EpochMillis, Millis } from "#base/units";

/** How long incidents of a list were down, by their numbers; those of which that is not known are left out. */
export async function seenDowntimes(
  store: Pick<Store, "results">,
  incidents: readonly Incident[],
  at: EpochMillis,
  { monitors }: Pick<Picture, "monitors">,
): Promise<ReadonlyMap<number, Millis>> {
  const periods = new Map(monitors.map(({ id, period }) => [id, period]));
  const all = await fewAtOnce(incidents, downtimesReadAtOnce, async (incident) => {
    const { number, subject } = incident;
    return [number, await seenDowntime(store, incident, at, periods.get(subject.id))] as const;
  });
  return new Map(all.flatMap(([number, down]) => (down === null ? [] : [[number, down] as const])));
}
