import type { Instrument } from "#metrics/instrument";
import { prometheusLabel, prometheusUnit } from "#metrics/prometheus-name";

/** What stands above an instrument's samples in Prometheus' exposition text; `shown` is its name there. */
export function prometheusHead(shown: string, instrument: Instrument): string {
  const unit = prometheusUnit(instrument);
  return (
    `# HELP ${shown} ${escapeHelp(instrument.does)}\n` +
    `# TYPE ${shown} ${promTypes[instrument.kind]}\n` +
    // A comment to Prometheus' own format, which OpenMetrics defines.
    (unit === null ? "" : `# UNIT ${shown} ${unit}\n`)
  );
}

const promTypes = {
  counter: "counter",
  up_down_counter: "gauge",
  gauge: "gauge",
  histogram: "histogram",
} as const;

/** The attributes between braces; empty where there are none. */
export function prometheusLabels(attributes: Readonly<Record<string, string | number>>): string {
  const pairs = prometheusPairs(attributes);
  return pairs === "" ? "" : `{${pairs}}`;
}

/** The same without the braces, to be joined by a comma. */
export const prometheusPairs = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${prometheusLabel(name)}="${escapeLabel(String(value))}"`)
    .join(",");

/** Nearly no value has anything to escape. */
const escapeLabel = (text: string): string =>
  /[\\\n"]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')
    : text;

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
