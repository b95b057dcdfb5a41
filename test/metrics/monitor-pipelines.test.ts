import { describe, expect, test } from "vitest";
import * as limits from "#limits/metrics-limits";
import { MonitorPipelines } from "#metrics/monitor-pipelines";
import type { PipelineTools } from "#metrics/pipeline";
import { millis } from "#base/units";
import { pipelineTools, shop } from "../support/metering.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { memoryLog } from "../support/twins.ts";
import {
  attributesIn,
  metricsIn,
  pointsOf,
  type ScriptedCollector,
  startCollector,
} from "../servers/collector.ts";

const open = (more: Partial<PipelineTools> = {}): MonitorPipelines =>
  new MonitorPipelines({ ...pipelineTools(more), protocol: "http/json", views: [] });

const result = (monitorId: string) => resultWith({ monitorId, outcome: httpOutcome() });

/** The monitors that a collector has had. */
const heardOf = ({ exports }: ScriptedCollector): readonly unknown[] => [
  ...new Set(
    exports.flatMap((one) =>
      metricsIn(one).flatMap((metric) =>
        pointsOf(metric).map((point) => attributesIn(point)["picket.monitor.id"]),
      ),
    ),
  ),
];

describe("the collectors that monitors name", () => {
  test("each see their own monitors alone, with their own headers, while all are checked at once", async () => {
    await using life = new AsyncDisposableStack();
    const collectors = await Promise.all(Array.from({ length: 20 }, startCollector));
    for (const collector of collectors) life.use(collector);
    const all = open();
    const monitors = collectors.flatMap(({ port }, index) =>
      [0, 1, 2].map((n) => shop(`m${index}-${n}`, `http://127.0.0.1:${port}/otlp`, `key-${index}`)),
    );
    for (let round = 0; round < 5; round += 1)
      await Promise.all(monitors.map(async (one) => all.note(result(one.id), one)));
    expect(all.size).toBe(20);
    await all.close(millis(5_000));
    collectors.forEach((collector, index) => {
      expect([...heardOf(collector)].map(String).toSorted((a, b) => a.localeCompare(b))).toEqual(
        [0, 1, 2].map((n) => `m${index}-${n}`),
      );
      expect(collector.exports.map(({ url }) => url)).toEqual(["/otlp"]);
      expect(collector.exports[0]?.headers["x-api-key"]).toBe(`key-${index}`);
    });
  });
  test("of one endpoint with other headers are apart", async () => {
    await using collector = await startCollector();
    const all = open();
    for (const [id, key] of [
      ["a", "1"],
      ["b", "2"],
    ] as const) {
      const one = shop(id, `http://127.0.0.1:${collector.port}`, key);
      all.note(result(id), one);
    }
    await all.close(millis(5_000));
    const pairs = collector.exports.map((one) => [
      one.headers["x-api-key"],
      ...heardOf({ ...collector, exports: [one] }),
    ]);
    expect(pairs.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      ["1", "a"],
      ["2", "b"],
    ]);
    expect(collector.exports[0]?.url).toBe("/v1/metrics");
  });
  test("that no monitor names any more get a last export and are closed; monitors that went are forgotten", async () => {
    await using first = await startCollector();
    await using second = await startCollector();
    const all = open();
    const a = shop("a", `http://127.0.0.1:${first.port}`);
    const b = shop("b", `http://127.0.0.1:${first.port}`);
    const c = shop("c", `http://127.0.0.1:${second.port}`);
    for (const one of [a, b, c]) all.note(result(one.id), one);
    all.reconcile(new Map([["a", a]]));
    await second.had(1);
    expect(heardOf(second)).toEqual(["c"]);
    expect(all.size).toBe(1);
    await all.close(millis(5_000));
    expect(heardOf(first)).toEqual(["a"]);
  });
  test("are no more than the limit, which is said once", () => {
    const log = memoryLog();
    const all = open({ log });
    for (let n = 0; n < limits.metricPipelinesMax + 2; n += 1) {
      const one = shop(`m${n}`, `http://c${n}.test`);
      all.note(result(one.id), one);
    }
    expect(all.size).toBe(limits.metricPipelinesMax);
    expect(log.said).toHaveLength(1);
  });
});
