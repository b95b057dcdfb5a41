import { create } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { HttpDefinition, MonitorDefinition } from "#check/definition";
import { attemptFields, httpLists, otelFields, recordFields } from "#wire/monitor-fields";
import type { EpochMillis } from "#base/units";

interface AssignedMonitor {
  readonly id: string;
  readonly definition: MonitorDefinition;
  /** The newest slot that the location has a result of; null where there is none. */
  readonly newestSlot: EpochMillis | null;
}

/** Monitors that an agent is to run, as it receives them. */
export function assignedMonitors(assigned: readonly AssignedMonitor[]): MonitorsResponse {
  return create(MonitorsResponseSchema, {
    httpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "http" ? [httpMonitor(id, definition)] : [],
    ),
    tcpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "tcp" ? [{ ...shared(id, definition), uri: definition.uri }] : [],
    ),
    dnsMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "dns"
        ? [
            {
              ...shared(id, definition),
              uri: definition.uri,
              recordAssertions: recordFields(definition),
            },
          ]
        : [],
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

const httpMonitor = (id: string, definition: HttpDefinition) => ({
  ...shared(id, definition),
  url: definition.url,
  method: definition.method,
  body: definition.body,
  followRedirects: definition.followRedirects,
  ...httpLists(definition),
});
