import type { Logger } from "#base/log";
import { LogNews } from "#base/log-limit";
import * as limits from "#limits/metrics-limits";
import { noteCheck } from "#metrics/check-metrics";
import type { MetricsView, OtlpProtocol } from "#check/agent-words";
import { monitorOf } from "#metrics/monitor-scopes";
import { metricsUrl } from "#metrics/otlp-protocol";
import { type ExportCounts, Pipeline, type PipelineTools } from "#metrics/pipeline";
import type { Header, Monitor, OtelConfig } from "#check/monitor";
import { holdsReference } from "#check/secret-placeholder";
import type { Result } from "#check/result";
import type { Millis } from "#base/units";

interface MonitorPipelineOptions extends PipelineTools {
  readonly protocol: OtlpProtocol;
  readonly views: readonly MetricsView[];
  /** The headers with the location's secrets in them; null if they may not be sent. As they are written, unless given. */
  readonly filled?: (otel: OtelConfig) => readonly Header[] | null;
}

/**
 * The pipelines to the collectors that monitors name: one for each endpoint with its headers, shared by the monitors
 * that name both, and by no others. One that no monitor names any more is flushed and closed.
 */
export class MonitorPipelines {
  readonly #options: MonitorPipelineOptions;
  readonly #log: Logger;
  /** By endpoint and headers; which are secrets, so keys are never shown. */
  readonly #open = new Map<string, Pipeline>();
  readonly #closing = new Set<Promise<void>>();
  #ended = { success: 0, failure: 0, refused: 0 };
  readonly #news = new LogNews();

  constructor(options: MonitorPipelineOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Of all pipelines that are and were. */
  get counts(): ExportCounts & { readonly refused: number } {
    const all = [...this.#open.values()];
    const sum = (of: (one: Pipeline) => number): number =>
      all.reduce((total, one) => total + of(one), 0);
    return {
      success: this.#ended.success + sum(({ counts }) => counts.success),
      failure: this.#ended.failure + sum(({ counts }) => counts.failure),
      refused: this.#ended.refused + sum(({ store }) => store.refused),
    };
  }

  note(result: Result, monitor: Monitor, location: string = ""): void {
    if (monitor.rejection !== null || monitor.otel === null) return;
    const pipeline = this.#of(monitor.otel);
    if (pipeline !== null)
      noteCheck(pipeline.store, result, monitor, this.#options.views, location);
  }

  /** The secrets of the location have changed: what is sent with some of them begins again, with the new ones. */
  secretsChanged(): void {
    for (const [key, pipeline] of this.#open)
      if (holdsReference(key)) this.#close(key, pipeline, limits.metricsCloseWithin);
  }

  /** Makes the pipelines those of the monitors that there are: the others export once more, then close. */
  reconcile(monitors: ReadonlyMap<string, Monitor>): void {
    const wanted = new Map<string, Set<string>>();
    for (const monitor of monitors.values())
      if (monitor.rejection === null && monitor.otel !== null)
        wanted.getOrInsertComputed(keyOf(monitor.otel), () => new Set()).add(monitor.id);
    for (const [key, pipeline] of this.#open) {
      const ids = wanted.get(key);
      if (ids === undefined) this.#close(key, pipeline, limits.metricsCloseWithin);
      else forgetOthers(pipeline, ids);
    }
  }

  /** Flushes and closes all within `patience` and until `abandon` aborts; waits for those that are closing already. */
  async close(patience: Millis, abandon?: AbortSignal): Promise<void> {
    for (const [key, pipeline] of this.#open) this.#close(key, pipeline, patience, abandon);
    await Promise.all(this.#closing);
  }

  #of(otel: OtelConfig): Pipeline | null {
    const key = keyOf(otel);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    if (this.#open.size + this.#closing.size >= limits.metricPipelinesMax) {
      if (this.#news.isNews(room, "full"))
        this.#log.warn(
          `monitors name more than ${limits.metricPipelinesMax} collectors: metrics for the others are not sent`,
        );
      return null;
    }
    const { protocol, filled = ({ headers: written }) => written } = this.#options;
    const headers = filled(otel);
    if (headers === null) return null;
    const collector = { url: metricsUrl(otel.endpoint), headers, protocol, gzip: true };
    const pipeline = new Pipeline(collector, this.#options);
    this.#open.set(key, pipeline);
    return pipeline;
  }

  #close(key: string, pipeline: Pipeline, patience: Millis, abandon?: AbortSignal): void {
    this.#open.delete(key);
    this.#news.isNews(room, "left");
    const closed = pipeline.close(patience, abandon).then(() => {
      this.#closing.delete(closed);
      this.#ended.success += pipeline.counts.success;
      this.#ended.failure += pipeline.counts.failure;
      this.#ended.refused += pipeline.store.refused;
    });
    this.#closing.add(closed);
  }
}

/** What the log says of how many pipelines there are. */
const room = "room for pipelines";

const keys = new WeakMap<OtelConfig, string>();

/** Asked for with each result, and for each monitor now and then; monitors that name the same share what they name. */
const keyOf = (otel: OtelConfig): string =>
  keys.getOrInsertComputed(otel, ({ endpoint, headers }) =>
    JSON.stringify([endpoint, headers.map(({ key, value }) => [key.toLowerCase(), value])]),
  );

function forgetOthers({ store }: Pipeline, ids: ReadonlySet<string>): void {
  for (const key of store.scopeKeys) if (!ids.has(monitorOf(key))) store.forget(key);
}
