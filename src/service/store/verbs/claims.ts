import { unaudited } from "#service/store/audit/audited";
import {
  type HoldReason,
  holdReasons,
  type Queue,
  type WaitingDelivery,
} from "#service/alerting/queue";
import { takeToken } from "#service/alerting/token-bucket";
import * as limits from "#limits/alerts-limits";
import type { Pace } from "#service/notify/provider";
import type {
  AcceptedDelivery,
  Claim,
  Deliveries,
  DeliveryAttempt,
  Settlement,
} from "#service/store/alert-store";
import { allAmong, integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { eventOf, incidentOf, notAboutTrash } from "#service/store/verbs/incident-rows";
import {
  hasLane,
  isDue,
  laneOf,
  recentOf,
  sentTo,
  takeLane,
  writeLane,
  writeRecent,
} from "#service/store/verbs/lane-rows";
import { epochMillis, type EpochMillis, type Millis } from "#base/units";

const ownWork = unaudited("it is the courier's own work");

/** How replicas share the sending: each channel is one replica's at a time. */
export const claims: VerbsOf<
  Pick<Deliveries, "due" | "claim" | "token" | "begin" | "settle" | "release">
> = {
  due: reads("deliveries.due", async (sql, now: EpochMillis) => {
    const wrong = now + limits.deliveryLookMax;
    const rows = await sql.all(
      `SELECT deliveries.channel, MIN(due_at) AS due FROM deliveries
         LEFT JOIN lanes ON lanes.channel = deliveries.channel
       WHERE deliveries.state IN ('waiting', 'accepted') AND ${notAboutTrash} AND ${isDue("due_at")}
         AND (lanes.channel IS NULL OR (held_until <= ${sql.words.now} AND ${isDue("rest_until")}))
       GROUP BY deliveries.channel ORDER BY due, deliveries.channel LIMIT ?`,
      [now, wrong, now, wrong, storeLimits.channelsAtOnce],
    );
    return rows.map((row) => integer(row, "channel"));
  }),
  claim: writes("deliveries.claim", null, ownWork, claim),
  token: writes("deliveries.token", null, ownWork, token),
  begin: writes("deliveries.begin", null, ownWork, begin),
  settle: writes("deliveries.settle", "states", ownWork, settle),
  release: writes(
    "deliveries.release",
    null,
    ownWork,
    async (sql, holder: string, channel: number) => {
      await sql.run(
        "UPDATE lanes SET holder = '', held_until = 0 WHERE channel = ? AND holder = ?",
        [channel, holder],
      );
    },
  ),
};

async function claim(
  sql: Sql,
  holder: string,
  channel: number,
  length: Millis,
): Promise<Claim | null> {
  const lane = await takeLane(sql, holder, channel, length);
  if (lane === null) return null;
  const rows = await sql.all(
    `SELECT deliveries.id, deliveries.state, deliveries.incident, deliveries.event, reason, due_at, attempts,
       first_tried_at, retry_at, receipt, in_doubt, incident_events.number, kind, severity, at, snapshot
     FROM deliveries JOIN incident_events
       ON incident_events.incident = deliveries.incident AND incident_events.number = deliveries.event
     WHERE channel = ? AND state IN ('waiting', 'accepted') AND ${notAboutTrash}
     ORDER BY deliveries.id LIMIT ?`,
    [channel, storeLimits.deliveriesAtOnce],
  );
  const waiting = Map.groupBy(
    rows.filter((row) => text(row, "state") === "waiting"),
    (row) => integer(row, "incident"),
  );
  const numbers = [...waiting.keys()];
  const found = await allAmong(sql, "SELECT * FROM incidents WHERE number IN (*)", [], numbers);
  const sent = await sentTo(sql, channel, numbers);
  return {
    lane: laneOf(lane),
    recent: recentOf(lane),
    queues: found.map((row) => {
      const number = integer(row, "number");
      return {
        ...aboutIncident(row),
        waiting: (waiting.get(number) ?? []).map(waitingOf).toSorted((a, b) => a.event - b.event),
        sent: sent.get(number)?.last ?? null,
        droppedInDoubt: sent.get(number)?.droppedInDoubt ?? [],
      };
    }),
    references: new Map([...sent].map(([number, { reference }]) => [number, reference])),
    accepted: rows.filter((row) => text(row, "state") === "accepted").map(acceptedOf),
  };
}

const aboutIncident = (row: Row): Pick<Queue, "incident" | "cause"> => ({
  incident: incidentOf(row),
  cause: text(row, "cause"),
});

function waitingOf(row: Row): WaitingDelivery {
  const { kind, severity, at, snapshot } = eventOf(row);
  const held: HoldReason | undefined = holdReasons.find((one) => one === text(row, "reason"));
  return {
    id: integer(row, "id"),
    event: integer(row, "event"),
    kind,
    severity,
    at,
    snapshot,
    attempts: integer(row, "attempts"),
    firstTriedAt: optionalInstant(row, "first_tried_at"),
    retryAt: optionalInstant(row, "retry_at"),
    held: held ?? null,
    isInDoubt: integer(row, "in_doubt") > 0,
  };
}

const acceptedOf = (row: Row): AcceptedDelivery => ({
  id: integer(row, "id"),
  receipt: text(row, "receipt"),
  askAt: epochMillis(integer(row, "due_at")),
});

async function token(
  sql: Sql,
  key: string,
  pace: Pace,
  now: EpochMillis,
): Promise<EpochMillis | null> {
  await sql.run("INSERT INTO paces (key, full_at) VALUES (?, 0) ON CONFLICT DO NOTHING", [key]);
  const select = `SELECT full_at FROM paces WHERE key = ?${sql.words.forUpdate}`;
  const [row] = await sql.all(select, [key]);
  const { fullAt, waitsUntil } = takeToken(epochMillis(integer(row, "full_at")), pace, now);
  if (waitsUntil !== null) return waitsUntil;
  await sql.run("UPDATE paces SET full_at = ? WHERE key = ?", [fullAt, key]);
  return null;
}

async function begin(
  sql: Sql,
  holder: string,
  channel: number,
  ids: readonly number[],
  said: string,
): Promise<boolean> {
  if (!(await hasLane(sql, holder, channel))) return false;
  const [first] = ids;
  if (first !== undefined)
    await sql.run("UPDATE deliveries SET said = ? WHERE id = ? AND state = 'waiting'", [
      said,
      first,
    ]);
  for (const id of ids)
    await sql.run(
      "UPDATE deliveries SET in_doubt = in_doubt + 1 WHERE id = ? AND state = 'waiting'",
      [id],
    );
  return true;
}

async function settle(sql: Sql, holder: string, settlement: Settlement): Promise<boolean> {
  const { channel, now } = settlement;
  const held = await hasLane(sql, holder, channel);
  // What was sent was sent, whoever has the channel now.
  for (const attempt of settlement.attempted)
    for (const id of attempt.ids) await settleOne(sql, id, attempt, now);
  if (!held) return false;
  await keepLook(sql, settlement);
  return true;
}

/** Those that are settled already stay as they are. */
async function settleOne(
  sql: Sql,
  id: number,
  { ids, triedAt, fate }: DeliveryAttempt,
  now: EpochMillis,
): Promise<void> {
  const common = [triedAt, ids[0] ?? id, ids.length] as const;
  const open = "WHERE id = ? AND state IN ('waiting', 'accepted')";
  const tried =
    "attempts = attempts + 1, first_tried_at = COALESCE(first_tried_at, ?), letter = ?, together = ?";
  switch (fate.is) {
    case "sent":
      await sql.run(
        `UPDATE deliveries SET ${tried}, state = 'sent', reason = '', message = '', settled_at = ?,
           reference = CASE ? WHEN '' THEN reference ELSE ? END ${open}`,
        [...common, now, fate.reference ?? "", fate.reference ?? "", id],
      );
      break;
    case "accepted":
      await sql.run(
        `UPDATE deliveries SET ${tried}, state = 'accepted', reason = '', settled_at = ?, reference = ?,
           receipt = ?, due_at = ? ${open}`,
        [...common, now, fate.reference ?? "", fate.receipt, fate.askAt, id],
      );
      break;
    case "waiting":
      await sql.run(
        `UPDATE deliveries SET ${tried}, state = 'waiting', reason = 'retry', message = ?, retry_at = ?, due_at = ?,
           ${doubt} ${open}`,
        [...common, fate.message, fate.retryAt, fate.retryAt, ...certain(fate), id],
      );
      break;
    case "dropped":
      await sql.run(
        `UPDATE deliveries SET ${tried}, state = 'dropped', reason = ?, message = ?, settled_at = ?, ${doubt} ${open}`,
        [...common, fate.reason, fate.message, now, ...certain(fate), id],
      );
      break;
  }
}

const doubt = "in_doubt = CASE WHEN in_doubt < ? THEN 0 ELSE in_doubt - ? END";
/** What an attempt that certainly came to nothing takes away from those in doubt; twice, as the statement asks for it. */
const certain = ({ isInDoubt }: { readonly isInDoubt: boolean }): readonly [number, number] =>
  isInDoubt ? [0, 0] : [1, 1];

async function keepLook(sql: Sql, settlement: Settlement): Promise<void> {
  const { channel, now, lane, recent } = settlement;
  for (const { id, reason } of settlement.dropped)
    await sql.run(
      "UPDATE deliveries SET state = 'dropped', reason = ?, settled_at = ? WHERE id = ? AND state = 'waiting'",
      [reason, now, id],
    );
  for (const { id, reason, dueAt } of settlement.held)
    await sql.run(
      "UPDATE deliveries SET reason = ?, due_at = ? WHERE id = ? AND state = 'waiting'",
      [reason, dueAt, id],
    );
  if (lane !== null) {
    const [before] = await sql.all("SELECT failures FROM lanes WHERE channel = ?", [channel]);
    await writeLane(sql, channel, lane);
    // It takes messages again: what waits for a later attempt need not.
    if (integer(before, "failures") > 1 && lane.failures === 0)
      await sql.run(
        "UPDATE deliveries SET due_at = ?, retry_at = NULL WHERE channel = ? AND state = 'waiting' AND reason = 'retry'",
        [now, channel],
      );
  }
  if (recent !== null) await writeRecent(sql, channel, recent);
}
