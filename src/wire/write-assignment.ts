import { create } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type {
  DnsDefinition,
  HttpDefinition,
  MonitorDefinition,
  TcpDefinition,
  DefinitionOf,
} from "#check/definition";
import {
  attemptFields,
  headerFields,
  httpLists,
  numberFields,
  otelFields,
  recordFields,
  type SentFields,
} from "#wire/monitor-fields";
import type { EpochMillis } from "#base/units";

interface AssignedMonitor {
  readonly id: string;
  readonly definition: MonitorDefinition;
  /** The newest slot that the location has a result of; null if there is none. */
  readonly newestSlot: EpochMillis | null;
}

/** Monitors that an agent is to run, as it receives them. */
export function assignedMonitors(assigned: readonly AssignedMonitor[]): MonitorsResponse {
  return create(MonitorsResponseSchema, {
    httpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "http" ? [{ ...shared(id, definition), ...httpFields(definition) }] : [],
    ),
    tcpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "tcp" ? [{ ...shared(id, definition), ...tcpFields(definition) }] : [],
    ),
    dnsMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "dns" ? [{ ...shared(id, definition), ...dnsFields(definition) }] : [],
    ),
    icmpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "icmp" ? [{ ...shared(id, definition), ...icmpFields(definition) }] : [],
    ),
    grpcMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "grpc" ? [{ ...shared(id, definition), ...grpcFields(definition) }] : [],
    ),
    newestSlots: Object.fromEntries(
      assigned.flatMap(({ id, newestSlot }) =>
        newestSlot === null ? [] : [[id, BigInt(newestSlot)]],
      ),
    ),
  });
}

const shared = (id: string, definition: MonitorDefinition) => ({
  id,
  name: definition.name,
  periodicity: definition.periodicity,
  ...attemptFields(definition),
  ...(definition.otel === null ? {} : { otelConfig: otelFields(definition.otel) }),
});

const httpFields = (definition: HttpDefinition) =>
  ({
    url: definition.url,
    method: definition.method,
    body: definition.body,
    followRedirects: definition.followRedirects,
    ...httpLists(definition),
  }) satisfies SentFields<HttpDefinition>;

const tcpFields = ({ uri }: TcpDefinition) => ({ uri }) satisfies SentFields<TcpDefinition>;

const dnsFields = (definition: DnsDefinition) =>
  ({
    uri: definition.uri,
    recordAssertions: recordFields(definition),
  }) satisfies SentFields<DnsDefinition>;

const icmpFields = (definition: DefinitionOf<"icmp">) =>
  ({
    uri: definition.uri,
    packets: BigInt(definition.packets),
    interval: BigInt(definition.interval),
    lossAssertions: numberFields(definition.lossAssertions),
    latencyAssertions: numberFields(definition.latencyAssertions),
  }) satisfies SentFields<DefinitionOf<"icmp">>;

const grpcFields = ({ uri, service, tlsMode, metadata }: DefinitionOf<"grpc">) =>
  ({
    uri,
    service,
    tlsMode,
    metadata: headerFields(metadata),
  }) satisfies SentFields<DefinitionOf<"grpc">>;
