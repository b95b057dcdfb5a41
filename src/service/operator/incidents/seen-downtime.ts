import { shownLength } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { isAway } from "#service/operator/pictures/unless-away";
import { monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/**
 * How long a monitor was down in its incident, by the checks that failed, as its own page and the report count. What passed
 * meanwhile is not part of it, also if it was too little to close the incident. Null of what was only slow, is about no
 * monitor, or has no checks that can be read.
 */
export async function seenDowntime(
  { results }: Pick<Store, "results">,
  { subject, worst, startedAt, ended }: Incident,
  at: EpochMillis,
  period: Millis = millis(0),
): Promise<Millis | null> {
  if (subject.kind !== "monitor" || worst !== "error") return null;
  const span = { from: startedAt, to: epochMillis(Math.max(ended?.at ?? at, startedAt)) };
  try {
    const [days = []] = await results.downtimes({ monitor: monitorId(subject.id), spans: [span] });
    const down = days.reduce((sum, day) => sum + day.down, 0);
    const whole = shownLength(span.from, span.to);
    // The newest check may be under way.
    return down === 0 ? null : millis(down + period / 2 > whole ? whole : down);
  } catch (error) {
    if (!isAway(error)) throw error;
    return null;
  }
}
