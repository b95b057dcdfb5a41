import type { MetricsView } from "#check/agent-words";
import { Telemetry, type ObservedAgent } from "#agent/telemetry";
import type { Clock } from "#base/clock";
import { type Logger, silentLogger } from "#base/log";
import type { OtelSettings } from "#agent/settings/otel-settings";
import { noPathCounts } from "#agent/looks/path-counts";
import { memorySpool } from "#agent/spool/memory-spool";
import { epochMillis, hours, mebibytes, millis } from "#base/units";
import { proberOptions } from "./metering.ts";

/** The telemetry of an agent whose own metrics go to `url`; to nowhere, without one. */
export function telemetryTo({
  url,
  clock,
  log = silentLogger,
  interval = 60_000,
  metricsViews = ["collector"],
  abandon = new AbortController().signal,
}: {
  readonly url: string | null;
  readonly clock: Clock;
  readonly log?: Logger;
  readonly interval?: number;
  readonly metricsViews?: readonly MetricsView[];
  readonly abandon?: AbortSignal;
}): Telemetry {
  const collector: OtelSettings["collector"] =
    url === null
      ? null
      : { url, headers: [], protocol: "http/protobuf", gzip: true, authorities: null };
  return new Telemetry({
    config: {
      node: "",
      labels: { site: "north" },
      metricsProtocol: "http/json",
      metricsViews,
      otel: {
        collector,
        timeout: millis(10_000),
        interval: millis(interval),
        temporality: "cumulative",
        resource: { "deployment.environment.name": "test" },
      },
    },
    instance: "agent-1",
    prober: proberOptions,
    spool: memorySpool(clock, { bytesMax: mebibytes(1), ageMax: hours(24) }),
    version: "0.0.0",
    clock,
    log,
    abandon,
    chance: () => 0.5,
  });
}

/** An agent as telemetry sees it, that stands still. */
export const watched = (): ObservedAgent => ({
  monitors: new Map(),
  region: "office",
  status: {
    state: "running",
    link: "up",
    region: "office",
    location: { locationId: "l1", locationMetadata: { floor: "2" } },
    revision: "r1",
    remarks: [],
    assignmentRefusal: null,
    monitors: 7,
    checksInFlight: 2,
    resultsWaiting: 0,
    schedule: {
      started: 11,
      missed: { late: 3, clock: 0, overlap: 0, busy: 0, drained: 0, vantage: 0 },
    },
    latenessP99: null,
    latenessMax: null,
    watch: "off",
    startedAt: epochMillis(0),
    linkSince: epochMillis(0),
    linkFault: null,
    oldestWaiting: null,
    sinceTick: null,
    probesStuckFor: millis(0),
    latenessP50: null,
    heartbeat: { interval: millis(30_000), takenAt: null },
    uncertainResults: 0,
    conditions: [],
    warnings: [],
    questionsLeftOut: 0,
    paths: {
      known: 3,
      packets: 41,
      traces: { whole: 5, partial: 1, unsent: 0 },
      changes: { ...noPathCounts.changes, replaced: 2 },
      named: 1,
    },
    audit: { head: null, fault: null },
    targets: { rules: { allow: [], deny: [] }, fault: null, refused: [], checksRefused: 0 },
    resultsGivenUp: { age: 0, room: 0, unreadable: 0 },
    spoolDurable: false,
    reports: {
      accepted: 5,
      duplicate: 0,
      rejected: 0,
      unassigned: 0,
      givenUp: 4,
    },
  },
});
