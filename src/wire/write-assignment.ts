import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
  NumberComparator,
  RecordComparator,
  StringComparator,
} from "#contract/private_location/v1/private_location_pb";
import type { DnsDefinition, HttpDefinition, TcpDefinition } from "#check/definition";
import type { StoredMonitor } from "#check/stored-monitor";
import type { EpochMillis } from "#units";

/** The monitors of a location that an agent is to run, as it is told of them. */
export function assignmentMessage(
  { name, revision }: { readonly name: string; readonly revision: string },
  monitors: readonly Pick<StoredMonitor, "id" | "definition">[],
  newestSlots: ReadonlyMap<string, EpochMillis>,
): MonitorsResponse {
  const assigned = monitors.map(({ id, definition }) => ({ id, definition }));
  return create(MonitorsResponseSchema, {
    httpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "http" ? [httpMonitor(id, definition)] : [],
    ),
    tcpMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "tcp" ? [{ ...timing(id, definition), uri: definition.uri }] : [],
    ),
    dnsMonitors: assigned.flatMap(({ id, definition }) =>
      definition.kind === "dns" ? [dnsMonitor(id, definition)] : [],
    ),
    region: name,
    revision,
    newestSlots: Object.fromEntries(
      assigned.flatMap(({ id }) => {
        const slot = newestSlots.get(id);
        return slot === undefined ? [] : [[id, BigInt(slot)]];
      }),
    ),
  });
}

function timing(
  id: string,
  {
    name,
    periodicity,
    timeout,
    degradedAt,
    retry,
    otel,
  }: HttpDefinition | TcpDefinition | DnsDefinition,
) {
  return {
    id,
    name,
    periodicity,
    timeout: BigInt(timeout),
    ...(degradedAt === null ? {} : { degradedAt: BigInt(degradedAt) }),
    retry: BigInt(retry),
    ...(otel === null
      ? {}
      : {
          otelConfig: { endpoint: otel.endpoint, headers: otel.headers.map((one) => ({ ...one })) },
        }),
  };
}

type HttpInit = NonNullable<
  MessageInitShape<typeof MonitorsResponseSchema>["httpMonitors"]
>[number];
type DnsInit = NonNullable<MessageInitShape<typeof MonitorsResponseSchema>["dnsMonitors"]>[number];

function httpMonitor(id: string, definition: HttpDefinition): HttpInit {
  const { url, method, body, followRedirects } = definition;
  return {
    ...timing(id, definition),
    url,
    method,
    body,
    followRedirects,
    headers: definition.headers.map((one) => ({ ...one })),
    statusCodeAssertions: definition.statusCodeAssertions.map(({ target, comparator }) => ({
      target: BigInt(target),
      comparator: numberComparators[comparator] ?? NumberComparator.UNSPECIFIED,
    })),
    bodyAssertions: definition.bodyAssertions.map(({ target, comparator }) => ({
      target,
      comparator: stringComparators[comparator] ?? StringComparator.UNSPECIFIED,
    })),
    headerAssertions: definition.headerAssertions.map(({ key, target, comparator }) => ({
      key,
      target,
      comparator: stringComparators[comparator] ?? StringComparator.UNSPECIFIED,
    })),
  };
}

const dnsMonitor = (id: string, definition: DnsDefinition): DnsInit => ({
  ...timing(id, definition),
  uri: definition.uri,
  recordAssertions: definition.recordAssertions.map(({ record, target, comparator }) => ({
    record,
    target,
    comparator: recordComparators[comparator] ?? RecordComparator.UNSPECIFIED,
  })),
});

const numberComparators: Readonly<Record<string, NumberComparator>> = {
  eq: NumberComparator.EQUAL,
  neq: NumberComparator.NOT_EQUAL,
  gt: NumberComparator.GREATER_THAN,
  gte: NumberComparator.GREATER_THAN_OR_EQUAL,
  lt: NumberComparator.LESS_THAN,
  lte: NumberComparator.LESS_THAN_OR_EQUAL,
};

const stringComparators: Readonly<Record<string, StringComparator>> = {
  contains: StringComparator.CONTAINS,
  not_contains: StringComparator.NOT_CONTAINS,
  eq: StringComparator.EQUAL,
  neq: StringComparator.NOT_EQUAL,
  empty: StringComparator.EMPTY,
  not_empty: StringComparator.NOT_EMPTY,
  gt: StringComparator.GREATER_THAN,
  gte: StringComparator.GREATER_THAN_OR_EQUAL,
  lt: StringComparator.LESS_THAN,
  lte: StringComparator.LESS_THAN_OR_EQUAL,
};

const recordComparators: Readonly<Record<string, RecordComparator>> = {
  eq: RecordComparator.EQUAL,
  neq: RecordComparator.NOT_EQUAL,
  contains: RecordComparator.CONTAINS,
  not_contains: RecordComparator.NOT_CONTAINS,
};
