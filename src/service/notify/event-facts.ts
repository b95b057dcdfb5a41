import type { Failure } from "#check/failure";
import type { Kind } from "#check/monitor";
import type { MonitorStatus } from "#check/monitor-status";
import type { EpochMillis, Millis } from "#base/units";

/* What a notice says about the service, the incident, the monitor, the location and the check: plain data. */

/** Who speaks: the service's name, and its address as people open it; null if no setting gives one. */
export interface ServiceName {
  readonly name: string;
  readonly url: string | null;
}

/**
 * What was away or held it, and from when to when: the message says "Late: office was cut off from … to …". "sight" is a
 * location that was there and could see nothing, because its own place was broken; "pace" is what a provider takes.
 */
export interface Lateness {
  readonly away: (typeof latenessReasons)[number];
  /** The location's or the channel's name; of the service its own. */
  readonly name: string;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

export const latenessReasons = [
  "service",
  "location",
  "sight",
  "channel",
  "quiet-hours",
  "silence",
  "pace",
] as const;

/** What messages about one lasting cause have in common. */
export interface IncidentFacts {
  readonly id: string;
  /** Counted up from 1, for people: "incident 17". */
  readonly number: number;
  /** One for each monitor or location, always the same: a repeated trigger joins, and a resolve needs no memory. */
  readonly key: string;
  /** Start of the first failing attempt, or the last sign of life of a location. */
  readonly startedAt: EpochMillis;
  /** The same of the last time that it was well in between; `startedAt` if it never was. */
  readonly downSince: EpochMillis;
  /** When the message is written: what is not over has lasted until then. */
  readonly asOf: EpochMillis;
  /** Opens the incident's page. */
  readonly url: string | null;
  /** A signed link that acknowledges it with one use. */
  readonly acknowledgeUrl: string | null;
  readonly acknowledged: boolean;
}

/** How often a monitor was down in an incident, and how often slow. */
export interface TroubleTimes {
  readonly down: number;
  readonly slow: number;
}

/** What an incident of a monitor came to, by its checks: the same figures that its page has. */
export interface OutageFigures {
  /** Null if it was only slow, or if that is not known. */
  readonly downFor: Millis | null;
  readonly slowFor: Millis;
  /** For so long no location could say anything. */
  readonly unknownFor: Millis;
  readonly failedChecks: number;
  readonly slowChecks: number;
}

/** How long it was in trouble, of all that it lasted: the rest of it, the checks were good. */
export interface OutageTimes {
  /** Down, or slow if it was never down. */
  readonly inTrouble: Millis;
  /** Of what was down as well, how long it was slow in addition. */
  readonly slow: Millis;
  /** For so long no location could say anything. */
  readonly unknown: Millis;
  readonly failedChecks: number;
  readonly slowChecks: number;
}

/** How urgent it is for whoever is on call. */
export type Urgency = "critical" | "error" | "warning" | "info";

export interface MonitorFacts {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  /** What is checked, without query and user-info. */
  readonly target: string;
  /** The same in the words of its page: `shop.example TXT`. Left out of what older versions kept. */
  readonly shownTarget?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Written by people, often a link to a runbook; empty if there is none. */
  readonly description: string;
  /** Opens the monitor's page. */
  readonly url: string | null;
}

/** A location that runs the monitor, and what it saw last; `unknown` is one that is silent. */
export interface Sight {
  readonly id: string;
  readonly name: string;
  readonly status: MonitorStatus;
}

/** The result that decided: what was seen, in the words of the check. */
export interface ResultFacts {
  /** Start of its first attempt. */
  readonly startedAt: EpochMillis;
  readonly latency: Millis;
  /** The latency above which a check is degraded; null is none. */
  readonly threshold: Millis | null;
  /** Of an HTTP answer; null if there was none. */
  readonly statusCode: number | null;
  readonly attempts: number;
  /** Null when the check passed, or was only slow. */
  readonly failure: Failure | null;
}

/** What several monitors have in common at one location. */
export interface Cause {
  /** One for each location, code and phase within an incident: chats thread by it. */
  readonly key: string;
  readonly location: NamedItem;
  readonly failure: Failure;
  /** The monitors that fail so, of how many active ones there; of a list those that it names. */
  readonly failing: number;
  /** Of a list: how many fail so now, with those that were sent before; left out of all else. */
  readonly failingNow?: number;
  readonly of: number;
}

export interface NamedItem {
  readonly id: string;
  readonly name: string;
}

export interface LocationFacts extends NamedItem {
  readonly labels: Readonly<Record<string, string>>;
  readonly url: string | null;
  /** The monitors that run there, and the names of the first of them. */
  readonly monitorCount: number;
  readonly monitorNames: readonly string[];
}

/** The monitors of a location that is back which are down, and those that were meanwhile, as the kept results show: each once. */
export interface BackFailures {
  readonly down: readonly LastingFailure[];
  readonly wereDown: readonly PastFailure[];
}

/** A monitor that was down while its location was away, and is up again. */
export interface PastFailure {
  readonly id: string;
  readonly monitor: string;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Without the times between that it was up. */
  readonly downFor: Millis;
}

/** A monitor that is down. */
export interface LastingFailure {
  readonly id: string;
  readonly monitor: string;
  readonly from: EpochMillis;
  /** Whether it was checked since its location is back. */
  readonly isSeen: boolean;
}

export interface MaintenanceFacts {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Names of the first monitors that it covers, and how many there are. */
  readonly monitorNames: readonly string[];
  readonly monitorCount: number;
  readonly url: string | null;
}

export interface ChannelFacts extends NamedItem {
  /** The provider's own name for people, e.g. Slack. */
  readonly provider: string;
  readonly url: string | null;
}
