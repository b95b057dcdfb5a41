import { wants } from "#service/alerting/channel-rules";
import type { Incident } from "#service/alerting/incident";
import { deletedEnd } from "#service/alerts/deleted-end";
import { newIncident } from "#service/alerting/incident-machine";
import { windowAt } from "#service/alerting/maintenance";
import type { MaintenanceSnapshot } from "#service/alerting/snapshot";
import type { Clock } from "#base/clock";
import { fewAtOnce } from "#base/few-at-once";
import * as limits from "#limits/alerts-limits";
import { incidentsSteppedAtOnce, undoneWithin } from "#limits/service-limits";
import type { AlertChannel, ChannelBook } from "#service/alerts/channel-book";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { newTimesOf } from "#service/maintenance/new-times";
import type { Monitors } from "#service/monitors/monitors";
import type { IncidentChange, OngoingIncident } from "#service/store/alert-store";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis } from "#base/units";

/** Says on the channels that ask for it when a window of planned work begins, has other times, and is over. */
export class MaintenanceAlerts {
  readonly #store: Store;
  readonly #book: ChannelBook;
  readonly #monitors: Monitors;
  readonly #clock: Clock;

  constructor(store: Store, book: ChannelBook, monitors: Monitors, clock: Clock) {
    this.#store = store;
    this.#book = book;
    this.#monitors = monitors;
    this.#clock = clock;
  }

  /** `isOwn` says which of them this replica looks after. */
  async look(isOwn: (id: number) => boolean): Promise<readonly IncidentChange[]> {
    const { maintenances, incidents } = this.#store.alerts;
    const now = this.#clock.wall();
    const [rows, found] = await Promise.all([
      maintenances.between(epochMillis(now - limits.maintenanceRemembered), now),
      incidents.ongoing(["maintenance"], limits.maintenanceAnnouncedMax),
    ]);
    const open = new Map(found.flatMap(announced).map((one) => [one.incident.subject.id, one]));
    const current = rows.filter((row) => isAnnounced(row, now));
    const begins = current.filter(({ id }) => isOwn(id) && !open.has(id));
    const ids = new Set(current.map(({ id }) => id));
    const lasting = current.flatMap((row) => {
      const said = isOwn(row.id) ? open.get(row.id) : undefined;
      return said === undefined ? [] : changed(row, said, now);
    });
    const over = [...open.values()].filter(
      ({ incident: { subject } }) => isOwn(subject.id) && !ids.has(subject.id),
    );
    const [begun, ends] = await Promise.all([
      fewAtOnce(begins, incidentsSteppedAtOnce, (row) => this.#begun(row, now)),
      fewAtOnce(over, incidentsSteppedAtOnce, (one) => this.#ended(one, now)),
    ]);
    return [...begun, ...lasting, ...ends.filter((one) => one !== null)];
  }

  /** What was deleted is said once that can no longer be undone, or at its end: whoever undoes it soon has changed nothing. */
  async #ended(said: Announcement, now: EpochMillis): Promise<IncidentChange | null> {
    const { incident, snapshot } = said;
    const { title, to } = snapshot.maintenance;
    // The trash is asked first: an Undo in between would else be seen by neither.
    const mayReturn = now < to && (await this.#mayReturn(said, now));
    const row = await this.#store.alerts.maintenances.get(incident.subject.id);
    if (row !== null) return isAnnounced(row, now) ? null : ended(said, now);
    if (mayReturn) return null;
    return deletedEnd({ incident, name: title }, snapshot, now);
  }

  /** Whether an Undo can put it back: its own, or that of the status page that it was deleted with. */
  async #mayReturn({ incident, snapshot }: Announcement, now: EpochMillis): Promise<boolean> {
    const { trash } = this.#store;
    const since = epochMillis(now - undoneWithin);
    if ((await trash.get("maintenance", incident.subject.id, since)) !== null) return true;
    const { page } = snapshot;
    return page !== undefined && (await trash.get("page", page, since)) !== null;
  }

  async #begun(row: MaintenanceRow, now: EpochMillis): Promise<IncidentChange> {
    const window = windowOf(row, now) ?? row;
    const there = await this.#store.state.locations.monitorsOf(row.locations.map(locationId));
    const covered = new Set([...row.monitors.map(monitorId), ...there]);
    const monitors = await this.#monitors.among([...covered]);
    const channels = await this.#channels(row, monitors);
    return {
      incident: newIncident({ kind: "maintenance", id: row.id }, "degraded", window.from, now),
      name: row.title,
      cause: "",
      at: now,
      snapshot: snapshotOf(
        row,
        window,
        monitors.map(({ definition }) => definition.name),
      ),
      events: [{ kind: "opened", to: { are: "channels", channels } }],
    };
  }

  /** Those of a monitor that it covers, or that name its location, and that ask for maintenance. */
  async #channels(
    row: MaintenanceRow,
    monitors: Awaited<ReturnType<Monitors["among"]>>,
  ): Promise<readonly number[]> {
    const subject = { kind: "maintenance", id: row.id } as const;
    const happening = { subject, kind: "opened", severity: "degraded" } as const;
    const own = await this.#book.ofMonitors(monitors.map(({ id }) => id));
    const wanting: AlertChannel[] = monitors.flatMap(({ id, locations, definition: { labels } }) =>
      (own.get(id) ?? []).filter(({ rules }) => wants(rules, { ...happening, locations, labels })),
    );
    for (const id of row.locations) {
      const place = { locations: [id], labels: {} };
      const naming = await this.#book.naming(id);
      wanting.push(...naming.filter(({ rules }) => wants(rules, { ...happening, ...place })));
    }
    return [...new Set(wanting.map(({ id }) => id))];
  }
}

/** A window whose beginning was said, and with what words. */
interface Announcement {
  readonly incident: Incident;
  readonly snapshot: MaintenanceSnapshot;
}

const announced = ({ incident, last }: OngoingIncident): readonly Announcement[] =>
  last.of === "maintenance" ? [{ incident, snapshot: last }] : [];

/** A window with other times than were announced. */
function changed(
  row: MaintenanceRow,
  { incident, snapshot }: Announcement,
  now: EpochMillis,
): readonly IncidentChange[] {
  const [plan] = maintenanceOf(row);
  const news = plan === undefined ? null : newTimesOf(plan, snapshot.maintenance, now);
  if (news === null) return [];
  const { window, before } = news;
  const { title, message } = row;
  const maintenance = { ...snapshot.maintenance, title, message, ...window };
  const change: IncidentChange = {
    incident,
    name: title,
    cause: "",
    at: now,
    snapshot: { ...snapshot, maintenance, before },
    events: [{ kind: "rescheduled", to: { are: "notified", except: [] } }],
  };
  return [change];
}

/** As it was announced. */
function ended({ incident, snapshot }: Announcement, now: EpochMillis): IncidentChange {
  const { maintenance } = snapshot;
  return {
    incident: { ...incident, ended: { at: now, because: "recovered" } },
    name: maintenance.title,
    cause: "",
    at: now,
    // It may have been ended early, or prolonged.
    snapshot: { ...snapshot, maintenance: { ...maintenance, to: now } },
    events: [{ kind: "closed", to: { are: "notified", except: [] } }],
  };
}

/** Whether a window of it is now, and channels are to hear of it. */
const isAnnounced = (row: MaintenanceRow, now: EpochMillis): boolean =>
  row.notify && windowOf(row, now) !== null;

function windowOf(row: MaintenanceRow, now: EpochMillis) {
  const [read] = maintenanceOf(row);
  return read === undefined ? null : windowAt(read, now);
}

const snapshotOf = (
  { id, title, message, locations, page }: MaintenanceRow,
  { from, to }: { readonly from: EpochMillis; readonly to: EpochMillis },
  names: readonly string[],
): MaintenanceSnapshot => ({
  of: "maintenance",
  maintenance: {
    id: String(id),
    title,
    message,
    from,
    to,
    monitorNames: names.slice(0, limits.digestNamesMax),
    monitorCount: names.length,
  },
  ...(page !== "" && { page: Number(page) }),
  locations,
});
