import { downSince } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import type { Queue } from "#service/alerting/queue";
import { heartbeatLostAfter } from "#limits/service-limits";
import { isLive } from "#service/agents/instances";
import { locationId } from "#service/store/ids";
import type { InstanceRow, LocationRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

/**
 * Marks what waits about a location that came back. If its agents have stopped since, no message says that it is back before
 * its incident opens again; if they have nothing more to send, and have checked what was down, its message waits for nothing.
 */
export async function withReturn(
  { state, alerts }: Pick<Store, "state" | "alerts">,
  queues: readonly Queue[],
  now: EpochMillis,
): Promise<readonly Queue[]> {
  const back = queues.filter(isBack).map(({ incident }) => locationId(incident.subject.id));
  if (back.length === 0) return queues;
  const rows = await state.locations.among(back);
  const away = new Set<number>(rows.filter((row) => isAway(row, now)).map(({ id }) => id));
  return Promise.all(
    queues.map(async (queue) => {
      if (!isBack(queue)) return queue;
      const { id } = queue.incident.subject;
      if (away.has(id)) return { ...queue, isAwayAgain: true };
      const { instances } = await state.instances.of(locationId(id));
      const live = instances.filter((one) => isLive(one, now));
      const since = downSince(queue.incident);
      const hasAllSent = live.length > 0 && live.every((one) => hasSent(one, since));
      if (!hasAllSent) return queue;
      const monitors = await state.locations.monitorsOf([locationId(id)]);
      const down = await alerts.incidents.since(monitors, now);
      return down.some(isUnchecked) ? queue : { ...queue, hasAllSent };
    }),
  );
}

/** What was down when the location fell silent, and has not been checked since. */
const isUnchecked = ({ ended, severity, noDataSince, unwatchedSince }: Incident): boolean =>
  ended === null && severity === "error" && noDataSince !== null && unwatchedSince === null;

/** A heartbeat of before says nothing of what was kept after it. */
const hasSent = ({ report }: InstanceRow, since: EpochMillis): boolean =>
  report?.heardAt !== undefined && report.heardAt > since && report.resultsWaiting === 0;

const isBack = ({ incident: { subject, ended } }: Queue): boolean =>
  subject.kind === "location" && ended?.because === "recovered";

/** Its last agent said goodbye, or is silent. One that sends no heartbeats calls seldom. */
const isAway = ({ stoppedAt, lastSeenAt, lastSeenBy }: LocationRow, now: EpochMillis): boolean =>
  stoppedAt !== null ||
  (lastSeenBy === "heartbeat" &&
    lastSeenAt !== null &&
    between(lastSeenAt, now) >= heartbeatLostAfter);
