import type { MonitorDefinition } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import * as limits from "#limits/check-limits";
import type { Kind } from "#check/monitor";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { type TypedPlaces, typedMonitorFor } from "#service/operator/monitors/typed-monitor";

/** A new one runs, every minute, and says within half a minute more that a target is silent. */
export const newDefinition = (kind: Kind): MonitorDefinition => ({
  ...kindTable[kind].defaults,
  periodicity: "1m",
  timeout: limits.proposedTimeout,
  retry: limits.proposedRetries,
  active: true,
});

export const noPlaces: TypedPlaces = { locations: [], channels: [] };

/** The field of a form that says at which location it is tried: of no kind. */
export const placeField = "at";

/** The button that tries it. A form whose target is read keeps it: without it, what was to be tried would be saved. */
export const tryField = "try";

/** What was typed for both kinds stays; what only the other kind has is as in a new one. */
export function asKind(kind: Kind, before: Kind, form: URLSearchParams): URLSearchParams {
  const both = new Set([...Object.keys(monitorFields(before)), placeField, tryField]);
  const typed = new URLSearchParams();
  for (const [name, value] of typedMonitorFor(newDefinition(kind), noPlaces))
    if (!both.has(fieldOf(name))) typed.append(name, value);
  for (const [name, value] of form) if (both.has(fieldOf(name))) typed.append(name, value);
  return typed;
}

/** Whether something was typed that only the kind before has: another kind has no field for it. */
export function losesTyped(kind: Kind, before: Kind, form: URLSearchParams): boolean {
  const kept = new Set(Object.keys(monitorFields(kind)));
  const fresh = typedMonitorFor(newDefinition(before), noPlaces);
  const own = new Set(Object.keys(monitorFields(before)).filter((name) => !kept.has(name)));
  for (const name of ["url", "uri"]) own.delete(name);
  return [...form].some(
    ([name, value]) =>
      own.has(fieldOf(name)) && value !== "" && !fresh.getAll(name).includes(value),
  );
}

/** `headers` of `headers[2].key`. */
export const fieldOf = (name: string): string => name.split(/[[.]/, 1)[0] ?? "";
