import {
  numberComparators,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import {
  type DnsDefinition,
  type HttpDefinition,
  managementPeriodicities,
  type MonitorDefinition,
  periodicities,
} from "#check/definition";
import type { FailureCode } from "#check/failure";
import * as limits from "#limits";
import { type Header, httpMethods, type OtelConfig } from "#check/monitor";
import { parseDnsUri, parseHttpUrl, parseTcpUri } from "#check/target";

/** One thing that is wrong, with the argument name of the specification: `headers[2].key`. */
export interface Violation {
  readonly field: string;
  /** Completes the sentence that begins with the field: `must be one of …`. */
  readonly message: string;
  readonly code: FailureCode;
}

/** "management" is a person's request and gets the specification's limits; "assignment" is what a service already let pass. */
export type Door = "management" | "assignment";

/** All that is wrong with a definition, in the order of the specification's tables; empty when it can be run. */
export function violationsOf(definition: MonitorDefinition, door: Door): readonly Violation[] {
  const found: Violation[] = [];
  const violate: Violate = (field, message, code = "invalid_setting") =>
    void found.push({ field, message, code });
  if (door === "management") checkManagement(definition, violate);
  checkPeriodicity(definition.periodicity, door, violate);
  checkRange("timeout", definition.timeout, 0, limits.timeoutMax, violate);
  checkRange("degraded_at", definition.degradedAt ?? 0, 0, unbounded, violate);
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

/** The specification sets no upper bound; JavaScript does. */
const unbounded = Number.MAX_SAFE_INTEGER;

function checkRange(
  field: string,
  value: number,
  low: number,
  high: number,
  violate: Violate,
): void {
  if (!Number.isInteger(value)) violate(field, `must be a whole number, not ${value}`);
  else if (value < low && high === unbounded) violate(field, `must not be below ${low}`);
  else if (value > high && high === unbounded) violate(field, "is too large");
  else if (value < low || value > high)
    violate(field, `must be in ${low} to ${high}, not ${value}`);
}

function checkUri(parsed: { ok: boolean; message?: string }, violate: Violate): void {
  if (!parsed.ok) violate("uri", parsed.message ?? "is invalid", "invalid_uri");
}

function checkHttp(definition: HttpDefinition, violate: Violate): void {
  const url = parseHttpUrl(definition.url);
  if (!url.ok) violate("url", url.message, "invalid_url");
  if (!httpMethods.some((method) => method === definition.method.toUpperCase()))
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
