import type { AgentStatus } from "#agent/agent-status";
import { liveness, readiness } from "#agent/endpoint/liveness";
import type { Identity } from "#agent/endpoint/identity";
import type { ResultPoint } from "#web/page/sparkline";
import type { MonitorRow, Overview } from "#agent/endpoint/overview";
import { pathSection } from "#agent/endpoint/path-section";
import { queryOf, type Selection } from "#agent/endpoint/selection";
import { isoTime } from "#web/page/format";
import { isUncertain } from "#check/outcome";
import { showUrl } from "#check/target";
import { between, type EpochMillis, millis, type Millis, nanosToMillis } from "#base/units";

interface StatusDocument {
  readonly identity: Identity;
  readonly status: AgentStatus;
  readonly overview: Overview;
  readonly selection: Selection;
  readonly uptime: Millis;
  readonly now: EpochMillis;
}

/** What /status says; its names are kept stable and listed in docs/agent-endpoint.md. Instants are RFC 3339, durations milliseconds. */
export function statusDocument(document: StatusDocument): object {
  const { identity, status, overview, selection, uptime, now } = document;
  return {
    version: identity.version,
    instance: identity.instance,
    now: isoTime(now),
    started_at: isoTime(status.startedAt),
    uptime_seconds: Math.round(uptime / 1000),
    state: status.state,
    live: liveness(status),
    ready: readiness(status),
    location: status.region,
    assignment_revision: status.revision,
    assignment_refused: status.assignmentRefusal,
    remarks: remarksSection(status),
    service: serviceSection(status, identity.serviceUrl),
    vantage: vantageSection(status),
    targets: targetsSection(status),
    evidence_left_out: status.questionsLeftOut,
    paths: pathsSection(status),
    silent_name_servers: status.warnings.map(({ subject }) => subject),
    audit_log: auditSection(status),
    heartbeat: {
      interval_ms: status.heartbeat.interval,
      last_taken_at: instant(status.heartbeat.takenAt),
    },
    schedule: scheduleSection(status),
    reports: reportsSection(status, now),
    uncertain_results: status.uncertainResults,
    monitor_counts: { total: status.monitors, ...overview.counts },
    monitors: overview.rows.map((row) => monitorSection(row, now)),
    page: pageSection(selection, overview.matched),
  };
}

const instant = (at: EpochMillis | null): string | null => (at === null ? null : isoTime(at));

const remarksSection = ({ remarks }: AgentStatus): readonly object[] =>
  remarks.map(({ monitorId, monitorName, field, message }) => ({
    monitor: monitorId,
    name: monitorName,
    field,
    message: `${field} ${message}`,
  }));

const targetsSection = ({ targets }: AgentStatus): object => ({
  allow: targets.rules.allow.map(({ name }) => name),
  deny: targets.rules.deny.map(({ name }) => name),
  fault: targets.fault,
  checks_refused: targets.checksRefused,
  refused: targets.refused.map(({ monitorId, name, sentence, checks }) => ({
    monitor: monitorId,
    name,
    message: sentence,
    checks,
  })),
});

const vantageSection = ({ conditions }: AgentStatus): readonly object[] =>
  conditions.map(({ cause, state }) => ({
    id: cause.id,
    scope: cause.scope,
    subject: cause.subject,
    certainty: cause.certainty,
    state,
    since: isoTime(cause.since),
    sentence: cause.sentence,
    monitors_affected: cause.affected,
  }));

const pathsSection = ({ paths }: AgentStatus): object => ({
  known: paths.known,
  packets: paths.packets,
  traces: paths.traces,
  changes: paths.changes,
  failures_named: paths.named,
});

const serviceSection = (status: AgentStatus, url: string): object => ({
  url: showUrl(url),
  state: status.link,
  since: isoTime(status.linkSince),
  push_channel: status.watch,
  last_error:
    status.linkFault === null
      ? null
      : {
          at: isoTime(status.linkFault.at),
          reason: status.linkFault.reason,
          message: status.linkFault.message,
        },
});

const auditSection = ({ audit: { head, fault } }: AgentStatus): object => ({
  entries: head?.number ?? null,
  head: head?.chain ?? null,
  fault: fault === null ? null : { sentence: fault.sentence, since: isoTime(fault.at) },
});

const scheduleSection = (status: AgentStatus): object => ({
  since_tick_ms: status.sinceTick === null ? null : Math.round(status.sinceTick),
  started: status.schedule.started,
  in_flight: status.checksInFlight,
  missed: status.schedule.missed,
  lateness_ms: {
    p50: status.latenessP50,
    p99: status.latenessP99,
    max: status.latenessMax,
  },
  probes_stuck_ms: Math.round(status.probesStuckFor),
});

const reportsSection = (status: AgentStatus, now: EpochMillis): object => ({
  waiting: status.resultsWaiting,
  durable: status.spoolDurable,
  oldest_waiting_ms:
    status.oldestWaiting === null ? null : millis(Math.max(0, between(status.oldestWaiting, now))),
  accepted: status.reports.accepted,
  duplicate: status.reports.duplicate,
  rejected: status.reports.rejected,
  given_up: { ...status.resultsGivenUp, service: status.reports.givenUp },
});

const monitorSection = (row: MonitorRow, now: EpochMillis): object => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  target: row.target,
  period_ms: row.period,
  next_slot: isoTime(row.next),
  status: row.standing,
  last: row.last === null ? null : lastSection(row.last),
  recent: row.recent.map(({ slot, status, latency, uncertain }: ResultPoint) => ({
    slot: isoTime(slot),
    status,
    latency_ms: latency,
    uncertain,
  })),
  path: row.path === null ? null : pathSection(row.path, now),
});

const lastSection = (last: NonNullable<MonitorRow["last"]>): object => ({
  status: last.status,
  code: last.failure?.code ?? null,
  phase: last.failure?.phase ?? null,
  message: last.failure?.message ?? "",
  remarks: last.remarks,
  latency_ms: last.latency,
  slot: isoTime(last.slot),
  started_at: isoTime(last.startedAt),
  attempts: last.attempts,
  own_ms: last.own === null ? null : nanosToMillis(last.own),
  error_bar_ms: nanosToMillis(last.errorBar),
  uncertain: isUncertain(last),
  phases_ms: Object.fromEntries(
    Object.entries(last.phases).map(([phase, elapsed]) => [
      phase,
      elapsed === null ? null : nanosToMillis(elapsed),
    ]),
  ),
});

/** Which of the monitors are listed, and where the next ones are. */
function pageSection(selection: Selection, matched: number): object {
  const { limit, offset } = selection;
  const next = offset + limit;
  return {
    limit,
    offset,
    matched,
    next: next < matched ? `/status${queryOf({ ...selection, offset: next })}` : null,
  };
}
