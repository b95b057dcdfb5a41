import type { EpochMillis } from "#base/units";

/** What an incident is about. Incidents of one subject follow each other; no two of them are open together. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}
/** "certificate" is that of a monitor's target, near its end. "vantage" is one fault of a location's own place: a link, a gateway, a name server. */
export const subjectKinds = [
  "monitor",
  "location",
  "agent",
  "vantage",
  "channel",
  "maintenance",
  "certificate",
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export type Severity = "degraded" | "error";
export type Ending = "recovered" | "deactivated" | "deleted";

/** What is kept of an incident so that the next look can continue it. */
export interface Incident {
  /** Counted up from 1. */
  readonly number: number;
  readonly subject: Subject;
  readonly severity: Severity;
  /** The worst that it was. */
  readonly worst: Severity;
  readonly startedAt: EpochMillis;
  /** When it was noticed. */
  readonly openedAt: EpochMillis;
  /** Null while it is open. */
  readonly ended: { readonly at: EpochMillis; readonly because: Ending } | null;
  /** When it opened and opened again, within the last hour. */
  readonly openings: readonly EpochMillis[];
  readonly flapping: Flapping | null;
  /** While no location can say anything: the newest instant of which one could. Null while one can. */
  readonly noDataSince: EpochMillis | null;
  /** While its monitor is paused, or its location unused: since when. It closes a while after that. Null while it is watched. */
  readonly unwatchedSince: EpochMillis | null;
  /** It never begins before this, whatever comes later: the end of the one before it. Null if there was none. */
  readonly notBefore: EpochMillis | null;
  readonly acknowledged: Acknowledgement | null;
  /** When it was well before it opened again, in order. */
  readonly well: readonly WellSpan[];
  /** While its checks pass, but too few in a row for its end: since when. */
  readonly passedSince: EpochMillis | null;
  /** Within the last hour, and since it opened last: when they did and then failed again. */
  readonly passes: readonly WellSpan[];
  /** Whether it was down since it opened last, and is degraded now; left out if it was not. */
  readonly wasDown?: boolean;
}

/** A stretch of an incident in which its subject was well: it opened again within minutes, and is the same incident. */
export interface WellSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** The worst that it was just before; left out if an older version kept it, and of a pass. */
  readonly was?: Severity;
}

/** It goes up and down, and says nothing until it has stood still for a while. */
export interface Flapping {
  readonly changes: number;
  /** When it went down or came up last, as the checks saw it. */
  readonly changedAt: EpochMillis;
  readonly isDown: boolean;
}

export interface Acknowledgement {
  readonly at: EpochMillis;
  /** A key's id, or the channel whose link was opened. */
  readonly by: string;
  /** How bad it was then: it lasts until the incident is worse than that, or opens again. */
  readonly severity: Severity;
}

/** What has happened to an incident: its story. Those in `announced` are sent to channels; the others only tell it. */
export const eventKinds = [
  "opened",
  "worsened",
  "eased",
  "closed",
  "reopened",
  "rescheduled",
  "flapping",
  "settled",
  "went_down",
  "came_up",
  "no_data",
  "data_again",
  "acknowledged",
  "taken_back",
  "reminder",
] as const;
export type EventKind = (typeof eventKinds)[number];

export const announced: ReadonlySet<EventKind> = new Set([
  "opened",
  "worsened",
  "eased",
  "closed",
  "reopened",
  "rescheduled",
  "flapping",
  "settled",
  "reminder",
]);

/** Whether whoever acknowledged it knows of one that is as bad as this. */
export const isKnownAs = (
  acknowledged: Acknowledgement | null,
  severity: Severity,
): acknowledged is Acknowledgement =>
  acknowledged !== null && (acknowledged.severity === "error" || severity === "degraded");

export const isOpen = (incident: Incident | null): incident is Incident =>
  incident !== null && incident.ended === null;
