import * as chartLimits from "#limits/chart-limits";
import * as limits from "#limits/pages-limits";
import type { MonitorDefinition } from "#check/definition";
import type { Incident } from "#service/alerting/incident";
import { bornAt, type ChartFacts, chartFacts } from "#service/operator/charts/past-choice";
import { rangeAround, type TimeRange } from "#service/operator/charts/time-range";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { unlessAway } from "#service/operator/pictures/unless-away";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { ListedResult, ResultWithDetail, Window } from "#service/store/result-store";
import { startedAfterSlotMax } from "#limits/store-limits";
import { after, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** What was measured around an incident of a monitor that is still there. */
export interface IncidentEvidence extends ChartFacts {
  readonly monitor: PicturedMonitor;
  readonly definition: MonitorDefinition;
  readonly range: TimeRange;
  /** The newest check of it that failed, or was slow if none failed; null if none of its newest results did. */
  readonly check: ResultWithDetail | null;
  /** Its oldest check that did, if that is another one. */
  readonly first: ResultWithDetail | null;
}

/** Reads it; null if the incident is of something else, or if its monitor is deleted. */
export async function incidentEvidence(
  rooms: PageRooms,
  { incident }: Pick<IncidentStory, "incident">,
  { monitors, at }: Picture,
): Promise<IncidentEvidence | null> {
  const { subject, startedAt, ended, worst } = incident;
  if (subject.kind !== "monitor") return null;
  const pictured = monitors.find(({ id }) => id === subject.id);
  const [row] = pictured === undefined ? [] : await rooms.monitors.among([monitorId(subject.id)]);
  if (pictured === undefined || row === undefined) return null;
  const to = ended?.at ?? at;
  // The check that opened it may be newer than the picture.
  const checkedUntil = ended?.at ?? rooms.clock.wall();
  const fit = { least: marginOf(pictured), born: bornAt(row, pictured, at) };
  const range = rangeAround({ from: startedAt, to }, at, fit);
  const none: BadChecks = { check: null, first: null };
  const { monitor, found } = await unlessAway(pictured, (one) =>
    Promise.all([
      chartFacts(rooms, one, { range, location: null, other: null, earlier: null }, at),
      one.unread ? none : badChecks(rooms, row.id, { startedAt, to: checkedUntil, worst }),
    ]),
  );
  const [facts, bad] = found;
  return { ...facts, ...bad, monitor, definition: row.definition, range };
}

/** So many checks before it and after it, or a quarter of an hour if that is less; but never less than two checks. */
const marginOf = ({ period }: PicturedMonitor): Millis =>
  millis(
    Math.max(2 * period, Math.min(limits.chartMarginMin, chartLimits.chartMarginChecks * period)),
  );

type BadChecks = Pick<IncidentEvidence, "check" | "first">;

interface BadStretch extends Pick<Incident, "startedAt" | "worst"> {
  readonly to: EpochMillis;
}

/** The last that has its details, if one of them has, and the first. Each is looked for in a window, so either may be missing. */
async function badChecks(
  rooms: PageRooms,
  monitor: MonitorId,
  stretch: BadStretch,
): Promise<BadChecks> {
  const [check, first] = await Promise.all([
    badCheck(rooms, monitor, stretch, "newest first"),
    badCheck(rooms, monitor, stretch, "oldest first"),
  ]);
  const isOne = check?.slot === first?.slot && check?.location === first?.location;
  return { check, first: isOne ? null : first };
}

async function badCheck(
  { store }: PageRooms,
  monitor: MonitorId,
  { startedAt, to, worst }: BadStretch,
  order: Window["order"],
): Promise<ResultWithDetail | null> {
  const { results } = await store.results.window({
    monitor,
    location: null,
    // It begins with the start of its first check, which is later than the check's slot.
    from: epochMillis(startedAt - startedAfterSlotMax),
    to: after(to, millis(1)),
    order,
    cursor: null,
    skip: 0,
    limit: limits.incidentResultsLookedAt,
  });
  const bad = results.filter((one) => one.status === worst && isWithin(one, startedAt));
  // Details are kept for less long than results: the first that still has them would be another one each hour.
  const detailed = order === "newest first" ? bad.find(hasMessage) : undefined;
  const found = detailed ?? bad[0];
  return found === undefined ? null : store.results.result(found);
}

const isWithin = ({ slot, startedAt }: ListedResult, from: EpochMillis): boolean =>
  Math.max(slot, startedAt) >= from;

const hasMessage = ({ message }: ListedResult): boolean => message !== "";
