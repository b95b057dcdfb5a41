import { proberContext } from "#agent/prober/probe-context";
import type { ProberOptions } from "#agent/prober/prober";
import { silentLogger } from "#base/log";
import type { PipelineTools } from "#metrics/pipeline";
import type { RunnableMonitor } from "#check/monitor";
import type { ProbeContext } from "#probes/connection/probe";
import { mebibytes, millis } from "#base/units";
import { noOverrides } from "#check/overrides";
import { FakeClock } from "./fake-clock.ts";
import { monitorWith } from "./twins.ts";

export const proberOptions: ProberOptions = {
  trust: { authorities: null, identity: null },
  nameServers: [],
  ipFamily: "any",
  resolver: "stub",
  targetRules: { allow: [], deny: [] },
  proxying: { proxy: null, exceptions: [] },
  http2: true,
  kernelClock: false,
  evidence: "local",
  evidenceDirect: false,
  paths: false,
  references: [],
  rawSockets: process.env["PROBE_SOCKETS"] === "raw" ? "on" : "off",
  bodyBytesMax: mebibytes(1),
  userAgent: "picket/test",
  overrides: noOverrides,
};

/** How collectors are reached in a test: over real sockets. */
export const reach = (more: Partial<ProberOptions> = {}): ProbeContext =>
  proberContext({ threads: 1, ...proberOptions, ...more });

/** The tools of pipelines that export every 60 s by a clock that a test moves. */
export function pipelineTools(more: Partial<PipelineTools> = {}): PipelineTools {
  return {
    context: reach(),
    resource: { "service.name": "picket" },
    interval: millis(60_000),
    timeout: millis(10_000),
    temporality: "cumulative",
    clock: new FakeClock(),
    log: silentLogger,
    chance: () => 0.5,
    ...more,
  };
}

/** An HTTP monitor whose URL and collector hold secrets. */
export const shop = (id: string, endpoint: string, key = "key"): RunnableMonitor =>
  monitorWith({
    id,
    kind: "http",
    uri: "https://user:hunter2@shop.test/cart?token=hunter2",
    target: {
      kind: "http",
      url: "https://user:hunter2@shop.test/cart?token=hunter2",
      method: "GET",
      headers: [],
      body: "",
      followRedirects: true,
    },
    otel: { endpoint, headers: [{ key: "x-api-key", value: key }] },
  });
