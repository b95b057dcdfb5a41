import type { Path, Reading, ValuesOf } from "#check/argument";
import type { WrittenPolicy } from "#check/alert-policy";
import type { CommonFields, DefinitionOf, MonitorDefinition } from "#check/definition";
import { type fileArguments, listOf, type MonitorValues } from "#check/monitor-arguments";
import { type Kind, kinds, type OtelConfig } from "#check/monitor";
import { violationsOf } from "#check/read-monitor";
import type { FileReading } from "#cli/apply/file-reading";

/** A monitor and where it stands in the file. */
export interface WrittenMonitor {
  readonly path: Path;
  readonly definition: MonitorDefinition;
  /** Names of the private locations that run it. */
  readonly locations: readonly string[];
  /** Names of the channels that get its incidents. */
  readonly notifications: readonly string[];
  /** Names of monitors that it cannot work without. */
  readonly dependsOn: readonly string[];
  readonly renamedFrom: string;
}

/** The monitors of the lists of a file. */
export function writtenMonitors(
  file: ValuesOf<typeof fileArguments>,
  activeDefault: boolean,
  reading: Reading,
): readonly WrittenMonitor[] {
  return kinds.flatMap((kind) => {
    const list: readonly MonitorValues<Kind>[] = file[listOf(kind)];
    return list.map((one, index): WrittenMonitor => {
      const path = [listOf(kind), index];
      const active = one.active ?? activeDefault;
      const common = { ...commonOf(one, otelOf(one, path, reading)), active };
      const { locations, notifications } = one;
      return {
        path,
        definition: definitionOf(kind, one, common),
        locations,
        notifications,
        dependsOn: one.depends_on,
        renamedFrom: one.renamed_from,
      };
    });
  });
}

const definitionOf = <K extends Kind>(
  kind: K,
  one: MonitorValues<K>,
  common: CommonFields,
): DefinitionOf<K> => definitions[kind](one, common);

/** What a definition of each kind has beside what all have. */
const definitions: {
  readonly [K in Kind]: (one: MonitorValues<K>, common: CommonFields) => DefinitionOf<K>;
} = {
  http: (one, common) => ({
    kind: "http",
    url: one.url,
    method: one.method,
    body: one.body,
    followRedirects: one.follow_redirects,
    headers: one.headers,
    statusCodeAssertions: one.status_code_assertions,
    bodyAssertions: one.body_assertions,
    headerAssertions: one.header_assertions,
    jsonAssertions: one.json_assertions,
    ...common,
  }),
  tcp: ({ uri }, common) => ({ kind: "tcp", uri, ...common }),
  dns: ({ uri, record_assertions: recordAssertions }, common) => ({
    kind: "dns",
    uri,
    recordAssertions,
    ...common,
  }),
  icmp: ({ uri, packets, interval, ...one }, common) => ({
    kind: "icmp",
    uri,
    packets,
    interval,
    lossAssertions: one.loss_assertions,
    latencyAssertions: one.latency_assertions,
    ...common,
  }),
  grpc: ({ uri, service, tls_mode: tlsMode, metadata }, common) => ({
    kind: "grpc",
    uri,
    service,
    tlsMode,
    metadata,
    ...common,
  }),
};

/** What the arguments that all kinds have read as. */
type CommonValues = Omit<MonitorValues<"tcp">, "uri">;

const commonOf = (one: CommonValues, otel: OtelConfig | null) => ({
  name: one.name,
  periodicity: one.periodicity,
  timeout: one.timeout,
  degradedAt: one.degraded_at,
  retry: one.retry,
  public: one.public,
  description: one.description,
  regions: one.regions,
  otel,
  alerting: policyOf(one),
  labels: Object.fromEntries(one.labels.map(({ key, value }) => [key, value])),
});

const policyOf = ({ alerting }: CommonValues): WrittenPolicy | null => {
  if (alerting === null) return null;
  return { ...alerting, dependsOn: [] };
};

function otelOf(
  { otlp_endpoint: endpoint, otlp_headers: headers }: CommonValues,
  path: Path,
  reading: Reading,
): OtelConfig | null {
  if (endpoint !== "") return { endpoint, headers };
  if (headers.length > 0) reading.report([...path, "otlp_headers"], "needs an otlp_endpoint");
  return null;
}

/** Says of each monitor what the specification forbids. */
export function judgeMonitors(written: readonly WrittenMonitor[], reading: FileReading): void {
  for (const { path, definition } of written)
    for (const violation of violationsOf(definition, "management")) {
      const header = otlpHeader(violation.field, definition);
      if (header === null) reading.judge(path, [violation]);
      else reading.reportKey([...path, "otlp_headers", header], violation.message);
    }
}

/** In a file these headers are a mapping: the name of the one that a violation speaks of, null for other violations. */
function otlpHeader(field: string, { otel }: MonitorDefinition): string | null {
  const [, index] = /^otlp_headers\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? null : (otel?.headers[Number(index)]?.key ?? null);
}
