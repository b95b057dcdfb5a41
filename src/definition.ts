import {
  type Assertion,
  numberComparators,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#assertion";
import type { FailureCode } from "#failure";
import { failure } from "#failure";
import * as limits from "#limits";
import {
  type Header,
  type HttpMethod,
  httpMethods,
  type Kind,
  type Monitor,
  type OtelConfig,
  type Target,
} from "#monitor";
import { parseDnsUri, parseHttpUrl, parseTcpUri } from "#target";
import { millis, type Millis } from "#units";

/**
 * A monitor as somebody wrote it, before anything is believed: what a person says in a file or a call
 * (service-interface.md §2), or what the service assigns. `violationsOf` finds all that is wrong with it by field;
 * `toMonitor` makes the one that runs.
 */
export type MonitorDefinition = HttpDefinition | TcpDefinition | DnsDefinition;

interface Common {
  readonly name: string;
  readonly periodicity: string;
  /** Milliseconds; 0 means the default. */
  readonly timeout: number;
  /** Milliseconds; null or 0 means no threshold. */
  readonly degradedAt: number | null;
  readonly retry: number;
  readonly active: boolean;
  readonly public: boolean;
  readonly description: string;
  readonly regions: readonly string[];
  readonly otel: OtelConfig | null;
}

export interface HttpDefinition extends Common {
  readonly kind: "http";
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly followRedirects: boolean;
  readonly headers: readonly Header[];
  readonly statusCodeAssertions: readonly { readonly target: number; readonly comparator: string }[];
  readonly bodyAssertions: readonly { readonly target: string; readonly comparator: string }[];
  readonly headerAssertions: readonly {
    readonly key: string;
    readonly target: string;
    readonly comparator: string;
  }[];
}

export interface TcpDefinition extends Common {
  readonly kind: "tcp";
  readonly uri: string;
}

export interface DnsDefinition extends Common {
  readonly kind: "dns";
  readonly uri: string;
  readonly recordAssertions: readonly {
    readonly record: string;
    readonly target: string;
    readonly comparator: string;
  }[];
}

/** What a definition is when a person leaves everything out that may be left out (service-interface.md §2). */
const commonDefaults: Common = {
  name: "",
  periodicity: "",
  timeout: limits.timeoutDefault,
  degradedAt: null,
  retry: limits.retryDefault,
  active: false,
  public: false,
  description: "",
  regions: [],
  otel: null,
};
export const httpDefaults: HttpDefinition = {
  ...commonDefaults,
  kind: "http",
  url: "",
  method: "GET",
  body: "",
  followRedirects: true,
  headers: [],
  statusCodeAssertions: [],
  bodyAssertions: [],
  headerAssertions: [],
};
export const tcpDefaults: TcpDefinition = { ...commonDefaults, kind: "tcp", uri: "" };
export const dnsDefaults: DnsDefinition = {
  ...commonDefaults,
  kind: "dns",
  uri: "",
  recordAssertions: [],
};

/** The one field of a definition that says where to look. */
export const uriOf = (definition: MonitorDefinition): string =>
  definition.kind === "http" ? definition.url : definition.uri;

/** One thing that is wrong, with the argument name of the specification: `headers[2].key`. */
export interface Violation {
  readonly field: string;
  /** Completes the sentence that begins with the field: `must be one of …`. */
  readonly message: string;
  readonly code: FailureCode;
}

/** "management" is a person's request and gets the specification's limits; "assignment" is what a service already let pass. */
export type Door = "management" | "assignment";

const periodicities: Readonly<Record<string, Millis>> = {
  "10s": millis(10_000),
  "30s": millis(30_000),
  "1m": millis(60_000),
  "5m": millis(300_000),
  "10m": millis(600_000),
  "30m": millis(1_800_000),
  "1h": millis(3_600_000),
};
/** The specification's set; the wire also carries 10s (wire.md §3). */
export const managementPeriodicities: readonly string[] = ["30s", "1m", "5m", "10m", "30m", "1h"];

/** A rejected monitor without a usable periodicity says so this often. */
const periodicityOfRejected = millis(60_000);

const regionCodes = {
  hosta: "ams arn bom cdg dfw ewr fra gru iad jnb lax lhr nrt ord sjc sin syd yyz",
  hostb: "fra par sfo sin tyo was",
  hostc: "us-west2 us-east4 europe-west4 asia-southeast1",
};
/** service-interface.md §2.11; §2.4 also writes the first host's codes bare. */
const regions: ReadonlySet<string> = new Set([
  ...regionCodes.hosta.split(" "),
  ...Object.entries(regionCodes).flatMap(([host, codes]) =>
    codes.split(" ").map((code) => `${host}-${code}`),
  ),
]);

/** All that is wrong with a definition, in the order of the specification's tables; empty when it can be run. */
export function violationsOf(definition: MonitorDefinition, door: Door): readonly Violation[] {
  const found: Violation[] = [];
  const violate: Violate = (field, message, code = "invalid_setting") =>
    void found.push({ field, message, code });
  if (door === "management") checkManagement(definition, violate);
  checkPeriodicity(definition.periodicity, door, violate);
  checkRange("timeout", definition.timeout, 0, limits.timeoutMax, violate);
  checkRange("degraded_at", definition.degradedAt ?? 0, 0, Number.MAX_SAFE_INTEGER, violate);
  checkRange("retry", definition.retry, 0, limits.retryMax, violate);
  if (definition.otel !== null) checkOtel(definition.otel, violate);
  switch (definition.kind) {
    case "http":
      checkHttp(definition, violate);
      break;
    case "tcp":
      checkUri(parseTcpUri(definition.uri), violate);
      break;
    case "dns":
      checkUri(parseDnsUri(definition.uri), violate);
      checkRecordAssertions(definition.recordAssertions, violate);
      break;
  }
  return found;
}

/** The monitor that the agent runs for a definition; a definition that cannot be run becomes a rejected one. */
export function toMonitor(id: string, definition: MonitorDefinition): Monitor {
  const [first, ...more] = violationsOf(definition, "assignment");
  const assigned = {
    id,
    kind: definition.kind,
    uri: uriOf(definition),
    periodicity: periodicities[definition.periodicity] ?? periodicityOfRejected,
  };
  if (first !== undefined) {
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    const message = `Invalid configuration: ${first.field} ${first.message}${rest}`;
    return { ...assigned, rejection: failure(first.code, "config", message) };
  }
  return {
    ...assigned,
    target: targetOf(definition),
    assertions: assertionsOf(definition),
    timeout: millis(definition.timeout === 0 ? limits.timeoutDefault : definition.timeout),
    degradedAt:
      definition.degradedAt === null || definition.degradedAt === 0
        ? null
        : millis(definition.degradedAt),
    retry: definition.retry,
    otel: definition.otel,
    rejection: null,
  };
}

type Violate = (field: string, message: string, code?: FailureCode) => void;

function checkManagement(definition: MonitorDefinition, violate: Violate): void {
  const { name, description } = definition;
  if (name === "") violate("name", "is required");
  if (name.length > limits.nameCharsMax)
    violate("name", `is longer than ${limits.nameCharsMax} characters`);
  if (description.length > limits.descriptionCharsMax)
    violate("description", `is longer than ${limits.descriptionCharsMax} characters`);
  definition.regions.forEach((region, index) => {
    if (!regions.has(region)) violate(`regions[${index}]`, `"${region}" is not a region`);
  });
}

function checkPeriodicity(value: string, door: Door, violate: Violate): void {
  const allowed = door === "management" ? managementPeriodicities : Object.keys(periodicities);
  if (value === "") violate("periodicity", "is required", "invalid_periodicity");
  else if (!allowed.includes(value))
    violate(
      "periodicity",
      `must be one of ${allowed.join(", ")}, not "${value}"`,
      "invalid_periodicity",
    );
}

function checkRange(
  field: string,
  value: number,
  low: number,
  high: number,
  violate: Violate,
): void {
  if (!Number.isInteger(value)) violate(field, `must be a whole number, not ${value}`);
  else if (value < low || value > high)
    violate(
      field,
      high === Number.MAX_SAFE_INTEGER
        ? `must not be below ${low}`
        : `must be in ${low} to ${high}, not ${value}`,
    );
}

function checkUri(parsed: { ok: boolean; message?: string }, violate: Violate): void {
  if (!parsed.ok) violate("uri", parsed.message ?? "is invalid", "invalid_uri");
}

function checkHttp(definition: HttpDefinition, violate: Violate): void {
  const url = parseHttpUrl(definition.url);
  if (!url.ok) violate("url", url.message, "invalid_url");
  if (!isMethod(definition.method.toUpperCase()))
    violate(
      "method",
      `must be one of ${httpMethods.join(", ")}, not "${definition.method}"`,
      "invalid_method",
    );
  if (new TextEncoder().encode(definition.body).length > limits.requestBodyBytesMax)
    violate("body", `is larger than ${limits.requestBodyBytesMax} bytes`);
  checkHeaders("headers", definition.headers, violate);
  checkStatusAssertions(definition.statusCodeAssertions, violate);
  checkTexts("body_assertions", definition.bodyAssertions, violate);
  checkTexts("header_assertions", definition.headerAssertions, violate);
  definition.headerAssertions.forEach(({ key }, index) => {
    if (!isToken(key))
      violate(`header_assertions[${index}].key`, "is not a valid header name", "invalid_header");
  });
}

/** RFC 9110 §7.6.1 and §6.6: these belong to one connection or to the framing, which are Picket's. */
const framingHeaders: ReadonlySet<string> = new Set([
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function checkHeaders(field: string, headers: readonly Header[], violate: Violate): void {
  checkCount(field, headers.length, limits.headersMax, violate);
  headers.forEach(({ key, value }, index) => {
    const at = `${field}[${index}]`;
    if (key === "") violate(`${at}.key`, "is required", "invalid_header");
    else if (!isToken(key)) violate(`${at}.key`, "is not a valid header name", "invalid_header");
    else if (framingHeaders.has(key.toLowerCase()))
      violate(`${at}.key`, `${key} is set by Picket itself`, "invalid_header");
    else if (key.toLowerCase() === "connection" && !/^(close|keep-alive)$/i.test(value))
      violate(`${at}.value`, "of Connection can only be close or keep-alive", "invalid_header");
    if (!isFieldValue(value))
      violate(
        `${at}.value`,
        "holds a line break or another character that a header cannot carry",
        "invalid_header",
      );
    else if (value.length > limits.headerValueBytesMax)
      violate(
        `${at}.value`,
        `is longer than ${limits.headerValueBytesMax} bytes`,
        "invalid_header",
      );
  });
}

function checkStatusAssertions(
  assertions: HttpDefinition["statusCodeAssertions"],
  violate: Violate,
): void {
  const field = "status_code_assertions";
  checkCount(field, assertions.length, limits.assertionsMax, violate);
  assertions.forEach(({ target, comparator }, index) => {
    checkRange(
      `${field}[${index}].target`,
      target,
      limits.statusCodeMin,
      limits.statusCodeMax,
      violate,
    );
    checkOneOf(`${field}[${index}].comparator`, comparator, numberComparators, violate);
  });
}

function checkTexts(
  field: string,
  assertions: readonly { readonly target: string; readonly comparator: string }[],
  violate: Violate,
): void {
  checkCount(field, assertions.length, limits.assertionsMax, violate);
  assertions.forEach(({ target, comparator }, index) => {
    checkOneOf(`${field}[${index}].comparator`, comparator, stringComparators, violate);
    checkTarget(`${field}[${index}].target`, target, violate);
  });
}

function checkRecordAssertions(
  assertions: DnsDefinition["recordAssertions"],
  violate: Violate,
): void {
  const field = "record_assertions";
  checkCount(field, assertions.length, limits.assertionsMax, violate);
  assertions.forEach(({ record, target, comparator }, index) => {
    checkOneOf(`${field}[${index}].record`, record, recordTypes, violate);
    checkOneOf(`${field}[${index}].comparator`, comparator, recordComparators, violate);
    checkTarget(`${field}[${index}].target`, target, violate);
  });
}

function checkTarget(field: string, target: string, violate: Violate): void {
  if (target.length > limits.assertionTargetCharsMax)
    violate(field, `is longer than ${limits.assertionTargetCharsMax} characters`);
}

function checkOtel(otel: OtelConfig, violate: Violate): void {
  const endpoint = parseHttpUrl(otel.endpoint);
  if (!endpoint.ok) violate("otlp_endpoint", endpoint.message);
  checkHeaders("otlp_headers", otel.headers, violate);
}

function checkCount(field: string, count: number, max: number, violate: Violate): void {
  if (count > max) violate(field, `has ${count} entries, more than ${max}`);
}

function checkOneOf(
  field: string,
  value: string,
  allowed: readonly string[],
  violate: Violate,
): void {
  if (!allowed.includes(value))
    violate(field, `must be one of ${allowed.join(", ")}, not "${value}"`, "invalid_comparator");
}

/** RFC 9110 §5.6.2. */
const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
/** RFC 9110 §5.5, with the octets above ASCII that a Latin-1 value may hold. */
const isFieldValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
const isMethod = (text: string): text is HttpMethod =>
  httpMethods.some((method) => method === text);

function targetOf(definition: MonitorDefinition): Target {
  switch (definition.kind) {
    case "http": {
      const method = definition.method.toUpperCase();
      const url = must(parseHttpUrl(definition.url)).href;
      if (!isMethod(method)) throw new TypeError("violationsOf let an unknown method pass");
      const { headers, body, followRedirects } = definition;
      return { kind: "http", url, method, headers, body, followRedirects };
    }
    case "tcp":
      return must(parseTcpUri(definition.uri));
    case "dns": {
      const target = must(parseDnsUri(definition.uri));
      const named = recordTypes.filter((type) =>
        definition.recordAssertions.some(({ record }) => record === type),
      );
      const types = [...new Set([...target.types, ...named])];
      return { ...target, types: types.length === 0 ? ["A", "AAAA"] : types };
    }
  }
}

function assertionsOf(definition: MonitorDefinition): readonly Assertion[] {
  switch (definition.kind) {
    case "http":
      return [
        ...definition.statusCodeAssertions.map(({ target, comparator }) => ({
          kind: "status" as const,
          comparator: known(numberComparators, comparator),
          target,
        })),
        ...definition.bodyAssertions.map(({ target, comparator }) => ({
          kind: "body" as const,
          comparator: known(stringComparators, comparator),
          target,
        })),
        ...definition.headerAssertions.map(({ key, target, comparator }) => ({
          kind: "header" as const,
          key,
          comparator: known(stringComparators, comparator),
          target,
        })),
      ];
    case "tcp":
      return [];
    case "dns":
      return definition.recordAssertions.map(({ record, target, comparator }) => ({
        kind: "record" as const,
        record: known(recordTypes, record),
        comparator: known(recordComparators, comparator),
        target,
      }));
  }
}

function known<T extends string>(all: readonly T[], value: string): T {
  const found = all.find((one) => one === value);
  if (found === undefined) throw new TypeError(`violationsOf let "${value}" pass`);
  return found;
}

function must<T>(result: { ok: true; value: T } | { ok: false; message: string }): T {
  if (!result.ok) throw new TypeError(`violationsOf let a target pass that ${result.message}`);
  return result.value;
}

/** The length of a periodicity in the wire's or the specification's words; null when it is neither's. */
export const periodicityMillis = (text: string): Millis | null => periodicities[text] ?? null;

/** The name of the target field of a kind, in the specification's words. */
export const uriField = (kind: Kind): "url" | "uri" => (kind === "http" ? "url" : "uri");
