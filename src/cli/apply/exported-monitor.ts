import { monitorValues } from "#service/configuration/monitor-values";
import { unusualValues } from "#cli/apply/unusual-values";
import { argumentsOf } from "#check/monitor-arguments";
import type { ManagedMonitor } from "#wire/managed-monitor";

/**
 * A monitor by the arguments of a file, without those that are as they would be if nothing was said. Header values,
 * metadata, bodies, and URLs that may hold a secret are references to variables.
 */
export function exportedMonitor(
  monitor: ManagedMonitor,
  nameOf: (id: string) => string,
): Readonly<Record<string, unknown>> {
  const { active, ...table } = argumentsOf(monitor.kind);
  const values = Object.fromEntries(monitorValues(monitor));
  const said = unusualValues(values, { ...table, active: { ...active, fallback: false } });
  const entries = Object.entries(said).map(([name, value]) => [
    name,
    withReferences(name, value, monitor.message.name),
  ]);
  const dependsOn = monitor.message.alerting?.dependsOn ?? [];
  return {
    ...Object.fromEntries(entries),
    ...(dependsOn.length === 0 ? {} : { depends_on: dependsOn.map(nameOf) }),
  };
}

function withReferences(argument: string, value: unknown, name: string): unknown {
  switch (argument) {
    case "body":
      return variable(name, argument);
    case "url":
    case "otlp_endpoint":
      return /[?@]/.test(String(value)) ? variable(name, argument) : value;
    case "headers":
    case "metadata":
      return keysOf(value).map((key) => ({ key, value: variable(name, key) }));
    case "otlp_headers":
      return Object.fromEntries(keysOf(value).map((key) => [key, variable(name, key)]));
    default:
      return value;
  }
}

const keysOf = (headers: unknown): readonly string[] =>
  Array.isArray(headers) ? headers.map(({ key }: { readonly key: string }) => key) : [];

/** `{ env: SHOP_AUTHORIZATION }`. */
export const variable = (name: string, part: string): { readonly env: string } => ({
  env: `${name} ${part}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_"),
});
