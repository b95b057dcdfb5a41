import { downSpans } from "#service/alerting/down-spans";
import { isoTime } from "#web/page/format";
import { outcomeWords, rulesOf } from "#service/operator/incidents/delivery-words";
import type { IncidentList } from "#service/operator/incidents/incident-list";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { DeliveryRow, NamedIncident } from "#service/store/alert-store";
import type { EpochMillis, Millis } from "#base/units";

/* Incidents for programs. Names are only ever added. */

const instant = (at: EpochMillis | null): string | null => (at === null ? null : isoTime(at));

/** What `/incidents.json` says. */
export const incidentListDocument = (
  { incidents, counts }: IncidentList,
  downtimes: ReadonlyMap<number, Millis>,
  at: EpochMillis,
): object => ({
  at: isoTime(at),
  counts,
  incidents: incidents.map((one) => ({
    ...incidentSection(one),
    down_ms: downtimes.get(one.incident.number) ?? null,
  })),
});

/** One incident in short. */
export const incidentSection = ({ incident, name, cause }: NamedIncident): object => ({
  number: incident.number,
  kind: incident.subject.kind,
  subject_id: String(incident.subject.id),
  name,
  severity: incident.severity,
  worst: incident.worst,
  cause,
  started_at: isoTime(incident.startedAt),
  opened_at: isoTime(incident.openedAt),
  ended_at: instant(incident.ended?.at ?? null),
  ended_because: incident.ended?.because ?? null,
  down: downSpans(incident).map(({ from, to }) => ({ from: isoTime(from), to: instant(to) })),
  no_data_since: instant(incident.noDataSince),
  flapping: incident.ended === null && incident.flapping !== null,
  acknowledged_at: instant(incident.acknowledged?.at ?? null),
  acknowledged_by: incident.acknowledged?.by ?? null,
});

const figuresSection = ({ figures }: IncidentStory): object => ({
  down_ms: figures?.downFor ?? null,
  slow_ms: figures?.slowFor ?? null,
  unknown_ms: figures?.unknownFor ?? null,
  failed_checks: figures?.failedChecks ?? null,
  slow_checks: figures?.slowChecks ?? null,
});

/** What `/incidents/N.json` says. */
export const incidentDocument = (story: IncidentStory, at: EpochMillis): object => ({
  at: isoTime(at),
  ...incidentSection(story),
  ...figuresSection(story),
  events: story.events.map(({ number, kind, severity, at: happened }) => ({
    number,
    kind,
    severity,
    at: isoTime(happened),
  })),
  comments: story.comments.map(({ at: written, author, message, editedAt }) => ({
    at: isoTime(written),
    author,
    message,
    edited_at: editedAt === null ? null : isoTime(editedAt),
  })),
  reports: story.reports.map(({ report, by }) => ({
    id: String(report.id),
    page: String(report.page),
    title: report.title,
    status: report.status,
    created_at: isoTime(report.createdAt),
    by,
  })),
  turns: story.turns.map(({ at: turned, location, status, failure, message, checks }) => ({
    at: isoTime(turned),
    location: String(location),
    status,
    failure,
    message,
    checks,
  })),
  turns_cut: story.isCut,
  deliveries: story.deliveries.map((one) =>
    deliverySection(one, rulesOf(story.channels.get(one.channel), story)),
  ),
  deliveries_total: story.deliveriesTotal,
  same_cause: sameCause(story),
});

/** Numbers of others with the same cause at the same time, the newest first. */
const sameCause = ({ incident: { number }, group, alike }: IncidentStory): readonly number[] =>
  [
    ...(group?.monitors ?? []).flatMap((monitor) => monitor.incident?.number ?? []),
    ...alike.map(({ incident }) => incident.number),
  ]
    .filter((one) => one !== number)
    .toSorted((a, b) => b - a);

/** One delivery. */
export const deliverySection = (
  delivery: DeliveryRow,
  rules: Parameters<typeof outcomeWords>[1],
): object => ({
  id: String(delivery.id),
  channel: String(delivery.channel),
  incident: delivery.incident,
  event: delivery.event,
  kind: delivery.kind,
  state: delivery.state,
  reason: delivery.reason,
  outcome: outcomeWords(delivery, rules).replaceAll("\u00a0", " "),
  said: delivery.said,
  created_at: isoTime(delivery.createdAt),
  first_tried_at: instant(delivery.firstTriedAt),
  settled_at: instant(delivery.settledAt),
  tries: delivery.attempts,
});
