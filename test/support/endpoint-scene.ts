import type { ResultSink } from "#agent/checks/result-sink";
import { onTestFinished } from "vitest";
import { Agent } from "#agent/agent";
import type { ScrapeAnswer } from "#agent/telemetry";
import { type Endpoint, openEndpoint } from "#agent/endpoint/endpoint";
import { History } from "#agent/endpoint/history";
import type { ListenAddress } from "#network/listen-address";
import type { KnownPath } from "#check/known-path";
import type { Monitor } from "#check/monitor";
import { memorySpool } from "#agent/spool/memory-spool";
import type { Outcome } from "#check/outcome";
import { hours, mebibytes, type Millis, millis } from "#base/units";
import { FakeClock } from "./fake-clock.ts";
import { memoryLog, monitorWith, passed, TwinControlPlane, TwinProber } from "./twins.ts";
import { checkerWith } from "./checking.ts";

export interface EndpointScene {
  readonly clock: FakeClock;
  readonly controlPlane: TwinControlPlane;
  readonly prober: TwinProber;
  readonly log: ReturnType<typeof memoryLog>;
  readonly agent: Agent;
  readonly history: History;
  readonly endpoint: Endpoint;
  readonly drain: AbortController;
  readonly ended: Promise<unknown>;
  readonly get: (path: string) => Promise<Response>;
}

export interface SceneOptions {
  readonly monitors?: readonly Monitor[];
  readonly listen?: ListenAddress;
  readonly listenHosts?: readonly string[];
  readonly serviceUrl?: string;
  readonly metrics?: (query: URLSearchParams) => ScrapeAnswer;
  readonly prepare?: (twins: {
    readonly clock: FakeClock;
    readonly controlPlane: TwinControlPlane;
    readonly prober: TwinProber;
  }) => void;
  readonly sinks?: readonly ResultSink[];
  /** What is known of the path to a monitor's target; nothing, unless given. */
  readonly pathOf?: (monitorId: string) => KnownPath | null;
}

/** A real agent on a clock of the test's, with a real endpoint on a free port; both are gone with the test. */
export async function endpointScene(options: SceneOptions = {}): Promise<EndpointScene> {
  const clock = new FakeClock();
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = options.monitors ?? [];
  const prober = new TwinProber();
  options.prepare?.({ clock, controlPlane, prober });
  const log = memoryLog();
  const serviceUrl = options.serviceUrl ?? "https://user:planted@service.test/base";
  const history = new History((id) => agent.runs(id));
  const agent = new Agent({
    checker: checkerWith(prober, clock, log),
    controlPlane,
    watch: null,
    spool: memorySpool(clock, { bytesMax: mebibytes(64), ageMax: hours(24) }),
    clock,
    log,
    serviceUrl,
    pollInterval: millis(60_000),
    heartbeatInterval: millis(30_000),
    drainTimeout: millis(30_000),
    chance: () => 0.5,
    sinks: [({ result }) => history.note(result), ...(options.sinks ?? [])],
  });
  const endpoint = await openEndpoint({
    listen: options.listen ?? { host: "127.0.0.1", port: 0 },
    listenHosts: options.listenHosts ?? [],
    agent: {
      get status() {
        return agent.status;
      },
      planned: () => agent.planned(),
      paths: { pathOf: options.pathOf ?? (() => null) },
    },
    history,
    identity: { version: "0.1.0", instance: "office-1", serviceUrl },
    metrics: options.metrics ?? null,
    clock,
    log,
  });
  if (endpoint === null) throw new Error("the endpoint did not open");
  const drain = new AbortController();
  const abandon = new AbortController();
  const ended = agent.run(drain.signal, abandon.signal);
  onTestFinished(async () => {
    abandon.abort();
    drain.abort();
    await clock.advance(1_000);
    await ended;
    await endpoint[Symbol.asyncDispose]();
  });
  return {
    clock,
    controlPlane,
    prober,
    log,
    agent,
    history,
    endpoint,
    drain,
    ended,
    get: (path) => fetch(`${endpoint.url}${path}`),
  };
}

/** The same, with an attempt that should have ended so long ago; it ends with the test. */
export async function stuckScene(stuckFor: Millis): Promise<EndpointScene> {
  const held = Promise.withResolvers<Outcome>();
  const monitor = monitorWith();
  const scene = await endpointScene({
    monitors: [monitor],
    prepare: ({ prober }) => {
      prober.script = () => held.promise;
    },
  });
  onTestFinished(() => held.resolve(passed()));
  while (scene.prober.probed.length === 0) await scene.clock.advance(50);
  await scene.clock.advance(monitor.timeout + stuckFor);
  return scene;
}
