import { attributes, type Instrument } from "#metrics/instrument";

/** UCUM's units as Prometheus writes them at the end of a name; what is counted in braces has none. */
const words: Readonly<Record<string, string>> = {
  s: "seconds",
  ms: "milliseconds",
  By: "bytes",
  "%": "percent",
};

/**
 * The name that Prometheus gives an instrument of OpenTelemetry (the specification's "Prometheus and OpenMetrics
 * Compatibility"): other characters become _, the unit and, of a counter, _total stand at the end.
 */
export function prometheusName(name: string, { kind, unit }: Instrument): string {
  const word = prometheusUnit({ kind, unit });
  const base = name.replace(/[^a-zA-Z0-9_:]/g, "_");
  const withUnit = word === null || base.endsWith(`_${word}`) ? base : `${base}_${word}`;
  return kind === "counter" ? `${withUnit}_total` : withUnit;
}

/** The unit at the end of an instrument's name; null has none. */
export function prometheusUnit({ kind, unit }: Pick<Instrument, "kind" | "unit">): string | null {
  if (unit === "1") return kind === "gauge" ? "ratio" : null;
  return words[unit] ?? null;
}

export const prometheusLabel = (name: string): string => labels.get(name) ?? labelOf(name);

const labelOf = (name: string): string => name.replace(/[^a-zA-Z0-9_]/g, "_");
/** A large agent's text has a million of them. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.keys(attributes).map((name) => [name, labelOf(name)]),
);
