import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import {
  type AgentInstanceSchema,
  type PrivateLocation,
  PrivateLocationAdminService,
  PrivateLocationSchema,
  PrivateLocationStatus,
} from "#contract/private_location/v1/private_location_admin_pb";
import { Placement as WirePlacement } from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits";
import type { Placement } from "#check/placement";
import type { Instances, StoredInstance } from "#service/instances";
import type { LocationArguments, Locations, StoredLocation } from "#service/locations";
import type { LocationStatus } from "#service/judge/location-state";
import { pageOf } from "#service/page";
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

/** private_location.v1.PrivateLocationAdminService: what a person or a tool does with private locations. */
export function locationApi(router: ConnectRouter, api: LocationApi): void {
  const { locations, instances } = api;
  const show = (id: string): PrivateLocation =>
    locationMessage(locations.get(id), instances.of(id));
  router.service(PrivateLocationAdminService, {
    createPrivateLocation: ({ name, monitorIds, metadata }) => {
      const { id, token } = locations.create({ name, monitorIds, metadata });
      return { privateLocation: show(id), token };
    },
    getPrivateLocation: ({ id }) => ({ privateLocation: show(id) }),
    listPrivateLocations: (request) => {
      const { limit, offset } = pageOf(request);
      const page = locations.list(limit, offset);
      return {
        privateLocations: page.map((location) => locationMessage(location, [])),
        totalSize: BigInt(locations.count()),
      };
    },
    updatePrivateLocation: (request) => {
      locations.update(request.id, changesOf(request));
      return { privateLocation: show(request.id) };
    },
    deletePrivateLocation: ({ id }) => {
      locations.delete(id);
      return {};
    },
    rotatePrivateLocationToken: ({ id, overlapSeconds }) => {
      const { token, oldValidUntil } = locations.rotateToken(id, overlapOf(overlapSeconds));
      return { token, oldTokenValidUntil: new Date(oldValidUntil).toISOString() };
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
  readonly monitorIds?: { readonly ids: readonly string[] } | undefined;
  readonly metadata?: { readonly labels: Readonly<Record<string, string>> } | undefined;
}

const changesOf = ({ name, monitorIds, metadata }: UpdateRequest): Partial<LocationArguments> => ({
  ...(name === undefined ? {} : { name }),
  ...(monitorIds === undefined ? {} : { monitorIds: monitorIds.ids }),
  ...(metadata === undefined ? {} : { metadata: metadata.labels }),
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
  unknown: PrivateLocationStatus.UNKNOWN,
  active: PrivateLocationStatus.ACTIVE,
  error: PrivateLocationStatus.ERROR,
};

/** Without the token: that is shown once, where it is made. */
function locationMessage(
  location: StoredLocation,
  instances: readonly StoredInstance[],
): PrivateLocation {
  const { id, name, monitorIds, metadata, state, lastSeenAt, createdAt, updatedAt } = location;
  return create(PrivateLocationSchema, {
    id,
    name,
    monitorIds: [...monitorIds],
    metadata: { ...metadata },
    status: statuses[state.status],
    statusMessage: state.message,
    ...(lastSeenAt === null ? {} : { lastSeenAt: new Date(lastSeenAt).toISOString() }),
    monitorCount: BigInt(monitorIds.length),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    instances: instances.map(instanceMessage),
  });
}

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
  lastSeenAt: new Date(lastSeenAt).toISOString(),
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
