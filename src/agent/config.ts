import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { envSchema, type EnvSchemaOpt } from "env-schema";
import type { ProberOptions } from "#agent/prober";
import { Secret } from "#agent/secret";
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
} from "#agent/settings";
import { parseDuration } from "#duration";
import { type ListenAddress, parseListenAddress } from "#listen-address";
import { nearest } from "#nearest";
import { parseTargetRules, type TargetRule } from "#probes/guard";
import { type ProxyException, parseNoProxy } from "#probes/no-proxy";
import { authoritiesIn } from "#probes/trust";
import { type Parsed, parseNameServer } from "#target";
import { type Bytes, type Millis } from "#units";

/** The agent's whole configuration, read once at the start. */
export interface Config {
  readonly token: Secret;
  readonly tokenHeader: string;
  readonly serviceUrl: string;
  readonly instance: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pollInterval: Millis;
  readonly heartbeatInterval: Millis;
  readonly concurrency: number;
  readonly workers: number;
  readonly drainTimeout: Millis;
  /** Null opens no local endpoint. */
  readonly listen: ListenAddress | null;
  readonly caFile: string | null;
  readonly nameServers: ProberOptions["nameServers"];
  readonly resolver: ProberOptions["resolver"];
  readonly ipFamily: ProberOptions["ipFamily"];
  readonly targetRules: ProberOptions["targetRules"];
  /** The URL may hold the proxy's password. */
  readonly targetProxy: Secret | null;
  readonly proxyExceptions: readonly ProxyException[];
  readonly http2: boolean;
  readonly kernelClock: boolean;
  readonly bodyBytesMax: Bytes;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  /** Null leaves it to whether a person reads. */
  readonly logFormat: "json" | "pretty" | null;
}

export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      readonly errors: readonly string[];
      readonly warnings: readonly string[];
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. Every error is told at once, by the name of its variable; no value that could be a secret is quoted. */
export function readConfig(env: Environment): ConfigReading {
  const warnings = unknownNames(env);
  const set = withoutEmpty(env);
  const errors = [...schemaErrors(set)];
  const token = readToken(set);
  if (!token.ok) errors.push(token.error);
  const values = withFallbacks(set);
  if (errors.length === 0) errors.push(...insecureService(values));
  const unusable = unusableAuthorities("PICKET_CA_FILE", values.PICKET_CA_FILE);
  if (unusable !== null) errors.push(unusable);
  return errors.length > 0 || !token.ok
    ? { ok: false, errors, warnings }
    : { ok: true, config: configOf(values, token.token), warnings };
}

type Values = Readonly<Record<SettingName, string>>;

function configOf(values: Values, token: Secret): Config {
  return {
    token,
    tokenHeader: values.PICKET_TOKEN_HEADER.toLowerCase(),
    serviceUrl: values.SERVICE_API_URL,
    instance: values.PICKET_INSTANCE || hostname(),
    node: values.PICKET_NODE,
    labels: Object.fromEntries(listOf(values.PICKET_LABELS).map(labelOf)),
    pollInterval: must(parseDuration(values.PICKET_POLL_INTERVAL)),
    heartbeatInterval: must(parseDuration(values.PICKET_HEARTBEAT_INTERVAL)),
    concurrency: Number(values.PICKET_CONCURRENCY),
    workers: Number(values.PICKET_WORKERS),
    drainTimeout: must(parseDuration(values.PICKET_DRAIN_TIMEOUT)),
    listen: isOff(values.PICKET_LISTEN) ? null : must(parseListenAddress(values.PICKET_LISTEN)),
    caFile: values.PICKET_CA_FILE || null,
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
    proxyExceptions: must(valueOf(parseNoProxy(values.PICKET_NO_PROXY))),
    http2: isOn(values.PICKET_HTTP2),
    kernelClock: isOn(values.PICKET_KERNEL_CLOCK),
    bodyBytesMax: must(sizeOf(values.PICKET_MAX_BODY)),
    logLevel: oneOf(["debug", "info", "warn", "error"], values.PICKET_LOG_LEVEL),
    logFormat:
      values.PICKET_LOG_FORMAT === ""
        ? null
        : oneOf<"json" | "pretty">(["json", "pretty"], values.PICKET_LOG_FORMAT),
  };
}

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

type TokenReading =
  | { readonly ok: true; readonly token: Secret }
  | { readonly ok: false; readonly error: string };

/** PICKET_TOKEN, a file that PICKET_TOKEN_FILE names, or the systemd credential `token`. */
function readToken(env: Environment): TokenReading {
  const {
    PICKET_TOKEN: inline,
    PICKET_TOKEN_FILE: named,
    CREDENTIALS_DIRECTORY: credentials,
  } = env;
  if (inline !== undefined && named !== undefined)
    return { ok: false, error: "PICKET_TOKEN and PICKET_TOKEN_FILE exclude each other: set one" };
  if (inline !== undefined) return tokenOf(inline, "PICKET_TOKEN");
  if (named !== undefined) return tokenFrom(named, "PICKET_TOKEN_FILE");
  if (credentials !== undefined)
    return tokenFrom(path.join(credentials, "token"), "the systemd credential token");
  return {
    ok: false,
    error:
      "PICKET_TOKEN is not set: give the location's token, or PICKET_TOKEN_FILE with a file that holds it",
  };
}

function tokenFrom(file: string, name: string): TokenReading {
  try {
    return tokenOf(readFileSync(file, "utf8"), `${name} (${file})`);
  } catch (error) {
    return { ok: false, error: `${name} cannot be read: ${reason(error)} (${file})` };
  }
}

function tokenOf(text: string, name: string): TokenReading {
  const token = text.trim();
  if (token === "") return { ok: false, error: `${name} is empty` };
  // It becomes a header's value.
  return /^[\x21-\x7e]+$/.test(token)
    ? { ok: true, token: new Secret(token) }
    : { ok: false, error: `${name} holds characters that a token never has` };
}

function unusableAuthorities(name: string, file: string): string | null {
  if (file === "") return null;
  try {
    authoritiesIn(readFileSync(file, "utf8"));
    return null;
  } catch (error) {
    return `${name} cannot be used: ${reason(error)} (${file})`;
  }
}

/** The system's code for a file that cannot be read, else what our own code says. */
function reason(error: unknown): string {
  if (!Error.isError(error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}

/** A token over plain http can be read on the way; on this machine there is no way. */
function insecureService(values: Values): readonly string[] {
  const { protocol, hostname: host } = new URL(values.SERVICE_API_URL);
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
  if (protocol === "https:" || local || isOn(values.PICKET_ALLOW_HTTP)) return [];
  return [
    "SERVICE_API_URL must be https, or the token could be read on the way (PICKET_ALLOW_HTTP=1 allows it all the same)",
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
