import type { WrittenPolicy } from "#check/alert-policy";
import { argumentsOf } from "#check/monitor-arguments";
import { type ManagedMonitor, managedDefinition } from "#wire/managed-monitor";

/** What a monitor of a service is, by the names and in the words of the arguments of a file; null is not said. */
export function monitorValues(monitor: ManagedMonitor): ReadonlyMap<string, unknown> {
  const definition = managedDefinition(monitor);
  const given: Readonly<Record<string, unknown>> = {
    ...definition,
    alerting: definition.alerting === null ? null : policyOf(definition.alerting),
    labels: Object.keys(definition.labels).length === 0 ? null : definition.labels,
    otlpEndpoint: definition.otel?.endpoint ?? "",
    otlpHeaders: definition.otel?.headers ?? [],
  };
  const names = Object.keys(argumentsOf(monitor.kind));
  return new Map(names.map((name) => [name, given[camelCase(name)] ?? null]));
}

/** What a policy says; a field that says nothing is left out, and so is what it depends on, which files say by name. */
function policyOf({ dependsOn: _named, ...policy }: WrittenPolicy): object | null {
  const said = Object.entries(policy).filter(([, value]) => value !== 0 && value !== "");
  return said.length === 0
    ? null
    : Object.fromEntries(said.map(([name, value]) => [snakeCase(name), value]));
}

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
