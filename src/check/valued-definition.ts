import type { WrittenPolicy } from "#check/alert-policy";
import type { CommonFields, DefinitionOf } from "#check/definition";
import type { MonitorValues } from "#check/monitor-arguments";
import type { Kind, OtelConfig } from "#check/monitor";

/** What the arguments of a monitor do not say by themselves. */
interface Surroundings {
  readonly active: boolean;
  readonly otel: OtelConfig | null;
}

/** The definition that the arguments of a monitor say, in a file or in a form. What it depends on is not in it yet. */
export const valuedDefinition = <K extends Kind>(
  kind: K,
  values: MonitorValues<K>,
  surroundings: Surroundings,
): DefinitionOf<K> => definitions[kind](values, commonOf(values, surroundings));

/** What a definition of each kind has in addition to what all have. */
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
export type CommonValues = Omit<MonitorValues<"tcp">, "uri">;

const commonOf = (one: CommonValues, { active, otel }: Surroundings): CommonFields => ({
  name: one.name,
  periodicity: one.periodicity,
  timeout: one.timeout,
  degradedAt: one.degraded_at,
  retry: one.retry,
  active,
  public: one.public,
  description: one.description,
  regions: one.regions,
  otel,
  alerting: policyOf(one),
  labels: Object.fromEntries(one.labels.map(({ key, value }) => [key, value])),
});

const policyOf = ({ alerting }: CommonValues): WrittenPolicy | null =>
  alerting === null ? null : { ...writtenPolicy(alerting), dependsOn: [] };

/** Arguments have names of several words with a line between them. */
const writtenPolicy = ({
  certificate_days: certificateDays,
  ...policy
}: NonNullable<CommonValues["alerting"]>): Omit<WrittenPolicy, "dependsOn"> => ({
  ...policy,
  certificateDays,
});
