import { unaudited } from "#service/store/audit/audited";
import {
  type ChannelStanding,
  type ChannelTest,
  type Deliveries,
  type DeliveriesQuery,
  type DeliveryRetry,
  type DeliveryRow,
  deliveryStates,
} from "#service/store/alert-store";
import {
  allAmong,
  integer,
  optionalInteger,
  optionalInstant,
  type Row,
  type Sql,
  type SqlValue,
  text,
} from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { claims } from "#service/store/verbs/claims";
import {
  addDeliveries,
  eventKindOf,
  namedIncidentOf,
  notInTrash,
  subjectKindIn,
} from "#service/store/verbs/incident-rows";
import { laneOf } from "#service/store/verbs/lane-rows";
import { epochMillis, type EpochMillis } from "#base/units";

/** The outbox as people and the service look at it. */
export const deliveries: VerbsOf<Deliveries> = {
  ...claims,
  list: reads("deliveries.list", list),
  retry: writes("deliveries.retry", "states", unaudited("the delivery says it"), retry),
  sent: reads("deliveries.sent", async (sql, limit: number) => {
    const rows = await sql.all(
      `SELECT incidents.*, channel, sent_at FROM incidents JOIN
         (SELECT incident, channel, MAX(settled_at) AS sent_at FROM deliveries
          WHERE state IN ('sent', 'accepted') GROUP BY incident, channel) AS notified
         ON notified.incident = incidents.number
       WHERE ended_at IS NULL AND acknowledged_at IS NULL AND ${notInTrash} AND NOT EXISTS
         (SELECT 1 FROM deliveries WHERE deliveries.incident = incidents.number
            AND deliveries.channel = notified.channel AND deliveries.state = 'waiting') ORDER BY incidents.number, channel LIMIT ?`,
      [limit],
    );
    return rows.map((row) => ({
      ...namedIncidentOf(row),
      channel: integer(row, "channel"),
      sentAt: epochMillis(integer(row, "sent_at")),
    }));
  }),
  lanes: reads("deliveries.lanes", async (sql, channels: readonly number[]) => {
    const rows = await allAmong(
      sql,
      "SELECT * FROM lanes WHERE channel IN (*)",
      [],
      channels.slice(0, storeLimits.alertsReadMax),
    );
    return new Map(rows.map((row) => [integer(row, "channel"), laneOf(row)]));
  }),
  standing: reads("deliveries.standing", standing),
  tested: writes(
    "deliveries.tested",
    null,
    unaudited("it sends a message and changes nothing"),
    async (sql, channel: number, { at, trouble }: ChannelTest) => {
      await sql.run(
        `INSERT INTO lanes (channel, holder, held_until, failures, rest_until, failing_message, is_disabled, recent,
           tested_at, test_trouble)
         VALUES (?, '', 0, 0, 0, '', 0, '[]', ?, ?)
         ON CONFLICT (channel) DO UPDATE SET tested_at = excluded.tested_at, test_trouble = excluded.test_trouble`,
        [channel, at, trouble],
      );
    },
  ),
  oldestWaiting: reads("deliveries.oldestWaiting", async (sql) => {
    const [row] = await sql.all(
      "SELECT MIN(created_at) AS oldest FROM deliveries WHERE state IN ('waiting', 'accepted') AND reason IN ('', 'retry')",
    );
    return row === undefined ? null : optionalInstant(row, "oldest");
  }),
  phonesUsed: reads("deliveries.phonesUsed", async (sql, month: string) => {
    const [row] = await sql.all("SELECT value FROM settings WHERE name = ?", [`phones/${month}`]);
    return row === undefined ? 0 : Number(text(row, "value"));
  }),
  usePhone: writes(
    "deliveries.usePhone",
    null,
    unaudited("it is the courier's own work"),
    async (sql, month: string) => {
      await sql.run(
        `INSERT INTO settings (name, value) VALUES (?, '1') ON CONFLICT (name)
       DO UPDATE SET value = CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT)`,
        [`phones/${month}`],
      );
    },
  ),
  forget: writes(
    "deliveries.forget",
    null,
    unaudited("the service forgets what is old"),
    async (sql, before: EpochMillis) => {
      const forgotten = await sql.run(
        `DELETE FROM deliveries WHERE id IN (SELECT deliveries.id FROM deliveries
         JOIN incidents ON incidents.number = deliveries.incident
         WHERE deliveries.created_at < ? AND state IN ('sent', 'dropped') AND ended_at IS NOT NULL
         ORDER BY deliveries.created_at LIMIT ?)`,
        [before, storeLimits.forgetRowsAtOnce],
      );
      await sql.run("DELETE FROM silences WHERE ends_at < ?", [before]);
      await sql.run("DELETE FROM paces WHERE full_at < ?", [before]);
      await sql.run(
        `DELETE FROM lanes WHERE held_until < ? AND COALESCE(tested_at, 0) < ?
           AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.channel = lanes.channel)`,
        [before, before],
      );
      return forgotten === storeLimits.forgetRowsAtOnce;
    },
  ),
};

async function standing(
  sql: Sql,
  asked: readonly number[],
): Promise<ReadonlyMap<number, ChannelStanding>> {
  const channels = asked.slice(0, storeLimits.alertsReadMax);
  const rows = await allAmong(
    sql,
    `SELECT channel, SUM(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END) AS waiting,
       MAX(CASE WHEN state IN ('sent', 'accepted') THEN settled_at END) AS last_sent_at
     FROM deliveries WHERE channel IN (*) GROUP BY channel`,
    [],
    channels,
  );
  const found = new Map<number, ChannelStanding>(
    rows.map((row) => {
      const lastSentAt = optionalInstant(row, "last_sent_at");
      return [
        integer(row, "channel"),
        { waiting: integer(row, "waiting"), lastSentAt, lastTest: null },
      ];
    }),
  );
  for (const row of await allAmong(
    sql,
    "SELECT channel, tested_at, test_trouble FROM lanes WHERE tested_at IS NOT NULL AND channel IN (*)",
    [],
    channels,
  )) {
    const channel = integer(row, "channel");
    const { waiting, lastSentAt } = found.get(channel) ?? { waiting: 0, lastSentAt: null };
    const lastTest = {
      at: epochMillis(integer(row, "tested_at")),
      trouble: text(row, "test_trouble"),
    };
    found.set(channel, { waiting, lastSentAt, lastTest });
  }
  return found;
}

async function list(
  sql: Sql,
  { channel, incident, state, limit, offset }: DeliveriesQuery,
): ReturnType<Deliveries["list"]> {
  const conditions: string[] = ["1 = 1"];
  const values: SqlValue[] = [];
  const query = { channel, "deliveries.incident": incident, state };
  for (const [column, value] of Object.entries(query)) {
    if (value === null) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  const where = conditions.join(" AND ");
  const rows = await sql.all(
    `SELECT deliveries.*, kind,
       COALESCE((SELECT first.said FROM deliveries AS first WHERE first.id = deliveries.letter), deliveries.said) AS text,
       (SELECT before_it.kind FROM deliveries AS earlier JOIN incident_events AS before_it
          ON before_it.incident = earlier.incident AND before_it.number = earlier.event
        WHERE earlier.channel = deliveries.channel AND earlier.incident = deliveries.incident
          AND earlier.event < deliveries.event AND earlier.state IN ('sent', 'accepted')
          AND (deliveries.letter IS NULL OR earlier.letter <> deliveries.letter)
        ORDER BY earlier.event DESC LIMIT 1) AS said_before,
       (SELECT name FROM incidents WHERE number = deliveries.incident) AS name,
       (SELECT about.kind FROM incidents AS about WHERE about.number = deliveries.incident) AS about
     FROM deliveries JOIN incident_events
       ON incident_events.incident = deliveries.incident AND incident_events.number = deliveries.event
     WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  );
  const [count] = await sql.all(`SELECT COUNT(*) AS count FROM deliveries WHERE ${where}`, values);
  return { deliveries: rows.map(deliveryOf), total: integer(count, "count") };
}

const deliveryOf = (row: Row): DeliveryRow => ({
  id: integer(row, "id"),
  channel: integer(row, "channel"),
  incident: integer(row, "incident"),
  event: integer(row, "event"),
  kind: eventKindOf(row),
  about: subjectKindIn(row, "about"),
  name: text(row, "name"),
  state: deliveryStates.find((state) => state === text(row, "state")) ?? "waiting",
  reason: text(row, "reason"),
  message: text(row, "message"),
  said: text(row, "text"),
  createdAt: epochMillis(integer(row, "created_at")),
  attempts: integer(row, "attempts"),
  letter: optionalInteger(row, "letter"),
  firstTriedAt: optionalInstant(row, "first_tried_at"),
  settledAt: optionalInstant(row, "settled_at"),
  retryAt: optionalInstant(row, "retry_at"),
  saidBefore: row["said_before"] === null ? null : eventKindOf({ kind: row["said_before"] }),
});

async function retry(sql: Sql, id: number, now: EpochMillis): Promise<DeliveryRetry | null> {
  const { forUpdate } = sql.words;
  // The incident before its deliveries, as the judge does: an end that is being written is waited for.
  const ofDelivery = "(SELECT incident FROM deliveries WHERE id = ?)";
  await sql.all(`SELECT number FROM incidents WHERE number = ${ofDelivery}${forUpdate}`, [id]);
  const [row] = await sql.all(`SELECT * FROM deliveries WHERE id = ?${forUpdate}`, [id]);
  if (row === undefined) return null;
  if (!["waiting", "dropped"].includes(text(row, "state"))) return "taken";
  const about = [integer(row, "channel"), integer(row, "incident"), integer(row, "event")] as const;
  const [newer] = await sql.all(
    `SELECT id FROM deliveries
     WHERE channel = ? AND incident = ? AND event > ? AND state IN ('sent', 'accepted') LIMIT 1`,
    about,
  );
  if (newer !== undefined) return "overtaken";
  // With what was dropped after it: an alert alone would stand at a pager though its end is known.
  await sql.run(
    `UPDATE deliveries SET state = 'waiting', reason = '', due_at = ?, retry_at = NULL, settled_at = NULL,
       attempts = 0, first_tried_at = NULL
     WHERE id = ? OR (channel = ? AND incident = ? AND event > ? AND state = 'dropped')`,
    [now, id, ...about],
  );
  await addEnds(sql, about, now);
  await sql.run("UPDATE lanes SET rest_until = 0, is_disabled = 0 WHERE channel = ?", [
    integer(row, "channel"),
  ]);
  return "due";
}

/** An end goes to channels that have something of the incident: one whose alert was dropped was not given it. */
async function addEnds(
  sql: Sql,
  [channel, incident, event]: readonly [number, number, number],
  now: EpochMillis,
): Promise<void> {
  const ends = await sql.all(
    "SELECT number FROM incident_events WHERE incident = ? AND number > ? AND kind IN ('closed', 'settled')",
    [incident, event],
  );
  const added = ends.map((end) => ({ channel, incident, event: integer(end, "number") }));
  await addDeliveries(sql, added, now);
}
