import { tcpDefaults, type CommonFields, type MonitorDefinition } from "#check/definition";
import type { OtelConfig } from "#check/monitor";
import { regionOf, regions } from "#check/regions";
import { numberOf, periodicityNumber, periodicityWord, wordOf } from "#wire/enum-words";
import type { KnownConfig, Mask } from "#wire/kinds/kind-codec";
import {
  type AttemptFields,
  type OtelFields,
  type WirePolicy,
  attemptFields,
  headerFields,
  otelFields,
  policyFields,
  readPolicy,
} from "#wire/monitor-fields";

/* What the management calls say of every monitor, and how a field of a request is taken. */

/** What a service says of a monitor and no request does. */
export const readOnlyFields: ReadonlySet<string> = new Set([
  "id",
  "status",
  "private_location_ids",
  "created_at",
  "updated_at",
  "last_checked_at",
]);

interface ManagedFields extends AttemptFields {
  readonly name: string;
  readonly periodicity: number;
  readonly active: boolean;
  readonly public: boolean;
  readonly description: string;
  readonly regions: number[];
  readonly openTelemetry?: OtelFields;
  readonly alerting?: WirePolicy;
  readonly labels: { [key: string]: string };
  readonly signature: string;
}

export const managedFields = (definition: MonitorDefinition): ManagedFields => ({
  name: definition.name,
  periodicity: periodicityNumber(definition.periodicity),
  ...attemptFields(definition),
  active: definition.active,
  public: definition.public,
  description: definition.description,
  regions: definition.regions.map((word) => numberOf(regions, regionOf(word) ?? "")),
  ...(definition.otel === null ? {} : { openTelemetry: otelFields(definition.otel) }),
  ...(definition.alerting === null ? {} : { alerting: policyFields(definition.alerting) }),
  labels: { ...definition.labels },
  signature: definition.signature,
});

export const noMask: Mask = new Set();

export function mergedFields(monitor: AnyMonitor, mask: Mask, before: CommonFields): CommonFields {
  const take = taking(mask, before, tcpDefaults);
  return {
    name: take("name", "name", someText(monitor.name)),
    periodicity: take("periodicity", "periodicity", someText(periodicityWord(monitor.periodicity))),
    timeout: take("timeout", "timeout", someNumber(monitor.timeout)),
    degradedAt: take("degradedAt", "degraded_at", someNumber(monitor.degradedAt)),
    retry: take("retry", "retry", someNumber(monitor.retry)),
    active: take("active", "active", monitor.active),
    public: take("public", "public", monitor.public),
    description: take("description", "description", monitor.description),
    // The specification says a set.
    regions: take("regions", "regions", some(regionWords(monitor.regions))),
    otel: take("otel", "open_telemetry", otelOf(monitor)),
    alerting: take("alerting", "alerting", readPolicy(monitor.alerting)),
    labels: take("labels", "labels", someLabels(monitor.labels)),
    signature: take("signature", "signature", someText(monitor.signature)),
  };
}

/** One field: as given, else the default if the mask names it, else as it was. */
export const taking =
  <D extends object>(mask: Mask, before: D, defaults: D) =>
  <K extends keyof D>(key: K, name: string, given: D[K] | undefined): D[K] =>
    given ?? (mask.has(name) ? defaults[key] : before[key]);

export const someText = (text: string): string | undefined => (text === "" ? undefined : text);
export const some = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;
export const someNumber = (value: bigint | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);
/** A set; more than there are is for the reader to refuse. */
const regionWords = (all: readonly number[]): readonly string[] => {
  const words = all.map(regionWord);
  return words.length > regions.length ? words : [...new Set(words)];
};

const regionWord = (region: number): string => wordOf(regions, region, "region");

const someLabels = (labels: Readonly<Record<string, string>>) =>
  Object.keys(labels).length === 0 ? undefined : labels;

type AnyMonitor = KnownConfig["value"];

function otelOf({ openTelemetry: otel }: AnyMonitor) {
  if (otel === undefined) return undefined;
  // Headers without an endpoint are a mistake that violationsOf finds.
  if (otel.endpoint === "" && otel.headers.length === 0) return undefined;
  const config: OtelConfig = { endpoint: otel.endpoint, headers: headerFields(otel.headers) };
  return config;
}
