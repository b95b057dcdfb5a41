import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import {
  type AgentInstanceSchema,
  type PrivateLocation,
  PrivateLocationSchema,
  PrivateLocationService,
  PrivateLocationStatus,
  type PrivateLocationSummarySchema,
} from "#contract/openstatus/private_location/v1/private_location_pb";
import { Placement as WirePlacement } from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits";
import type { Placement } from "#check/placement";
import type { Instances, StoredInstance } from "#service/instances";
import type { LocationArguments, Locations, StoredLocation } from "#service/locations";
import type { LocationStatus } from "#service/judge/location-state";
import { seesSecrets } from "#service/admission";
import { pageOf } from "#service/page";
import { timeText } from "#service/shown-monitor";
import type { Monitors } from "#service/monitors";
import { Refusal, refuseViolations } from "#service/call-refusal";
import type { Watch } from "#service/watch-endpoint";
import { type Millis, seconds } from "#units";

export interface LocationApi {
  readonly locations: Locations;
  readonly instances: Instances;
  readonly monitors: Monitors;
  readonly watch: Watch;
}

/** openstatus.private_location.v1.PrivateLocationService: what a person or a tool does with private locations. */
export function locationApi(router: ConnectRouter, api: LocationApi): void {
  const { locations, instances } = api;
  const show = (id: string, context: HandlerContext): PrivateLocation => {
    const stored = locations.get(id);
    const token = seesSecrets(context) ? locations.tokens.readable(id) : "";
    return locationMessage(stored, token, instances.of(id));
  };
  router.service(PrivateLocationService, {
    createPrivateLocation: ({ name, monitorIds, metadata }, context) => {
      const { id } = locations.create({ name, monitorIds, metadata });
      return { privateLocation: show(id, context) };
    },
    getPrivateLocation: ({ id }, context) => ({ privateLocation: show(id, context) }),
    listPrivateLocations: (request) => {
      const { limit, offset } = pageOf(request);
      const page = locations.list(limit, offset);
      return {
        privateLocations: page.map(summaryMessage),
        totalSize: locations.count(),
      };
    },
    updatePrivateLocation: (request, context) => {
      locations.update(request.id, changesOf(request));
      return { privateLocation: show(request.id, context) };
    },
    deletePrivateLocation: ({ id }) => {
      locations.delete(id);
      return { success: true };
    },
    rotatePrivateLocationToken: ({ id, overlapSeconds }) => {
      // Refuses a location that is not there.
      locations.get(id);
      const { token, oldValidUntil } = locations.tokens.rotate(id, overlapOf(overlapSeconds));
      return { token, oldTokenValidUntil: timeText(oldValidUntil) };
    },
    checkNow: async ({ privateLocationId, monitorId }, { signal }) => {
      refuseCheck(api, privateLocationId, monitorId);
      return { answers: [...(await api.watch.checkNow(privateLocationId, monitorId, signal))] };
    },
  });
}

/** What no agent of the location runs is refused without asking one. */
function refuseCheck({ locations, monitors }: LocationApi, id: string, monitorId: string): void {
  const { name } = locations.get(id);
  const { definition } = monitors.get(monitorId);
  if (!locations.hasMonitor(id, monitorId))
    throw new Refusal(
      "failed_precondition",
      `the monitor "${definition.name}" is not assigned to "${name}": assign it first`,
    );
  if (!definition.active)
    throw new Refusal(
      "failed_precondition",
      `the monitor "${definition.name}" is not active: set active to true first`,
    );
}

interface UpdateRequest {
  readonly name?: string | undefined;
  readonly monitorIds: readonly string[];
  readonly updateMonitorIds?: boolean | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly updateMetadata?: boolean | undefined;
}

/** A list is replaced where its flag says so, by an empty one too; without the flag it stays. */
const changesOf = (request: UpdateRequest): Partial<LocationArguments> => ({
  ...(request.name === undefined ? {} : { name: request.name }),
  ...(request.updateMonitorIds === true ? { monitorIds: request.monitorIds } : {}),
  ...(request.updateMetadata === true ? { metadata: request.metadata } : {}),
});

function overlapOf(asked: bigint | undefined): Millis {
  if (asked === undefined) return limits.tokenOverlapDefault;
  const most = limits.tokenOverlapMax / 1000;
  if (asked < 0n || asked > BigInt(most))
    refuseViolations([
      { field: "overlap_seconds", message: `must be in 0 to ${most}, not ${asked}` },
    ]);
  return seconds(Number(asked));
}

const statuses: { readonly [S in LocationStatus]: PrivateLocationStatus } = {
  unknown: PrivateLocationStatus.UNSPECIFIED,
  active: PrivateLocationStatus.ACTIVE,
  error: PrivateLocationStatus.ERROR,
};

function locationMessage(
  location: StoredLocation,
  token: string,
  instances: readonly StoredInstance[],
): PrivateLocation {
  return create(PrivateLocationSchema, {
    ...sharedFields(location),
    token,
    monitorIds: [...location.monitorIds],
    instances: instances.map(instanceMessage),
  });
}

/** As lists show it: a token is never in one. */
const summaryMessage = (
  location: StoredLocation,
): MessageInitShape<typeof PrivateLocationSummarySchema> => ({
  ...sharedFields(location),
  monitorCount: location.monitorIds.length,
});

const sharedFields = ({ id, name, metadata, state, ...location }: StoredLocation) => ({
  id,
  name,
  metadata: { ...metadata },
  status: statuses[state.status],
  statusMessage: state.message,
  lastSeenAt: timeText(location.lastSeenAt),
  createdAt: timeText(location.createdAt),
  updatedAt: timeText(location.updatedAt),
});

const placements: { readonly [P in Placement]: WirePlacement } = {
  share: WirePlacement.SHARE,
  everywhere: WirePlacement.EVERYWHERE,
};

const instanceMessage = ({
  id,
  placement,
  lastSeenAt,
  live,
  told,
}: StoredInstance): MessageInitShape<typeof AgentInstanceSchema> => ({
  id,
  live,
  placement: placements[placement],
  lastSeenAt: timeText(lastSeenAt),
  hostname: told.hostname,
  node: told.node,
  labels: { ...told.labels },
  version: told.version,
  monitorCount: BigInt(told.monitorCount),
  resultsWaiting: BigInt(told.resultsWaiting),
  missedSlots: BigInt(told.missedSlots),
  resultsGivenUp: BigInt(told.resultsGivenUp),
  resultsRejected: BigInt(told.resultsRejected),
});
