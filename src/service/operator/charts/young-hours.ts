import { youngFor } from "#limits/chart-limits";
import { type Day, dayLength } from "#web/page/chart/calendar";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import { halfDown } from "#service/store/half-down";
import { monitorId } from "#service/store/ids";
import type { Bucket } from "#service/store/result-store";
import { beginOf, grainLength } from "#service/store/rollup";
import { after, between, type EpochMillis, millis } from "#base/units";

/**
 * The newest hours of a monitor that is younger than two days, 24 of them or 48, up to the one of now: of one day, a single
 * bar says nothing. Null of an older one.
 */
export async function youngHours(
  { store }: Pick<PageRooms, "store">,
  monitor: Pick<PicturedMonitor, "id" | "unread" | "days">,
  born: EpochMillis,
  now: EpochMillis,
): Promise<readonly Day[] | null> {
  const age = between(born, now);
  if (monitor.unread || age >= youngFor) return null;
  const last = beginOf("hour", now);
  const count = (age < dayLength ? 1 : 2) * hoursOfDay;
  const from = after(last, millis((1 - count) * grainLength.hour));
  const buckets = await store.results.buckets({
    monitors: [monitorId(monitor.id)],
    location: null,
    grain: "hour",
    from,
    to: after(now, millis(1)),
  });
  const byBegin = Map.groupBy(buckets, ({ begin }) => begin);
  const hours = Array.from({ length: count }, (_, index) => {
    const begin = after(from, millis(index * grainLength.hour));
    return hourOf(begin, byBegin.get(begin) ?? [], now);
  });
  return withoutAhead(hours, monitor.days.at(-1));
}

const hoursOfDay = dayLength / grainLength.hour;

/** All locations together, as a day has them. */
function hourOf(begin: EpochMillis, places: readonly Bucket[], now: EpochMillis): Day {
  const longest = Math.min(grainLength.hour, between(begin, now));
  const sum = (of: (one: Bucket) => number): number =>
    places.reduce((total, one) => total + of(one), 0);
  const downs = places.flatMap(({ down }) => (down > 0 ? [down] : []));
  return {
    begin,
    known: millis(Math.min(longest, Math.max(0, ...places.map(({ known }) => known)))),
    down: millis(Math.min(longest, halfDown(places.length, downs))),
    checks: sum(({ success, degraded, error }) => success + degraded + error),
    slow: sum(({ degraded }) => degraded),
  };
}

/** The newest result is counted for a whole period, of which a day leaves out what is ahead: so does the hour of now. */
function withoutAhead(hours: readonly Day[], today: Day | undefined): readonly Day[] {
  const newest = hours.at(-1);
  if (newest === undefined || today === undefined || newest.begin < today.begin) return hours;
  const ofToday = hours.filter(({ begin }) => begin >= today.begin);
  const ahead = ofToday.reduce((total, { down }) => total + down, 0) - today.down;
  if (ahead <= 0) return hours;
  const down = millis(Math.max(0, newest.down - ahead));
  return [...hours.slice(0, -1), { ...newest, down }];
}
