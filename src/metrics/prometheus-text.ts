import { instruments } from "#metrics/instruments";
import { prometheusLabel, prometheusName, prometheusUnit } from "#metrics/prometheus-name";
import type { Attributes, Series } from "#metrics/series";
import type { MetricStore } from "#metrics/store";

/** The type of a body that `prometheusText` makes. */
export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

/** A store in Prometheus' exposition text; who the agent is stands in `target_info`. */
export function prometheusText(store: MetricStore, resource: Attributes): string {
  const lines: string[] = [
    "# HELP target_info Who is speaking: the attributes of the resource",
    "# TYPE target_info gauge",
    `target_info${labelsOf(resource)} 1`,
  ];
  for (const [name, all] of store.byInstrument()) {
    const instrument = instruments[name];
    const shown = prometheusName(name, instrument);
    const unit = prometheusUnit(instrument);
    lines.push(`# HELP ${shown} ${escapeHelp(instrument.does)}`);
    lines.push(`# TYPE ${shown} ${promTypes[instrument.kind]}`);
    // A comment to Prometheus' own format, which OpenMetrics defines.
    if (unit !== null) lines.push(`# UNIT ${shown} ${unit}`);
    for (const series of all) lines.push(...samples(shown, series, instrument.bounds ?? []));
  }
  return `${lines.join("\n")}\n`;
}

const promTypes = {
  counter: "counter",
  up_down_counter: "gauge",
  gauge: "gauge",
  histogram: "histogram",
} as const;

function samples(name: string, series: Series, bounds: readonly number[]): readonly string[] {
  const { attributes, counts, value } = series;
  const labels = labelsOf(attributes);
  if (counts === null) return [`${name}${labels} ${value}`];
  const open = labels === "" ? "{" : `${labels.slice(0, -1)},`;
  const lines: string[] = [];
  let upTo = 0;
  counts.forEach((count, index) => {
    upTo += count;
    lines.push(`${name}_bucket${open}le="${bounds[index] ?? "+Inf"}"} ${upTo}`);
  });
  return [...lines, `${name}_sum${labels} ${value}`, `${name}_count${labels} ${upTo}`];
}

function labelsOf(attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => `${prometheusLabel(name)}="${escapeLabel(String(value))}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
