import { fewAtOnce } from "#base/few-at-once";
import { downtimesReadAtOnce } from "#limits/incident-limits";
import { downSince, shownLength } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import type { Picture } from "#service/operator/picture";
import { isAway } from "#service/operator/pictures/unless-away";
import { monitorId } from "#service/store/ids";
import type { DayDown, DowntimeSpan } from "#service/store/day-table";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/**
 * How long a monitor was down in its incident, by the checks that failed, as its own page and the report count. What passed
 * meanwhile is not part of it, also if it was too little to close the incident. Null of what was only slow, is about no
 * monitor, or has no checks that can be read.
 */
export async function seenDowntime(
  { results }: Pick<Store, "results">,
  incident: Incident,
  at: EpochMillis,
  period: Millis = millis(0),
): Promise<Millis | null> {
  const { subject, worst, startedAt, ended } = incident;
  if (subject.kind !== "monitor" || worst !== "error") return null;
  const to = epochMillis(Math.max(ended?.at ?? at, startedAt));
  // The newest failure counts until the next check is due: of what failed anew a moment ago, no more than that moment.
  const again = downSince(incident);
  const spans = [
    { from: startedAt, to: again },
    { from: again, to },
  ].filter((span) => span.from < span.to);
  try {
    const seen = await results.downtimes({ monitor: monitorId(subject.id), spans });
    const down = spans.reduce((sum, span, index) => sum + cappedDown(seen[index], span), 0);
    const whole = shownLength(startedAt, to);
    // The newest check may be under way.
    return down === 0 ? null : wholeSeconds(down + period / 2 > whole ? whole : down);
  } catch (error) {
    if (!isAway(error)) throw error;
    return null;
  }
}

/** The same of incidents of a list, by their numbers; those of which it is null are left out. */
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

/** As the report rounds it. */
const wholeSeconds = (down: number): Millis =>
  millis(Math.max(1, Math.round(down / 1_000)) * 1_000);

const cappedDown = (days: readonly DayDown[] = [], { from, to }: DowntimeSpan): Millis =>
  millis(
    Math.min(
      days.reduce((sum, { down }) => sum + down, 0),
      shownLength(from, to),
    ),
  );
