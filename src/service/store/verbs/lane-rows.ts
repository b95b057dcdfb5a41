import { laneAtFirst, type LaneHealth } from "#service/alerting/attempts";
import type { RecentLetter } from "#service/alerting/letters";
import type { Queue, SentDelivery } from "#service/alerting/queue";
import {
  allAmong,
  integer,
  optionalInteger,
  type Row,
  type Sql,
  type SqlValue,
  text,
} from "#service/store/sql";
import { eventKindOf, severityOf } from "#service/store/verbs/incident-rows";
import { epochMillis, type Millis } from "#base/units";

/** How channels stand with their providers, and which replica sends to each. */
export function laneOf(row: Row | undefined): LaneHealth {
  if (row === undefined) return laneAtFirst;
  const since = optionalInteger(row, "failing_since");
  const message = text(row, "failing_message");
  return {
    failures: integer(row, "failures"),
    restUntil: epochMillis(integer(row, "rest_until")),
    failing: since === null ? null : { since: epochMillis(since), message },
    isDisabled: integer(row, "is_disabled") === 1,
    refusals: integer(row, "refusals"),
  };
}

export function recentOf(row: Row | undefined): readonly RecentLetter[] {
  const recent: readonly RecentLetter[] = JSON.parse(text(row, "recent") || "[]");
  return recent;
}

/** Takes a channel that no one has; null when another has it. */
export async function takeLane(
  sql: Sql,
  holder: string,
  channel: number,
  length: Millis,
): Promise<Row | null> {
  const { now, forUpdateIfFree } = sql.words;
  await sql.run(
    `INSERT INTO lanes (channel, holder, held_until, failures, rest_until, failing_message, is_disabled, recent)
     VALUES (?, '', 0, 0, 0, '', 0, '[]') ON CONFLICT DO NOTHING`,
    [channel],
  );
  const [row] = await sql.all(
    `SELECT * FROM lanes WHERE channel = ? AND (holder = ? OR held_until <= ${now})${forUpdateIfFree}`,
    [channel, holder],
  );
  if (row === undefined) return null;
  await sql.run(`UPDATE lanes SET holder = ?, held_until = ${now} + ? WHERE channel = ?`, [
    holder,
    length,
    channel,
  ]);
  return row;
}

/** Whether a replica has a channel still; until the transaction ends, no other one takes it. */
export async function hasLane(sql: Sql, holder: string, channel: number): Promise<boolean> {
  const { now, forUpdate } = sql.words;
  const rows = await sql.all(
    `SELECT channel FROM lanes WHERE channel = ? AND holder = ? AND held_until > ${now}${forUpdate}`,
    [channel, holder],
  );
  return rows.length > 0;
}

export async function writeLane(sql: Sql, channel: number, lane: LaneHealth): Promise<void> {
  const values: readonly SqlValue[] = [
    lane.failures,
    lane.restUntil,
    lane.failing?.since ?? null,
    lane.failing?.message ?? "",
    Number(lane.isDisabled),
    lane.refusals,
    channel,
  ];
  await sql.run(
    `UPDATE lanes SET failures = ?, rest_until = ?, failing_since = ?, failing_message = ?, is_disabled = ?,
       refusals = ?
     WHERE channel = ?`,
    values,
  );
}

export const writeRecent = (
  sql: Sql,
  channel: number,
  recent: readonly RecentLetter[],
): Promise<number> =>
  sql.run("UPDATE lanes SET recent = ? WHERE channel = ?", [JSON.stringify(recent), channel]);

/** What is due lies in the past; what lies further ahead than anything waits was written by a clock that was ahead. */
export const isDue = (column: string): string => `(${column} <= ? OR ${column} > ?)`;

interface SentMessages {
  /** Null if it has taken nothing for certain. */
  readonly last: SentDelivery | null;
  /** The first that the provider gave; empty for none. */
  readonly reference: string;
  readonly droppedInDoubt: Queue["droppedInDoubt"];
}

/** What a channel has taken of some incidents, and may have taken. */
export async function sentTo(
  sql: Sql,
  channel: number,
  incidents: readonly number[],
): Promise<ReadonlyMap<number, SentMessages>> {
  const rows = await allAmong(
    sql,
    `SELECT deliveries.incident, deliveries.event, state, kind, severity, settled_at, together, reference
     FROM deliveries JOIN incident_events
       ON incident_events.incident = deliveries.incident AND incident_events.number = deliveries.event
     WHERE channel = ? AND (state IN ('sent', 'accepted') OR state = 'dropped' AND in_doubt > 0)
       AND deliveries.incident IN (*)`,
    [channel],
    incidents,
  );
  const all = Map.groupBy(rows, (row) => integer(row, "incident"));
  return new Map([...all].map(([incident, own]) => [incident, sentMessagesIn(own)]));
}

function sentMessagesIn(rows: readonly Row[]): SentMessages {
  const ordered = rows.toSorted((a, b) => integer(a, "event") - integer(b, "event"));
  const isDropped = (row: Row): boolean => text(row, "state") === "dropped";
  const taken = ordered.filter((row) => !isDropped(row));
  const named = taken.find((row) => text(row, "reference") !== "");
  const newest = taken.at(-1);
  const last = newest === undefined ? null : sentOf(newest);
  return {
    last,
    reference: text(named, "reference"),
    // What was taken after it says how things stand.
    droppedInDoubt: ordered
      .filter((row) => isDropped(row) && integer(row, "event") > (last?.event ?? 0))
      .map(eventKindOf),
  };
}

const sentOf = (row: Row): SentDelivery => ({
  event: integer(row, "event"),
  kind: eventKindOf(row),
  severity: severityOf(row),
  at: epochMillis(integer(row, "settled_at")),
  together: integer(row, "together"),
});
