import type { Kind } from "#check/monitor";
import type { MonitorStatus } from "#check/monitor-status";
import type { Day } from "#web/page/chart/calendar";
import type { ListedLocation } from "#service/agents/locations";
import type { Maintenance } from "#service/alerting/maintenance";
import type { Recovery } from "#service/alerting/recovery";
import type { Silence } from "#service/alerting/silence";
import type { LocationState } from "#service/monitors/location-state";
import type { EpochMillis, Millis } from "#base/units";

/** Everything that the service knows at one instant, as a person looks at it. */
export interface Picture {
  readonly at: EpochMillis;
  /** A brief one has no more of each monitor than its state: of a large service, as `Pictures.detailed` shows the rest. */
  readonly detail: "whole" | "brief";
  /** `key:value` of the labels of all monitors, as many as a list offers. */
  readonly labels: readonly string[];
  /** What a search looks through, a text for each of the monitors; null if it is to be made of them. */
  readonly texts: readonly string[] | null;
  /** Of a brief one in the order of their names. */
  readonly monitors: readonly PicturedMonitor[];
  readonly locations: readonly PicturedLocation[];
  readonly planned: PlannedNow;
}

/** What has nothing sent at one instant, about whatever it covers. */
export interface PlannedNow {
  readonly silences: readonly Silence[];
  /** Those under way; each is its window alone, so that no recurrence is calculated for each monitor. */
  readonly maintenances: readonly Maintenance[];
}

/** `inactive` is what a person switched off; it is no status of the contract, where it is unknown. */
export type PicturedStatus = MonitorStatus | "inactive";

export interface PicturedMonitor {
  readonly id: number;
  readonly name: string;
  readonly kind: Kind;
  /** Without query and user-info. */
  readonly target: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Whose files it is changed in; empty: it is changed here. */
  readonly owner: string;
  readonly period: Millis;
  readonly status: PicturedStatus;
  /** Since when its status has held: an incident has its own time. Null if nothing was judged, and while it is paused. */
  readonly since: EpochMillis | null;
  readonly lastCheckedAt: EpochMillis | null;
  readonly seenBy: readonly Sight[];
  /** Why it is not well; null if it is, or where the agent did not say. */
  readonly reason: PicturedReason | null;
  /** Why it was not well when it was seen last, of what no check says how it is; left out of any other. */
  readonly lastReason?: LastReason | null;
  /** Whether its results cannot be read now, because their database server is away: its status is the last that was judged. */
  readonly unread: boolean;
  /** Whether no channel is notified of its failures; false of one that is paused. */
  readonly unheard: boolean;
  /** The one that is open; null if none is. */
  readonly incident: PicturedIncident | null;
  /** What that waits for since checks pass again, by names of locations; null if none does. */
  readonly recovery: Recovery<string> | null;
  /** Of the newest check that passed anywhere; null if the newest ones failed. */
  readonly latency: Millis | null;
  /** The median of the last seven whole days; null of a new monitor. */
  readonly usual: Millis | null;
  /** The median of today, of a monitor without that; null if nothing has passed today. */
  readonly medianToday: Millis | null;
  /** The last 90 days (UTC), oldest first. */
  readonly days: readonly Day[];
}

/** What one location last saw of a monitor. */
export interface Sight {
  readonly location: number;
  readonly name: string;
  readonly status: MonitorStatus;
  readonly slot: EpochMillis | null;
  /** The slot of the first check in a row that says this status; null if there is none. */
  readonly since: EpochMillis | null;
  /** Whether it counts no more: it is too old, or the location is silent. */
  readonly stale: boolean;
}

export interface PicturedReason {
  readonly code: string;
  readonly phase: string;
  readonly message: string;
  /** Of the HTTP answer; 0 is none. */
  readonly statusCode: number;
  /** That of a certificate near its end, which is none of the monitor; left out of any other. */
  readonly incident?: Pick<PicturedIncident, "number" | "acknowledged"> | null;
}

export interface LastReason extends PicturedReason {
  /** The slot of that check. */
  readonly at: EpochMillis;
}

export interface PicturedIncident {
  readonly number: number;
  /** How it failed last, as the incident keeps it: location, code and phase; empty if nothing is known. */
  readonly cause: string;
  /** Since when it has been in trouble, without the times before that it was well. */
  readonly since: EpochMillis;
  /** Whether a person has said that they look at it. */
  readonly acknowledged: boolean;
  /** How it is while it goes up and down: then no check closes it, but half an hour without a change. Null: it does not. */
  readonly flapping: "up" | "down" | null;
  /** Of one that goes up and down; left out of any other. */
  readonly flaps?: Flaps;
}

/** When an incident that goes up and down began, and how often its monitor was down since then. */
interface Flaps {
  readonly began: EpochMillis;
  readonly times: number;
}

/**
 * In which state a list has a monitor: one that goes up and down has a state by itself, so that it does not move while one
 * reads, and so has one that passes while its incident is open.
 */
export type ListedState = PicturedStatus | "flapping" | "recovering";

export function listedState({
  status,
  incident,
}: Pick<PicturedMonitor, "status" | "incident">): ListedState {
  if (incident === null || status === "inactive" || status === "unknown") return status;
  if (incident.flapping !== null) return "flapping";
  return status === "active" ? "recovering" : status;
}

/** Whether all that is said of an incident is as it was. */
export const isSameIncident = (a: PicturedIncident | null, b: PicturedIncident | null): boolean =>
  a?.number === b?.number &&
  a?.cause === b?.cause &&
  a?.since === b?.since &&
  a?.acknowledged === b?.acknowledged &&
  a?.flapping === b?.flapping &&
  a?.flaps?.began === b?.flaps?.began &&
  a?.flaps?.times === b?.flaps?.times;

export interface PicturedLocation {
  readonly id: number;
  readonly name: string;
  readonly state: LocationState;
  readonly lastSeenAt: EpochMillis | null;
  readonly monitors: number;
  /** Of the files that it is from; empty if a person made it. */
  readonly owner: string;
  /** That of its silence; null while none is open. */
  readonly incident: Pick<PicturedIncident, "number" | "acknowledged"> | null;
}

export const picturedLocation = (location: ListedLocation): PicturedLocation => {
  const { id, name, state, lastSeenAt, monitorCount: monitors, owner } = location;
  return { id, name, state, lastSeenAt, monitors, owner, incident: null };
};
