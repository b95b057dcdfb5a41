import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import {
  type BatchResult,
  type HeartbeatRequest,
  type HeartbeatResponse,
  HeartbeatResponseSchema,
  type MonitorsRequest,
  type MonitorsResponse,
  MonitorsResponseSchema,
  Placement as WirePlacement,
  PrivateLocationService,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits";
import type { SteadyClock } from "#steady-clock";
import type { Placement } from "#check/placement";
import { assignmentMessage } from "#wire/write-assignment";
import type { Database } from "#service/database";
import { asBatch, readIncoming } from "#service/incoming";
import { tokenIn } from "#service/admission";
import type { Instances, ToldOfItself } from "#service/instances";
import type { Judging } from "#service/judge/judging";
import type { AgentLocation, Locations } from "#service/locations";
import type { Monitors } from "#service/monitors";
import { Refusal, shortId } from "#service/call-refusal";
import type { Results } from "#service/results";
import { type Sharing, wholeShare } from "#service/sharing";

export interface AgentApi {
  readonly database: Database;
  readonly locations: Locations;
  readonly monitors: Monitors;
  readonly results: Results;
  readonly instances: Instances;
  readonly sharing: Sharing;
  readonly judging: Judging;
  readonly clock: SteadyClock;
}

/**
 * The contract with the agents (wire.md) from the service's side. A heartbeat and a result that is accepted, or was
 * before, are signs of life of the location. So is an empty pull where no agent sends heartbeats. A pull that names its
 * agent is only a sign of the agent that pulls: it has its share from then on.
 */
export function agentApi(router: ConnectRouter, api: AgentApi): void {
  const located = (context: HandlerContext): AgentLocation =>
    api.locations.authenticate(tokenIn(context.requestHeader));
  const ingest = (
    context: HandlerContext,
    result: BatchResult["result"],
  ): Record<string, never> => {
    const location = located(context);
    api.database.transaction(() => {
      const batch = asBatch(result);
      ingestOne(api, location, batch);
      api.locations.seen(location.id, "call");
      api.judging.heard(location.id, [batch.result.value?.monitorId ?? ""]);
    });
    return {};
  };
  router.service(PrivateLocationService, {
    monitors: (request, context) => assignment(api, located(context), request),
    ingestHTTP: (request, context) => ingest(context, { case: "http", value: request }),
    ingestTCP: (request, context) => ingest(context, { case: "tcp", value: request }),
    ingestDNS: (request, context) => ingest(context, { case: "dns", value: request }),
    ingestBatch: ({ instanceId, results }, context) => {
      const location = located(context);
      if (results.length > limits.ingestBatchMax)
        throw new Refusal(
          "invalid_argument",
          `results has ${results.length} entries, more than ${limits.ingestBatchMax}`,
        );
      return api.database.transaction(() => {
        const receipts = results.map((batch) => receiptOf(api, location, batch));
        const known = results.filter((_, index) => receipts[index]?.receipt !== Receipt.REJECTED);
        if (known.length > 0) {
          if (api.instances.hasLeft(location.id, instanceId))
            api.locations.seenLeaving(location.id);
          else api.locations.seen(location.id, "heartbeat");
          api.judging.heard(
            location.id,
            known.map(({ result }) => result.value?.monitorId ?? ""),
          );
        }
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
  const incoming = readIncoming(batch, api.clock.latest);
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

/** An agent that gives no name is given every monitor, as one that does not know of shares. */
function assignment(
  api: AgentApi,
  location: AgentLocation,
  { instanceId, knownRevision, placement }: MonitorsRequest,
): MonitorsResponse {
  const told = { leaving: false, revision: ownRevision(knownRevision) };
  const call = { ...told, placement: placementOf(placement) };
  if (instanceId === "" && knownRevision === "" && placement === WirePlacement.UNSPECIFIED) {
    api.locations.pulled(location.id);
    api.judging.heard(location.id, []);
  }
  const { revision, holds } =
    instanceId === ""
      ? wholeShare(location)
      : api.database.transaction(() =>
          api.sharing.called(location, { ...call, id: nameOf(instanceId) }),
        );
  if (knownRevision !== "" && knownRevision === revision)
    return create(MonitorsResponseSchema, { revision, region: location.name, unchanged: true });
  return assignmentMessage(
    { name: location.name, revision },
    api.monitors.assignedTo(location.id).filter(({ id }) => holds(id)),
    api.results.newestSlots(location.id),
  );
}

function heartbeat(
  api: AgentApi,
  location: AgentLocation,
  request: HeartbeatRequest,
): HeartbeatResponse {
  const { leaving } = request;
  const revision = ownRevision(request.revision);
  const id = nameOf(request.instanceId);
  const placement = placementOf(request.placement);
  const share = api.database.transaction(() => {
    const given = api.sharing.called(location, { id, placement, leaving, revision });
    api.instances.told(location.id, id, toldBy(request));
    const isLast = leaving && !api.instances.of(location.id).some(({ live }) => live);
    if (isLast) api.locations.stopped(location.id);
    else api.locations.seen(location.id, "heartbeat");
    api.judging.heard(location.id, []);
    return given;
  });
  const live = api.instances.of(location.id).filter((instance) => instance.live);
  return create(HeartbeatResponseSchema, {
    serverTime: BigInt(api.clock.wall()),
    locationId: location.id,
    locationName: location.name,
    locationMetadata: { ...location.metadata },
    revision: share.revision,
    instanceIndex: live.findIndex((one) => one.id === id),
    instanceCount: live.length,
    nextHeartbeatMs: BigInt(
      share.shared ? limits.shareHeartbeatInterval : limits.heartbeatIntervalDefault,
    ),
  });
}

function nameOf(instanceId: string): string {
  if (instanceId === "" || instanceId.length > limits.nameCharsMax)
    throw new Refusal(
      "invalid_argument",
      `instance_id must have 1 to ${limits.nameCharsMax} characters`,
    );
  return instanceId;
}

/** What is longer than any revision of ours is none of them. */
const ownRevision = (told: string): string => (told.length > limits.nameCharsMax ? "" : told);

/** An agent that does not say it is an older one: it does not know of shares. */
const placementOf = (placement: WirePlacement): Placement =>
  placement === WirePlacement.SHARE ? "share" : "everywhere";

const toldBy = (request: HeartbeatRequest): ToldOfItself => ({
  hostname: request.hostname.slice(0, limits.nameCharsMax),
  node: request.node.slice(0, limits.nameCharsMax),
  labels: Object.fromEntries(
    Object.entries(request.labels)
      .slice(0, limits.metadataLabelsMax)
      .map(([label, value]) => [
        label.slice(0, limits.nameCharsMax),
        value.slice(0, limits.descriptionCharsMax),
      ]),
  ),
  version: request.agentVersion.slice(0, limits.nameCharsMax),
  monitorCount: countOf(request.monitorCount),
  resultsWaiting: countOf(request.resultsWaiting),
  missedSlots: countOf(request.missedSlots),
  resultsGivenUp: countOf(request.resultsGivenUp),
  resultsRejected: countOf(request.resultsRejected),
});
