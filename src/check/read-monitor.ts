import { queryTypes, type QueryType } from "#check/assertion";
import {
  type DnsDefinition,
  type HttpDefinition,
  managementPeriodicities,
  type MonitorDefinition,
  periodicities,
  uriOf,
} from "#check/definition";
import { failure, type Failure, type FailureCode } from "#check/failure";
import { type Door, Findings, quoted, type Remark, type Violation } from "#check/findings";
import {
  bodyMethods,
  type DnsTarget,
  type HttpMethod,
  httpMethods,
  type HttpTarget,
  type Monitor,
  type OtelConfig,
  type RunnableMonitor,
  type Target,
} from "#check/monitor";
import { checkAlerting } from "#check/check-alerting";
import { readAssertions } from "#check/read-assertions";
import { readHeaders, readOtlpHeaders } from "#check/read-headers";
import { regionOf, regions as allRegions } from "#check/regions";
import { parseDnsUri, parseHttpUrl, parseTcpUri } from "#check/target";
import * as limits from "#limits/check-limits";
import type { ParseResult } from "#network/parsed";
import { cutText, lineFault, shownName } from "#base/text";
import { type Millis, millis } from "#base/units";

/** What a definition turned out to be. */
type MonitorReading =
  | {
      readonly is: "runnable";
      readonly monitor: RunnableMonitor;
      readonly remarks: readonly Remark[];
    }
  /** In the order of the specification's tables; there is at least one. */
  | { readonly is: "wrong"; readonly violations: readonly Violation[] }
  /** Its author wanted no rhythm, so that it has no slots. */
  | { readonly is: "unscheduled"; readonly remarks: readonly Remark[] };

/** Reads a definition by the one table of rules: gives the monitor that runs, or all that is wrong with it. */
export function readMonitor(id: string, definition: MonitorDefinition, door: Door): MonitorReading {
  const findings = new Findings(door);
  if (door === "management") {
    checkManagement(definition, findings);
    checkAlerting(definition, findings);
  }
  const unscheduled = door === "assignment" && definition.periodicity === noPeriodicity;
  const periodicity = unscheduled ? null : readPeriodicity(definition.periodicity, findings);
  const timing = readTiming(definition, findings);
  const otel = definition.otel === null ? null : readOtel(definition.otel, findings);
  const target = readTarget(definition, findings);
  const assertions = readAssertions(definition, findings);
  const { violations, remarks } = findings;
  if (unscheduled) {
    findings.remark("periodicity", `is ${quoted(noPeriodicity)}: the monitor is not run`);
    return { is: "unscheduled", remarks };
  }
  if (violations.length > 0 || target === null || periodicity === null)
    return { is: "wrong", violations };
  const monitor = {
    ...assignedOf(id, definition, periodicity),
    target,
    assertions,
    ...timing,
    otel,
    rejection: null,
  };
  return { is: "runnable", monitor, remarks };
}

/** All that is wrong with a definition; empty when it can be run. */
export function violationsOf(definition: MonitorDefinition, door: Door): readonly Violation[] {
  const reading = readMonitor("", definition, door);
  return reading.is === "wrong" ? reading.violations : [];
}

/** The monitor that an agent runs for what a service assigned: one that cannot be run says why at each of its slots. */
export function assignedMonitor(
  id: string,
  definition: MonitorDefinition,
): { readonly monitor: Monitor | null; readonly remarks: readonly Remark[] } {
  const reading = readMonitor(id, definition, "assignment");
  switch (reading.is) {
    case "runnable":
      return reading;
    case "unscheduled":
      return { monitor: null, remarks: reading.remarks };
    case "wrong": {
      const periodicity = periodicities[definition.periodicity] ?? periodicityOfRejected;
      const assigned = assignedOf(id, definition, periodicity);
      // It is in each of its results.
      const uri = cutText(assigned.uri, limits.targetCharsMax);
      return {
        monitor: { ...assigned, uri, rejection: rejectionOf(reading.violations) },
        remarks: [],
      };
    }
  }
}

const assignedOf = (
  id: string,
  definition: MonitorDefinition,
  periodicity: Millis,
): Pick<Monitor, "id" | "name" | "kind" | "uri" | "periodicity"> => ({
  id,
  name: assignedName(definition.name),
  kind: definition.kind,
  uri: uriOf(definition),
  periodicity,
});

/** Null if the service gives none. It goes to terminals, logs and metrics, so it is made harmless here, once for all of them. */
export const assignedName = (name: string): string | null =>
  name === "" ? null : shownName(name, limits.nameCharsMax);

/** The existing service's word for a monitor that nothing runs by itself. */
const noPeriodicity = "other";

/** A rejected monitor without a usable periodicity says so this often. */
const periodicityOfRejected = millis(60_000);

function rejectionOf([first, ...more]: readonly Violation[]): Failure {
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  const message = `Invalid configuration: ${first?.field} ${first?.message}${rest}`;
  return failure(first?.code ?? "invalid_setting", "config", message);
}

function checkManagement(
  { name, description, regions }: MonitorDefinition,
  findings: Findings,
): void {
  if (name === "") findings.violate("name", "is required");
  if (name.length > limits.nameCharsMax)
    findings.violate("name", `is longer than ${limits.nameCharsMax} characters`);
  const fault = lineFault(name);
  if (fault !== null) findings.violate("name", fault);
  if (description.length > limits.descriptionCharsMax)
    findings.violate("description", `is longer than ${limits.descriptionCharsMax} characters`);
  findings.checkCount("regions", regions.length, allRegions.length);
  regions.forEach((region, index) => {
    if (regionOf(region) === null)
      findings.violate(`regions[${index}]`, `${quoted(region)} is not a region`);
  });
}

function readPeriodicity(value: string, findings: Findings): Millis | null {
  const allowed =
    findings.door === "management" ? managementPeriodicities : Object.keys(periodicities);
  const period = allowed.includes(value) ? (periodicities[value] ?? null) : null;
  if (period !== null) return period;
  const message =
    value === "" ? "is required" : `must be one of ${allowed.join(", ")}, not ${quoted(value)}`;
  return findings.violate("periodicity", message, "invalid_periodicity");
}

function readTiming(
  { timeout, degradedAt, retry }: MonitorDefinition,
  findings: Findings,
): Pick<RunnableMonitor, "timeout" | "degradedAt" | "retry"> {
  const timeouts = { max: limits.timeoutMax, usual: limits.timeoutDefault };
  const retries = { max: limits.retryMax, usual: limits.retryDefault };
  return {
    // 0 means the default.
    timeout: millis(readInRange("timeout", timeout || timeouts.usual, timeouts, findings)),
    degradedAt: readThreshold(degradedAt ?? 0, findings),
    retry: readInRange("retry", retry, retries, findings),
  };
}

/** No check takes longer than the longest timeout, so a threshold past it means nothing. */
function readThreshold(value: number, findings: Findings): Millis | null {
  const none = "the monitor has no threshold";
  if (!Number.isInteger(value))
    findings.tolerate("degraded_at", `must be a whole number, not ${value}`, none);
  else if (value < 0) findings.tolerate("degraded_at", "must not be below 0", none);
  else if (value > limits.timeoutMax)
    findings.tolerate("degraded_at", `must be in 0 to ${limits.timeoutMax}, not ${value}`, none);
  else if (value > 0) return millis(value);
  return null;
}

/** Past its maximum a number counts as the maximum, and what is no such number at all as the default. */
function readInRange(
  field: string,
  value: number,
  { max, usual }: { readonly max: number; readonly usual: number },
  findings: Findings,
): number {
  const isWhole = Number.isInteger(value);
  if (isWhole && value >= 0 && value <= max) return value;
  const used = value > max ? max : usual;
  const wanted = isWhole ? `must be in 0 to ${max}` : "must be a whole number";
  findings.tolerate(field, `${wanted}, not ${value}`, `${used} is used`);
  return used;
}

/** Telemetry never fails a check. */
function readOtel(otel: OtelConfig, findings: Findings): OtelConfig | null {
  const endpoint = given(otel.endpoint, findings);
  const headers = readOtlpHeaders(otel.headers, findings);
  const parsed = parseHttpUrl(endpoint);
  if (parsed.ok) return { endpoint, headers };
  const instead = "the check runs, and its metrics are not exported";
  return findings.tolerate("otlp_endpoint", parsed.message, instead);
}

function readTarget(definition: MonitorDefinition, findings: Findings): Target | null {
  switch (definition.kind) {
    case "http":
      return readHttpTarget(definition, findings);
    case "tcp":
      return readUri(parseTcpUri, definition.uri, findings);
    case "dns": {
      const target = readUri(parseDnsUri, definition.uri, findings);
      return target === null ? null : withTypes(target, definition);
    }
  }
}

/** Spaces around an address mean nothing; a person can still take them out. */
const given = (text: string, { door }: Findings): string =>
  door === "assignment" ? text.trim() : text;

function readUri<T>(
  parse: (text: string) => ParseResult<T>,
  uri: string,
  findings: Findings,
): T | null {
  return parsedOr("uri", parse(given(uri, findings)), "invalid_uri", findings);
}

const parsedOr = <T>(
  field: string,
  parsed: ParseResult<T>,
  code: FailureCode,
  findings: Findings,
): T | null => (parsed.ok ? parsed.value : findings.violate(field, parsed.message, code));

function readHttpTarget(definition: HttpDefinition, findings: Findings): HttpTarget | null {
  const { followRedirects } = definition;
  const parsed = parseHttpUrl(given(definition.url, findings));
  const url = parsedOr("url", parsed, "invalid_url", findings);
  const method = readMethod(definition.method, findings);
  const body = readBody(definition.body, method, findings);
  const headers = readHeaders(definition.headers, findings);
  if (url === null || method === null) return null;
  return { kind: "http", url: url.href, method, headers, body, followRedirects };
}

function readMethod(value: string, findings: Findings): HttpMethod | null {
  const method = httpMethods.find((one) => one === value.toUpperCase());
  if (method !== undefined) return method;
  const message = `must be one of ${httpMethods.join(", ")}, not ${quoted(value)}`;
  return findings.violate("method", message, "invalid_method");
}

/** A body goes with POST, PUT and PATCH. One that is kept with another method is not sent. */
function readBody(body: string, method: HttpMethod | null, findings: Findings): string {
  if (new TextEncoder().encode(body).length > limits.requestBodyBytesMax)
    findings.violate("body", `is larger than ${limits.requestBodyBytesMax} bytes`);
  if (body === "" || method === null || bodyMethods.includes(method)) return body;
  findings.remark("body", `is not sent with ${method}: only ${bodyMethods.join(", ")} send one`);
  return "";
}

/** Every type that an assertion names is asked for, also if the assertion itself cannot be judged. */
function withTypes(target: DnsTarget, { recordAssertions }: DnsDefinition): DnsTarget {
  const named = queryTypes.filter((type) => recordAssertions.some(({ record }) => record === type));
  const types = [...new Set([...target.types, ...named])];
  if (types.length === 0) return { ...target, types: ["A", "AAAA"] };
  // A type without assertions is asked for because it should be there; the others judge its absence.
  const isNeeded = (type: QueryType): boolean => {
    const wanted = recordAssertions.filter(({ record }) => record === type);
    return wanted.length === 0 || wanted.some(({ comparator }) => !holdsForNone.has(comparator));
  };
  return { ...target, types, recordsNeeded: types.some(isNeeded) };
}

const holdsForNone: ReadonlySet<string> = new Set(["neq", "not_contains"]);
