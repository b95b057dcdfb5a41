import type { PastChoice } from "#service/operator/charts/range-choice";
import { earlierSteps, earlierTimes } from "#service/operator/charts/earlier-time";
import { rangeOf } from "#service/operator/charts/time-range";
import { failingMarks } from "#service/operator/charts/failing-marks";
import { chartMarks } from "#service/operator/charts/marked-times";
import {
  monitorStory,
  type MonitorStory,
  pastOf,
  type Step,
  unreadStory,
} from "#service/operator/monitor-story";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import { monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { daysBefore, dayLength } from "#web/page/chart/calendar";
import { between, type EpochMillis, epochMillis } from "#base/units";

/** Since when a monitor is watched. Results may be older than it: they came from elsewhere. */
export function bornAt(
  { createdAt }: Pick<MonitorRow, "createdAt">,
  { days }: Pick<PicturedMonitor, "days">,
  now: EpochMillis,
): EpochMillis {
  const first = days[daysBefore(days)]?.begin ?? createdAt;
  return epochMillis(Math.min(createdAt, isToday(first, now) ? createdAt : first));
}

/** What an address asks of a monitor's past; locations that do not run it are left out. */
export function pastChoice(
  row: Pick<MonitorRow, "locations" | "createdAt">,
  monitor: Pick<PicturedMonitor, "days">,
  query: URLSearchParams,
  now: EpochMillis,
): LocatedChoice {
  const { locations } = row;
  const born = bornAt(row, monitor, now);
  const at = (name: string): MonitorRow["locations"][number] | null =>
    locations.find((one) => String(one) === query.get(name)) ?? null;
  const location = at("location");
  const other = location === null || at("compare") === location ? null : at("compare");
  const range = rangeOf(query, now, born);
  const before = earlierTimes(range, born);
  const earlier = before.find(({ name }) => name === query.get("compare")) ?? null;
  const because = born < row.createdAt ? "first data" : "created";
  const isCut = range.name !== "custom" && range.from <= born;
  return {
    range,
    location,
    other,
    earlier,
    before,
    ...(isCut ? { begins: { at: born, because } } : {}),
  };
}

const isToday = (begin: EpochMillis, now: EpochMillis): boolean => between(begin, now) < dayLength;

/** A choice whose locations are known to the store. */
export interface LocatedChoice extends PastChoice {
  readonly location: MonitorRow["locations"][number] | null;
  readonly other: MonitorRow["locations"][number] | null;
}

/** What charts show of a monitor's past. */
export interface ChartFacts {
  readonly story: MonitorStory;
  /** The steps of the location that it is compared with; empty if it is with none. */
  readonly compared: readonly Step[];
  /** Those of the earlier time that it is compared with, at the times of the range; empty if it is with none. */
  readonly formerly: readonly Step[];
  readonly marks: readonly ChartMark[];
}

/** Reads it; every part is bounded. */
export async function chartFacts(
  rooms: PageRooms,
  monitor: PicturedMonitor,
  { range, location, other, earlier }: Omit<LocatedChoice, "before">,
  now: EpochMillis,
): Promise<ChartFacts> {
  if (monitor.unread) return { story: unreadStory(range), compared: [], formerly: [], marks: [] };
  const id = monitorId(monitor.id);
  const [story, compared, formerly] = await Promise.all([
    monitorStory(rooms, { monitor: id, location, other, range, now }),
    other === null ? null : pastOf(rooms.store, { monitor: id, location: other, range }),
    earlier === null
      ? []
      : earlierSteps(rooms.store, { monitor: id, location, range, earlier, now }),
  ]);
  const marks = await chartMarks(rooms, monitor, {
    ...story.span,
    gaps: story.gaps,
    shown: location === null ? null : [location, ...(other === null ? [] : [other])],
  });
  return {
    story,
    compared: compared?.steps ?? [],
    formerly,
    marks: await failingMarks(rooms, monitor, range, marks),
  };
}
