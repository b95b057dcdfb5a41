import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type HTTPMonitor,
  HTTPMonitorSchema,
  type OpenTelemetry,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/monitor/v1/monitor_pb";
import {
  type DnsDefinition,
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
  type TcpDefinition,
  tcpDefaults,
} from "#check/definition";
import type { OtelConfig } from "#check/monitor";
import type { StoredMonitor } from "#check/stored-monitor";

/** What somebody asked for; what is left out takes the specification's default. */
export function httpDefinition(monitor: HTTPMonitor): HttpDefinition {
  return {
    ...httpDefaults,
    ...commonOf(monitor),
    url: monitor.url,
    method: monitor.method === "" ? httpDefaults.method : monitor.method,
    body: monitor.body,
    followRedirects: monitor.followRedirects ?? httpDefaults.followRedirects,
    headers: monitor.headers.map(({ key, value }) => ({ key, value })),
    statusCodeAssertions: monitor.statusCodeAssertions.map(({ target, comparator }) => ({
      target: Number(target),
      comparator,
    })),
    bodyAssertions: monitor.bodyAssertions.map(({ target, comparator }) => ({
      target,
      comparator,
    })),
    headerAssertions: monitor.headerAssertions.map(({ key, target, comparator }) => ({
      key,
      target,
      comparator,
    })),
  };
}

export const tcpDefinition = (monitor: TCPMonitor): TcpDefinition => ({
  ...tcpDefaults,
  ...commonOf(monitor),
  uri: monitor.uri,
});

export const dnsDefinition = (monitor: DNSMonitor): DnsDefinition => ({
  ...dnsDefaults,
  ...commonOf(monitor),
  uri: monitor.uri,
  recordAssertions: monitor.recordAssertions.map(({ record, target, comparator }) => ({
    record,
    target,
    comparator,
  })),
});

type Common = Pick<
  HttpDefinition,
  | "name"
  | "periodicity"
  | "timeout"
  | "degradedAt"
  | "retry"
  | "active"
  | "public"
  | "description"
  | "regions"
  | "otel"
>;

function commonOf(monitor: HTTPMonitor | TCPMonitor | DNSMonitor): Common {
  const {
    name,
    periodicity,
    timeout,
    degradedAt,
    retry,
    active,
    description,
    regions,
    openTelemetry,
  } = monitor;
  return {
    name,
    periodicity,
    timeout: timeout === undefined ? tcpDefaults.timeout : Number(timeout),
    degradedAt: degradedAt === undefined ? null : Number(degradedAt),
    retry: retry === undefined ? tcpDefaults.retry : Number(retry),
    active,
    public: monitor.public,
    description,
    // The specification says a set.
    regions: [...new Set(regions)],
    otel: otelOf(openTelemetry),
  };
}

function otelOf(otel: OpenTelemetry | undefined): OtelConfig | null {
  // Headers without an endpoint are a mistake that violationsOf finds.
  if (otel === undefined || (otel.endpoint === "" && otel.headers.length === 0)) return null;
  return {
    endpoint: otel.endpoint,
    headers: otel.headers.map(({ key, value }) => ({ key, value })),
  };
}

/** A stored monitor as the calls show it. */
export type MonitorMessage =
  | { readonly case: "http"; readonly value: HTTPMonitor }
  | { readonly case: "tcp"; readonly value: TCPMonitor }
  | { readonly case: "dns"; readonly value: DNSMonitor };

export function monitorMessage(stored: StoredMonitor): MonitorMessage {
  const { definition } = stored;
  switch (definition.kind) {
    case "http":
      return { case: "http", value: create(HTTPMonitorSchema, httpMessage(stored, definition)) };
    case "tcp":
      return {
        case: "tcp",
        value: create(TCPMonitorSchema, { ...shared(stored), uri: definition.uri }),
      };
    case "dns":
      return {
        case: "dns",
        value: create(DNSMonitorSchema, {
          ...shared(stored),
          uri: definition.uri,
          recordAssertions: definition.recordAssertions.map((one) => ({ ...one })),
        }),
      };
  }
}

function httpMessage(
  stored: StoredMonitor,
  definition: HttpDefinition,
): MessageInitShape<typeof HTTPMonitorSchema> {
  const { url, method, body, followRedirects } = definition;
  return {
    ...shared(stored),
    url,
    method,
    body,
    followRedirects,
    headers: definition.headers.map((one) => ({ ...one })),
    statusCodeAssertions: definition.statusCodeAssertions.map(({ target, comparator }) => ({
      target: BigInt(target),
      comparator,
    })),
    bodyAssertions: definition.bodyAssertions.map((one) => ({ ...one })),
    headerAssertions: definition.headerAssertions.map((one) => ({ ...one })),
  };
}

type Shared = Omit<MessageInitShape<typeof TCPMonitorSchema>, "uri" | "$typeName" | "$unknown">;

function shared({ id, definition, status, createdAt, updatedAt }: StoredMonitor): Shared {
  const { name, periodicity, timeout, degradedAt, retry, active, description, regions, otel } =
    definition;
  return {
    id,
    name,
    periodicity,
    timeout: BigInt(timeout),
    ...(degradedAt === null ? {} : { degradedAt: BigInt(degradedAt) }),
    retry: BigInt(retry),
    active,
    public: definition.public,
    description,
    regions: [...regions],
    ...(otel === null
      ? {}
      : {
          openTelemetry: {
            endpoint: otel.endpoint,
            headers: otel.headers.map((one) => ({ ...one })),
          },
        }),
    status,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
