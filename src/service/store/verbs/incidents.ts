import { unaudited } from "#service/store/audit/audited";
import type { Incident, SubjectKind } from "#service/alerting/incident";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import type {
  IncidentChange,
  Incidents,
  IncidentTurn,
  JudgeChange,
  OngoingIncident,
  Recipients,
  Story,
} from "#service/store/alert-store";
import { allAmong, integer, type Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import type { Change } from "#service/store/store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import {
  addDeliveries,
  changeable,
  eventKindOf,
  incidentOf,
  namedIncidentOf,
  notInTrash,
  ongoingIncidentOf,
  severityOf,
  snapshotOf,
  storyEventOf,
} from "#service/store/verbs/incident-rows";
import { incidentLists } from "#service/store/verbs/lists/incident-lists";
import { acknowledgements, stillAcknowledged } from "#service/store/verbs/acknowledgements";
import { hasLease, writeStates } from "#service/store/verbs/work";
import { type EpochMillis, epochMillis } from "#base/units";

/** Incidents and their stories. */
export const incidents: VerbsOf<Incidents> = {
  keep: writes(
    "incidents.keep",
    (_lease, _holder, judged) => changesBy(judged.incidents),
    unaudited("the judge says it"),
    keep,
  ),
  note: writes(
    "incidents.note",
    (noted) => changesBy([noted]),
    unaudited("the judge says it"),
    keepIncident,
  ),
  newest: reads("incidents.newest", async (sql, kind: SubjectKind, subjects: readonly number[]) => {
    const rows = await allAmong(
      sql,
      `SELECT * FROM incidents WHERE number IN
         (SELECT MAX(number) FROM incidents WHERE kind = ? AND subject IN (*) GROUP BY subject)`,
      [kind],
      subjects.slice(0, storeLimits.alertsReadMax),
    );
    return rows.map(incidentOf);
  }),
  since: reads("incidents.since", openSince),
  ...incidentLists,
  openCount: reads("incidents.openCount", async (sql) => {
    const [row] = await sql.all(
      `SELECT COUNT(number) AS open, COUNT(acknowledged_at) AS acknowledged FROM incidents
       WHERE ended_at IS NULL AND kind <> 'maintenance' AND ${notInTrash}`,
      [],
    );
    return { open: integer(row, "open"), acknowledged: integer(row, "acknowledged") };
  }),
  story: reads("incidents.story", story),
  openings: reads("incidents.openings", async (sql, numbers: readonly number[]) => {
    const rows = await allAmong(
      sql,
      "SELECT incident, snapshot FROM incident_events WHERE number = 1 AND incident IN (*)",
      [],
      numbers.slice(0, storeLimits.alertsReadMax),
    );
    return new Map(rows.map((row) => [integer(row, "incident"), snapshotOf(row)]));
  }),
  endings: reads("incidents.endings", async (sql, numbers: readonly number[]) => {
    const rows = await allAmong(
      sql,
      `SELECT ended.incident, ended.snapshot FROM incident_events AS ended WHERE ended.incident IN (*)
         AND ended.number = (SELECT MAX(one.number) FROM incident_events AS one
           WHERE one.incident = ended.incident AND one.kind IN ('closed', 'settled'))`,
      [],
      numbers.slice(0, storeLimits.alertsReadMax),
    );
    return new Map(rows.map((row) => [integer(row, "incident"), snapshotOf(row)]));
  }),
  turns: reads("incidents.turns", turnsOf),
  ongoing: reads("incidents.ongoing", ongoingOf),
  ...acknowledgements,
  orphans: reads("incidents.orphans", async (sql, limit: number) => {
    const rows = await sql.all(
      `SELECT incidents.* FROM incidents
         LEFT JOIN monitors ON incidents.kind IN ('monitor', 'certificate') AND monitors.id = incidents.subject
         LEFT JOIN locations ON incidents.kind = 'location' AND locations.id = incidents.subject
       WHERE incidents.ended_at IS NULL AND incidents.kind IN ('monitor', 'certificate', 'location')
         AND monitors.id IS NULL AND locations.id IS NULL AND ${notInTrash}
       ORDER BY incidents.number LIMIT ?`,
      [limit],
    );
    return rows.map(namedIncidentOf);
  }),
};

async function openSince(
  sql: Sql,
  subjects: readonly number[],
  at: EpochMillis,
  kind: SubjectKind = "monitor",
): Promise<readonly Incident[]> {
  const found: Incident[] = [];
  const most = storeLimits.alertsReadMax;
  for (let last = 0, isWhole = false; !isWhole;) {
    // Each portion of subjects gives its lowest numbers, so the lowest of all are among them.
    const rows = await allAmong(
      sql,
      `SELECT * FROM incidents WHERE kind = ? AND subject IN (*)
         AND (ended_at IS NULL OR ended_at >= ?) AND number > ? ORDER BY number LIMIT ?`,
      [kind],
      subjects,
      [at, last, most],
    );
    const lowest = rows
      .map(incidentOf)
      .toSorted((a, b) => a.number - b.number)
      .slice(0, most);
    for (const one of lowest) found.push(one);
    isWhole = rows.length < most;
    last = lowest.at(-1)?.number ?? last;
  }
  return found;
}

/** The turns of some incidents: the other events of a story change no severity. */
async function turnsOf(
  sql: Sql,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly IncidentTurn[]>> {
  const rows = await allAmong(
    sql,
    `SELECT incident, kind, severity, at FROM incident_events WHERE incident IN (*)
       AND kind IN ('opened', 'reopened', 'flapping', 'worsened', 'eased') ORDER BY incident, number LIMIT ?`,
    [],
    numbers.slice(0, storeLimits.alertsReadMax),
    [storeLimits.alertsReadMax],
  );
  const turns = new Map<number, IncidentTurn[]>();
  for (const row of rows)
    turns
      .getOrInsertComputed(integer(row, "incident"), () => [])
      .push({
        kind: eventKindOf(row),
        severity: severityOf(row),
        at: epochMillis(integer(row, "at")),
      });
  return turns;
}

/** What is open of these kinds, with what was last known of each. */
export async function ongoingOf(
  sql: Sql,
  kinds: readonly SubjectKind[],
  limit: number,
): Promise<readonly OngoingIncident[]> {
  const rows = await allAmong(
    sql,
    `SELECT incidents.*, last.snapshot, (SELECT COUNT(one.number) FROM incident_events AS one
           WHERE one.incident = incidents.number AND one.kind = 'reminder') AS reminders
       FROM incidents JOIN incident_events AS last ON last.incident = incidents.number
         AND last.number = (SELECT MAX(number) FROM incident_events WHERE incident = incidents.number)
       WHERE incidents.ended_at IS NULL AND ${notInTrash} AND incidents.kind IN (*)
       ORDER BY incidents.number LIMIT ?`,
    [],
    kinds,
    [limit],
  );
  return rows.map(ongoingIncidentOf);
}

/** One that is open is counted as before while it is better, or reminded of. */
const changesBy = (all: readonly IncidentChange[]): readonly Change[] =>
  all.some(isCountedAnew) ? ["states", "incidents"] : ["states"];

const isCountedAnew = ({ incident, events }: IncidentChange): boolean =>
  !isNumbered(incident) || incident.ended !== null || events.some(wakesAgain);

/** What may be worth waking a person again. What flaps may be so when that begins: it opened again. */
const wakesAgain = ({ kind }: IncidentChange["events"][number]): boolean =>
  kind === "worsened" || kind === "reopened" || kind === "flapping";

async function keep(
  sql: Sql,
  lease: string,
  holder: string,
  judged: JudgeChange,
): Promise<number | null> {
  if (!(await hasLease(sql, lease, holder))) return null;
  const written = new Set<number>(await writeStates(sql, judged.states));
  const stale = new Set<number>(judged.states.map(({ monitor }) => monitor)).difference(written);
  for (const change of judged.incidents) {
    const { kind, id } = change.incident.subject;
    // A monitor that has become due meanwhile is judged again, its incident too.
    if ((kind === "monitor" || kind === "certificate") && stale.has(id)) continue;
    await keepIncident(sql, change);
  }
  return stale.size;
}

async function keepIncident(sql: Sql, change: IncidentChange): Promise<void> {
  const number = await writeIncident(sql, change);
  if (number !== null) await addEvents(sql, number, change);
}

/** The incident's number; null when its subject has another that is open. */
async function writeIncident(sql: Sql, change: IncidentChange): Promise<number | null> {
  const { incident, name, cause } = change;
  if (!isNumbered(incident)) return openIncident(sql, incident, change);
  // What a person acknowledged meanwhile stays, unless what happened is worth waking a person again.
  const anew = change.events.some(wakesAgain) ? [incident.severity] : [];
  await sql.run(
    `UPDATE incidents SET severity = ?, ended_at = ?, memory = ?, name = ?,
       cause = ${isOtherNow(change) ? "?" : "CASE ? WHEN '' THEN cause ELSE ? END"}${anew.length > 0 ? `, acknowledged_at = ${stillAcknowledged}` : ""}
     WHERE number = ?`,
    [
      ...changeable(incident),
      name,
      cause,
      ...(isOtherNow(change) ? [] : [cause]),
      ...anew,
      incident.number,
    ],
  );
  return incident.number;
}

/** What opens again or is better may be slow alone by now: how it failed before says nothing of it. */
const isOtherNow = ({ events }: IncidentChange): boolean =>
  events.some(({ kind }) => kind === "reopened" || kind === "flapping" || kind === "eased");

const isNumbered = (incident: Incident | UnnumberedIncident): incident is Incident =>
  "number" in incident;

async function openIncident(
  sql: Sql,
  incident: UnnumberedIncident,
  { name, cause }: IncidentChange,
): Promise<number | null> {
  const { kind, id } = incident.subject;
  // A sequence of PostgreSQL leaves numbers out: where a transaction is undone, and 32 of them in a crash. No incident is
  // ever deleted, so the next number is known to whoever is alone in giving one.
  await sql.all(`SELECT name FROM settings WHERE name = 'installation'${sql.words.forUpdate}`);
  const [row] = await sql.all(
    `INSERT INTO incidents (number, kind, subject, name, cause, opened_at, severity, ended_at, memory, acknowledged_by)
     VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM incidents), ?, ?, ?, ?, ?, ?, ?, ?, '')
     ON CONFLICT DO NOTHING RETURNING number`,
    [kind, id, name, cause, incident.openedAt, ...changeable(incident)],
  );
  return row === undefined ? null : integer(row, "number");
}

async function addEvents(sql: Sql, incident: number, change: IncidentChange): Promise<void> {
  if (change.events.length === 0) return;
  const [row] = await sql.all(
    "SELECT COALESCE(MAX(number), 0) AS number FROM incident_events WHERE incident = ?",
    [incident],
  );
  const last = integer(row, "number");
  const snapshot = JSON.stringify(change.snapshot);
  for (const [index, { kind, to }] of change.events.entries()) {
    const number = last + index + 1;
    await sql.run(
      "INSERT INTO incident_events (incident, number, kind, severity, at, snapshot) VALUES (?, ?, ?, ?, ?, ?)",
      [incident, number, kind, change.incident.severity, change.at, snapshot],
    );
    const channels = await recipients(sql, incident, to);
    const added = channels.map((channel) => ({ channel, incident, event: number }));
    await addDeliveries(sql, added, change.at);
  }
}

async function recipients(sql: Sql, incident: number, to: Recipients): Promise<readonly number[]> {
  if (to.are === "channels") return [...new Set(to.channels)];
  // An alert that was dropped in doubt may stand at a pager.
  const rows = await sql.all(
    "SELECT DISTINCT channel FROM deliveries WHERE incident = ? AND (state <> 'dropped' OR in_doubt > 0)",
    [incident],
  );
  return rows.map((row) => integer(row, "channel")).filter((one) => !to.except.includes(one));
}

async function story(sql: Sql, number: number): Promise<Story | null> {
  const [row] = await sql.all("SELECT * FROM incidents WHERE number = ?", [number]);
  if (row === undefined) return null;
  const events = await sql.all(
    "SELECT * FROM incident_events WHERE incident = ? ORDER BY number DESC LIMIT ?",
    [number, storeLimits.alertsReadMax],
  );
  return { ...namedIncidentOf(row), events: events.toReversed().map(storyEventOf) };
}
