import type { Incidents, IncidentsQuery } from "#service/store/alert-store";
import { allAmong, integer, type Sql, type SqlValue, text } from "#service/store/sql";
import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf } from "#service/store/verb";
import { namedIncidentOf, notInTrash, openIncidentOf } from "#service/store/verbs/incident-rows";

/** Incidents as people look through them, a page at a time. */
export const incidentLists: VerbsOf<Pick<Incidents, "list" | "numbers" | "named" | "causes">> = {
  list: reads("incidents.list", list),
  numbers: reads("incidents.numbers", async (sql, asked: IncidentsQuery) => {
    const { where, values } = conditionsOf(asked);
    const rows = await sql.all(
      `SELECT number FROM incidents WHERE ${where} ORDER BY ${orderOf(asked)} LIMIT ? OFFSET ?`,
      [...values, asked.limit, asked.offset],
    );
    return rows.map((row) => integer(row, "number"));
  }),
  named: reads("incidents.named", async (sql, numbers: readonly number[]) => {
    const rows = await allAmong(
      sql,
      "SELECT * FROM incidents WHERE number IN (*)",
      [],
      numbers.slice(0, storeLimits.alertsReadMax),
    );
    return rows.map(namedIncidentOf);
  }),
  causes: reads("incidents.causes", causesOf),
};

async function causesOf(sql: Sql, causes: readonly string[]): ReturnType<Incidents["causes"]> {
  const rows = await allAmong(
    sql,
    `SELECT number, cause, acknowledged_at, memory FROM incidents
     WHERE ended_at IS NULL AND kind = 'monitor' AND ${notInTrash} AND cause IN (*)
     ORDER BY number LIMIT ?`,
    [],
    causes.slice(0, storeLimits.alertsReadMax),
    [acknowledgedTogetherMax],
  );
  const byCause = Map.groupBy(rows, (row) => text(row, "cause"));
  return new Map([...byCause].map(([cause, some]) => [cause, some.map(openIncidentOf)]));
}

async function list(sql: Sql, asked: IncidentsQuery): ReturnType<Incidents["list"]> {
  const { limit, offset } = asked;
  const { where, values } = conditionsOf(asked);
  const listed = `SELECT * FROM incidents WHERE ${where} ORDER BY ${orderOf(asked)} LIMIT ? OFFSET ?`;
  const rows = limit === 0 ? [] : await sql.all(listed, [...values, limit, offset]);
  const [count] = await sql.all(`SELECT COUNT(*) AS count FROM incidents WHERE ${where}`, values);
  return { incidents: rows.map(namedIncidentOf), total: integer(count, "count") };
}

/** Whoever looks at night wants what no one has taken, and the worst of it. */
const orderOf = ({ urgentFirst = false }: IncidentsQuery): string =>
  urgentFirst
    ? `CASE WHEN acknowledged_at IS NULL THEN 0 ELSE 1 END,
       CASE severity WHEN 'degraded' THEN 1 ELSE 0 END, number DESC`
    : "number DESC";

interface Conditions {
  readonly where: string;
  readonly values: readonly SqlValue[];
}

function conditionsOf({
  isOpen,
  withDeleted = false,
  waiting = false,
  kind,
  subject,
  location,
  cause,
  ranges,
  before,
}: IncidentsQuery): Conditions {
  const conditions: string[] = withDeleted ? [] : [notInTrash];
  const values: SqlValue[] = [];
  if (isOpen === true) conditions.push(`ended_at IS NULL AND ${notInTrash}`);
  if (isOpen === false) conditions.push(`(ended_at IS NOT NULL OR NOT ${notInTrash})`);
  if (waiting) conditions.push("acknowledged_at IS NULL");
  // Planned work is no incident, unless it is asked for.
  if (kind === null) conditions.push("kind <> 'maintenance'");
  for (const [condition, value] of [
    ["kind = ?", kind],
    ["subject = ?", subject],
    ["cause = ?", cause],
    ["number < ?", before],
  ] as const) {
    if (value === null) continue;
    conditions.push(condition);
    values.push(value);
  }
  if (ranges !== undefined) {
    conditions.push(inRanges(ranges.length));
    values.push(...ranges.flatMap(({ from, to }) => [from, to]));
  }
  if (location !== null) {
    conditions.push(ofLocation);
    // A fault of a place or an agent has no other word of the location that an index could find.
    values.push(location, location, location);
  }
  return { where: conditions.join(" AND "), values };
}

const ofLocation = `((kind = 'location' AND subject = ?)
  OR (kind IN ('agent', 'vantage') AND name = (SELECT name FROM locations WHERE id = ?)) OR (kind IN ('monitor', 'certificate') AND subject IN
  (SELECT monitor FROM assignments WHERE location = ?)))`;

const inRanges = (count: number): string =>
  count === 0 ? "1 = 0" : `(${Array(count).fill("number BETWEEN ? AND ?").join(" OR ")})`;
