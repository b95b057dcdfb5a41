import type { ServiceImpl } from "@connectrpc/connect";
import type { MonitorService } from "#contract/openstatus/monitor/v1/monitor_pb";
import * as limits from "#limits";
import { refuseViolations } from "#service/call-refusal";
import type { Monitors } from "#service/monitors";
import type { Results, StoredResult } from "#service/results";

export interface ResultApi {
  readonly monitors: Monitors;
  readonly results: Results;
}

type Calls = ServiceImpl<typeof MonitorService>;

/** The results of every kind of monitor, one by one and counted. */
export const resultCalls = ({
  monitors,
  results,
}: ResultApi): Pick<Calls, "listResults" | "summarizeResults"> => ({
  listResults: (request) => ({ results: results.list(filterOf(request)).map(resultMessage) }),
  summarizeResults: ({ privateLocationId }) => ({
    monitors: summaries(monitors, results, privateLocationId),
  }),
});

interface ResultsRequest {
  readonly monitorId: string;
  readonly privateLocationId: string;
  readonly after: bigint;
  readonly limit: number;
}

function filterOf({
  monitorId,
  privateLocationId,
  after,
  limit,
}: ResultsRequest): Parameters<Results["list"]>[0] {
  if (limit < 0 || limit > limits.resultsListMax)
    refuseViolations([
      { field: "limit", message: `must be in 1 to ${limits.resultsListMax}, not ${limit}` },
    ]);
  if (after < 0n) refuseViolations([{ field: "after", message: "must not be below 0" }]);
  return {
    monitorId,
    locationId: privateLocationId,
    after: Number(after),
    limit: limit === 0 ? limits.resultsListDefault : limit,
  };
}

const resultMessage = (result: StoredResult) => ({
  sequence: BigInt(result.sequence),
  id: result.id,
  monitorId: result.monitorId,
  privateLocationId: result.locationId,
  kind: result.kind,
  status: result.status,
  message: result.message,
  latency: BigInt(result.latency),
  startedAt: new Date(result.startedAt).toISOString(),
  slot: new Date(result.slot).toISOString(),
  statusCode: result.statusCode,
  failureCode: result.failureCode,
  failurePhase: result.failurePhase,
  storedAt: new Date(result.storedAt).toISOString(),
});

/** Every monitor that has results, or that is assigned to the location that was asked for. */
function summaries(monitors: Monitors, results: Results, locationId: string) {
  const counts = new Map(results.counts(locationId).map((one) => [one.monitorId, one]));
  const seen = results.lastSeen(locationId);
  return monitors.inLocation(locationId).map(({ id, definition, status }) => {
    const { total = 0, success = 0, degraded = 0, error = 0 } = counts.get(id) ?? {};
    return {
      monitorId: id,
      kind: definition.kind,
      name: definition.name,
      status,
      lastSeenStatus: seen.get(id) ?? "unknown",
      total: BigInt(total),
      success: BigInt(success),
      degraded: BigInt(degraded),
      error: BigInt(error),
    };
  });
}
