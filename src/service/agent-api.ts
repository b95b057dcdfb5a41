import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { Clock } from "#clock";
import {
  type BatchResult,
  PrivateLocationService,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits";
import { assignmentMessage } from "#service/assignment-message";
import type { Database } from "#service/database";
import { asBatch, readIncoming } from "#service/incoming";
import { tokenHeader } from "#service/gate";
import type { Instances } from "#service/instances";
import type { AgentLocation, Locations } from "#service/locations";
import type { Monitors } from "#service/monitors";
import { Refusal, shortId } from "#service/refusal";
import type { Results } from "#service/results";

export interface AgentApi {
  readonly database: Database;
  readonly locations: Locations;
  readonly monitors: Monitors;
  readonly results: Results;
  readonly instances: Instances;
  readonly clock: Clock;
}

/**
 * The contract with the agents (wire.md) from the service's side. A heartbeat and a result that is accepted, or was
 * before, are signs of life; a pull alone is not, because an agent that cannot check anything would pull for ever.
 */
export function agentApi(router: ConnectRouter, api: AgentApi): void {
  const located = (context: HandlerContext): AgentLocation =>
    api.locations.authenticate(context.requestHeader.get(tokenHeader));
  const ingest = (
    context: HandlerContext,
    result: BatchResult["result"],
  ): Record<string, never> => {
    const location = located(context);
    api.database.transaction(() => {
      ingestOne(api, location, asBatch(result));
      api.locations.seen(location.id);
    });
    return {};
  };
  router.service(PrivateLocationService, {
    monitors: (request, context) => {
      const location = located(context);
      if (request.knownRevision !== "" && request.knownRevision === location.revision)
        return { revision: location.revision, region: location.name, unchanged: true };
      return assignmentMessage(location, api.monitors.assignedTo(location.id));
    },
    ingestHTTP: (request, context) => ingest(context, { case: "http", value: request }),
    ingestTCP: (request, context) => ingest(context, { case: "tcp", value: request }),
    ingestDNS: (request, context) => ingest(context, { case: "dns", value: request }),
    ingestBatch: ({ results }, context) => {
      const location = located(context);
      if (results.length > limits.ingestBatchMax)
        throw new Refusal(
          "invalid_argument",
          `results has ${results.length} entries, more than ${limits.ingestBatchMax}`,
        );
      return api.database.transaction(() => {
        const receipts = results.map((batch) => receiptOf(api, location, batch));
        if (receipts.some(({ receipt }) => receipt !== Receipt.REJECTED))
          api.locations.seen(location.id);
        return { receipts };
      });
    },
    heartbeat: (request, context) => heartbeat(api, located(context), request),
  });
}

/** The existing service answers 500 for a monitor that it does not know; 404 says that asking again is no use. */
function ingestOne(
  api: AgentApi,
  location: AgentLocation,
  batch: BatchResult,
): "accepted" | "duplicate" {
  const incoming = readIncoming(batch);
  if (!api.locations.hasMonitor(location.id, incoming.monitorId))
    throw new Refusal(
      "not_found",
      `monitor ${shortId(incoming.monitorId)} is not assigned to this location`,
    );
  return api.results.store(location.id, incoming);
}

/** A count that an agent tells; one that no agent can have becomes the nearest that can be stored and shown. */
const countOf = (told: bigint): number =>
  Math.min(Math.max(0, Number(told)), Number.MAX_SAFE_INTEGER);

function receiptOf(
  api: AgentApi,
  location: AgentLocation,
  batch: BatchResult,
): { id: string; receipt: Receipt; reason: string } {
  const id = batch.result.value?.id ?? "";
  try {
    const stored = ingestOne(api, location, batch);
    return {
      id,
      receipt: stored === "accepted" ? Receipt.ACCEPTED : Receipt.DUPLICATE,
      reason: "",
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { id, receipt: Receipt.REJECTED, reason: error.message };
  }
}

interface HeartbeatFields {
  readonly instanceId: string;
  readonly hostname: string;
  readonly node: string;
  readonly agentVersion: string;
  readonly resultsWaiting: bigint;
  readonly missedSlots: bigint;
  readonly resultsGivenUp: bigint;
  readonly resultsRejected: bigint;
}

function heartbeat(api: AgentApi, location: AgentLocation, request: HeartbeatFields): object {
  const { instanceId, hostname, node, agentVersion } = request;
  if (instanceId === "" || instanceId.length > limits.nameCharsMax)
    throw new Refusal(
      "invalid_argument",
      `instance_id must have 1 to ${limits.nameCharsMax} characters`,
    );
  api.database.transaction(() => {
    api.locations.seen(location.id);
    api.instances.heard(location.id, {
      id: instanceId,
      hostname: hostname.slice(0, limits.nameCharsMax),
      node: node.slice(0, limits.nameCharsMax),
      version: agentVersion.slice(0, limits.nameCharsMax),
      resultsWaiting: countOf(request.resultsWaiting),
      missedSlots: countOf(request.missedSlots),
      resultsGivenUp: countOf(request.resultsGivenUp),
      resultsRejected: countOf(request.resultsRejected),
    });
  });
  const live = api.instances.of(location.id).filter((instance) => instance.live);
  return {
    serverTime: BigInt(api.clock.wall()),
    locationId: location.id,
    locationName: location.name,
    locationMetadata: { ...location.metadata },
    revision: location.revision,
    instanceIndex: live.findIndex(({ id }) => id === instanceId),
    instanceCount: live.length,
    nextHeartbeatMs: BigInt(limits.heartbeatIntervalDefault),
  };
}
