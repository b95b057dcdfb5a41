import type { Queue } from "#service/alerting/queue";
import { heartbeatLostAfter } from "#limits/service-limits";
import { locationId } from "#service/store/ids";
import type { LocationRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

/**
 * Marks what waits about a location that came back and whose agents have stopped since: before its incident opens again, no
 * message says that it is back.
 */
export async function withAwayAgain(
  { state }: Pick<Store, "state">,
  queues: readonly Queue[],
  now: EpochMillis,
): Promise<readonly Queue[]> {
  const back = queues.filter(isBack).map(({ incident }) => locationId(incident.subject.id));
  if (back.length === 0) return queues;
  const rows = await state.locations.among(back);
  const away = new Set<number>(rows.filter((row) => isAway(row, now)).map(({ id }) => id));
  return queues.map((queue) =>
    isBack(queue) && away.has(queue.incident.subject.id) ? { ...queue, isAwayAgain: true } : queue,
  );
}

const isBack = ({ incident: { subject, ended } }: Queue): boolean =>
  subject.kind === "location" && ended?.because === "recovered";

/** Its last agent said goodbye, or is silent. One that sends no heartbeats calls seldom. */
const isAway = ({ stoppedAt, lastSeenAt, lastSeenBy }: LocationRow, now: EpochMillis): boolean =>
  stoppedAt !== null ||
  (lastSeenBy === "heartbeat" &&
    lastSeenAt !== null &&
    between(lastSeenAt, now) >= heartbeatLostAfter);
