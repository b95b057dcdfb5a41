import { chartIncidentsCutMax } from "#limits/chart-limits";
import { storyResultsMax } from "#limits/pages-limits";
import { cutToFailing } from "#service/operator/incidents/failing-stretches";
import { type LocatedTurn, turnsOf } from "#service/operator/incidents/incident-turns";
import type { TimeRange } from "#service/operator/charts/time-range";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import { monitorId } from "#service/store/ids";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { after, epochMillis, millis, minutes } from "#base/units";

type CutMonitor = Pick<PicturedMonitor, "id" | "period">;

/**
 * Marks whose red is where checks failed: an incident has checks that pass, before there are enough of them to close it. Of a
 * range that is drawn from hours or days, and of an incident with too many checks to look at each, all of it stays red.
 */
export async function failingMarks(
  rooms: Pick<PageRooms, "store">,
  monitor: CutMonitor,
  range: TimeRange,
  marks: readonly ChartMark[],
): Promise<readonly ChartMark[]> {
  if (range.source !== "results") return marks;
  const down = marks.filter(({ kind, address }) => kind === "error" && address !== null);
  const incidents = [...Map.groupBy(down, ({ address }) => address ?? "")];
  const turns = await Promise.all(
    incidents
      .slice(-chartIncidentsCutMax)
      .map(async ([address, own]) => [address, await turnsIn(rooms, monitor, range, own)] as const),
  );
  return cutToFailing(marks, new Map(turns));
}

/** From before its first mark, so that each location is known as it was then; none if there are too many. */
async function turnsIn(
  { store }: Pick<PageRooms, "store">,
  { id, period }: CutMonitor,
  { from, to }: TimeRange,
  marks: readonly ChartMark[],
): Promise<readonly LocatedTurn[]> {
  const begin = Math.max(from, Math.min(...marks.map((mark) => mark.from)));
  const end = Math.min(to, Math.max(...marks.map((mark) => mark.to)));
  const found = await store.results.window({
    monitor: monitorId(id),
    location: null,
    from: epochMillis(begin - Math.max(minutes(2), 2 * period)),
    to: after(epochMillis(end), millis(1)),
    order: "oldest first",
    cursor: null,
    skip: 0,
    limit: storyResultsMax,
  });
  return found.next === null ? turnsOf(found.results, epochMillis(begin)) : [];
}
