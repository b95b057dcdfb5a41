import { noPathCounts } from "#agent/looks/path-counts";
import { openEndpoint } from "#agent/endpoint/endpoint";
import { History } from "#agent/endpoint/history";
import { systemClock } from "#base/clock";
import { failure } from "#check/failure";
import { silentLogger } from "#base/log";
import { noteCheck } from "#metrics/check-metrics";
import { prometheusText } from "#metrics/prometheus-text";
import { MetricStore } from "#metrics/metric-store";
import { epochMillis, millis } from "#base/units";
import { httpOutcome, resultWith } from "../test/support/results.ts";
import { monitorWith } from "../test/support/twins.ts";

/* What the local endpoint costs with ten thousand monitors: memory for each, and time for an answer. Needs --expose-gc. */

const count = 10_000;
const uris = Array.from({ length: count }, (_, index) => `https://host-${index}.internal/health`);
const collect = (): number => {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

function filled(failing: boolean): History {
  const history = new History(() => true);
  for (let turn = 0; turn < 25; turn += 1)
    for (const [index, uri] of uris.entries()) {
      const told = failure(
        "connection_refused",
        "connect",
        `connection refused (10.0.0.${index % 250}:443)`,
      );
      // As it comes from a probe thread: a copy that shares nothing.
      const outcome = structuredClone(
        httpOutcome({
          failure: failing ? told : null,
          addresses: [
            {
              address: `10.0.0.${index % 250}`,
              port: 443,
              ended: "connected",
              elapsed: httpOutcome().total,
              measuredBy: "kernel",
            },
          ],
        }),
      );
      history.note(
        resultWith({
          monitorId: `m${index}`,
          uri,
          outcome,
          failure: outcome.failure,
          status: failing ? "error" : "success",
          latency: millis(turn),
        }),
      );
    }
  return history;
}

function measureMemory(failing: boolean): void {
  const before = collect();
  const history = filled(failing);
  const each = Math.round((collect() - before) / history.size);
  process.stdout.write(`kept of each ${failing ? "failing" : "passing"} monitor: ${each} bytes\n`);
}
for (const failing of [false, true, false, true]) {
  measureMemory(failing);
  // What the last one kept is let go of only in another turn.
  await systemClock.sleep(millis(50));
}

const history = filled(false);
const planned = uris.map((uri, index) => ({
  monitor: monitorWith({ id: `m${index}`, uri, kind: "http" }),
  next: epochMillis(0),
}));
const status = {
  state: "running",
  startedAt: epochMillis(0),
  link: "up",
  linkSince: epochMillis(0),
  linkFault: null,
  region: "bench",
  revision: null,
  remarks: [],
  assignmentRefusal: null,
  monitors: count,
  checksInFlight: 0,
  resultsWaiting: 0,
  oldestWaiting: null,
  resultsGivenUp: { age: 0, room: 0, unreadable: 0 },
  schedule: {
    started: 0,
    missed: { late: 0, clock: 0, overlap: 0, busy: 0, drained: 0, vantage: 0 },
  },
  sinceTick: millis(0),
  probesStuckFor: millis(0),
  latenessP50: null,
  latenessP99: null,
  latenessMax: null,
  reports: {
    accepted: 0,
    duplicate: 0,
    rejected: 0,
    unassigned: 0,
    givenUp: 0,
  },
  heartbeat: { interval: millis(30_000), takenAt: null },
  uncertainResults: 0,
  conditions: [],
  warnings: [],
  questionsLeftOut: 0,
  paths: noPathCounts,
  audit: { head: null, fault: null },
  targets: { rules: { allow: [], deny: [] }, fault: null, refused: [], checksRefused: 0 },
  watch: "off",
  location: null,
  spoolDurable: true,
} as const;
const store = new MetricStore(systemClock);
for (const { monitor } of planned)
  noteCheck(store, resultWith({ outcome: httpOutcome() }), monitor, []);
await using endpoint = await openEndpoint({
  listenHosts: [],
  listen: { host: "127.0.0.1", port: 0 },
  agent: { status, planned: () => planned, paths: { pathOf: () => null } },
  history,
  identity: { version: "0", instance: "bench", serviceUrl: "http://bench.test" },
  metrics: () => ({
    ok: true,
    text: prometheusText({ series: store.byInstrument(), names: null, resource: {} }),
  }),
  clock: systemClock,
  log: silentLogger,
});
for (const path of ["/livez", "/status", "/status?limit=1000", "/", "/?search=host-99"]) {
  const times: number[] = [];
  let size = 0;
  for (let turn = 0; turn < 50; turn += 1) {
    const start = systemClock.monotonic();
    size = (await (await fetch(`${endpoint?.url}${path}`)).text()).length;
    times.push((systemClock.monotonic() - start) / 1e6);
  }
  const sorted = times.toSorted((a, b) => a - b);
  process.stdout.write(
    `${path}: median ${sorted[25]?.toFixed(1)} ms, worst ${sorted.at(-1)?.toFixed(1)} ms, ${size} bytes\n`,
  );
}

/* Whether a scrape of everything leaves the thread to others: /livez is asked while it is read, in this process too. */
const before = process.memoryUsage.rss();
const scrape = { size: 0, over: false };
void fetch(`${endpoint?.url}/metrics`).then(async ({ body }) => {
  for await (const piece of body ?? []) scrape.size += piece.length;
  scrape.over = true;
});
const waits: number[] = [];
while (!scrape.over) {
  const start = systemClock.monotonic();
  await (await fetch(`${endpoint?.url}/livez`)).text();
  waits.push((systemClock.monotonic() - start) / 1e6);
}
const sorted = waits.toSorted((a, b) => a - b);
process.stdout.write(
  `/metrics: ${scrape.size} bytes, ${Math.round((process.memoryUsage.rss() - before) / 2 ** 20)} MiB more; ` +
    `/livez meanwhile: median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, worst ${sorted.at(-1)?.toFixed(1)} ms of ${sorted.length}\n`,
);
