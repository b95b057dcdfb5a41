import type { Environment } from "#config/environment";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import * as limits from "#limits/agent-limits";
import * as metricsLimits from "#limits/metrics-limits";
import { type Temporality, temporalities } from "#metrics/otlp-points";
import { type OtlpProtocol, otlpProtocols } from "#check/agent-words";
import type { Header } from "#check/monitor";
import { certificatesIn } from "#machine/trust";
import { millis, type Millis } from "#base/units";

/** What OpenTelemetry's standard environment says, for the agent's own metrics and for exports in general. */
export interface OtelSettings {
  /** Where the agent's own metrics go; null sends them nowhere. Headers, user-info and query are secrets. */
  readonly collector: {
    readonly url: string;
    readonly headers: readonly Header[];
    readonly protocol: OtlpProtocol;
    readonly gzip: boolean;
    /** PEM authorities of this collector in addition to the system's; null trusts as targets are trusted. */
    readonly authorities: string | null;
  } | null;
  readonly timeout: Millis;
  readonly interval: Millis;
  readonly temporality: Temporality;
  readonly resource: Readonly<Record<string, string>>;
}

interface OtelReading {
  readonly settings: OtelSettings;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Reads OTEL_*: those of metrics beat those of all signals. Errors name the variable and never quote what may be a
 * secret. With OTEL_SDK_DISABLED=true or OTEL_METRICS_EXPORTER=none nothing of the agent's own is sent, nor checked.
 */
export function readOtelSettings(env: Environment): OtelReading {
  const errors: string[] = [];
  const off =
    env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_METRICS_EXPORTER"] === "none";
  const read = new Reading(env, errors);
  const settings: OtelSettings = {
    collector: off ? null : read.collector(),
    timeout:
      read.duration("OTEL_EXPORTER_OTLP_METRICS_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT") ??
      metricsLimits.metricsPostTimeout,
    interval: read.duration("OTEL_METRIC_EXPORT_INTERVAL") ?? metricsLimits.metricsInterval,
    temporality:
      read.choice(
        temporalities,
        (text) => text.toLowerCase(),
        "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
      ) ?? "cumulative",
    resource: read.resource(),
  };
  return { settings, errors, warnings: unusedNames(env) };
}

class Reading {
  readonly #env: Environment;
  readonly #errors: string[];

  constructor(env: Environment, errors: string[]) {
    this.#env = env;
    this.#errors = errors;
  }

  collector(): OtelSettings["collector"] {
    const found = this.#first("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT");
    if (found === null) return null;
    const url = this.#url(found);
    const authorities = this.#authorities();
    const protocol =
      this.choice(
        otlpProtocols,
        (text) => text,
        "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
        "OTEL_EXPORTER_OTLP_PROTOCOL",
      ) ?? "http/protobuf";
    const compression = this.choice(
      ["gzip", "none"],
      (text) => text,
      "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION",
      "OTEL_EXPORTER_OTLP_COMPRESSION",
    );
    const headers = this.#headers();
    return url === null
      ? null
      : { url, headers, protocol, gzip: compression === "gzip", authorities };
  }

  duration(...names: readonly string[]): Millis | null {
    const found = this.#first(...names);
    if (found === null) return null;
    const ok = /^\d{1,9}$/.test(found.value) && Number(found.value) > 0;
    if (!ok)
      this.#errors.push(`${found.name} must be a number of milliseconds above zero, e.g. 60000`);
    return ok ? millis(Number(found.value)) : null;
  }

  choice<T extends string>(
    all: readonly T[],
    spelt: (text: string) => string,
    ...names: readonly string[]
  ): T | null {
    const found = this.#first(...names);
    if (found === null) return null;
    const chosen = all.find((one) => one === spelt(found.value)) ?? null;
    if (chosen === null) this.#errors.push(`${found.name} must be ${all.join(" or ")}`);
    return chosen;
  }

  resource(): Readonly<Record<string, string>> {
    const pairs = this.#pairs("OTEL_RESOURCE_ATTRIBUTES");
    const name = this.#env["OTEL_SERVICE_NAME"] ?? "";
    return { ...Object.fromEntries(pairs), ...(name === "" ? {} : { "service.name": name }) };
  }

  #headers(): readonly Header[] {
    const name =
      this.#first("OTEL_EXPORTER_OTLP_METRICS_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")?.name ?? "";
    const headers = this.#pairs(name).map(([key, value]) => ({ key, value }));
    const bad = headers.some(
      ({ key, value }) =>
        !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    );
    if (bad) this.#errors.push(`${name} holds a name or value that is not allowed in a header`);
    return bad ? [] : headers;
  }

  #url({ name, value }: Variable): string | null {
    const url = URL.parse(value);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      this.#errors.push(`${name} must be an http or https URL, e.g. http://127.0.0.1:4318`);
      return null;
    }
    if (name === "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT") return url.href;
    // The specification: of the base of all signals, metrics go to v1/metrics below it.
    url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/metrics`;
    return url.href;
  }

  #authorities(): string | null {
    const found = this.#first(
      "OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE",
      "OTEL_EXPORTER_OTLP_CERTIFICATE",
    );
    if (found === null) return null;
    try {
      const pem = readBounded(found.value, limits.trustFileBytesMax);
      certificatesIn(pem);
      return pem;
    } catch (error) {
      this.#errors.push(`${found.name} cannot be used: ${whyUnusable(error)} (${found.value})`);
      return null;
    }
  }

  /** `name=value,name=value`, both percent-encoded. */
  #pairs(name: string): readonly (readonly [string, string])[] {
    const entries = (this.#env[name] ?? "").split(",").filter((entry) => entry.trim() !== "");
    try {
      return entries.map((entry) => {
        const at = entry.indexOf("=");
        if (at < 1) throw new URIError("no pair");
        return [
          decodeURIComponent(entry.slice(0, at).trim()),
          decodeURIComponent(entry.slice(at + 1).trim()),
        ];
      });
    } catch {
      this.#errors.push(
        `${name} must be pairs of name=value, separated by commas, percent-encoded`,
      );
      return [];
    }
  }

  #first(...names: readonly string[]): Variable | null {
    for (const name of names) {
      const value = this.#env[name] ?? "";
      if (value !== "") return { name, value };
    }
    return null;
  }
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** What the standard has and Picket does not do is said, or metrics would be missing for no visible reason. */
function unusedNames(env: Environment): readonly string[] {
  const names = [
    "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_CLIENT_KEY",
    "OTEL_EXPORTER_OTLP_METRICS_CLIENT_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY",
  ];
  return names
    .filter((name) => (env[name] ?? "") !== "")
    .map((name) => `${name} has no effect: metrics are sent without a client certificate`);
}
