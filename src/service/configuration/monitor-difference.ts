import { type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  type FieldDifference,
  fieldDifference,
  secretDifference,
} from "#service/configuration/field-difference";
import { monitorValues } from "#service/configuration/monitor-values";
import { codecOf } from "#wire/kinds/codec-table";
import type { ManagedMonitor } from "#wire/managed-monitor";
import { shownSignature } from "#signing/monitor-signature";
import * as limits from "#limits/check-limits";
import { readOnlyFields } from "#wire/kinds/managed-fields";

/** The arguments in which two monitors of one kind differ, by their names in the specification. */
export function differencesOf(a: ManagedMonitor, b: ManagedMonitor): readonly FieldDifference[] {
  const left = argumentsOf(a);
  const right = argumentsOf(b);
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names]
    .filter((name) => JSON.stringify(left[name] ?? null) !== JSON.stringify(right[name] ?? null))
    .map((name) => differenceOf(name, monitorValues(a).get(name), monitorValues(b).get(name)));
}

function differenceOf(name: string, before: unknown, after: unknown): FieldDifference {
  switch (name) {
    case "metadata":
      return secretDifference(name);
    case "signature":
      return fieldDifference(name, shownSignature(String(before)), shownSignature(String(after)));
    default:
      return fieldDifference(name, before, after);
  }
}

/** The arguments of a monitor under their specified names, with what means the same written the same. */
function argumentsOf(monitor: ManagedMonitor): JsonObject {
  const json = Object.fromEntries(
    Object.entries(jsonOf(monitor) ?? {}).filter(([name]) => !readOnlyFields.has(name)),
  );
  const { regions, open_telemetry: otel, timeout, degraded_at, ...others } = json;
  return {
    ...others,
    // A threshold of 0 is none, a timeout of 0 the default, and regions are a set.
    degraded_at: degraded_at === "0" ? null : (degraded_at ?? null),
    timeout: timeout === "0" ? String(limits.timeoutDefault) : (timeout ?? null),
    ...(isObject(otel)
      ? { otlp_endpoint: otel["endpoint"] ?? null, otlp_headers: otel["headers"] ?? null }
      : {}),
    ...(Array.isArray(regions) ? { regions: regions.map(String).sort() } : {}),
  };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asWritten = { alwaysEmitImplicit: true, useProtoFieldName: true } as const;

const jsonOf = ({ kind, message }: ManagedMonitor): JsonValue =>
  toJson(codecOf(kind).management.schema, message, asWritten);
