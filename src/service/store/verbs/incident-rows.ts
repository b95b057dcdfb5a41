import {
  type Acknowledgement,
  type EventKind,
  eventKinds,
  type Incident,
  type Severity,
  type SubjectKind,
  subjectKinds,
} from "#service/alerting/incident";
import { unseenSince } from "#service/alerting/down-spans";
import type { OpenIncident } from "#service/alerting/surroundings";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import type { Snapshot } from "#service/alerting/snapshot";
import type { NamedIncident, OngoingIncident, StoryEvent } from "#service/store/alert-store";
import {
  insertRows,
  integer,
  optionalInteger,
  type Row,
  type Sql,
  type SqlValue,
  text,
} from "#service/store/sql";
import { type EpochMillis, epochMillis } from "#base/units";

/** What of an incident is kept as JSON: no question of the store's asks for it. */
type Memory = Omit<Incident, "number" | "subject" | "severity" | "openedAt" | "acknowledged">;

/**
 * Incidents of what was deleted are not shown and not notified, as long as it can be put back. Planned work that is deleted
 * is over at once, and its channels hear that: what it covered opens incidents again.
 */
export const notInTrash =
  "(incidents.kind, incidents.subject) NOT IN (SELECT kind, id FROM trash WHERE kind <> 'maintenance')";

/** The same of deliveries. */
export const notAboutTrash = `deliveries.incident NOT IN (SELECT incidents.number FROM trash
  JOIN incidents ON incidents.kind = trash.kind AND incidents.subject = trash.id WHERE trash.kind <> 'maintenance')`;

/** What was kept by older versions does not say when it was well, passed, or was not watched. */
const unknownThen: Pick<
  Memory,
  "well" | "unwatchedSince" | "notBefore" | "passedSince" | "passes"
> = {
  well: [],
  passedSince: null,
  passes: [],
  unwatchedSince: null,
  notBefore: null,
};

export function incidentOf(row: Row): Incident {
  const memory: Memory = { ...unknownThen, ...JSON.parse(text(row, "memory")) };
  return {
    ...memory,
    number: integer(row, "number"),
    subject: { kind: subjectKindIn(row, "kind"), id: integer(row, "subject") },
    severity: severityOf(row),
    openedAt: epochMillis(integer(row, "opened_at")),
    acknowledged: acknowledgementOf(row),
  };
}

/** What messages about others of its cause say of it: it needs `number`, `acknowledged_at` and `memory`. */
export function openIncidentOf(row: Row): OpenIncident {
  const memory: Memory = { ...unknownThen, ...JSON.parse(text(row, "memory")) };
  const isUp = memory.passedSince !== null || memory.flapping?.isDown === false;
  return {
    number: integer(row, "number"),
    isAcknowledged: row["acknowledged_at"] !== null,
    isFailing: !isUp && unseenSince(memory) === null,
  };
}

function acknowledgementOf(row: Row): Acknowledgement | null {
  const at = optionalInteger(row, "acknowledged_at");
  if (at === null) return null;
  const severity = severityIn(row, "acknowledged_severity");
  return { at: epochMillis(at), by: text(row, "acknowledged_by"), severity };
}

export const namedIncidentOf = (row: Row): NamedIncident => ({
  incident: incidentOf(row),
  name: text(row, "name"),
  cause: text(row, "cause"),
});

/** The columns that each look may change: severity, end, and the rest as JSON. */
export function changeable(incident: Incident | UnnumberedIncident): readonly SqlValue[] {
  const { startedAt, worst, ended, openings, flapping, noDataSince, well } = incident;
  const { unwatchedSince, notBefore, passedSince, passes } = incident;
  const dates = { startedAt, noDataSince, unwatchedSince, notBefore, passedSince, passes };
  const downBefore = incident.wasDown === true ? { wasDown: true } : {};
  const memory: Memory = { ...dates, worst, ended, openings, flapping, well, ...downBefore };
  return [incident.severity, ended?.at ?? null, JSON.stringify(memory)];
}

interface NewDelivery {
  readonly channel: number;
  readonly incident: number;
  readonly event: number;
}

/** One that is there already stays as it is. */
export async function addDeliveries(
  sql: Sql,
  added: readonly NewDelivery[],
  at: EpochMillis,
): Promise<void> {
  await insertRows(
    sql,
    "INSERT INTO deliveries (channel, incident, event, created_at, due_at)",
    added.map(({ channel, incident, event }) => [channel, incident, event, at, at]),
    "ON CONFLICT DO NOTHING",
  );
}

export function eventOf(row: Row): Omit<StoryEvent, "by"> {
  return {
    number: integer(row, "number"),
    kind: eventKindOf(row),
    severity: severityOf(row),
    at: epochMillis(integer(row, "at")),
    snapshot: snapshotOf(row),
  };
}

export const storyEventOf = (row: Row): StoryEvent => ({
  ...eventOf(row),
  by: text(row, "author"),
});

export const ongoingIncidentOf = (row: Row): OngoingIncident => ({
  incident: incidentOf(row),
  last: snapshotOf(row),
  isReminded: integer(row, "reminders") > 0,
});

export function snapshotOf(row: Row): Snapshot {
  const snapshot: Snapshot = JSON.parse(text(row, "snapshot"));
  return snapshot;
}

export const subjectKindIn = (row: Row, column: string): SubjectKind =>
  subjectKinds.find((kind) => kind === text(row, column)) ?? "monitor";
export const severityOf = (row: Row): Severity => severityIn(row, "severity");
const severityIn = (row: Row, column: string): Severity =>
  text(row, column) === "degraded" ? "degraded" : "error";
export const eventKindOf = (row: Row): EventKind =>
  eventKinds.find((kind) => kind === text(row, "kind")) ?? "opened";
