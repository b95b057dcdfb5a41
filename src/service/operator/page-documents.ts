import type { Incident } from "#service/alerting/incident";
import { waitingWords } from "#service/operator/incidents/recovery-words";
import { type EchoSpread, fineLatency } from "#check/echo-spread";
import { isoTime } from "#web/page/format";
import { stateOfDay, uptimeOf } from "#web/page/chart/calendar";
import type { StoredInstance } from "#service/agents/instances";
import type { StoredLocation } from "#service/agents/locations";
import type { MonitorStory, Step } from "#service/operator/monitor-story";
import type { OverviewRows } from "#service/operator/overview-rows";
import { placesOf } from "#service/operator/monitors/cause-groups";
import type {
  LastReason,
  Picture,
  PicturedLocation,
  PicturedMonitor,
} from "#service/operator/picture";
import {
  type PlannedWork,
  targetOfMonitor,
  workOver,
} from "#service/operator/planned/work-under-way";
import { placementOf } from "#service/operator/placement-view";
import { idOfResult } from "#service/edge/response-log";
import type { StoredResult } from "#service/store/result-store";
import { type EpochMillis, nanosToMillis } from "#base/units";

/* The pages for programs. Names are only ever added. Instants are RFC 3339, `_ms` are milliseconds. */

const instant = (at: EpochMillis | null): string | null => (at === null ? null : isoTime(at));

/** What `/overview.json` says; causes are taken apart again. */
export const overviewDocument = (
  picture: Picture,
  { counts, unheard, planned, matched, rows }: OverviewRows,
): object => ({
  at: isoTime(picture.at),
  counts,
  notify_no_one: unheard,
  silenced: planned.silenced,
  under_maintenance: planned.maintenance,
  matched,
  monitors: rows
    .flatMap((row) => (row.kind === "cause" ? row.monitors : [row.monitor]))
    .map((one) => monitorSection(one, workIn(picture, one), picture.at)),
  locations: picture.locations.map(locationSection),
});

const workIn = ({ planned, at }: Picture, monitor: PicturedMonitor): PlannedWork =>
  workOver(planned, targetOfMonitor(monitor), at);

const monitorSection = (monitor: PicturedMonitor, work: PlannedWork, at: EpochMillis): object => ({
  id: String(monitor.id),
  name: monitor.name,
  kind: monitor.kind,
  target: monitor.target,
  labels: monitor.labels,
  period_ms: monitor.period,
  status: monitor.status,
  since: instant(monitor.since),
  last_checked_at: instant(monitor.lastCheckedAt),
  reason: reasonSection(monitor.reason),
  last_reason: lastReasonSection(monitor.lastReason),
  results_unreadable: monitor.unread,
  notifies_no_one: monitor.unheard,
  silenced_until: instant(work.silencedUntil),
  maintenance_until: instant(work.maintenance?.to ?? null),
  incident: incidentSection(monitor.incident),
  recovering: waitingWords(monitor, at),
  seen_at: placesOf(monitor),
  latency_ms: monitor.latency,
  usual_latency_ms: monitor.usual,
  uptime: uptimeOf(monitor.days)?.replace("\u00a0", " ") ?? null,
});

function incidentSection(incident: PicturedMonitor["incident"]): object | null {
  if (incident === null) return null;
  const { number, cause, since, acknowledged, flapping } = incident;
  return { number, cause, since: isoTime(since), acknowledged, flapping };
}

/** Of what has no data: why it failed when it was seen last. */
const lastReasonSection = (last: LastReason | null = null): object | null =>
  last === null ? null : { ...reasonSection(last), at: isoTime(last.at) };

const reasonSection = (reason: PicturedMonitor["reason"]): object | null =>
  reason === null ? null : { code: reason.code, phase: reason.phase, message: reason.message };

const locationSection = ({ id, name, state, lastSeenAt, monitors }: PicturedLocation): object => ({
  id: String(id),
  name,
  status: state.status,
  message: state.message,
  last_seen_at: instant(lastSeenAt),
  monitors,
});

/** What `/monitors/ID.json` says. */
export const monitorDocument = (
  monitor: PicturedMonitor,
  story: MonitorStory,
  work: PlannedWork,
  at: EpochMillis,
): object => ({
  at: isoTime(at),
  ...monitorSection(monitor, work, at),
  locations: monitor.seenBy.map(({ location, name, status, slot, stale }) => ({
    id: String(location),
    name,
    status,
    last_slot: instant(slot),
    stale,
  })),
  days: monitor.days.map((day) => ({
    day: isoTime(day.begin).slice(0, 10),
    state: stateOfDay(day),
    known_ms: day.known,
    down_ms: day.down,
    checks: day.checks,
    slow: day.slow,
  })),
  steps: story.steps.map(stepSection),
  phases: phaseSections(story),
  newest: story.newest.map(resultSection),
  last_failed: story.lastFailed === null ? null : resultSection(story.lastFailed),
  last_passed: story.lastPassed === null ? null : resultSection(story.lastPassed),
});

export const stepSection = (step: Step): object => ({
  at: isoTime(step.at),
  passed: step.passed,
  degraded: step.degraded,
  failed: step.failed,
  p50_ms: step.p50,
  p95_ms: step.p95,
});

export const phaseSections = ({ phases }: Pick<MonitorStory, "phases">): readonly object[] | null =>
  phases?.map(({ at, means }) => ({ at: isoTime(at), mean_ms: means })) ?? null;

const echoSection = ({ sent, received, least, most }: EchoSpread): object => ({
  sent,
  received,
  min_ms: least === null ? null : nanosToMillis(least),
  max_ms: most === null ? null : nanosToMillis(most),
});

const resultSection = (result: StoredResult): object => ({
  id: idOfResult(result),
  slot: isoTime(result.slot),
  location: String(result.location),
  status: result.status,
  latency_ms: fineLatency(result),
  // Of a ping.
  echoes: result.echoes === null ? null : echoSection(result.echoes),
  started_at: isoTime(result.startedAt),
  status_code: result.statusCode === 0 ? null : result.statusCode,
  failure: result.failure,
  attempts: result.attempts,
  trigger: result.trigger,
});

type OpenIncident = Pick<Incident, "number" | "startedAt" | "acknowledged">;

const placeIncident = ({ number, startedAt, acknowledged }: OpenIncident): object => ({
  number,
  since: isoTime(startedAt),
  acknowledged: acknowledged !== null,
});

/** What `/locations/ID.json` says. */
export const locationDocument = (
  location: StoredLocation,
  agents: readonly StoredInstance[],
  incident: OpenIncident | null,
  at: EpochMillis,
): object => ({
  at: isoTime(at),
  id: String(location.id),
  name: location.name,
  status: location.state.status,
  message: location.state.message,
  incident: incident === null ? null : placeIncident(incident),
  last_seen_at: instant(location.lastSeenAt),
  metadata: location.metadata,
  monitors: location.monitors.map(String),
  placement: placementOf(
    agents.filter(({ live }) => live),
    location.monitors,
  ).map(({ agent, monitors }) => ({ agent: agent.id, monitors })),
  agents: agents.map(({ id, live, left, lastSeenAt, report }) => ({
    id,
    live,
    left,
    last_seen_at: isoTime(lastSeenAt),
    hostname: report.hostname,
    node: report.node,
    version: report.version,
    monitors: report.monitorCount,
    results_waiting: report.resultsWaiting,
    missed_slots: report.missedSlots,
    results_dropped: report.resultsGivenUp,
    results_dropped_age: report.resultsGivenUpAge,
    results_dropped_room: report.resultsGivenUpRoom,
    results_rejected: report.resultsRejected,
    results_unassigned: report.resultsUnassigned,
  })),
});
