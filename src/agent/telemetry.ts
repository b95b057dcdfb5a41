import type { AgentStatus } from "#agent/agent-status";
import type { Config } from "#agent/settings/config";
import type { PathCounts } from "#agent/looks/path-counts";
import { proberContext } from "#agent/prober/probe-context";
import type { ProberOptions } from "#agent/prober/prober";
import { startProcessFigures } from "#agent/process-figures";
import { filledOtlp } from "#agent/secrets/filled-otlp";
import type { SecretTable } from "#agent/secrets/secret-table";
import { Secrets } from "#agent/secrets/secrets";
import type { Clock } from "#base/clock";
import * as limits from "#limits/metrics-limits";
import type { Logger } from "#base/log";
import { hostPortOf } from "#network/host-port";
import { noteCheck } from "#metrics/check-metrics";
import { MonitorPipelines } from "#metrics/monitor-pipelines";
import { monitorOf, scopesOf } from "#metrics/monitor-scopes";
import { Pipeline, type PipelineTools } from "#metrics/pipeline";
import { prometheusText } from "#metrics/prometheus-text";
import type { Scope } from "#metrics/scope";
import { readScrape, type Scrape } from "#metrics/scrape";
import type { Attributes } from "#metrics/series";
import { MetricStore } from "#metrics/metric-store";
import type { Monitor } from "#check/monitor";
import { parseHostRule, type TargetRules } from "#network/target-rules";
import type { Result } from "#check/result";
import type { Spool } from "#agent/spool/spool";
import { between, type Millis } from "#base/units";

interface TelemetryOptions {
  readonly config: Pick<Config, "node" | "labels" | "metricsProtocol" | "metricsViews" | "otel">;
  /** What this agent is called. */
  readonly instance: string;
  /** How targets are reached; collectors that monitors name are reached in the same way. */
  readonly prober: ProberOptions;
  readonly spool: Spool;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts when nothing is to be waited for any more. */
  readonly abandon: AbortSignal;
  /** A number in [0, 1); Math.random unless a test says otherwise. */
  readonly chance?: () => number;
  /** The location's secrets; none, unless given. */
  readonly secrets?: SecretTable | null;
}

/** The answer to a scrape: a text in pieces that are made when they are asked for, or what is wrong with the question. */
export type ScrapeAnswer =
  | { readonly ok: true; readonly text: Iterable<string> }
  | { readonly ok: false; readonly message: string };

/** What telemetry looks at of an agent that runs. */
export interface ObservedAgent {
  readonly status: AgentStatus;
  /** The location's name, by itself: it is asked for with each result. */
  readonly region: string | null;
  readonly monitors: ReadonlyMap<string, Monitor>;
}

/**
 * All metrics of an agent: its own, in a store that is scraped and exported, and those of each monitor on the way to
 * the collector that the monitor names. It lives on the main thread; nothing waits for it.
 */
export class Telemetry implements AsyncDisposable {
  readonly #options: TelemetryOptions;
  readonly #pipelines: MonitorPipelines;
  readonly #secrets: Secrets;
  /** Null without a collector; then the store is for scraping alone. */
  readonly #own: Pipeline | null;
  readonly #store: MetricStore;
  readonly #context: PipelineTools["context"];
  readonly #processFigures = startProcessFigures();
  readonly #over = new AbortController();
  #watched: ObservedAgent | null = null;
  /** Who is speaking; the location is added once the service has named it. */
  readonly #resource: Record<string, string>;

  constructor(options: TelemetryOptions) {
    const { config, prober, clock, log } = options;
    const { temporality, interval, timeout, collector } = config.otel;
    this.#options = options;
    this.#resource = resourceOf(options);
    this.#context = contextOf(prober);
    const tools: PipelineTools = {
      context: this.#context,
      resource: this.#resource,
      interval,
      timeout,
      temporality,
      clock,
      log,
      chance: options.chance ?? Math.random,
    };
    const { metricsProtocol: protocol, metricsViews: views } = config;
    this.#secrets = new Secrets(options.secrets ?? null);
    const filled = filledOtlp(this.#secrets, log);
    this.#pipelines = new MonitorPipelines({ ...tools, protocol, views, filled });
    this.#own =
      collector === null
        ? null
        : new Pipeline(collector, { ...tools, context: ownContext(collector, prober) }, () =>
            this.#observe(),
          );
    this.#store = this.#own?.store ?? new MetricStore(clock);
  }

  /** Takes a result in; called once for each. */
  note(result: Result, monitor: Monitor, lateness: Millis | null): void {
    const { metricsViews: views } = this.#options.config;
    const location = this.#watched?.region ?? "";
    noteCheck(this.#store, result, monitor, views, location);
    this.#noteAgent(result, lateness);
    this.#pipelines.note(result, monitor, location);
  }

  /** What goes to the collectors of monitors with secrets of the location has the new ones. */
  useSecrets(table: SecretTable | null): void {
    this.#secrets.replace(table);
    this.#pipelines.secretsChanged();
  }

  /** What the collectors that monitors name may be from now on. */
  useTargets(rules: TargetRules): void {
    this.#context.guard.replace(rules);
  }

  /** From now on, observes an agent, and forgets monitors that it no longer has. */
  watch(agent: ObservedAgent): void {
    this.#watched = agent;
    void this.#reconcileAlways(agent);
  }

  /** What a query asks for of the agent's own metrics, in Prometheus' text. */
  scraped(query: URLSearchParams): ScrapeAnswer {
    const reading = readScrape(query);
    if (!reading.ok) return reading;
    const { of, names } = reading.scrape;
    this.#observe();
    const series = this.#store.byInstrument(keysOf(of));
    return { ok: true, text: prometheusText({ series, names, resource: this.#resource }) };
  }

  /** Exports to every collector once more, each within its patience. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    const patience = limits.metricsCloseWithin;
    const { abandon } = this.#options;
    await Promise.all([
      this.#pipelines.close(patience, abandon),
      this.#own?.close(patience, abandon),
    ]);
    this.#processFigures[Symbol.dispose]();
  }

  async #reconcileAlways(agent: ObservedAgent): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#options.clock.sleep(limits.metricsReconcileEvery, this.#over.signal);
      if (!this.#over.signal.aborted) this.#reconcile(agent.monitors);
    }
  }

  #reconcile(monitors: ReadonlyMap<string, Monitor>): void {
    this.#pipelines.reconcile(monitors);
    for (const key of this.#store.scopeKeys)
      if (key !== agentScope && !monitors.has(monitorOf(key))) this.#store.forget(key);
  }

  #noteAgent({ outcome }: Result, lateness: Millis | null): void {
    const scope = this.#store.scope(agentScope, noAttributes);
    if (lateness !== null) scope.record("picket.agent.schedule.lateness", lateness / 1e3);
    if (outcome !== null) scope.record("picket.agent.error_bar", outcome.errorBar / 1e9);
  }

  #observe(): void {
    const scope = this.#store.scope(agentScope, noAttributes);
    this.#processFigures.observe(scope);
    const { spool, clock } = this.#options;
    const { oldestSlot, givenUp } = spool;
    const age = oldestSlot === null ? 0 : Math.max(0, between(oldestSlot, clock.wall()));
    scope.set("picket.spool.results", spool.size);
    scope.set("picket.spool.oldest.age", age / 1e3);
    for (const [reason, count] of Object.entries(givenUp))
      scope.set("picket.spool.given_up", count, { "picket.spool.given_up.reason": reason });
    const exports = this.#pipelines.counts;
    const own = this.#own?.counts ?? { success: 0, failure: 0 };
    for (const outcome of ["success", "failure"] as const)
      scope.set("picket.metrics.exports", exports[outcome] + own[outcome], {
        "picket.export.outcome": outcome,
      });
    scope.set("picket.metrics.pipelines", this.#pipelines.size + (this.#own === null ? 0 : 1));
    scope.set("picket.metrics.series.refused", exports.refused + this.#store.refused);
    if (this.#watched !== null) this.#observeAgent(this.#watched.status);
    scope.set("picket.metrics.series", this.#store.size);
  }

  #observeAgent({
    monitors,
    checksInFlight,
    schedule,
    reports,
    link,
    region,
    location,
    uncertainResults,
    conditions,
    questionsLeftOut,
    audit,
    targets,
    paths,
  }: AgentStatus): void {
    const scope = this.#store.scope(agentScope, noAttributes);
    Object.assign(this.#resource, locationAttributes({ region, location }));
    scope.set("picket.agent.monitors", monitors);
    scope.set("picket.agent.checks.active", checksInFlight);
    scope.set("picket.agent.results.uncertain", uncertainResults);
    scope.set("picket.agent.vantage.conditions", conditions.length);
    scope.set("picket.agent.vantage.questions.left_out", questionsLeftOut);
    scope.set("picket.agent.audit_log.broken", audit.fault === null ? 0 : 1);
    scope.set("picket.agent.checks.refused", targets.checksRefused);
    scope.set("picket.agent.slots.started", schedule.started);
    for (const [reason, count] of Object.entries(schedule.missed))
      scope.set("picket.agent.slots.missed", count, { "picket.slot.missed.reason": reason });
    for (const state of ["unknown", "up", "down", "refused"] as const)
      scope.set("picket.service.link.state", state === link ? 1 : 0, {
        "picket.service.link.state": state,
      });
    observePaths(scope, paths);
    const { accepted, duplicate, rejected, givenUp: given_up } = reports;
    scope.set("picket.spool.given_up", given_up, { "picket.spool.given_up.reason": "service" });
    for (const [outcome, count] of Object.entries({ accepted, duplicate, rejected, given_up }))
      scope.set("picket.reports", count, { "picket.report.outcome": outcome });
  }
}

function observePaths(scope: Scope, { known, packets, traces, changes, named }: PathCounts): void {
  scope.set("picket.agent.paths.known", known);
  scope.set("picket.agent.paths.packets", packets);
  scope.set("picket.agent.paths.failures.named", named);
  for (const [outcome, count] of Object.entries(traces))
    scope.set("picket.agent.paths.traces", count, { "picket.path.trace.outcome": outcome });
  for (const [kind, count] of Object.entries(changes))
    scope.set("picket.agent.paths.changes", count, { "picket.path.change.kind": kind });
}

/** No monitor's id is empty. */
const agentScope = "";
const noAttributes: Attributes = {};

/** The scopes of what is scraped; undefined is every one. */
function keysOf(of: Scrape["of"]): readonly string[] | undefined {
  if (of === "all") return undefined;
  return of === "agent" ? [agentScope] : [...of].flatMap(scopesOf);
}

function resourceOf({ config, instance, version }: TelemetryOptions): Record<string, string> {
  const { node, labels, otel } = config;
  return {
    "service.name": "picket",
    "service.version": version,
    "service.instance.id": instance,
    ...(node === "" ? {} : { "k8s.node.name": node }),
    ...Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [`picket.label.${name}`, value]),
    ),
    ...otel.resource,
  };
}

function locationAttributes({
  region,
  location,
}: Pick<AgentStatus, "region" | "location">): Record<string, string> {
  const labels = Object.entries(location?.locationMetadata ?? {});
  return {
    ...(region === null ? {} : { "picket.location.name": region }),
    ...(location === null ? {} : { "picket.location.id": location.locationId }),
    ...Object.fromEntries(labels.map(([name, value]) => [`picket.location.label.${name}`, value])),
  };
}

/** On the main thread no timing counts, so the kernel is not asked for any. */
const contextOf = (prober: ProberOptions): PipelineTools["context"] =>
  proberContext({ threads: 1, ...prober, kernelClock: false });

/** The operator's own collector is no target: neither the guard nor the targets' proxy stands before it. */
function ownContext(
  { url, authorities }: NonNullable<Config["otel"]["collector"]>,
  prober: ProberOptions,
): PipelineTools["context"] {
  const { host } = hostPortOf(new URL(url));
  const allow = parseHostRule(host, "OTEL_EXPORTER_OTLP_ENDPOINT=");
  return contextOf({
    ...prober,
    trust: { ...prober.trust, authorities: authorities ?? prober.trust.authorities },
    targetRules: { allow: allow === null ? [] : [allow], deny: [] },
    proxying: { proxy: null, exceptions: [] },
  });
}
