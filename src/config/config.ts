import { envSchema, type EnvSchemaOpt } from "env-schema";
import type { ProberOptions } from "#prober/prober";
import { type OtelSettings, readOtelSettings } from "#config/otel-settings";
import { Secret } from "#config/secret";
import { isThisMachine, readServiceProxy } from "#config/service-proxy";
import {
  accepts,
  expectations,
  isOff,
  isOn,
  listOf,
  type Setting,
  type SettingKind,
  type SettingName,
  settings,
  sizeOf,
} from "#config/settings";
import { readToken, type Token } from "#config/token";
import { type NamedFile, readTrustFiles, type Trusted, type TrustFiles } from "#config/trust-files";
import { type Clock, systemClock } from "#clock";
import { parseDuration } from "#duration";
import { type ListenAddress, parseListenAddress } from "#network/listen-address";
import { type MetricsView, metricsViews } from "#metrics/check-metrics";
import { type OtlpProtocol, otlpProtocols } from "#metrics/otlp-protocol";
import { nearest } from "#nearest";
import { type LatencyEnd, latencyEnds } from "#check/outcome";
import type { Placement } from "#check/placement";
import { parseTargetRules, type TargetRule } from "#probes/connection/guard";
import { type ProxyException, parseNoProxy } from "#network/no-proxy";
import type { Parsed } from "#network/parsed";
import { parseDomainName, parseNameServer } from "#network/host-port";
import type { SpoolLimits } from "#spool/spool";
import { type Bytes, type Millis } from "#units";

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
  readonly trusted: Trusted;
  /** Null opens no local endpoint. */
  readonly listen: ListenAddress | null;
  /** Names by which the local endpoint may be asked, beside its own. */
  readonly listenHosts: readonly string[];
  readonly nameServers: ProberOptions["nameServers"];
  readonly resolver: ProberOptions["resolver"];
  readonly ipFamily: ProberOptions["ipFamily"];
  readonly targetRules: ProberOptions["targetRules"];
  readonly targetProxy: Secret | null;
  readonly proxyExceptions: readonly ProxyException[];
  readonly http2: boolean;
  readonly kernelClock: boolean;
  readonly bodyBytesMax: Bytes;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  /** Null leaves it to whether a person reads. */
  readonly logFormat: "json" | "pretty" | null;
  /** How the collectors that monitors name are spoken to. */
  readonly metricsProtocol: OtlpProtocol;
  readonly metricsViews: readonly MetricsView[];
  /** Where the latency of an HTTP check ends. */
  readonly latencyEnd: LatencyEnd;
  /** Null is Picket's own. */
  readonly userAgent: string | null;
  readonly otel: OtelSettings;
}

export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      readonly errors: readonly string[];
      readonly warnings: readonly string[];
    };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment. Every error is told at once, by the name of its variable; no value that could be a secret is
 * quoted.
 */
export function readConfig(env: Environment, clock: Clock = systemClock): ConfigReading {
  const otel = readOtelSettings(env);
  const set = withoutEmpty(env);
  const values = withFallbacks(set);
  const wrong = schemaErrors(set);
  const token = readToken(set);
  const reading = readAccess(set, values, wrong, { secret: "token", clock });
  const warnings = [...unknownNames(env), ...otel.warnings, ...reading.warnings];
  const errors = [
    ...wrong,
    ...(token.ok ? [] : [token.message]),
    ...reading.errors,
    ...otel.errors,
  ];
  if (errors.length > 0 || !token.ok || reading.access === null)
    return { ok: false, errors, warnings };
  const read = { token: token.value, ...reading.access };
  return { ok: true, config: { ...configOf(values, otel.settings, set), ...read }, warnings };
}

/** The service and the way to it: what every command that calls it has in common with the agent. */
export type ServiceAccess = Pick<
  Config,
  "serviceUrl" | "serviceProxy" | "proxyExceptions" | "trusted"
>;

export interface ServiceAccessReading {
  /** Null where there are errors. */
  readonly access: ServiceAccess | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Reads what leads to the service and nothing else of the environment, as `readConfig` does. `secret` is what the
 * calls carry, in a word.
 */
export function readServiceAccess(
  env: Environment,
  secret: string,
  clock: Clock = systemClock,
): ServiceAccessReading {
  const set = withoutEmpty(env);
  const wrong = schemaErrors(
    Object.fromEntries(accessNames.flatMap((name) => (name in set ? [[name, set[name]]] : []))),
  );
  const { access, errors, warnings } = readAccess(set, withFallbacks(set), wrong, {
    secret,
    clock,
  });
  return { access, errors: [...wrong, ...errors], warnings };
}

const accessNames: readonly SettingName[] = [
  "SERVICE_API_URL",
  "PICKET_ALLOW_HTTP",
  "PICKET_SERVICE_PROXY",
  "PICKET_NO_PROXY",
  "PICKET_CA_FILE",
  "PICKET_CLIENT_CERT_FILE",
  "PICKET_CLIENT_KEY_FILE",
];

/** `wrong` is what did not pass the schema: with it, nothing can be parsed but the files. */
function readAccess(
  set: Environment,
  values: Values,
  wrong: readonly string[],
  { secret, clock }: { readonly secret: string; readonly clock: Clock },
): ServiceAccessReading {
  const { trusted, errors, warnings } = readTrustFiles(trustFiles(values), clock.wall());
  if (wrong.length > 0) return { access: null, errors, warnings };
  const way = readWay(set, values, secret);
  const all = [...errors, ...way.errors];
  const { proxyExceptions, serviceProxy } = way;
  const serviceUrl = values.SERVICE_API_URL;
  return {
    access: all.length > 0 ? null : { serviceUrl, serviceProxy, proxyExceptions, trusted },
    errors: all,
    warnings: [...warnings, ...way.warnings],
  };
}

interface WayReading extends Pick<Config, "serviceProxy" | "proxyExceptions"> {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

function readWay(set: Environment, values: Values, secret: string): WayReading {
  const proxyExceptions = must(valueOf(parseNoProxy(values.PICKET_NO_PROXY)));
  const { proxy, errors, warnings } = readServiceProxy(
    set,
    values.SERVICE_API_URL,
    proxyExceptions,
  );
  return {
    serviceProxy: proxy,
    proxyExceptions,
    errors: [...insecureService(values, secret), ...errors],
    warnings,
  };
}

const trustFiles = (values: Values): TrustFiles => {
  const named = (name: SettingName): NamedFile => ({ name, file: values[name] });
  return {
    authorities: named("PICKET_CA_FILE"),
    certificate: named("PICKET_CLIENT_CERT_FILE"),
    key: named("PICKET_CLIENT_KEY_FILE"),
  };
};

type Values = Readonly<Record<SettingName, string>>;

/** What follows from each variable by itself. */
function configOf(
  values: Values,
  otel: OtelSettings,
  env: Environment,
): Omit<Config, "token" | keyof ServiceAccess> {
  return {
    tokenHeader: values.PICKET_TOKEN_HEADER.toLowerCase(),
    stateDirectory: values.PICKET_STATE_DIR || (systemdState(env) ?? "/var/lib/picket"),
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
    listenHosts: listOf(values.PICKET_LISTEN_HOSTS).flatMap((one) => {
      const name = parseDomainName(one);
      return name.ok ? [name.value] : [];
    }),
    nameServers: listOf(values.PICKET_DNS_SERVERS).flatMap((one) => {
      const server = parseNameServer(one);
      return server.ok ? [server.value] : [];
    }),
    resolver: oneOf(["stub", "system"], values.PICKET_RESOLVER),
    ipFamily: oneOf(["any", "4", "6"], values.PICKET_IP_FAMILY),
    targetRules: {
      allow: targetRulesOf("PICKET_TARGET_ALLOW", values),
      deny: targetRulesOf("PICKET_TARGET_DENY", values),
    },
    targetProxy: values.PICKET_TARGET_PROXY === "" ? null : new Secret(values.PICKET_TARGET_PROXY),
    http2: isOn(values.PICKET_HTTP2),
    kernelClock: isOn(values.PICKET_KERNEL_CLOCK),
    bodyBytesMax: must(sizeOf(values.PICKET_MAX_BODY)),
    logLevel: oneOf(["debug", "info", "warn", "error"], values.PICKET_LOG_LEVEL),
    logFormat:
      values.PICKET_LOG_FORMAT === ""
        ? null
        : oneOf<"json" | "pretty">(["json", "pretty"], values.PICKET_LOG_FORMAT),
    metricsProtocol: oneOf(otlpProtocols, values.PICKET_METRICS_PROTOCOL),
    metricsViews: listOf(values.PICKET_METRICS_VIEWS).map((view) => oneOf(metricsViews, view)),
    latencyEnd: oneOf(latencyEnds, values.PICKET_LATENCY),
    userAgent: values.PICKET_USER_AGENT || null,
    otel,
  };
}

/** systemd.exec(5): the directories of StateDirectory=, between colons. */
const systemdState = ({ STATE_DIRECTORY: directories }: Environment): string | null =>
  directories?.split(":").find((one) => one !== "") ?? null;

function targetRulesOf(name: SettingName, values: Values): readonly TargetRule[] {
  return must(valueOf(parseTargetRules(listOf(values[name]), `${name}=`)));
}

const valueOf = <T>(parsed: Parsed<T>): T | null => (parsed.ok ? parsed.value : null);

function labelOf(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** The table as a JSON schema; each kind of value is a format of its own. */
const schema = {
  type: "object",
  properties: Object.fromEntries(
    Object.entries(settings).map(([name, { kind }]) => [name, { type: "string", format: kind }]),
  ),
};

type Ajv = Parameters<Extract<EnvSchemaOpt["ajv"], { customOptions: unknown }>["customOptions"]>[0];

function withFormats(ajv: Ajv): Ajv {
  for (const kind of Object.keys(accepts).filter(isKind)) ajv.addFormat(kind, accepts[kind]);
  ajv.opts.allErrors = true;
  return ajv;
}

const isKind = (word: string): word is SettingKind => word in accepts;
const isName = (word: string): word is SettingName => word in settings;

function schemaErrors(env: Environment): readonly string[] {
  try {
    envSchema({ schema, data: { ...env }, env: false, ajv: { customOptions: withFormats } });
    return [];
  } catch (error) {
    const found: unknown = Error.isError(error) && "errors" in error ? error.errors : null;
    if (!Array.isArray(found)) throw error;
    return found.map((violation) => sentenceOf(violation, env));
  }
}

function sentenceOf(violation: { readonly instancePath: string }, env: Environment): string {
  const name = violation.instancePath.slice(1);
  if (!isName(name)) return `${name} is not understood`;
  const { kind } = settings[name];
  if (kind !== "targets") return `${name} must be ${expectations[kind]}`;
  // A list may be long, and none of it is secret: the entry that is wrong is told.
  const rules = parseTargetRules(listOf(env[name] ?? ""), "");
  return rules.ok ? `${name} must be ${expectations[kind]}` : `${name} ${rules.message}`;
}

/** A secret over plain http can be read on the way; on this machine there is no way. */
function insecureService(values: Values, secret: string): readonly string[] {
  const { protocol, hostname: host } = new URL(values.SERVICE_API_URL);
  if (protocol === "https:" || isThisMachine(host) || isOn(values.PICKET_ALLOW_HTTP)) return [];
  return [
    `SERVICE_API_URL must be https, or the ${secret} could be read on the way (PICKET_ALLOW_HTTP=1 allows it all the same)`,
  ];
}

/** A variable of ours that nobody reads is most likely misspelt. */
function unknownNames(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("PICKET_") && !isName(name) && !serviceNames.has(name))
    .map((name) => {
      const meant = nearest(name, Object.keys(settings));
      return `${name} is not known and has no effect${meant === null ? "" : `; did you mean ${meant}?`}`;
    });
}

/** Settings of the other commands, which may share an environment with the agent's. */
const serviceNames: ReadonlySet<string> = new Set([
  "PICKET_SERVICE_DATABASE",
  "PICKET_SERVICE_LISTEN",
]);

/** Compose files and unit files set variables to nothing when they mean to leave them out. */
const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );

function withFallbacks(env: Environment): Values {
  const value = (name: SettingName): string => {
    const setting: Setting = settings[name];
    return env[name] ?? setting.fallback ?? "";
  };
  const names = Object.keys(settings).filter(isName);
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Values;
}

function must<T>(value: T | null): T {
  if (value === null) throw new TypeError("the schema let a value pass that cannot be parsed");
  return value;
}

function oneOf<T extends string>(all: readonly T[], value: string): T {
  return must(all.find((one) => one === value) ?? null);
}
