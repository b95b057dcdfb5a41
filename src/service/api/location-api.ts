import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type AgentInstanceSchema,
  type PrivateLocation,
  PrivateLocationSchema,
  PrivateLocationService,
  PrivateLocationStatus,
  type PrivateLocationSummarySchema,
} from "#contract/openstatus/private_location/v1/private_location_pb";
import {
  type CheckNowAnswer,
  Placement as WirePlacement,
  type VantageConditionSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import type { Placement } from "#check/placement";
import { foresightOf } from "#service/agents/foresight";
import type { Instances, StoredInstance } from "#service/agents/instances";
import type {
  BriefLocation,
  ListedLocation,
  LocationChanges,
  Locations,
  StoredLocation,
} from "#service/agents/locations";
import type { LocationStatus } from "#service/monitors/location-state";
import { seesSecrets } from "#service/agents/admission";
import { pageOf } from "#service/edge/page";
import { timeText } from "#service/monitors/shown-monitor";
import type { Monitors } from "#service/monitors/monitors";
import { Refusal, refuseViolations } from "#service/edge/call-refusal";
import type { Watch } from "#service/api/watch-endpoint";
import type { ReportedCondition } from "#service/store/instance-report";
import { causeMessage } from "#wire/write-cause";
import type { LocationFieldName } from "#service/resources/location-definition";
import type { MessageWith } from "#wire/message-with";
import type { LocationId, MonitorId } from "#service/store/ids";
import { type Millis, seconds } from "#base/units";

export interface LocationApi {
  readonly locations: Locations;
  readonly instances: Instances;
  readonly monitors: Monitors;
  readonly watch: Watch;
}

/** openstatus.private_location.v1.PrivateLocationService: what a person or a tool does with private locations. */
export function locationApi(router: ConnectRouter, api: LocationApi): void {
  const { locations, instances } = api;
  const show = async (id: string, context: HandlerContext): Promise<PrivateLocation> => {
    const stored = await locations.get(id);
    const token = seesSecrets(context) ? await locations.tokens.readable(stored) : "";
    return locationMessage(stored, token, await instances.of(stored.id));
  };
  router.service(PrivateLocationService, {
    createPrivateLocation: async ({ name, monitorIds, metadata }, context) => {
      const { id } = await locations.create({ name, monitorIds, metadata });
      return { privateLocation: await show(id, context) };
    },
    getPrivateLocation: async ({ id }, context) => ({ privateLocation: await show(id, context) }),
    listPrivateLocations: async (request) => {
      const { limit, offset } = pageOf(request);
      const page = await locations.list(limit, offset);
      return {
        privateLocations: page.map(summaryMessage),
        totalSize: await locations.count(),
      };
    },
    updatePrivateLocation: async (request, context) => {
      await locations.update(request.id, changesOf(request));
      const privateLocation = await show(request.id, context);
      return { privateLocation, remarks: await remarksOn(api, request.id) };
    },
    deletePrivateLocation: async ({ id }) => {
      await locations.delete(id);
      return { success: true };
    },
    rotatePrivateLocationToken: ({ id, overlapSeconds }) =>
      rotated(locations, id, overlapOf(overlapSeconds)),
    checkNow: async ({ privateLocationId, monitorId }, { signal }) => {
      const wanted = await checkable(api, privateLocationId, monitorId);
      const answers = await api.watch.checkNow(wanted.location, wanted.monitor, signal);
      return { answers: answers.map(withoutBody) };
    },
  } satisfies ServiceImpl<typeof PrivateLocationService>);
}

/** What a server answered is for people on the pages, and no document for programs has an excerpt of a body. */
function withoutBody({ result, ...answer }: CheckNowAnswer): CheckNowAnswer {
  if (result?.detail === undefined) return result === undefined ? answer : { ...answer, result };
  const { answer: _, ...detail } = result.detail;
  return { ...answer, result: { ...result, detail } };
}

/** Which monitors of a location its agents will refuse; past so many, only that there are more. */
async function remarksOn({ locations, monitors, instances }: LocationApi, id: string) {
  const place = await locations.get(id);
  const foresight = await foresightOf(instances, place);
  const remarks: string[] = [];
  if (foresight === null) return remarks;
  for (const monitor of await locations.monitorsOf([place.id])) {
    const { definition } = await monitors.get(String(monitor));
    remarks.push(...foresight(definition).map((remark) => `${definition.name}: ${remark}`));
    if (remarks.length >= limits.remarksAnsweredMax) break;
  }
  return remarks;
}

async function rotated(locations: Locations, id: string, overlap: Millis) {
  const location = await locations.get(id);
  const { token, oldValidUntil } = await locations.tokens.rotate(location.id, overlap);
  return { token, oldTokenValidUntil: timeText(oldValidUntil) };
}

/** What no agent of the location runs is refused without asking one. */
async function checkable(
  { locations, monitors }: LocationApi,
  id: string,
  monitorId: string,
): Promise<{ readonly location: LocationId; readonly monitor: MonitorId }> {
  const { name, ...location } = await locations.get(id);
  const { definition, ...monitor } = await monitors.get(monitorId);
  if (!monitor.locations.includes(location.id))
    throw new Refusal(
      "failed_precondition",
      `the monitor "${definition.name}" is not assigned to "${name}": assign it first`,
    );
  if (!definition.active)
    throw new Refusal(
      "failed_precondition",
      `the monitor "${definition.name}" is not active: set active to true first`,
    );
  return { location: location.id, monitor: monitor.id };
}

interface UpdateRequest {
  readonly name?: string | undefined;
  readonly monitorIds: readonly string[];
  readonly updateMonitorIds?: boolean | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly updateMetadata?: boolean | undefined;
}

/** A list is replaced where its flag says so, by an empty one too; without the flag it stays. */
const changesOf = (request: UpdateRequest): LocationChanges => ({
  name: request.name ?? null,
  monitorIds: request.updateMonitorIds === true ? request.monitorIds : null,
  metadata: request.updateMetadata === true ? request.metadata : null,
});

function overlapOf(wanted: bigint | undefined): Millis {
  if (wanted === undefined) return limits.tokenOverlapDefault;
  const most = limits.tokenOverlapMax / 1000;
  if (wanted < 0n || wanted > BigInt(most))
    refuseViolations([
      { field: "overlap_seconds", message: `must be in 0 to ${most}, not ${wanted}` },
    ]);
  return seconds(Number(wanted));
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
    monitorIds: location.monitors.map(String),
    instances: instances.map(instanceMessage),
  });
}

/** As lists show it: a token is never in one. */
const summaryMessage = (
  location: ListedLocation,
): MessageInitShape<typeof PrivateLocationSummarySchema> => ({
  ...sharedFields(location),
  monitorCount: location.monitorCount,
});

const sharedFields = ({
  id,
  name,
  metadata,
  state,
  ...location
}: BriefLocation): MessageWith<typeof PrivateLocationSummarySchema, LocationFieldName> => ({
  id: String(id),
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
  report,
}: StoredInstance): MessageInitShape<typeof AgentInstanceSchema> => ({
  id,
  live,
  placement: placements[placement],
  lastSeenAt: timeText(lastSeenAt),
  hostname: report.hostname,
  node: report.node,
  labels: { ...report.labels },
  version: report.version,
  monitorCount: BigInt(report.monitorCount),
  resultsWaiting: BigInt(report.resultsWaiting),
  missedSlots: BigInt(report.missedSlots),
  resultsGivenUp: BigInt(report.resultsGivenUp),
  resultsRejected: BigInt(report.resultsRejected),
  conditions: report.conditions.map(conditionMessage),
  warnings: report.warnings.map(conditionMessage),
  remarks: [...report.remarks],
});

const conditionMessage = ({
  causeId,
  recovering,
  ...cause
}: ReportedCondition): MessageInitShape<typeof VantageConditionSchema> => ({
  cause: causeMessage({ ...cause, id: causeId, certainty: "proven" }),
  recovering,
});
