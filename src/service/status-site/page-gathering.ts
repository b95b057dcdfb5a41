import { downSpans, unseenSince } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { beginOf, windowsAfter, type Window } from "#service/alerting/maintenance";
import type { Clock } from "#base/clock";
import * as pagesLimits from "#limits/pages-limits";
import * as limits from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { Judging } from "#service/judge/judging";
import { countedDays } from "#service/status-site/counted-days";
import { measuredHours } from "#service/status-site/measured-hours";
import { daysIn, type TableDay } from "#service/status-site/measured-days";
import { dayOf } from "#service/status-page/component-days";
import { plannedSpans, type Span, united } from "#service/status-page/impact-spans";
import { seriesOf } from "#service/status-site/planned-series";
import { plannedTimes } from "#service/status-site/planned-times";
import type {
  ComponentFacts,
  MeasuredDay,
  MonitorFacts,
  Outage,
  PageFacts,
  PlannedTime,
  PlannedWindow,
} from "#service/status-page/page-facts";
import { trueUpdates } from "#service/status-site/true-updates";
import { repeatsOf } from "#service/status-site/view/repeat-rule";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { integerOf, type MonitorId } from "#service/store/ids";
import type { PageContent, StatusPageRow } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import { after, epochMillis, type EpochMillis, hours, millis } from "#base/units";

export interface GatheringRooms {
  readonly store: Store;
  readonly judging: Judging;
  readonly clock: Clock;
}

/** A page and everything that it is made of, read at one time. */
export interface GatheredPage {
  readonly row: StatusPageRow;
  readonly facts: PageFacts;
}

/** Null if there is no such page. */
export async function gatherPage(rooms: GatheringRooms, id: number): Promise<GatheredPage | null> {
  const content = await rooms.store.pages.pages.content(id);
  return content === null ? null : { row: content.page, facts: await factsOf(rooms, id, content) };
}

async function factsOf(
  rooms: GatheringRooms,
  id: number,
  content: PageContent,
): Promise<PageFacts> {
  const { store, clock } = rooms;
  const now = clock.wall();
  const since = epochMillis(dayOf(now) - (pagesLimits.daysShown - 1) * hours(24));
  const [reports, planned] = await Promise.all([
    store.pages.reports.lately(id, since),
    store.alerts.maintenances.list(String(id), { limit: limits.maintenancesShownMax, offset: 0 }),
  ]);
  const said = await store.alerts.maintenanceUpdates.of(planned.maintenances.map((one) => one.id));
  const windows = planned.maintenances.flatMap((row) =>
    windowsOf(row, said.get(row.id) ?? [], since, now),
  );
  const left = planned.maintenances.flatMap((row) => plannedTimes(row, since, now));
  const monitors = await monitorFacts(rooms, content, left, { since, now });
  return {
    now,
    definition: content.page.definition,
    components: content.components.map((row): ComponentFacts => {
      const { monitor, page: _page, updatedAt: _updatedAt, ...component } = row;
      const facts = monitor === null ? null : (monitors.get(monitor) ?? nothingOf(monitor));
      return { ...component, monitor: facts };
    }),
    groups: content.groups.map(({ id, name, defaultOpen }) => ({ id, name, defaultOpen })),
    reports,
    windows,
    planned: left,
  };
}

/** Windows since an instant, and those of the weeks to come; at least the next one. */
function windowsOf(
  row: MaintenanceRow,
  said: readonly MaintenanceUpdate[],
  since: EpochMillis,
  now: EpochMillis,
): readonly PlannedWindow[] {
  const ahead = after(now, limits.maintenanceShownAhead);
  const components = row.components.flatMap((one) => integerOf(one) ?? []);
  const { id, title, message, createdAt, updatedAt: changedAt } = row;
  const repeats = repeatsOf(row);
  const common = { id, title, message, components, repeats, createdAt, changedAt };
  return maintenanceOf(row).flatMap((one) => {
    const series = seriesOf(one);
    const all = windowsAfter(one, since, limits.maintenanceWindowsMax);
    const next = all.find(({ from }) => from > now);
    const shown = all.filter((window) => window.from <= ahead || window === next);
    // What is said after a time ended early is about that time still.
    const planned = shown.map(({ from, to }): Window => {
      const moved = one.movedEnds.find((other) => beginOf(other) === from);
      return { from, to: epochMillis(Math.max(to, moved?.planned ?? to)) };
    });
    const begun = said.filter(({ at }) => at <= now);
    const current = trueUpdates(row, begun, all, now);
    return shown.map(({ from, to }) => {
      const updates = current.filter(({ at }) => windowOf(at, planned)?.from === from);
      return { ...common, series, from, to, updates };
    });
  });
}

/** Work that repeats has its updates with the window that they were written for: the first that was not over then. */
const windowOf = (at: EpochMillis, windows: readonly Window[]): Window | undefined =>
  windows.find(({ to }) => to >= at) ?? windows.at(-1);

const nothingOf = (id: MonitorId): MonitorFacts => ({
  id,
  isPublic: false,
  status: "unknown",
  days: [],
  hours: [],
  outages: [],
});

async function monitorFacts(
  { store, judging }: GatheringRooms,
  { components }: PageContent,
  planned: readonly PlannedTime[],
  { since, now }: { readonly since: EpochMillis; readonly now: EpochMillis },
): Promise<ReadonlyMap<MonitorId, MonitorFacts>> {
  const ids = [...new Set(components.flatMap(({ monitor }) => monitor ?? []))];
  const to = after(now, millis(1));
  const rows = await store.state.monitors.among(ids);
  const [judged, days, outages] = await Promise.all([
    judging.judged(rows),
    daysOf(store, ids, since, to),
    store.alerts.incidents.since(ids, since),
  ]);
  const worked = ids.map((monitor) => {
    const own = components.filter((component) => component.monitor === monitor);
    return {
      monitor,
      days: days.get(monitor) ?? [],
      planned: begunBy(now, united(own.flatMap(({ id }) => plannedSpans(planned, id)))),
    };
  });
  const counted = await countedDays(store.results, worked);
  const lately = await measuredHours(store.results, worked, now);
  const facts = judged.map((one): [MonitorId, MonitorFacts] => {
    const { row, judgement, certificate } = one;
    // A certificate that ends in weeks is no trouble of a page's readers.
    const status = certificate.isWhy ? "active" : judgement.state.status;
    const monitor: MonitorFacts = {
      id: row.id,
      isPublic: row.definition.public,
      status: row.definition.active ? status : "unknown",
      days: counted.get(row.id) ?? [],
      hours: lately.get(row.id) ?? [],
      outages: outages.filter(({ subject }) => subject.id === row.id).flatMap(outageIn),
    };
    return [row.id, monitor];
  });
  return new Map(facts);
}

/** An outage for each time that it was down. While no location can say anything, or it is paused, it is not known to be. */
const outageIn = (incident: Incident): readonly Outage[] =>
  incident.worst === "error"
    ? downSpans(incident).map(({ from, to }) => ({
        number: incident.number,
        from,
        to: to ?? unseenSince(incident),
      }))
    : [];

/** All locations of a monitor together; in portions, so that others' questions come between. */
async function daysOf(
  store: Store,
  ids: readonly MonitorId[],
  from: EpochMillis,
  to: EpochMillis,
): Promise<ReadonlyMap<MonitorId, readonly MeasuredDay[]>> {
  const all: TableDay[] = [];
  for (const monitors of portionsOf(ids))
    for (const day of daysIn(await store.results.days({ monitors, from, to }))) all.push(day);
  return Map.groupBy(all, ({ monitor }) => monitor);
}

const portionsOf = (ids: readonly MonitorId[]): readonly (readonly MonitorId[])[] =>
  Array.from({ length: Math.ceil(ids.length / pagesLimits.picturedAtOnce) }, (_, portion) =>
    ids.slice(portion * pagesLimits.picturedAtOnce, (portion + 1) * pagesLimits.picturedAtOnce),
  );

/** What has begun of planned work, up to now: what is still to come leaves nothing out. */
const begunBy = (now: EpochMillis, planned: readonly Span[]): readonly Span[] =>
  planned
    .filter(({ from }) => from < now)
    .map(({ from, to }) => ({ from, to: epochMillis(Math.min(to, now)) }));
