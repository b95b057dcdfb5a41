import { type TimeRange, timeBefore } from "#service/operator/charts/time-range";
import { pastOf, type Step } from "#service/operator/monitor-story";
import type { PageRooms } from "#service/operator/page-rooms";
import type { LocationId, MonitorId } from "#service/store/ids";
import { lengthOf } from "#web/page/format";
import { between, epochMillis, type EpochMillis, hours, type Millis, millis } from "#base/units";

/** A time before the one that a chart shows, with which that is compared. */
export interface EarlierTime {
  /** As an address has it. */
  readonly name: "before" | "day" | "week";
  /** How much earlier it is. */
  readonly by: Millis;
  /** `24 h before`, as the key of the chart calls it. */
  readonly words: string;
}

const aDay: EarlierTime = { name: "day", by: hours(24), words: "a day before" };
const aWeek: EarlierTime = { name: "week", by: hours(7 * 24), words: "a week before" };

/** The times that a range may be compared with: those in which there may be data, which begin at `born`. */
export function earlierTimes(range: TimeRange, born: EpochMillis): readonly EarlierTime[] {
  const length = between(range.from, range.to);
  const own = [aDay, aWeek].find(({ by }) => by === length);
  const before = {
    name: "before",
    by: millis(length),
    words: own?.words ?? `${lengthOf(millis(length))} before`,
  } as const;
  const all = [before, ...[aDay, aWeek].filter(({ by }) => by > length)];
  return all.filter(({ by }) => range.to - by > born);
}

interface EarlierQuery {
  readonly monitor: MonitorId;
  readonly location: LocationId | null;
  readonly range: TimeRange;
  readonly earlier: EarlierTime;
  readonly now: EpochMillis;
}

/** Its steps, each at the time of the range with which it is compared. */
export async function earlierSteps(
  store: PageRooms["store"],
  { monitor, location, range, earlier, now }: EarlierQuery,
): Promise<readonly Step[]> {
  const before = timeBefore(range, earlier.by, now);
  const { steps } = await pastOf(store, { monitor, location, range: before });
  const { step, source } = range;
  // Steps of results begin where their range does. Those of hours and days are whole ones.
  const placed = (at: number): number => (source === "results" ? at : Math.floor(at / step) * step);
  return steps
    .map((one) => ({ ...one, at: epochMillis(placed(one.at + earlier.by)) }))
    .filter(({ at }) => at < range.to);
}
