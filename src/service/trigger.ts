import type { CheckNowAnswer } from "#contract/private_location/v1/private_location_pb";
import { Refusal } from "#service/call-refusal";
import { readIncoming } from "#service/incoming";
import type { Judging } from "#service/judge/judging";
import type { Locations } from "#service/locations";
import type { Monitors } from "#service/monitors";
import type { Results } from "#service/results";
import type { SteadyClock } from "#steady-clock";
import type { Watch } from "#service/watch-endpoint";

export interface Trigger {
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly results: Results;
  readonly judging: Judging;
  readonly watch: Watch;
  readonly clock: SteadyClock;
}

/**
 * Has every connected agent of every location that runs a monitor check it at once, and stores what they answer. True
 * when one of them gave a result; refused where none is connected.
 */
export async function triggerMonitor(
  trigger: Trigger,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { definition, locationIds } = trigger.monitors.get(id);
  if (!definition.active)
    throw new Refusal(
      "failed_precondition",
      `the monitor "${definition.name}" is not active: set active to true first`,
    );
  const connected = locationIds.filter((locationId) => trigger.watch.isConnected(locationId));
  if (connected.length === 0)
    throw new Refusal(
      "failed_precondition",
      "no agent that runs this monitor is connected: start one, with PICKET_WATCH on, where WebSockets pass",
    );
  const stored = await Promise.all(
    connected.map(async (locationId) => {
      const answers = await trigger.watch.checkNow(locationId, id, signal);
      return answers.filter((answer) => store(trigger, locationId, id, answer)).length;
    }),
  );
  return stored.some((count) => count > 0);
}

/** A check that was asked for has no slot: it takes the instant at which it began. */
function store(
  { locations, results, judging, clock }: Trigger,
  locationId: string,
  monitorId: string,
  { result }: CheckNowAnswer,
): boolean {
  // While the check ran, the monitor may have been deleted or taken from the location.
  if (result === undefined || !locations.hasMonitor(locationId, monitorId)) return false;
  const incoming = { ...readIncoming(result, clock.wall()), monitorId };
  results.store(locationId, { ...incoming, slot: incoming.startedAt, trigger: "api" });
  judging.heard(locationId, [monitorId]);
  return true;
}
