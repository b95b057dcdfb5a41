import type { Incident } from "#service/alerting/incident";
import { alters, unaudited } from "#service/store/audit/audited";
import type { Incidents } from "#service/store/alert-store";
import { integer, type Sql, text } from "#service/store/sql";
import { type VerbsOf, writes } from "#service/store/verb";
import { incidentOf } from "#service/store/verbs/incident-rows";
import type { EpochMillis } from "#base/units";

/** A person looks at an incident, or does so no more. */
export const acknowledgements: Pick<
  VerbsOf<Incidents>,
  "acknowledge" | "acknowledgeEach" | "takeBack"
> = {
  acknowledge: writes(
    "incidents.acknowledge",
    "states",
    unaudited("the incident says who"),
    acknowledge,
  ),
  acknowledgeEach: writes(
    "incidents.acknowledgeEach",
    "states",
    unaudited("each incident says who"),
    acknowledgeEach,
  ),
  takeBack: writes("incidents.takeBack", "states", alters("incident"), takeBack),
};

async function acknowledge(
  sql: Sql,
  number: number,
  at: EpochMillis,
  by: string,
): Promise<Incident | null> {
  const incident = await lockedOpen(sql, number);
  if (incident === null || incident.acknowledged !== null) return incident;
  await sql.run("UPDATE incidents SET acknowledged_at = ?, acknowledged_by = ? WHERE number = ?", [
    at,
    by,
    number,
  ]);
  await tell(sql, incident, { kind: "acknowledged", at, by });
  return { ...incident, acknowledged: { at, by } };
}

/** In the order of their numbers, as others lock them too. */
async function acknowledgeEach(
  sql: Sql,
  numbers: readonly number[],
  at: EpochMillis,
  by: string,
): Promise<number> {
  let count = 0;
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const done = await acknowledge(sql, number, at, by);
    if (done?.acknowledged?.at === at) count += 1;
  }
  return count;
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
