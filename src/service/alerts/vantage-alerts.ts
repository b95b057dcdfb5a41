import { createHash } from "node:crypto";
import { isOpen, type Incident, type Subject } from "#alerting/incident";
import { stepIncident } from "#alerting/incident-machine";
import type { Presence } from "#alerting/presence";
import type { AgentSnapshot } from "#alerting/snapshot";
import { remedies } from "#check/cause";
import type { Clock } from "#clock";
import * as limits from "#limits/alerts-limits";
import type { ChannelBook } from "#service/alerts/channel-book";
import { locationFacts, undecided } from "#service/alerts/location-alerts";
import { type MaintenancePlan, plannedBy } from "#service/alerts/maintenance-plan";
import { channelsOf, eventFor } from "#service/alerts/recipients";
import type { Instances, StoredInstance } from "#service/instances";
import type { StoredLocation } from "#service/locations";
import type { Monitors } from "#service/monitors";
import type { IncidentChange } from "#store/alert-store";
import type { LocationId } from "#store/ids";
import type { ReportedCondition } from "#store/state-store";
import type { Store } from "#store/store";
import { counted } from "#text";
import { between, type EpochMillis } from "#units";

/** A change of an incident, and the location whose it is: that has the lease. */
export interface VantageChange {
  readonly location: LocationId;
  readonly change: IncidentChange;
}

export interface VantageRooms {
  readonly store: Store;
  readonly book: ChannelBook;
  readonly monitors: Monitors;
  readonly instances: Instances;
  readonly clock: Clock;
}

/** Turns what agents say of their own place into one incident a fault, whatever number of monitors it hides. */
export class VantageAlerts {
  readonly #rooms: VantageRooms;

  constructor(rooms: VantageRooms) {
    this.#rooms = rooms;
  }

  /** `locations` are those that this replica looks after. */
  async look(locations: readonly StoredLocation[]): Promise<readonly VantageChange[]> {
    const { store, instances, clock } = this.#rooms;
    const now = clock.wall();
    const [impaired, open] = await Promise.all([instances.impaired(), this.#open()]);
    if (impaired.length === 0 && open.length === 0) return [];
    const agents = new Map<LocationId, readonly StoredInstance[]>();
    for (const id of impaired) agents.set(id, await instances.of(id));
    const round: Round = { now, agents, planned: await plannedBy(store, now) };
    const changes: VantageChange[] = [];
    for (const location of locations)
      for (const [id, fault] of faultsOf(location, round, open)) {
        const change = await this.#step(location, id, fault, round);
        if (change !== null) changes.push({ location: location.id, change });
      }
    return changes;
  }

  /** With what was last known of each. */
  async #open(): Promise<readonly OpenFault[]> {
    const { incidents } = this.#rooms.store.alerts;
    const found = await incidents.list({
      isOpen: true,
      kind: "vantage",
      subject: null,
      location: null,
      cause: null,
      limit: limits.vantageIncidentsMax,
      offset: 0,
    });
    const faults: OpenFault[] = [];
    for (const { incident } of found.incidents) {
      const events = (await incidents.story(incident.number))?.events ?? [];
      const snapshot = events.at(-1)?.snapshot;
      const isReminded = events.some(({ kind }) => kind === "reminder");
      if (snapshot?.of === "agent") faults.push({ id: incident.subject.id, snapshot, isReminded });
    }
    return faults;
  }

  async #step(
    location: StoredLocation,
    id: number,
    fault: Fault,
    round: Round,
  ): Promise<IncidentChange | null> {
    const { store, book } = this.#rooms;
    const subject: Subject = { kind: "vantage", id };
    const [before] = await store.alerts.incidents.newest("vantage", [id]);
    const { now, planned } = round;
    const labels = location.metadata;
    const covered = { monitor: null, locations: [location.id], labels };
    const step = stepIncident(subject, before ?? null, {
      now,
      presence: fault.presence,
      isActive: location.monitors.length > 0,
      isMaintained: planned.over(covered, now) !== null,
    });
    const { incident } = step;
    const events = isReminderDue(before, fault, now) ? [...step.events, reminder] : step.events;
    if (incident === null || events.length === 0) return null;
    const snapshot = await this.#snapshot(location, fault, round);
    if (snapshot === null) return null;
    const channels = await channelsOf(book, location);
    const happening = { subject, severity: "error", locations: [location.id], labels } as const;
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
    location: StoredLocation,
    { condition, last }: Fault,
    { agents }: Round,
  ): Promise<AgentSnapshot | null> {
    if (condition === null) return last;
    const active = await this.#rooms.monitors.assignedTo(location.id);
    const own = (agents.get(location.id) ?? []).filter(({ live }) => live);
    const isReplaced = own.some((agent) => !isImpaired(agent));
    const blind = new Set([...agents].filter(([, all]) => isBlind(all)).map(([id]) => id));
    const unseen = active.filter((row) => row.locations.every((one) => blind.has(one))).length;
    const urgency = isReplaced ? "warning" : unseen > 0 ? "critical" : "error";
    return {
      of: "agent",
      location: locationFacts(location, active),
      trouble: "vantage",
      urgency,
      message: messageOf(condition, { active: active.length, unseen, isReplaced }),
    };
  }
}

/** What one look knows of all locations. */
interface Round {
  readonly now: EpochMillis;
  /** Of the locations that are impaired. */
  readonly agents: ReadonlyMap<LocationId, readonly StoredInstance[]>;
  readonly planned: MaintenancePlan;
}

interface OpenFault {
  readonly id: number;
  readonly snapshot: AgentSnapshot;
  readonly isReminded: boolean;
}

interface Fault {
  /** Null where no agent says so any more. */
  readonly condition: ReportedCondition | null;
  /** Null where none that says so is heard: nothing is known of now. */
  readonly presence: Presence | null;
  /** What was last said of it. */
  readonly last: AgentSnapshot | null;
  readonly isReminded: boolean;
}

const reminder = "reminder" as const;

/** Once, where it lasts and nobody has acknowledged it. */
const isReminderDue = (
  before: Incident | undefined,
  { presence, isReminded }: Fault,
  now: EpochMillis,
): boolean =>
  before !== undefined &&
  isOpen(before) &&
  presence?.isError === true &&
  !isReminded &&
  before.flapping === null &&
  before.acknowledged === null &&
  between(before.openedAt, now) >= limits.vantageRemindedAfter;

/** What is broken at a location now, or was and is not said to be any more, by the number of its subject. */
function faultsOf(
  { id: location }: StoredLocation,
  { agents }: Round,
  open: readonly OpenFault[],
): ReadonlyMap<number, Fault> {
  const faults = new Map<number, Fault>();
  for (const { id, snapshot: last, isReminded } of open)
    if (last.location.id === String(location))
      faults.set(id, { condition: null, presence: well, last, isReminded });
  for (const { live, report } of agents.get(location) ?? [])
    for (const condition of report.conditions) {
      const id = numberOf(location, condition);
      const known = faults.get(id) ?? null;
      // Two agents of a location see the same gateway: whoever says that it is gone is believed.
      if (known !== null && known.presence?.isError === true) continue;
      const presence = live ? presenceOf(condition) : null;
      const { last, isReminded } = known ?? { last: null, isReminded: false };
      faults.set(id, { condition, presence, last, isReminded });
    }
  return faults;
}

/** The same for the same link or server of a location, also when it breaks again: then it flaps. */
function numberOf(location: LocationId, { scope, subject }: ReportedCondition): number {
  const hash = createHash("sha256").update(`${location} ${scope} ${subject}`).digest();
  return hash.readUIntBE(0, 6);
}

const well: Presence = { ...undecided, isPastError: true, isWell: true };

const presenceOf = ({ recovering, since }: ReportedCondition): Presence =>
  recovering ? undecided : { ...undecided, isError: true, isTrouble: true, troubleSince: since };

const isImpaired = ({ report }: StoredInstance): boolean =>
  report.conditions.some(({ recovering }) => !recovering);

/** Whether no agent of a location can see. */
function isBlind(agents: readonly StoredInstance[]): boolean {
  const live = agents.filter((one) => one.live);
  return live.length > 0 && live.every(isImpaired);
}

function messageOf(
  { sentence, affected, scope }: ReportedCondition,
  { active, unseen, isReplaced }: { active: number; unseen: number; isReplaced: boolean },
): string {
  const hidden = `So far ${affected} of ${counted(active, "monitor")} ${affected === 1 ? "is" : "are"} not measured there.`;
  const others = isReplaced
    ? "Another agent of the location takes them over."
    : unseen === 0
      ? "Other locations measure all of them."
      : `No other location measures ${unseen} of them: what lies behind the fault is unknown.`;
  return `${capital(sentence)}. ${hidden} ${others} ${capital(remedies[scope])}.`;
}

const capital = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
