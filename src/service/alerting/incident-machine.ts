import {
  type EventKind,
  type Incident,
  isKnownAs,
  type Severity,
  type Subject,
  type WellSpan,
} from "#service/alerting/incident";
import { withWell, worstOfLast } from "#service/alerting/down-spans";
import {
  begunAt,
  earlier,
  flappingBy,
  stepFlapping,
  withPass,
} from "#service/alerting/flapping-steps";
import type { Look, Step, UnnumberedIncident } from "#service/alerting/incident-step";
import type { Presence } from "#service/alerting/presence";
import * as limits from "#limits/alerts-limits";
import { after, between, epochMillis, type EpochMillis } from "#base/units";

export const newIncident = (
  subject: Subject,
  severity: Severity,
  startedAt: EpochMillis,
  openedAt: EpochMillis,
): UnnumberedIncident => ({
  subject,
  severity,
  worst: severity,
  startedAt,
  openedAt,
  ended: null,
  openings: [openedAt],
  flapping: null,
  noDataSince: null,
  unwatchedSince: null,
  notBefore: null,
  acknowledged: null,
  well: [],
  passedSince: null,
  passes: [],
});

/**
 * One look at a subject, from its last incident (open or not) to what it is now. It opens by what is fresh alone, and
 * closes by what is fresh alone: silence does neither.
 */
export function stepIncident(subject: Subject, before: Incident | null, look: Look): Step {
  if (before === null || before.ended !== null) return stepClosed(subject, before, look);
  if (!look.isActive) return unwatched(before, look.now);
  const watched: Incident = { ...before, unwatchedSince: null };
  if (look.presence === null) return withoutData(watched, look);
  const { incident, events } = withData(watched);
  const step =
    incident.flapping === null
      ? stepOpen(incident, look.presence, look.now)
      : stepFlapping(incident, incident.flapping, look.presence, look);
  return { ...step, events: [...events, ...step.events] };
}

function stepClosed(subject: Subject, before: Incident | null, look: Look): Step {
  const unchanged: Step = { incident: before, events: [], againAt: null };
  const { presence, now } = look;
  if (presence === null || !presence.isTrouble || !look.isActive || look.isMaintained)
    return unchanged;
  const severity: Severity = presence.isError ? "error" : "degraded";
  if (before === null || !isReopened(before, now)) {
    const notBefore = earliestAfter(before, presence, now);
    const startedAt = Math.max(presence.troubleSince ?? now, notBefore ?? 0);
    const incident: UnnumberedIncident = {
      ...newIncident(subject, severity, epochMillis(Math.min(startedAt, now)), now),
      openings: openingsAfter(before, now),
      notBefore,
    };
    return { incident, events: ["opened"], againAt: null };
  }
  return reopened(before, severity, presence, now);
}

/** A new one begins when the one before ended, at the earliest; after a pause, with the trouble that is seen after it. */
function earliestAfter(
  before: Incident | null,
  { troubleSince }: Presence,
  now: EpochMillis,
): EpochMillis | null {
  if (before === null || before.ended === null) return null;
  const { at, because } = before.ended;
  const seen = because === "recovered" || troubleSince === null ? at : troubleSince;
  return epochMillis(Math.min(Math.max(at, seen), now));
}

/** What was closed without a recovery and opens again has not changed meanwhile: it counts once, or a pause would flap. */
function openingsAfter(before: Incident | null, now: EpochMillis): readonly EpochMillis[] {
  const recent = (before?.openings ?? []).filter((one) => isWithinHour(one, now));
  const isSame = before?.ended !== null && before?.ended.because !== "recovered";
  return isSame && recent.length > 0 ? recent : [...recent, now];
}

/** What is no longer watched and then watched again starts again: not before the incident of before ended. */
const isReopened = ({ ended }: Incident, now: EpochMillis): boolean =>
  ended !== null &&
  ended.because === "recovered" &&
  between(ended.at, now) < limits.incidentReopenedWithin;

const isWithinHour = (instant: EpochMillis, now: EpochMillis): boolean =>
  between(instant, now) < limits.flappingSpan;

function reopened(
  before: Incident,
  severity: Severity,
  { troubleSince }: Presence,
  now: EpochMillis,
): Step {
  const openings = [...before.openings.filter((one) => isWithinHour(one, now)), now];
  const incident: Incident = {
    ...before,
    severity,
    worst: worse(before.worst, severity),
    ended: null,
    openings,
    passes: [],
    acknowledged: null,
    well: withWell(
      before.well,
      before.ended?.at ?? now,
      begunAt(troubleSince, now),
      worstOfLast(before),
    ),
    wasDown: false,
  };
  if (openings.length < limits.flappingOpenings)
    return { incident, events: ["reopened"], againAt: null };
  return flappingBy(incident, begunAt(troubleSince, now));
}

function stepOpen(incident: Incident, presence: Presence, now: EpochMillis): Step {
  const { startedAt, notBefore } = incident;
  const began = Math.max(earlier(startedAt, presence.troubleSince), notBefore ?? 0);
  const corrected = withPass({ ...incident, startedAt: epochMillis(began) }, presence, now);
  const { passes } = corrected;
  const last = passes.at(-1);
  if (last !== undefined && passes.length >= limits.flappingPasses)
    return flappingBy(corrected, last.to);
  if (presence.isWell) return closed(corrected, endOf(corrected, presence, now), "recovered");
  if (incident.severity === "degraded" && presence.isError) {
    const worse: Incident = {
      ...corrected,
      severity: "error",
      worst: "error",
      acknowledged: isKnownAs(corrected.acknowledged, "error") ? corrected.acknowledged : null,
    };
    return { incident: worse, events: ["worsened"], againAt: null };
  }
  if (incident.severity === "error" && presence.isPastError)
    return {
      incident: { ...corrected, severity: "degraded", wasDown: true },
      events: ["eased"],
      againAt: null,
    };
  return { incident: corrected, events: [], againAt: null };
}

/** Whoever resumes it soon has changed nothing. Else it ended when it was no longer watched. */
function unwatched(incident: Incident, now: EpochMillis): Step {
  const since = earlier(now, incident.unwatchedSince);
  const againAt = closesUnwatchedAt(incident, now);
  if (now >= againAt) return closed(incident, since, "deactivated");
  return { incident: { ...incident, unwatchedSince: since }, events: [], againAt };
}

/** When one that is watched no more closes, if no one has it watched again until then. */
export const closesUnwatchedAt = (
  { unwatchedSince }: Pick<Incident, "unwatchedSince">,
  now: EpochMillis,
): EpochMillis => after(earlier(now, unwatchedSince), limits.incidentKeptUnwatched);

/** Whether what is kept says the same of since when it is watched no more. */
export const isWatchedAs = (
  kept: Incident | null,
  { unwatchedSince }: Pick<Incident, "unwatchedSince">,
): boolean => (kept?.unwatchedSince ?? null) === unwatchedSince;

function closed(incident: Incident, at: EpochMillis, because: "recovered" | "deactivated"): Step {
  return {
    incident: {
      ...incident,
      ended: { at, because },
      noDataSince: null,
      unwatchedSince: null,
      flapping: null,
      passedSince: null,
      well: wellUntilEnd(incident, at),
    },
    events: ["closed"],
    againAt: null,
  };
}

/** The end of an incident whose subject is there no more. */
export const closedAsDeleted = (incident: Incident, now: EpochMillis): Incident => ({
  ...incident,
  ended: { at: now, because: "deleted" },
  noDataSince: null,
  unwatchedSince: null,
  flapping: null,
  well: wellUntilEnd(incident, now),
});

/** What flaps and is up when it ends was well since then. */
const wellUntilEnd = (incident: Incident, end: EpochMillis): readonly WellSpan[] =>
  incident.flapping === null || incident.flapping.isDown
    ? incident.well
    : withWell(incident.well, incident.flapping.changedAt, end, worstOfLast(incident));

/** It ended when the checks became good, not when enough of them were. */
function endOf({ startedAt }: Incident, { wellSince }: Presence, now: EpochMillis): EpochMillis {
  if (wellSince === null || wellSince <= startedAt || wellSince > now) return now;
  return wellSince;
}

/** Dated by what was last known, not by the look that noticed: that comes when it has become too old. */
function withoutData(incident: Incident, { now, lastKnownAt }: Look): Step {
  const againAt = incident.flapping === null ? null : after(now, limits.flappingQuietFor);
  const { startedAt, noDataSince: before } = incident;
  const newest = Math.max(startedAt, before ?? 0, lastKnownAt ?? (before === null ? now : 0));
  const noDataSince = epochMillis(Math.min(newest, now));
  const events: readonly EventKind[] = before === null ? ["no_data"] : [];
  return { incident: { ...incident, noDataSince }, events, againAt };
}

function withData(incident: Incident): { incident: Incident; events: readonly EventKind[] } {
  if (incident.noDataSince === null) return { incident, events: [] };
  return { incident: { ...incident, noDataSince: null }, events: ["data_again"] };
}

const worse = (a: Severity, b: Severity): Severity => (a === "error" ? a : b);
