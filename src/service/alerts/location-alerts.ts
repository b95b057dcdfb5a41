import type { Incident } from "#service/alerting/incident";
import { isWatchedAs, stepIncident } from "#service/alerting/incident-machine";
import type { Presence } from "#service/alerting/presence";
import type { LocationSnapshot } from "#service/alerting/snapshot";
import type { Clock } from "#base/clock";
import { fewAtOnce } from "#base/few-at-once";
import * as limits from "#limits/alerts-limits";
import * as serviceLimits from "#limits/service-limits";
import type { ChannelBook } from "#service/alerts/channel-book";
import { type MaintenancePlan, plannedBy } from "#service/maintenance/maintenance-plan";
import { channelsOf, eventFor } from "#service/alerts/recipients";
import type { BriefLocation, WatchedLocation } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import type { IncidentChange } from "#service/store/alert-store";
import type { MonitorRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

/** Turns the silence of a location's agents into one incident, whatever number of monitors it has. */
export class LocationAlerts {
  readonly #store: Store;
  readonly #book: ChannelBook;
  readonly #monitors: Monitors;
  readonly #clock: Clock;
  /** Since when this service could be reached without a break, as far as it can know. */
  #listensSince: EpochMillis | null = null;
  #lookedAt: EpochMillis | null = null;

  constructor(store: Store, book: ChannelBook, monitors: Monitors, clock: Clock) {
    this.#store = store;
    this.#book = book;
    this.#monitors = monitors;
    this.#clock = clock;
  }

  async look(locations: readonly WatchedLocation[]): Promise<readonly IncidentChange[]> {
    const now = this.#clock.wall();
    const isSure = this.#hasListened(now);
    if (locations.length === 0) return [];
    const ids = locations.map(({ id }) => id);
    const [incidents, planned] = await Promise.all([
      this.#store.alerts.incidents.newest("location", ids),
      plannedBy(this.#store, now),
    ]);
    const last = new Map(incidents.map((one) => [one.subject.id, one]));
    const round: Round = { now, planned, isSure };
    const changes = await fewAtOnce(locations, serviceLimits.incidentsSteppedAtOnce, (one) =>
      this.#step(one, last.get(one.id) ?? null, round),
    );
    return changes.filter((change) => change !== null);
  }

  /** Agents are silent to a service that was stopped, or asleep, or without its database: it waits until they had time. */
  #hasListened(now: EpochMillis): boolean {
    const isBreak =
      this.#lookedAt === null ||
      Math.abs(between(this.#lookedAt, now)) >= serviceLimits.listeningBreak;
    this.#lookedAt = now;
    if (isBreak || this.#listensSince === null) this.#listensSince = now;
    return between(this.#listensSince, now) >= serviceLimits.heartbeatLostAfter;
  }

  async #step(
    location: WatchedLocation,
    before: Incident | null,
    { now, planned, isSure }: Round,
  ): Promise<IncidentChange | null> {
    const { id, name, metadata: labels } = location;
    const subject = { kind: "location", id } as const;
    const covered = { monitor: null, locations: [id], labels };
    const { incident, events } = stepIncident(subject, before, {
      now,
      presence: presenceOf(location, isSure, now),
      lastKnownAt: location.lastSeenAt,
      isActive: location.isUsed,
      isMaintained: planned.over(covered, now) !== null,
    });
    if (incident === null || (events.length === 0 && isWatchedAs(before, incident))) return null;
    const monitors = await this.#store.state.locations.monitorsOf([id]);
    const channels = await channelsOf(this.#book, id, monitors);
    const happening = { subject, severity: "error", locations: [id], labels } as const;
    return {
      incident,
      name,
      cause: "",
      at: now,
      snapshot: await this.#snapshot(location),
      events: events.map((kind) => eventFor(kind, channels, happening)),
    };
  }

  async #snapshot(location: BriefLocation): Promise<LocationSnapshot> {
    const active = await this.#monitors.assignedTo(location.id);
    return {
      of: "location",
      location: locationFacts(location, active),
      lastHeardAt: location.lastSeenAt,
      stoppedAsAsked: location.stoppedAt !== null,
      replay: null,
    };
  }
}

/** What all locations of one look share. */
interface Round {
  readonly now: EpochMillis;
  readonly planned: MaintenancePlan;
  /** Whether an agent that lives would have been heard of by now. */
  readonly isSure: boolean;
}

/** What messages say of a location and its active monitors. */
export const locationFacts = (
  location: BriefLocation,
  active: readonly MonitorRow[],
): LocationSnapshot["location"] => ({
  id: String(location.id),
  name: location.name,
  labels: location.metadata,
  monitorCount: active.length,
  monitorNames: active.slice(0, limits.digestNamesMax).map((one) => one.definition.name),
});

/** One whose last agent said goodbye is waited for as long as one that fell silent. */
function presenceOf(location: BriefLocation, isSure: boolean, now: EpochMillis): Presence | null {
  const { state, stoppedAt, lastSeenAt } = location;
  const since = stoppedAt ?? lastSeenAt;
  switch (state.status) {
    case "unknown":
      return null;
    case "active":
      return { ...undecided, isPastError: true, isWell: true };
    case "error": {
      if (!isSure) return undecided;
      const isSilent =
        stoppedAt === null || between(stoppedAt, now) >= serviceLimits.heartbeatLostAfter;
      return { ...undecided, isError: isSilent, isTrouble: isSilent, troubleSince: since };
    }
  }
}

export const undecided: Presence = {
  isError: false,
  isTrouble: false,
  isPastError: false,
  isWell: false,
  troubleSince: null,
  wellSince: null,
};
