import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DNSMonitor,
  DNSMonitorSchema,
  GRPCMonitor,
  GRPCMonitorSchema,
  HTTPMonitor,
  HTTPMonitorSchema,
  ICMPMonitor,
  ICMPMonitorSchema,
  TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  type CommonFields,
  type DnsDefinition,
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
  type MonitorDefinition,
  type TcpDefinition,
  tcpDefaults,
  type DefinitionOf,
} from "#check/definition";
import { grpcTlsModes } from "#check/kinds/grpc/grpc-monitor";
import { kindTable } from "#check/kinds/kind-table";
import type { OtelConfig } from "#check/monitor";
import { regionOf, regions } from "#check/regions";
import {
  methodWords,
  numberOf,
  periodicityNumber,
  periodicityWord,
  wordOf,
} from "#wire/enum-words";
import {
  attemptFields,
  headerFields,
  httpLists,
  numberFields,
  otelFields,
  policyFields,
  readHttpLists,
  readNumbers,
  readPolicy,
  readRecords,
  recordFields,
  type SentFields,
} from "#wire/monitor-fields";

/** What a service says of a monitor and no request does. */
export const readOnlyFields: ReadonlySet<string> = new Set([
  "id",
  "status",
  "private_location_ids",
  "created_at",
  "updated_at",
  "last_checked_at",
]);

/** The arguments of a definition, as the management calls carry them. */
type MonitorArguments =
  | { readonly kind: "http"; readonly fields: MessageInitShape<typeof HTTPMonitorSchema> }
  | { readonly kind: "tcp"; readonly fields: MessageInitShape<typeof TCPMonitorSchema> }
  | { readonly kind: "dns"; readonly fields: MessageInitShape<typeof DNSMonitorSchema> }
  | { readonly kind: "icmp"; readonly fields: MessageInitShape<typeof ICMPMonitorSchema> }
  | { readonly kind: "grpc"; readonly fields: MessageInitShape<typeof GRPCMonitorSchema> };

export function monitorArguments(definition: MonitorDefinition): MonitorArguments {
  switch (definition.kind) {
    case "http":
      return { kind: "http", fields: httpFields(definition) };
    case "tcp":
      return { kind: "tcp", fields: { ...sharedFields(definition), uri: definition.uri } };
    case "dns":
      return {
        kind: "dns",
        fields: {
          ...sharedFields(definition),
          uri: definition.uri,
          recordAssertions: recordFields(definition),
        },
      };
    case "icmp":
      return { kind: "icmp", fields: icmpFields(definition) };
    case "grpc":
      return { kind: "grpc", fields: grpcFields(definition) };
  }
}

const icmpFields = (definition: DefinitionOf<"icmp">) =>
  ({
    ...sharedFields(definition),
    uri: definition.uri,
    packets: BigInt(definition.packets),
    interval: BigInt(definition.interval),
    lossAssertions: numberFields(definition.lossAssertions),
    latencyAssertions: numberFields(definition.latencyAssertions),
  }) satisfies SentFields<DefinitionOf<"icmp">>;

const grpcFields = (definition: DefinitionOf<"grpc">) =>
  ({
    ...sharedFields(definition),
    uri: definition.uri,
    service: definition.service,
    tlsMode: numberOf(grpcTlsModes, definition.tlsMode),
    metadata: headerFields(definition.metadata),
  }) satisfies SentFields<DefinitionOf<"grpc">>;

const httpFields = (definition: HttpDefinition) =>
  ({
    ...sharedFields(definition),
    url: definition.url,
    method: numberOf(methodWords, definition.method.toUpperCase()),
    body: definition.body,
    followRedirects: definition.followRedirects,
    ...httpLists(definition),
  }) satisfies SentFields<HttpDefinition>;

const sharedFields = (definition: MonitorDefinition) => ({
  name: definition.name,
  periodicity: periodicityNumber(definition.periodicity),
  ...attemptFields(definition),
  active: definition.active,
  public: definition.public,
  description: definition.description,
  regions: definition.regions.map((word) => numberOf(regions, regionOf(word) ?? "")),
  ...(definition.otel === null ? {} : { openTelemetry: otelFields(definition.otel) }),
  ...(definition.alerting === null ? {} : { alerting: policyFields(definition.alerting) }),
  labels: { ...definition.labels },
});

/** Which fields are set exactly as given, the empty ones included. */
export type Mask = ReadonlySet<string>;
const noMask: Mask = new Set();

/**
 * A definition after a request: what is left out, or is an empty list, stays as it was, unless the mask names it; then
 * it takes the specification's default. A new monitor begins with the defaults.
 */
export function mergedHttp(
  monitor: HTTPMonitor,
  mask: Mask = noMask,
  before: HttpDefinition = httpDefaults,
): HttpDefinition {
  const take = taking(mask, before, httpDefaults);
  const lists = readHttpLists(monitor);
  return {
    ...mergedShared(monitor, mask, before),
    kind: "http",
    url: take("url", "url", someText(monitor.url)),
    method: take("method", "method", methodOf(monitor.method)),
    body: take("body", "body", someText(monitor.body)),
    followRedirects: take("followRedirects", "follow_redirects", monitor.followRedirects),
    headers: take("headers", "headers", some(lists.headers)),
    statusCodeAssertions: take(
      "statusCodeAssertions",
      "status_code_assertions",
      some(lists.statusCodeAssertions),
    ),
    bodyAssertions: take("bodyAssertions", "body_assertions", some(lists.bodyAssertions)),
    headerAssertions: take("headerAssertions", "header_assertions", some(lists.headerAssertions)),
    jsonAssertions: take("jsonAssertions", "json_assertions", some(lists.jsonAssertions)),
  };
}

export function mergedTcp(
  monitor: TCPMonitor,
  mask: Mask = noMask,
  before: TcpDefinition = tcpDefaults,
): TcpDefinition {
  const take = taking(mask, before, tcpDefaults);
  const uri = take("uri", "uri", someText(monitor.uri));
  return { ...mergedShared(monitor, mask, before), kind: "tcp", uri };
}

export function mergedDns(
  monitor: DNSMonitor,
  mask: Mask = noMask,
  before: DnsDefinition = dnsDefaults,
): DnsDefinition {
  const take = taking(mask, before, dnsDefaults);
  return {
    ...mergedShared(monitor, mask, before),
    kind: "dns",
    uri: take("uri", "uri", someText(monitor.uri)),
    recordAssertions: take(
      "recordAssertions",
      "record_assertions",
      some(readRecords(monitor.recordAssertions)),
    ),
  };
}

export function mergedIcmp(
  monitor: ICMPMonitor,
  mask: Mask = noMask,
  before: DefinitionOf<"icmp"> = kindTable.icmp.defaults,
): DefinitionOf<"icmp"> {
  const take = taking(mask, before, kindTable.icmp.defaults);
  const numbers = (rows: ICMPMonitor["lossAssertions"]) => some(readNumbers(rows));
  return {
    ...mergedShared(monitor, mask, before),
    kind: "icmp",
    uri: take("uri", "uri", someText(monitor.uri)),
    packets: take("packets", "packets", someNumber(monitor.packets)),
    interval: take("interval", "interval", someNumber(monitor.interval)),
    lossAssertions: take("lossAssertions", "loss_assertions", numbers(monitor.lossAssertions)),
    latencyAssertions: take(
      "latencyAssertions",
      "latency_assertions",
      numbers(monitor.latencyAssertions),
    ),
  };
}

export function mergedGrpc(
  monitor: GRPCMonitor,
  mask: Mask = noMask,
  before: DefinitionOf<"grpc"> = kindTable.grpc.defaults,
): DefinitionOf<"grpc"> {
  const take = taking(mask, before, kindTable.grpc.defaults);
  return {
    ...mergedShared(monitor, mask, before),
    kind: "grpc",
    uri: take("uri", "uri", someText(monitor.uri)),
    service: take("service", "service", monitor.service),
    tlsMode: take("tlsMode", "tls_mode", tlsModeOf(monitor.tlsMode ?? 0)),
    metadata: take("metadata", "metadata", some(headerFields(monitor.metadata))),
  };
}

const tlsModeOf = (mode: number): string | undefined =>
  mode === 0 ? undefined : wordOf(grpcTlsModes, mode, "TLS mode");

function mergedShared(monitor: AnyMonitor, mask: Mask, before: CommonFields): CommonFields {
  const take = taking(mask, before, tcpDefaults);
  return {
    name: take("name", "name", someText(monitor.name)),
    periodicity: take("periodicity", "periodicity", someText(periodicityWord(monitor.periodicity))),
    timeout: take("timeout", "timeout", someNumber(monitor.timeout)),
    degradedAt: take("degradedAt", "degraded_at", someNumber(monitor.degradedAt)),
    retry: take("retry", "retry", someNumber(monitor.retry)),
    active: take("active", "active", monitor.active),
    public: take("public", "public", monitor.public),
    description: take("description", "description", monitor.description),
    // The specification says a set.
    regions: take("regions", "regions", some(regionWords(monitor.regions))),
    otel: take("otel", "open_telemetry", otelOf(monitor)),
    alerting: take("alerting", "alerting", readPolicy(monitor.alerting)),
    labels: take("labels", "labels", someLabels(monitor.labels)),
  };
}

/** One field: as given, else the default if the mask names it, else as it was. */
const taking =
  <D extends object>(mask: Mask, before: D, defaults: D) =>
  <K extends keyof D>(key: K, name: string, given: D[K] | undefined): D[K] =>
    given ?? (mask.has(name) ? defaults[key] : before[key]);

const someText = (text: string): string | undefined => (text === "" ? undefined : text);
const some = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;
const someNumber = (value: bigint | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);
const methodOf = (method: number): string | undefined =>
  method === 0 ? undefined : wordOf(methodWords, method, "method");
/** A set; more than there are is for the reader to refuse. */
const regionWords = (all: readonly number[]): readonly string[] => {
  const words = all.map(regionWord);
  return words.length > regions.length ? words : [...new Set(words)];
};

const regionWord = (region: number): string => wordOf(regions, region, "region");

const someLabels = (labels: Readonly<Record<string, string>>) =>
  Object.keys(labels).length === 0 ? undefined : labels;

type AnyMonitor = HTTPMonitor | TCPMonitor | DNSMonitor | ICMPMonitor | GRPCMonitor;

function otelOf({ openTelemetry: otel }: AnyMonitor) {
  if (otel === undefined) return undefined;
  // Headers without an endpoint are a mistake that violationsOf finds.
  if (otel.endpoint === "" && otel.headers.length === 0) return undefined;
  const config: OtelConfig = { endpoint: otel.endpoint, headers: headerFields(otel.headers) };
  return config;
}
