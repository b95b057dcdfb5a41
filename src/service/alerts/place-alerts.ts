import { isOpen, type Incident } from "#service/alerting/incident";
import { isWatchedAs, stepIncident } from "#service/alerting/incident-machine";
import type { Presence } from "#service/alerting/presence";
import type { AgentSnapshot } from "#service/alerting/snapshot";
import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import { type Sight, sightOf } from "#service/agents/agent-sight";
import { agentFaults } from "#service/alerts/agent-faults";
import type { ChannelBook } from "#service/alerts/channel-book";
import { locationFacts, undecided } from "#service/alerts/location-alerts";
import { type MaintenancePlan, plannedBy } from "#service/maintenance/maintenance-plan";
import { deletedEnd } from "#service/alerts/deleted-end";
import { liveAmong, type PlaceFault } from "#service/alerts/place-faults";
import { channelsOf, eventFor } from "#service/alerts/recipients";
import { vantageFaults } from "#service/alerts/vantage-faults";
import type { Instances, StoredInstance } from "#service/agents/instances";
import type { BriefLocation, WatchedLocation } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import type { IncidentChange } from "#service/store/alert-store";
import { type LocationId, locationId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

/** A change of an incident, and the location whose it is: that has the lease. */
interface PlaceChange {
  readonly location: LocationId;
  readonly change: IncidentChange;
}

interface PlaceRooms {
  readonly store: Store;
  readonly book: ChannelBook;
  readonly monitors: Monitors;
  readonly instances: Instances;
  readonly clock: Clock;
}

/** Turns what agents say is wrong with their place or themselves into one incident a fault, whatever it hides. */
export class PlaceAlerts {
  readonly #rooms: PlaceRooms;

  constructor(rooms: PlaceRooms) {
    this.#rooms = rooms;
  }

  /** `isOwn` says which of all locations this replica looks after. */
  async look(
    locations: readonly WatchedLocation[],
    isOwn: (id: LocationId) => boolean,
  ): Promise<readonly PlaceChange[]> {
    const { store, instances, clock } = this.#rooms;
    const now = clock.wall();
    const [impaired, open] = await Promise.all([instances.impaired(), this.#open()]);
    if (impaired.length === 0 && open.length === 0) return [];
    const ids = new Set([...impaired, ...open.map(({ location }) => location)]);
    const agents = new Map<LocationId, readonly StoredInstance[]>();
    for (const id of ids) agents.set(id, await instances.of(id));
    const sights = new Map(locations.map((one) => [one.id, sightAt(one, agents)]));
    const round: Round = { now, agents, sights, planned: await plannedBy(store, now) };
    const changes: PlaceChange[] = [];
    for (const location of locations.filter(({ id }) => isOwn(id) && ids.has(id)))
      for (const fault of faultsOf(location.id, round, open)) {
        const change = await this.#step(location, fault, round);
        if (change !== null) changes.push({ location: location.id, change });
      }
    const known = new Set(locations.map(({ id }) => id));
    const orphans = open.filter(({ location }) => isOwn(location) && !known.has(location));
    const ends = orphans.map(({ location, incident, last }) => ({
      location,
      change: deletedEnd({ incident, name: last.location.name }, last, now),
    }));
    return [...changes, ...ends];
  }

  async #open(): Promise<readonly OpenFault[]> {
    const { incidents } = this.#rooms.store.alerts;
    const found = await incidents.ongoing(["vantage", "agent"], limits.placeIncidentsMax);
    return found.flatMap(({ incident, last, isReminded }) =>
      last.of === "agent"
        ? [{ incident, last, isReminded, location: locationId(Number(last.location.id)) }]
        : [],
    );
  }

  async #step(
    location: WatchedLocation,
    { fault, open }: FaultNow,
    round: Round,
  ): Promise<IncidentChange | null> {
    const { store, book } = this.#rooms;
    const { subject, presence } = fault;
    const { now, planned } = round;
    const [before = null] = await store.alerts.incidents.newest(subject.kind, [subject.id]);
    const labels = location.metadata;
    const covered = { monitor: null, locations: [location.id], labels };
    const isMaintained = planned.over(covered, now) !== null;
    const step = stepIncident(subject, before, {
      now,
      presence,
      lastKnownAt: location.lastSeenAt,
      isActive: location.isUsed,
      isMaintained,
    });
    const { incident } = step;
    const isDue =
      !isMaintained && open?.isReminded === false && isReminderDue(open.incident, presence, now);
    const events = isDue ? [...step.events, reminder] : step.events;
    if (incident === null || (events.length === 0 && isWatchedAs(before, incident))) return null;
    const snapshot = await this.#snapshot(location, { fault, open }, round);
    if (snapshot === null) return null;
    const monitors = await store.state.locations.monitorsOf([location.id]);
    const channels = await channelsOf(book, location.id, monitors);
    const { severity } = incident;
    const happening = { subject, severity, locations: [location.id], labels };
    return {
      incident,
      name: location.name,
      cause: "",
      at: now,
      snapshot,
      events: events.map((kind) => eventFor(kind, channels, happening)),
    };
  }

  async #snapshot(
    location: BriefLocation,
    { fault: { words }, open }: FaultNow,
    { agents, sights }: Round,
  ): Promise<AgentSnapshot | null> {
    if (words === null) return open?.last ?? null;
    const active = await this.#rooms.monitors.assignedTo(location.id);
    const live = liveAmong(agents.get(location.id) ?? []);
    const said = words({ active, live, sights });
    return { of: "agent", location: locationFacts(location, active), ...said };
  }
}

/** What one look knows of all locations. */
interface Round {
  readonly now: EpochMillis;
  /** Of the locations where something is wrong, or was. */
  readonly agents: ReadonlyMap<LocationId, readonly StoredInstance[]>;
  readonly sights: ReadonlyMap<LocationId, Sight>;
  readonly planned: MaintenancePlan;
}

/** A fault whose incident is open, and what was last said of it. */
interface OpenFault {
  readonly incident: Incident;
  readonly location: LocationId;
  readonly last: AgentSnapshot;
  readonly isReminded: boolean;
}

interface FaultNow {
  readonly fault: PlaceFault;
  /** Null if no incident of it is open. */
  readonly open: OpenFault | null;
}

const reminder = "reminder" as const;

/** Once, where a place is broken for long and no person has acknowledged it. */
const isReminderDue = (incident: Incident, presence: Presence | null, now: EpochMillis): boolean =>
  incident.subject.kind === "vantage" &&
  isOpen(incident) &&
  presence?.isError === true &&
  incident.flapping === null &&
  incident.acknowledged === null &&
  between(incident.openedAt, now) >= limits.vantageRemindedAfter;

/** A silent location may be about to call again, e.g. after the service was stopped: what it sees is not known. */
function sightAt({ id, state, stoppedAt }: WatchedLocation, agents: Round["agents"]): Sight {
  if (state.status === "active") return sightOf(agents.get(id) ?? []);
  return state.status === "unknown" || stoppedAt !== null ? "none" : "some";
}

/** What is wrong at a location now, or was and is not said to be any more. */
function faultsOf(
  location: LocationId,
  { agents }: Round,
  open: readonly OpenFault[],
): readonly FaultNow[] {
  const there = agents.get(location) ?? [];
  const own = open.filter((one) => one.location === location);
  const said = [...vantageFaults(location, there), ...agentFaults(location, there)];
  const lasting = said.map((fault) => ({
    fault,
    open: own.find(({ incident }) => isSame(incident, fault)) ?? null,
  }));
  // No agent of a location that is silent can say that it is over.
  const presence = liveAmong(there).length === 0 ? null : well;
  const over = own.filter(({ incident }) => !said.some((fault) => isSame(incident, fault)));
  return [
    ...lasting,
    ...over.map((one) => ({
      fault: { subject: one.incident.subject, presence, words: null },
      open: one,
    })),
  ];
}

const isSame = ({ subject: { kind, id } }: Incident, { subject }: PlaceFault): boolean =>
  subject.kind === kind && subject.id === id;

const well: Presence = { ...undecided, isPastError: true, isWell: true };
