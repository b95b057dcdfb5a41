import { performance } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import { systemClock } from "#base/clock";
import { noteCheck } from "#metrics/check-metrics";
import { ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import { metricsOf } from "#metrics/otlp-encoding";
import { OtlpPoints } from "#metrics/otlp-points";
import type { InstrumentName } from "#metrics/instruments";
import { prometheusText } from "#metrics/prometheus-text";
import { MetricStore } from "#metrics/metric-store";
import * as limits from "#limits/metrics-limits";
import { shop } from "../test/support/metering.ts";
import { httpOutcome, resultWith } from "../test/support/results.ts";

/** What metrics cost the main thread: `npm run bench:metrics -- [monitors]`. */
const count = Number(process.argv[2] ?? 1_000);
const monitors = Array.from({ length: count }, (_, n) => shop(`monitor-${n}`, "http://c.test"));
const result = resultWith({ outcome: httpOutcome() });

function timed<T>(what: string, work: () => T, per = 1): T {
  const start = performance.now();
  const value = work();
  const took = (performance.now() - start) * (per === 1 ? 1 : 1e3 / per);
  process.stdout.write(`${what.padEnd(58)} ${took.toFixed(2)} ${per === 1 ? "ms" : "µs"}\n`);
  return value;
}

const memory = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
globalThis.gc?.();
const before = memory();
const store = new MetricStore(systemClock);
const note = (): void => monitors.forEach((one) => noteCheck(store, result, one, []));
timed("a check taken in, its series new", note, count);
globalThis.gc?.();
process.stdout.write(
  `${store.size} series of ${count} HTTPS monitors: ${((memory() - before) / store.size).toFixed(0)} bytes each\n`,
);
timed("a check taken in, its series known", note, count);
const pieces = timed("all points of one export (made piece by piece in the agent)", () => [
  ...new OtlpPoints(store, "cumulative", systemClock).pieces(limits.metricPointsPerPost),
]);
const piece = pieces[0] ?? [];
const encode = (): Uint8Array =>
  ProtobufMetricsSerializer.serializeRequest(metricsOf(piece, {})) ?? new Uint8Array();
const encoded = timed(`${piece.length} points encoded, first`, encode);
timed(`${piece.length} points encoded, again`, encode);
const sent = timed("compressed (off the main thread in the agent)", () => gzipSync(encoded));
process.stdout.write(`${encoded.byteLength} bytes, ${sent.byteLength} compressed\n`);

const named = new Set<InstrumentName>(["picket.check.status", "picket.check.failures"]);
for (const names of [null, named]) {
  const series = timed("series looked up for Prometheus text", () => store.byInstrument());
  const [what, pieces] = [
    names === null ? "all" : "two metrics",
    { count: 0, longest: 0, size: 0 },
  ];
  let before = performance.now();
  timed(`${what} as Prometheus text (piece by piece in the agent)`, () => {
    for (const piece of prometheusText({ series, names, resource: {} })) {
      pieces.count += 1;
      pieces.size += Buffer.byteLength(piece);
      pieces.longest = Math.max(pieces.longest, performance.now() - before);
      before = performance.now();
    }
  });
  process.stdout.write(
    `${pieces.size} bytes in ${pieces.count} pieces, the longest took ${pieces.longest.toFixed(2)} ms\n`,
  );
}
