import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { ChannelBook } from "#service/alerts/channel-book";
import { LocationAlerts } from "#service/alerts/location-alerts";
import { MaintenanceAlerts } from "#service/alerts/maintenance-alerts";
import { MonitorAlerts } from "#service/alerts/monitor-alerts";
import { PlaceAlerts } from "#service/alerts/place-alerts";
import type { Instances } from "#service/agents/instances";
import type { Places } from "#service/alerts/seen-monitor";
import { memoryOf } from "#service/monitors/judge-memory";
import type { JudgedMonitor } from "#service/monitors/judged-monitor";
import type { Locations, WatchedLocation } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import type { LocationId } from "#service/store/ids";
import type { StateRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import type { EpochMillis } from "#base/units";

/** Keeps what the judge says, and the incidents and deliveries that follow from it, as one. */
export class Alerts {
  readonly #store: Store;
  readonly #locations: Locations;
  readonly #monitors: Monitors;
  readonly #monitorAlerts: MonitorAlerts;
  readonly #locationAlerts: LocationAlerts;
  readonly #placeAlerts: PlaceAlerts;
  readonly #maintenanceAlerts: MaintenanceAlerts;

  constructor(store: Store, { book, monitors, locations, instances, clock }: AlertRooms) {
    this.#store = store;
    this.#monitors = monitors;
    this.#locations = locations;
    this.#monitorAlerts = new MonitorAlerts(store, book, monitors, () => this.#places(), clock);
    this.#locationAlerts = new LocationAlerts(store, book, monitors, clock);
    this.#maintenanceAlerts = new MaintenanceAlerts(store, book, monitors, clock);
    this.#placeAlerts = new PlaceAlerts({ store, book, monitors, instances, clock });
  }

  /**
   * What was judged of monitors; nothing is kept of those whose lease was lost. `leaseOf` says which that is. Gives how
   * many came too late, because a monitor became due meanwhile. One whose results cannot be read keeps its incident.
   */
  async keepMonitors(
    holder: string,
    judged: readonly JudgedMonitor[],
    leaseOf: (id: number) => string,
  ): Promise<number> {
    const { changes, againAt } = await this.#monitorAlerts.look(
      judged.filter(({ isUnread }) => !isUnread),
    );
    const parts = Map.groupBy(judged, ({ row }) => leaseOf(row.id));
    const changed = Map.groupBy(changes, ({ incident }) => leaseOf(incident.subject.id));
    let late = 0;
    for (const [lease, own] of parts) {
      const states = own.map((one) => stateOf(one, againAt.get(one.row.id) ?? null));
      const incidents = changed.get(lease) ?? [];
      const isTurned = incidents.length > 0 || own.some((one) => one.judgement.events.length > 0);
      const tooLate = isTurned
        ? this.#store.alerts.incidents.keep(lease, holder, { states, incidents })
        : this.#store.state.states.keepUnturned(lease, holder, states);
      late += (await tooLate) ?? 0;
    }
    return late;
  }

  /** What has become of locations, and of incidents whose subject was deleted; `leaseOf` says whose each is. */
  async keepLocations(
    holder: string,
    locations: readonly WatchedLocation[],
    leaseOf: (id: number) => string | null,
  ): Promise<void> {
    const own = locations.filter(({ id }) => leaseOf(id) !== null);
    const orphans = await this.#store.alerts.incidents.orphans(limits.judgedAtOnce);
    const ends = orphans
      .filter(({ incident }) => leaseOf(incident.subject.id) !== null)
      .map((one) => this.#monitorAlerts.orphaned(one));
    const deleted = await Promise.all(ends);
    const changes = [
      ...(await this.#locationAlerts.look(own)),
      ...deleted.filter((change) => change !== null),
    ].map((change) => ({ change, of: change.incident.subject.id }));
    const windows = await this.#maintenanceAlerts.look((id) => leaseOf(id) !== null);
    const work = windows.map((change) => ({ change, of: change.incident.subject.id }));
    const found = await this.#placeAlerts.look(locations, (id) => leaseOf(id) !== null);
    const faults = found.map(({ location: of, change }) => ({ change, of }));
    const parts = Map.groupBy([...changes, ...work, ...faults], ({ of }) => leaseOf(of) ?? "");
    for (const [lease, all] of parts) {
      const incidents = all.map(({ change }) => change);
      await this.#store.alerts.incidents.keep(lease, holder, { states: [], incidents });
    }
  }

  /** Each location is asked for once in a look. */
  #places(): Places {
    const names = new Map<LocationId, Promise<string>>();
    const counts = new Map<LocationId, Promise<number>>();
    const once = <T>(
      known: Map<LocationId, Promise<T>>,
      id: LocationId,
      ask: () => Promise<T>,
    ): Promise<T> => {
      const answer = known.get(id) ?? ask();
      known.set(id, answer);
      return answer;
    };
    return {
      nameOf: (id) =>
        once(names, id, async () => (await this.#locations.among([id]))[0]?.name ?? ""),
      monitorsAt: (id) =>
        once(counts, id, async () => (await this.#monitors.assignedIds(id)).length),
    };
  }
}

interface AlertRooms {
  readonly book: ChannelBook;
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly instances: Instances;
  readonly clock: Clock;
}

/** A monitor is looked at again when a view stops counting, or when its incident asks for it. */
function stateOf(
  { row, generation, judgement: { state, againAt } }: JudgedMonitor,
  again: EpochMillis | null,
): StateRow {
  const judgeAt = againAt === null || (again !== null && again < againAt) ? again : againAt;
  const { status, since } = state;
  return { monitor: row.id, status, since, judgeAt, memory: memoryOf(state), generation };
}
