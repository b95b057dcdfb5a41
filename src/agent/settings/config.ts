import type { Environment } from "#config/environment";
import type { ProberOptions } from "#agent/prober/prober";
import { type EffectiveSetting, effectiveSettings } from "#agent/settings/effective-settings";
import { type OtelSettings, readOtelSettings } from "#agent/settings/otel-settings";
import { probingOf, readTrust } from "#agent/settings/probing";
import { readSecrets, sourcesOf, type SecretSources } from "#agent/secrets/read-secrets";
import type { Secret } from "#config/secret";
import { direct, readServiceProxy, type ServiceProxyReading } from "#config/service-proxy";
import { isThisMachine } from "#network/listen-address";
import { isOff, isOn, listOf, sizeOf } from "#config/setting-kinds";
import type { SettingName } from "#config/agent-settings";
import {
  noTargetLists,
  readTargetLists,
  type TargetLists,
  targetListsOf,
} from "#agent/settings/target-lists";
import { readToken, type Token } from "#agent/settings/token";
import type { TrustContent } from "#config/trust-files";
import { readTrustedSigners, type TrustedSigners } from "#agent/settings/trusted-signers";
import { unknownNames } from "#config/unknown-names";
import {
  must,
  oneOf,
  readValues,
  taken,
  type Values,
  type ValuesReading,
  withoutEmpty,
} from "#agent/settings/values";
import { systemClock } from "#base/clock";
import { parseDuration } from "#base/duration";
import { type ListenAddress, parseListenAddress } from "#network/listen-address";
import {
  type MetricsView,
  metricsViews,
  type OtlpProtocol,
  otlpProtocols,
} from "#check/agent-words";
import { type LatencyEnd, latencyEnds } from "#check/outcome";
import type { Placement } from "#check/placement";
import { parseNoProxy } from "#network/no-proxy";
import { parseDomainName } from "#network/host-port";
import type { SpoolLimits } from "#agent/spool/spool";
import type { Millis } from "#base/units";

/** The agent's whole configuration, read once at the start. */
export interface Config {
  readonly token: Token;
  readonly tokenHeader: string;
  readonly serviceUrl: string;
  readonly stateDirectory: string;
  readonly spoolLimits: SpoolLimits;
  /** Null leaves the name to what the state directory keeps. */
  readonly instance: string | null;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly placement: Placement;
  readonly pollInterval: Millis;
  /** Whether the service may push changes. */
  readonly watching: boolean;
  readonly heartbeatInterval: Millis;
  readonly concurrency: number;
  readonly workers: number;
  readonly drainTimeout: Millis;
  /** The URL of a proxy may hold its password. */
  readonly serviceProxy: Secret | null;
  readonly trusted: TrustContent;
  /** Where the location's secrets are. */
  readonly secretSources: SecretSources;
  /** Null opens no local endpoint. */
  readonly listen: ListenAddress | null;
  /** Names by which the local endpoint may be asked, in addition to its own. */
  readonly listenHosts: readonly string[];
  /** Whose monitors alone are run; null runs whatever is assigned. */
  readonly signers: TrustedSigners | null;
  /** Where the rules for targets are. */
  readonly targetLists: TargetLists;
  /** What all probes have in common. */
  readonly probing: ProberOptions;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  /** Null leaves it to whether a person reads. */
  readonly logFormat: "json" | "pretty" | null;
  /** How the collectors that monitors name are spoken to. */
  readonly metricsProtocol: OtlpProtocol;
  readonly metricsViews: readonly MetricsView[];
  /** Where the latency of an HTTP check ends. */
  readonly latencyEnd: LatencyEnd;
  readonly otel: OtelSettings;
}

type ConfigReading = {
  /** Every setting as it holds, also if there are errors. */
  readonly settings: readonly EffectiveSetting[];
  readonly warnings: readonly string[];
} & (
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly errors: readonly string[] }
);

/**
 * Reads the environment. The errors name every variable that is wrong at once; no value that could be a secret is
 * quoted.
 */
export function readConfig(env: Environment): ConfigReading {
  const set = withoutEmpty(env);
  const reading = readValues(set);
  const { values } = reading;
  const otel = readOtelSettings(env);
  const token = readToken(set);
  const access = readAccess(set, reading, "token");
  const secretSources = sourcesOf(set);
  const warnings = [...unknownNames(env), ...otel.warnings, ...access.warnings];
  const errors = [
    ...sentences(reading),
    ...(token.ok ? [] : [token.message]),
    ...access.errors,
    ...otel.errors,
    ...readSecrets(secretSources).errors,
  ];
  const lists = reading.wrong.size > 0 ? null : targetListsOf(values);
  const targets = lists === null ? noTargetLists : readTargetLists(lists);
  const signers = readTrustedSigners(env);
  errors.push(...targets.errors, ...(signers.ok ? [] : [signers.message]));
  const shown = effectiveSettings(set, values, access.proxy);
  if (errors.length > 0 || !token.ok || access.access === null || lists === null || !signers.ok)
    return { ok: false, settings: shown, errors, warnings };
  const config = {
    ...configOf(values, otel.settings),
    ...access.access,
    token: token.value,
    secretSources,
    targetLists: lists,
    signers: signers.value,
    probing: probingOf(values, access.access.trusted, targets.rules),
  };
  return { ok: true, settings: shown, config, warnings };
}

const sentences = ({ wrong }: ValuesReading): readonly string[] =>
  [...wrong].map(([name, message]) => `${name} ${message}`);

/** The service and the way to it: what every command that calls it has in common with the agent. */
export type ServiceAccess = Pick<Config, "serviceUrl" | "serviceProxy" | "trusted">;

interface ServiceAccessReading {
  /** Null if there are errors. */
  readonly access: ServiceAccess | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads what leads to the service and nothing else of the environment, as `readConfig` does. */
export function readServiceAccess(env: Environment): ServiceAccessReading {
  const set = withoutEmpty(env);
  const reading = readValues(set, accessNames);
  const { access, errors, warnings } = readAccess(set, reading, "API key");
  return { access, errors: [...sentences(reading), ...errors], warnings };
}

const accessNames: readonly SettingName[] = [
  "SERVICE_API_URL",
  "PICKET_ALLOW_HTTP",
  "PICKET_SERVICE_PROXY",
  "PICKET_NO_PROXY",
];

interface AccessReading extends ServiceAccessReading {
  readonly proxy: ServiceProxyReading;
}

/** Where one of its variables is `wrong`, nothing can be read but the files. `secret` is what the calls carry, in a word. */
function readAccess(
  set: Environment,
  { values, wrong }: ValuesReading,
  secret: string,
): AccessReading {
  const { trusted, errors, warnings } = readTrust(values, systemClock.wall());
  const serviceUrl = values.SERVICE_API_URL;
  if (accessNames.some((name) => wrong.has(name)))
    return { access: null, errors, warnings, proxy: direct };
  const proxy = readServiceProxy(set, serviceUrl, taken(parseNoProxy(values.PICKET_NO_PROXY)));
  const all = [...errors, ...insecureService(values, secret), ...proxy.errors];
  const access = { serviceUrl, serviceProxy: proxy.proxy, trusted };
  return {
    access: all.length > 0 ? null : access,
    errors: all,
    warnings: [...warnings, ...proxy.warnings],
    proxy,
  };
}

/** What follows from each variable by itself. */
function configOf(
  values: Values,
  otel: OtelSettings,
): Omit<
  Config,
  "token" | "probing" | "targetLists" | "signers" | "secretSources" | keyof ServiceAccess
> {
  return {
    tokenHeader: values.PICKET_TOKEN_HEADER.toLowerCase(),
    stateDirectory: values.PICKET_STATE_DIR,
    spoolLimits: {
      bytesMax: must(sizeOf(values.PICKET_SPOOL_MAX_BYTES)),
      ageMax: must(parseDuration(values.PICKET_SPOOL_MAX_AGE)),
    },
    instance: values.PICKET_INSTANCE || null,
    node: values.PICKET_NODE,
    labels: Object.fromEntries(listOf(values.PICKET_LABELS).map(labelOf)),
    placement: oneOf<Placement>(["share", "everywhere"], values.PICKET_PLACEMENT),
    pollInterval: must(parseDuration(values.PICKET_POLL_INTERVAL)),
    watching: isOn(values.PICKET_WATCH),
    heartbeatInterval: must(parseDuration(values.PICKET_HEARTBEAT_INTERVAL)),
    concurrency: Number(values.PICKET_CONCURRENCY),
    workers: Number(values.PICKET_WORKERS),
    drainTimeout: must(parseDuration(values.PICKET_DRAIN_TIMEOUT)),
    listen: isOff(values.PICKET_LISTEN) ? null : must(parseListenAddress(values.PICKET_LISTEN)),
    listenHosts: listOf(values.PICKET_LISTEN_HOSTS).map((one) => taken(parseDomainName(one))),
    logLevel: oneOf(["debug", "info", "warn", "error"], values.PICKET_LOG_LEVEL),
    logFormat:
      values.PICKET_LOG_FORMAT === ""
        ? null
        : oneOf<"json" | "pretty">(["json", "pretty"], values.PICKET_LOG_FORMAT),
    metricsProtocol: oneOf(otlpProtocols, values.PICKET_METRICS_PROTOCOL),
    metricsViews: listOf(values.PICKET_METRICS_VIEWS).map((view) => oneOf(metricsViews, view)),
    latencyEnd: oneOf(latencyEnds, values.PICKET_LATENCY),
    otel,
  };
}

function labelOf(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** A secret over plain http can be read on the way; on this machine there is no way. */
function insecureService(values: Values, secret: string): readonly string[] {
  const { protocol, hostname: host } = new URL(values.SERVICE_API_URL);
  if (protocol === "https:" || isThisMachine(host) || isOn(values.PICKET_ALLOW_HTTP)) return [];
  return [
    `SERVICE_API_URL must be https, or the ${secret} could be read in transit (PICKET_ALLOW_HTTP=1 allows it anyway)`,
  ];
}
