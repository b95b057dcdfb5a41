import * as limits from "#limits/metrics-limits";
import { instruments, type InstrumentName } from "#metrics/instruments";
import { prometheusHead, prometheusLabels, prometheusPairs } from "#metrics/prometheus-lines";
import { prometheusName } from "#metrics/prometheus-name";
import type { Attributes, Series, SeriesKind } from "#metrics/series";
import type { MetricStore } from "#metrics/metric-store";

/** Some series in Prometheus' exposition text; who the agent is stands in `target_info`. */
interface PrometheusSource {
  readonly series: ReturnType<MetricStore["byInstrument"]>;
  /** Null writes every instrument. */
  readonly names: ReadonlySet<InstrumentName> | null;
  readonly resource: Attributes;
}

/**
 * The text in pieces of some tens of KiB, each made when it is asked for: of ten thousand monitors it is more than a
 * hundred megabytes, and between two pieces the thread is free.
 */
export function* prometheusText({ series, names, resource }: PrometheusSource): Generator<string> {
  let piece =
    "# HELP target_info The attributes of the resource\n" +
    `# TYPE target_info gauge\ntarget_info${prometheusLabels(resource)} 1\n`;
  const labels = new SeriesLabels();
  for (const [name, all] of series) {
    if (names?.has(name) === false) continue;
    const instrument = instruments[name];
    const shown = prometheusName(name, instrument);
    piece += prometheusHead(shown, instrument);
    for (const one of all) {
      piece += samples(shown, one, labels.of(one), instrument.bounds ?? []);
      if (piece.length < limits.metricsPieceChars) continue;
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}

function samples(
  name: string,
  { counts, value }: Series,
  labels: string,
  bounds: readonly number[],
): string {
  if (counts === null) return `${name}${labels} ${value}\n`;
  const open = labels === "" ? "{" : `${labels.slice(0, -1)},`;
  let lines = "";
  let upTo = 0;
  counts.forEach((count, index) => {
    upTo += count;
    lines += `${name}_bucket${open}le="${bounds[index] ?? "+Inf"}"} ${upTo}\n`;
  });
  return `${lines}${name}_sum${labels} ${value}\n${name}_count${labels} ${upTo}\n`;
}

/** Labels of series as text. Series of one scope are next to each other, and thousands are of the same few kinds. */
class SeriesLabels {
  readonly #ofKinds = new Map<SeriesKind, string>();
  #scoped: { readonly shared: Attributes; readonly text: string } | null = null;

  of({ shared, kind }: Series): string {
    if (this.#scoped?.shared !== shared) this.#scoped = { shared, text: prometheusPairs(shared) };
    const { text } = this.#scoped;
    const more = this.#ofKinds.getOrInsertComputed(kind, () => prometheusPairs(kind.more));
    return text === "" && more === "" ? "" : `{${text}${text && more && ","}${more}}`;
  }
}
