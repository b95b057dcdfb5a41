import { shownLength } from "#base/duration";
import { fewAtOnce } from "#base/few-at-once";
import { incidentsSteppedAtOnce } from "#limits/service-limits";
import { downSince, downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import type { Window } from "#service/alerting/maintenance";
import { silencesDuring } from "#service/alerting/silence";
import { plannedBy } from "#service/maintenance/maintenance-plan";
import { freshUntil, rhythmOf } from "#service/monitors/view";
import type { BackFailures, LastingFailure, PastFailure } from "#service/notify/event-facts";
import type { ReplayedMonitor } from "#service/store/evidence-store";
import type { LocationId } from "#service/store/ids";
import type { View } from "#service/store/result-store";
import type { MonitorRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { after, epochMillis, type EpochMillis, millis } from "#base/units";

/** A location that is back, what runs there, and what it saw of that. */
interface BackAgain {
  readonly location: LocationId;
  /** When it was away last. */
  readonly away: Window;
  readonly now: EpochMillis;
  readonly monitors: readonly MonitorRow[];
  readonly views: readonly View[];
  /** Of the time that it was away. */
  readonly replayed: readonly ReplayedMonitor[];
}

/** A monitor of the location, its incidents since that was away, and what was seen of it there. */
interface SeenMonitor {
  readonly row: MonitorRow;
  readonly incidents: readonly Incident[];
  readonly view: NonNullable<View["seen"]>;
  readonly failed: ReplayedMonitor["failed"];
}

/** Monitors that are down now, and those that were meanwhile: each once, and none that is silenced or in maintenance. */
export async function downThere(store: Store, back: BackAgain): Promise<BackFailures> {
  const { now } = back;
  const isQuiet = await quietness(store, back);
  const seen = (await seenThere(store, back)).filter(({ row }) => !isQuiet(row, now, now));
  const found = await fewAtOnce(seen, incidentsSteppedAtOnce, async (one) => {
    if (one.view.status === "error") return { lasts: await lasting(store, one, back) };
    const over = await past(store, one);
    return { over: over !== null && isQuiet(one.row, over.from, over.to) ? null : over };
  });
  return {
    down: inOrder(found.map(({ lasts = null }) => lasts)),
    wereDown: inOrder(found.map(({ over = null }) => over)),
  };
}

const inOrder = <F extends PastFailure | LastingFailure>(
  all: readonly (F | null)[],
): readonly F[] => all.filter((one) => one !== null).toSorted((a, b) => a.from - b.from);

async function seenThere(
  store: Store,
  { monitors, views, replayed, away, location }: BackAgain,
): Promise<readonly SeenMonitor[]> {
  const all = await store.alerts.incidents.since(
    monitors.map(({ id }) => id),
    away.from,
  );
  const incidents = Map.groupBy(all, ({ subject }) => subject.id);
  const own = views.filter((one) => one.location === location);
  const viewOf = new Map(own.map(({ monitor, seen }) => [monitor, seen]));
  const failedOf = new Map(replayed.map(({ monitor, failed }) => [monitor, failed]));
  return monitors.flatMap((row) => {
    const view = viewOf.get(row.id) ?? null;
    const failed = failedOf.get(row.id) ?? null;
    return view === null ? [] : [{ row, view, incidents: incidents.get(row.id) ?? [], failed }];
  });
}

/** Says whether a monitor is silenced or in maintenance at some time between two instants. */
async function quietness(
  store: Store,
  { location, away, now }: BackAgain,
): Promise<(row: MonitorRow, from: EpochMillis, to: EpochMillis) => boolean> {
  const silences = await store.alerts.silences.list(away.from);
  const planned = await plannedBy(store, now);
  return ({ id, labels }, from, to) => {
    const covered = { monitor: id, locations: [location], labels };
    const isPlanned = [from, to].some((at) => planned.over(covered, at) !== null);
    return isPlanned || silencesDuring(silences, covered, from, to).length > 0;
  };
}

/** What fails still: as its incident says, or before that has opened, as this location alone can say it. */
async function lasting(
  store: Store,
  { row, incidents, view }: SeenMonitor,
  { location, now }: BackAgain,
): Promise<LastingFailure | null> {
  const named = { id: String(row.id), monitor: row.definition.name };
  const isSeen = freshUntil(view, rhythmOf(row.definition)) > now;
  const open = incidents.find(({ ended }) => ended === null);
  if (open !== undefined)
    return open.severity === "error" ? { ...named, from: downSince(open), isSeen } : null;
  if (!isSeen || row.locations.length > 1) return null;
  const turns = await store.alerts.evidence.turns(row.id);
  const turn = turns.find((one) => one.location === location);
  const from = turn?.troubleSince ?? null;
  return from === null ? null : { ...named, from, isSeen };
}

/** What failed and is over: from the start of its outage to the check that passed, or as long as the last failed one counts. */
async function past(
  store: Store,
  { row, incidents, failed }: SeenMonitor,
): Promise<PastFailure | null> {
  if (failed === null) return null;
  const spans = incidents.filter(({ worst }) => worst === "error").flatMap(downSpans);
  const span = spans.find((one) => one.from <= failed.from && (one.to ?? Infinity) >= failed.from);
  const from = span?.from ?? failed.from;
  const counted = after(failed.to, rhythmOf(row.definition).periodicity);
  const { results } = await store.results.window({
    monitor: row.id,
    location: null,
    from: after(failed.to, millis(1)),
    to: counted,
    order: "oldest first",
    cursor: null,
    skip: 0,
    limit: 1,
  });
  const to = epochMillis(Math.min(counted, results[0]?.startedAt ?? counted));
  const [days = []] = await store.results.downtimes({ monitor: row.id, spans: [{ from, to }] });
  const down = days.reduce((sum, day) => sum + day.down, 0);
  const downFor = millis(Math.min(Math.floor(down / 1_000) * 1_000, shownLength(from, to)));
  return downFor === 0
    ? null
    : { id: String(row.id), monitor: row.definition.name, from, to, downFor };
}
