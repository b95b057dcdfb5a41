import type { Assertion } from "#check/assertion";
import {
  type DefinitionOf,
  managementPeriodicities,
  type MonitorDefinition,
  periodicities,
} from "#check/definition";
import { failure, type Failure } from "#check/failure";
import { type Door, Findings, quoted, type Remark, type Violation } from "#check/findings";
import type { Kind, Monitor, OtelConfig, RunnableMonitor, Target } from "#check/monitor";
import { checkAlerting } from "#check/check-alerting";
import type { KindEntry } from "#check/kinds/kind-entry";
import { kindTable, uriOf } from "#check/kinds/kind-table";
import { given, readInRange } from "#check/kinds/reading";
import { readOtlpHeaders } from "#check/read-headers";
import { regionOf, regions as allRegions } from "#check/regions";
import { parseHttpUrl } from "#check/target";
import * as limits from "#limits/check-limits";
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
  const { target, assertions } = readKind(definition.kind, definition, findings);
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
  uri: uriOf(definition.kind, definition),
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

/** Telemetry never fails a check. */
function readOtel(otel: OtelConfig, findings: Findings): OtelConfig | null {
  const endpoint = given(otel.endpoint, findings);
  const headers = readOtlpHeaders(otel.headers, findings);
  const parsed = parseHttpUrl(endpoint);
  if (parsed.ok) return { endpoint, headers };
  const instead = "the check runs, and its metrics are not exported";
  return findings.tolerate("otlp_endpoint", parsed.message, instead);
}

/** What only a monitor of this kind has. */
function readKind<K extends Kind>(
  kind: K,
  definition: DefinitionOf<K>,
  findings: Findings,
): { readonly target: Target | null; readonly assertions: readonly Assertion[] } {
  const reader: KindEntry<K> = kindTable[kind];
  return {
    target: reader.read(definition, findings),
    assertions: reader.assertions(definition, findings),
  };
}
