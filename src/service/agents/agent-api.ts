import type { CallingLocation } from "#service/store/state-store";
import { pathsIn } from "#service/agents/beat-paths";
import { create, type Message } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { codecOf } from "#wire/kinds/codec-table";
import { type Kind, kinds } from "#check/monitor";
import {
  type BatchResult,
  type HeartbeatRequest,
  type HeartbeatResponse,
  HeartbeatResponseSchema,
  type MonitorsRequest,
  Placement as WirePlacement,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/service-limits";
import type { SteadyClock } from "#base/steady-clock";
import type { Placement } from "#check/placement";
import { takesSight } from "#service/agents/agent-sight";
import { auditProof } from "#service/agents/audit-proof";
import type { AgentClocks } from "#service/agents/agent-clocks";
import type { AssignmentAnswers } from "#service/agents/assignment-answers";
import { formatOf } from "#service/edge/call-body";
import { asBatch } from "#service/agents/incoming";
import { ingestBatch, readOrRefused } from "#service/agents/ingest-batch";
import { countOf, reportIn } from "#service/agents/beat-report";
import { callersLocation } from "#service/agents/admission";
import type { Instances } from "#service/agents/instances";
import type { Locations } from "#service/agents/locations";
import { ownBody } from "#service/edge/own-body";
import { Refusal } from "#service/edge/call-refusal";
import { notAssigned, notNow, type Results } from "#service/agents/results";
import { type Share, type Sharing, wholeShare } from "#service/agents/sharing";
import type { Store } from "#service/store/store";
import { epochMillis } from "#base/units";

export interface AgentApi {
  readonly locations: Locations;
  readonly assignments: AssignmentAnswers;
  readonly results: Results;
  readonly instances: Instances;
  readonly sharing: Sharing;
  readonly clocks: AgentClocks;
  readonly clock: SteadyClock;
  readonly store: Store;
}

/**
 * The contract with the agents from the service's side. A heartbeat and a result that is accepted, or was
 * before, are signs of life of the location. So is an empty pull where no agent sends heartbeats. A pull that names its
 * agent is only a sign of the agent that pulls: it has its share from then on.
 */
export function agentApi(router: ConnectRouter, api: AgentApi): void {
  const ingest = async (
    context: HandlerContext,
    result: BatchResult["result"],
  ): Promise<Record<string, never>> => {
    const location = callerIn(context);
    const incoming = readOrRefused(asBatch(result), api.clocks);
    if (incoming instanceof Refusal) throw incoming;
    const [receipt] = await api.results.store(location.id, [incoming]);
    if (receipt?.kind === "unassigned") throw notAssigned(incoming.monitorId);
    if (receipt?.kind === "later") throw notNow(incoming.monitorId);
    await api.locations.seen(location, "call");
    return {};
  };
  router.service(PrivateLocationService, {
    monitors: async (request, context) => {
      const location = callerIn(context);
      const share = await changedShare(api, location, request);
      if (share === null) {
        const { knownRevision: revision } = request;
        return { revision, region: location.name, unchanged: true };
      }
      const format = formatOf(context.requestHeader.get("content-type") ?? "") ?? "binary";
      context.values.set(ownBody, await api.assignments.written(location, request, share, format));
      return {};
    },
    ...plainCalls(ingest),
    ingestBatch: async (request, context) => ingestBatch(api, callerIn(context), request),
    heartbeat: async (request, context) => heartbeat(api, callerIn(context), request),
  } satisfies Omit<ServiceImpl<typeof PrivateLocationService>, `ingest${Uppercase<Kind>}`>);
}

/** The location whose token was let in before the body was read: it is not looked up a second time. */
function callerIn({ values, method }: HandlerContext): CallingLocation {
  const location = values.get(callersLocation);
  if (location === null) throw new Error(`${method.name} was called without a location's token`);
  return location;
}

type Ingest = (
  context: HandlerContext,
  result: BatchResult["result"],
) => Promise<Record<string, never>>;

/** The plain call of each kind. */
const plainCalls = (
  ingest: Ingest,
): Readonly<Record<string, (request: Message, context: HandlerContext) => ReturnType<Ingest>>> =>
  Object.fromEntries(
    kinds.map((kind) => {
      const { call, read } = codecOf(kind).result;
      return [call.localName, (request, context) => ingest(context, read(request))];
    }),
  );

/**
 * What an agent that pulls is to run; null if it knows that already. One that gives no name is given every monitor, as
 * one that does not know of shares.
 */
async function changedShare(
  api: AgentApi,
  location: CallingLocation,
  { instanceId, knownRevision, placement }: MonitorsRequest,
): Promise<Pick<Share, "revision" | "monitorIds"> | null> {
  const revisionKnown = ownRevision(knownRevision);
  const call = {
    leaving: false,
    revision: revisionKnown,
    placement: placementOf(placement),
    impaired: null,
  };
  if (instanceId === "" && knownRevision === "" && placement === WirePlacement.UNSPECIFIED)
    await api.locations.pulled(location);
  const share =
    instanceId === ""
      ? wholeShare(location)
      : (await api.sharing.called(location, { ...call, id: nameOf(instanceId) }, null)).share;
  return knownRevision !== "" && knownRevision === share.revision ? null : share;
}

async function heartbeat(
  api: AgentApi,
  location: CallingLocation,
  request: HeartbeatRequest,
): Promise<HeartbeatResponse> {
  const { leaving } = request;
  const revision = ownRevision(request.revision);
  const id = nameOf(request.instanceId);
  const placement = placementOf(request.placement);
  const sentAt = request.sentAt === 0n ? null : epochMillis(countOf(request.sentAt));
  const now = sentAt === null ? api.clock.wall() : api.clocks.heard(sentAt);
  const report = reportIn(request, now, location.token.hash);
  const impaired = report.conditions.some(takesSight);
  const call = { id, placement, leaving, revision, impaired };
  const { share, live } = await api.sharing.called(location, call, report);
  const paths = pathsIn(request);
  if (paths.length > 0) await api.store.paths.keep(location.id, paths, now);
  if (leaving && live.length === 0) await api.locations.stopped(location);
  else await api.locations.seen(location, "heartbeat");
  return create(HeartbeatResponseSchema, {
    serverTime: BigInt(now),
    locationId: String(location.id),
    locationName: location.name,
    locationMetadata: { ...location.metadata },
    revision: share.revision,
    instanceIndex: live.indexOf(id),
    instanceCount: live.length,
    nextHeartbeatMs: BigInt(
      share.shared ? limits.shareHeartbeatInterval : limits.heartbeatIntervalDefault,
    ),
    audit: await auditProof(api.store.audit, request.auditKnown),
  });
}

function nameOf(instanceId: string): string {
  if (instanceId === "" || instanceId.length > checkLimits.nameCharsMax)
    throw new Refusal(
      "invalid_argument",
      `instance_id must have 1 to ${checkLimits.nameCharsMax} characters`,
    );
  return instanceId;
}

/** What is longer than any revision of ours is none of them. */
const ownRevision = (sent: string): string => (sent.length > checkLimits.nameCharsMax ? "" : sent);

/** An agent that does not say it is an older one: it does not know of shares. */
const placementOf = (placement: WirePlacement): Placement =>
  placement === WirePlacement.SHARE ? "share" : "everywhere";
