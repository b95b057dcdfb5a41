import { thrownText } from "#base/text";
import { serverFields } from "#network/server-fields";
import { backoff } from "#base/backoff";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as limits from "#limits/metrics-limits";
import * as processLimits from "#limits/process-limits";
import type { Logger } from "#base/log";
import { type Point, OtlpPoints, type Temporality } from "#metrics/otlp-points";
import type { Collector } from "#metrics/otlp-protocol";
import type { PostOutcome } from "#metrics/post";
import type { Attributes } from "#metrics/series";
import { MetricStore } from "#metrics/metric-store";
import type { ProbeContext } from "#probes/connection/probe";
import { millis, type Millis } from "#base/units";

/** What all pipelines of an agent have in common. */
export interface PipelineTools {
  /** How a collector is reached: with the guard and the trust that hold for it. */
  readonly context: ProbeContext;
  readonly resource: Attributes;
  readonly interval: Millis;
  /** Bounds one post as a whole. */
  readonly timeout: Millis;
  readonly temporality: Temporality;
  readonly clock: Clock;
  readonly log: Logger;
  /** A number in [0, 1). */
  readonly chance: () => number;
}

export interface ExportCounts {
  readonly success: number;
  readonly failure: number;
}

/** What ends an export early. */
interface ExportEnds {
  /** Nothing is waited for any more, and nothing begun. */
  readonly waits: AbortSignal;
  /** What is under way is cut short. */
  readonly posts: AbortSignal;
}

/**
 * Series on their way to one collector. What waits is the series themselves, so nothing piles up while it is away;
 * one export is under way at a time, in pieces that a collector takes.
 */
export class Pipeline {
  readonly store: MetricStore;
  readonly #collector: Collector;
  readonly #tools: PipelineTools;
  readonly #points: OtlpPoints;
  readonly #refresh: () => void;
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  readonly #giveUp = new AbortController();
  readonly #running: Promise<void>;
  #counts = { success: 0, failure: 0 };
  #state: PostOutcome["outcome"] | "unknown" = "unknown";
  #rejects = false;
  #wait: Millis = millis(0);

  /** `refresh` brings observed figures up to date before they are exported. */
  constructor(collector: Collector, tools: PipelineTools, refresh: () => void = () => {}) {
    this.#collector = collector;
    this.#tools = tools;
    this.#refresh = refresh;
    this.store = new MetricStore(tools.clock);
    this.#points = new OtlpPoints(this.store, tools.temporality, tools.clock);
    this.#running = this.#run();
  }

  get counts(): ExportCounts {
    return this.#counts;
  }

  /**
   * Exports once more, within `patience` and until `abandon` aborts, and ends. An export that is under way has half of that
   * for its answer: a collector that has taken its deltas would count them twice.
   */
  async close(patience: Millis, abandon?: AbortSignal): Promise<void> {
    const { clock } = this.#tools;
    using half = startDeadline(clock, millis(patience / 2), abandon);
    using whole = startDeadline(clock, patience, abandon);
    endsWith(half.signal, this.#cut);
    endsWith(whole.signal, this.#giveUp);
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, interval, chance } = this.#tools;
    // Pipelines that were opened together do not export together.
    let pause = millis(Math.round(interval * (0.5 + chance() / 2)));
    while (!this.#closing.signal.aborted) {
      await clock.sleep(pause, this.#closing.signal);
      if (this.#closing.signal.aborted) break;
      await this.#export({ waits: this.#closing.signal, posts: this.#cut.signal });
      pause = millis(Math.max(interval, this.#wait));
    }
    await this.#export({ waits: this.#giveUp.signal, posts: this.#giveUp.signal });
  }

  /** A fault of our own costs one export, never the agent. */
  async #export(ends: ExportEnds): Promise<void> {
    try {
      await this.#tellAll(ends);
    } catch (error) {
      this.#counts.failure += 1;
      this.#tools.log.error("metrics were not exported by a fault of the agent", {
        "error.message": thrownText(error),
      });
    }
  }

  /** Everything there is to tell; ends early at the first piece that does not arrive. */
  async #tellAll(ends: ExportEnds): Promise<void> {
    this.#refresh();
    this.#wait = millis(0);
    for (const piece of this.#points.pieces(limits.metricPointsPerPost)) {
      const posted = await this.#send(piece, ends);
      if (posted === null) return;
      this.#say(posted);
      this.#counts[posted.outcome === "taken" ? "success" : "failure"] += 1;
      if (posted.outcome !== "taken") return;
      this.#points.arrived(piece);
      if (ends.waits.aborted) return;
    }
  }

  /** Tries again what may pass; null when it was cut short. */
  async #send(points: readonly Point[], { waits, posts }: ExportEnds): Promise<PostOutcome | null> {
    const { clock, resource, chance } = this.#tools;
    // Loaded at the first export, as most agents never export.
    const { metricsOf } = await import("#metrics/otlp-encoding");
    const { exportOnce } = await import("#metrics/otlp-exporter");
    const metrics = metricsOf(points, resource);
    for (let tries = 1; ; tries += 1) {
      const { posted, rejectedPoints } = await exportOnce(
        metrics,
        this.#collector.protocol,
        (body) => this.#post(body, posts),
      );
      if (posts.aborted && posted.outcome === "failed") return null;
      if (posted.outcome === "taken") this.#sayRejection(rejectedPoints);
      if (posted.outcome !== "failed") return posted;
      const pause = posted.wait ?? backoff(tries, limits.metricsBackoffMax, chance());
      // A wait that outlasts the interval is kept before the next export, which has newer figures.
      this.#wait = millis(Math.min(pause, processLimits.retryAfterMax));
      if (tries >= limits.metricsTriesMax || this.#wait > this.#tools.interval / 2) return posted;
      this.#say(posted);
      await clock.sleep(this.#wait, waits);
      if (waits.aborted) return posted;
    }
  }

  async #post(body: Uint8Array, signal: AbortSignal): Promise<PostOutcome> {
    const { clock, context, timeout } = this.#tools;
    using deadline = startDeadline(peerClock(clock), timeout, signal);
    const { postMetrics } = await import("#metrics/post");
    return await postMetrics(body, this.#collector, deadline, context);
  }

  /** Each change of state is said once. */
  #say(posted: PostOutcome): void {
    if (posted.outcome === this.#state) return;
    const first = this.#state === "unknown";
    this.#state = posted.outcome;
    const { log } = this.#tools;
    const fields = serverFields(this.#collector.url);
    if (posted.outcome === "taken") {
      if (!first) log.info("the collector takes metrics again", fields);
      return;
    }
    const why = { ...fields, "error.message": posted.reason };
    if (posted.outcome === "refused")
      log.warn("the collector refuses metrics: checks continue, and metrics are sent again", why);
    else log.warn("the collector cannot be reached: checks continue, and metrics are kept", why);
  }

  #sayRejection(points: number): void {
    const said = this.#rejects;
    this.#rejects = points > 0;
    if (points === 0 || said) return;
    // The collector's own words may quote what it was sent, so they are not passed on.
    this.#tools.log.warn("the collector does not take some of the metrics: see its own log", {
      ...serverFields(this.#collector.url),
      points,
    });
  }
}

function endsWith(signal: AbortSignal, controller: AbortController): void {
  const end = (): void => controller.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
}
