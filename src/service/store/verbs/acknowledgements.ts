import type { Acknowledgement, Incident } from "#service/alerting/incident";
import { alters, altersEach, subjects } from "#service/store/audit/audited";
import type { Incidents } from "#service/store/alert-store";
import { allAmong, insertRows, integer, type Row, type Sql, text } from "#service/store/sql";
import type { Change } from "#service/store/store";
import { type VerbsOf, writes } from "#service/store/verb";
import { incidentOf } from "#service/store/verbs/incident-rows";
import type { EpochMillis } from "#base/units";

/** Every page counts those that no one has acknowledged. */
const counted = (): readonly Change[] => ["states", "incidents"];

/** A person looks at an incident, or does so no more. */
export const acknowledgements: Pick<
  VerbsOf<Incidents>,
  "acknowledge" | "acknowledgeEach" | "takeBack" | "takeBackEach"
> = {
  acknowledge: writes("incidents.acknowledge", counted, alters("incident"), acknowledge),
  acknowledgeEach: writes(
    "incidents.acknowledgeEach",
    counted,
    altersEach(async (_sql, numbers: readonly number[]) => subjects("incident", numbers)),
    acknowledgeEach,
  ),
  takeBack: writes("incidents.takeBack", counted, alters("incident"), takeBack),
  takeBackEach: writes(
    "incidents.takeBackEach",
    counted,
    altersEach(async (_sql, numbers: readonly number[]) => subjects("incident", numbers)),
    takeBackEach,
  ),
};

/** When an incident is acknowledged, of one that changes: no more once it opens again, or is worse than it was then. Columns have what they had before the change. */
export const stillAcknowledged = `CASE WHEN ended_at IS NULL AND (acknowledged_severity = 'error' OR severity = ?)
  THEN acknowledged_at ELSE NULL END`;

async function acknowledge(
  sql: Sql,
  number: number,
  at: EpochMillis,
  by: string,
): Promise<Incident | null> {
  const incident = await lockedOpen(sql, number);
  if (incident === null || incident.acknowledged !== null) return incident;
  await sql.run(
    `UPDATE incidents SET acknowledged_at = ?, acknowledged_by = ?, acknowledged_severity = severity
     WHERE number = ?`,
    [at, by, number],
  );
  await tell(sql, incident, { kind: "acknowledged", at, by });
  return { ...incident, acknowledged: { at, by, severity: incident.severity } };
}

/** In few statements, however many. They are locked in the order of their numbers, as others do it. */
async function acknowledgeEach(
  sql: Sql,
  numbers: readonly number[],
  at: EpochMillis,
  by: string,
): Promise<number> {
  const open = `SELECT number, severity FROM incidents WHERE number IN (*) AND ended_at IS NULL
    AND acknowledged_at IS NULL ORDER BY number${sql.words.forUpdate}`;
  const ordered = numbers.toSorted((a, b) => a - b);
  const rows = await allAmong(sql, open, [], ordered);
  const keys = rows.map((row) => integer(row, "number"));
  await allAmong(
    sql,
    `UPDATE incidents SET acknowledged_at = ?, acknowledged_by = ?, acknowledged_severity = severity
     WHERE number IN (*) RETURNING number`,
    [at, by],
    keys,
  );
  await tellEach(sql, rows, { kind: "acknowledged", at, by });
  return rows.length;
}

/** What is worse or opened again is acknowledged no more, so it is as it was before. */
async function takeBackEach(
  sql: Sql,
  numbers: readonly number[],
  made: Pick<Acknowledgement, "at" | "by">,
  at: EpochMillis,
  by: string,
): Promise<number> {
  const taken = `SELECT number, severity FROM incidents WHERE number IN (*) AND ended_at IS NULL
    AND acknowledged_at = ? AND acknowledged_by = ? ORDER BY number${sql.words.forUpdate}`;
  const ordered = numbers.toSorted((a, b) => a - b);
  const rows = await allAmong(sql, taken, [], ordered, [made.at, made.by]);
  await allAmong(
    sql,
    "UPDATE incidents SET acknowledged_at = NULL WHERE number IN (*) RETURNING number",
    [],
    rows.map((row) => integer(row, "number")),
  );
  await tellEach(sql, rows, { kind: "taken_back", at, by });
  return rows.length;
}

/** The same event of each of these incidents. */
async function tellEach(
  sql: Sql,
  rows: readonly Row[],
  { kind, at, by }: PersonsEvent,
): Promise<void> {
  const newest = await allAmong(
    sql,
    `SELECT incident, number, snapshot FROM incident_events WHERE (incident, number) IN
       (SELECT incident, MAX(number) FROM incident_events WHERE incident IN (*) GROUP BY incident)`,
    [],
    rows.map((row) => integer(row, "number")),
  );
  const lastOf = new Map(newest.map((row) => [integer(row, "incident"), row]));
  await insertRows(
    sql,
    "INSERT INTO incident_events (incident, number, kind, severity, at, snapshot, author)",
    rows.map((row) => {
      const incident = integer(row, "number");
      const last = lastOf.get(incident);
      const number = integer(last, "number") + 1;
      const severity = text(row, "severity");
      return [incident, number, kind, severity, at, text(last, "snapshot"), by];
    }),
    "",
  );
}

async function takeBack(
  sql: Sql,
  number: number,
  at: EpochMillis,
  by: string,
): Promise<Incident | null> {
  const incident = await lockedOpen(sql, number);
  if (incident === null || incident.acknowledged === null) return incident;
  await sql.run("UPDATE incidents SET acknowledged_at = NULL WHERE number = ?", [number]);
  await tell(sql, incident, { kind: "taken_back", at, by });
  return { ...incident, acknowledged: null };
}

/** Null if there is none, or it is over. No one else changes it until this is done. */
async function lockedOpen(sql: Sql, number: number): Promise<Incident | null> {
  const open = `SELECT * FROM incidents WHERE number = ? AND ended_at IS NULL${sql.words.forUpdate}`;
  const [row] = await sql.all(open, [number]);
  return row === undefined ? null : incidentOf(row);
}

interface PersonsEvent {
  readonly kind: "acknowledged" | "taken_back";
  readonly at: EpochMillis;
  readonly by: string;
}

/** One more event of its timeline, which knows what the one before knew. */
async function tell(
  sql: Sql,
  { number, severity }: Incident,
  { kind, at, by }: PersonsEvent,
): Promise<void> {
  const [last] = await sql.all(
    "SELECT number, snapshot FROM incident_events WHERE incident = ? ORDER BY number DESC LIMIT 1",
    [number],
  );
  await sql.run(
    "INSERT INTO incident_events (incident, number, kind, severity, at, snapshot, author) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [number, integer(last, "number") + 1, kind, severity, at, text(last, "snapshot"), by],
  );
}
