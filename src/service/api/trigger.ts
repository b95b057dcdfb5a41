import type { CheckNowAnswer } from "#contract/private_location/v1/private_location_pb";
import { Refusal } from "#service/edge/call-refusal";
import { arrivalBounds } from "#service/agents/agent-clocks";
import { type IncomingResult, readIncoming } from "#service/agents/incoming";
import type { Monitors } from "#service/monitors/monitors";
import type { Results } from "#service/agents/results";
import type { SteadyClock } from "#base/steady-clock";
import type { Watch } from "#service/api/watch-endpoint";
import type { LocationId, MonitorId } from "#service/store/ids";

export interface Trigger {
  readonly monitors: Monitors;
  readonly results: Results;
  readonly watch: Watch;
  readonly clock: SteadyClock;
}

/**
 * Has every connected agent of every location that runs a monitor check it at once, and stores what they answer. True
 * when one of them gave a result; refused if none is connected.
 */
export async function triggerMonitor(
  trigger: Trigger,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { id: monitor, definition, locations } = await trigger.monitors.get(id);
  if (!definition.active)
    throw new Refusal(
      "failed_precondition",
      `the monitor "${definition.name}" is not active: set active to true first`,
    );
  const connected = locations.filter((location) => trigger.watch.isConnected(location));
  if (connected.length === 0)
    throw new Refusal(
      "failed_precondition",
      "no agent that runs this monitor is connected: start one, with PICKET_WATCH on, in a network that lets WebSockets pass",
    );
  const stored = await Promise.all(
    connected.map(async (location) => {
      const answers = await trigger.watch.checkNow(location, monitor, signal);
      return store(trigger, location, monitor, answers);
    }),
  );
  return stored.some((count) => count > 0);
}

/** A check that was asked for has no slot: it takes the instant at which it began. Gives how many are stored. */
async function store(
  { results, clock }: Trigger,
  location: LocationId,
  monitor: MonitorId,
  answers: readonly CheckNowAnswer[],
): Promise<number> {
  const incoming = answers.flatMap(({ result }): IncomingResult[] => {
    if (result === undefined) return [];
    const read = readIncoming(result, arrivalBounds(clock));
    return [{ ...read, monitorId: String(monitor), slot: read.startedAt, trigger: "api" }];
  });
  const receipts = await results.store(location, incoming);
  // While the check ran, the monitor may have been deleted or taken from the location.
  return receipts.filter(({ kind }) => kind !== "unassigned").length;
}
