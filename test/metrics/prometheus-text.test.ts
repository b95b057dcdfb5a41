import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { failure } from "#check/failure";
import { noteCheck } from "#metrics/check-metrics";
import { prometheusText } from "#metrics/prometheus-text";
import { MetricStore } from "#metrics/metric-store";
import { isInstalled } from "../support/installed.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { shop } from "../support/metering.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { refused } from "../support/twins.ts";

function sample(): MetricStore {
  const store = new MetricStore(new FakeClock());
  const monitor = shop('quote " backslash \\ line\nend', "http://c.test");
  const failed = failure("connection_refused", "connect", "refused");
  noteCheck(store, resultWith({ outcome: httpOutcome() }), monitor, ["collector", "blackbox"]);
  const bad = resultWith({ status: "error", failure: failed, outcome: refused("http") });
  noteCheck(store, bad, monitor, ["collector", "blackbox"]);
  store.scope("", {}).record("picket.agent.schedule.lateness", 0.002);
  return store;
}

const textOf = (store: MetricStore, name: string): string =>
  [
    ...prometheusText({
      series: store.byInstrument(),
      names: null,
      resource: { "service.name": name },
    }),
  ].join("");

describe("metrics as Prometheus text", () => {
  test("escape labels, and have a type, a unit and cumulative buckets", () => {
    const text = textOf(sample(), 'pick"et');
    expect(text).toContain('target_info{service_name="pick\\"et"} 1\n');
    expect(text).toContain('picket_monitor_id="quote \\" backslash \\\\ line\\nend"');
    expect(text).toContain(
      "# TYPE picket_check_duration_seconds histogram\n# UNIT picket_check_duration_seconds seconds\n",
    );
    expect(text).toContain("# TYPE picket_check_attempts_total counter\n");
    expect(text).toContain('picket_agent_schedule_lateness_seconds_bucket{le="0.001"} 0\n');
    expect(text).toContain('picket_agent_schedule_lateness_seconds_bucket{le="0.0025"} 1\n');
    expect(text).toContain('picket_agent_schedule_lateness_seconds_bucket{le="+Inf"} 1\n');
    expect(text).toContain("picket_agent_schedule_lateness_seconds_sum 0.002\n");
    expect(text).toContain("picket_agent_schedule_lateness_seconds_count 1\n");
  });
  test.skipIf(!isInstalled("promtool"))(
    "are read by Prometheus' own parser (promtool, which .ci/run installs)",
    () => {
      const { status, stderr } = spawnSync("promtool", ["check", "metrics"], {
        input: textOf(sample(), "picket"),
        encoding: "utf8",
      });
      // 3 is a remark on style: blackbox_exporter's own names, and units that OpenTelemetry's receivers have.
      expect([0, 3]).toContain(status);
      const remarks = stderr.split("\n").filter((line) => line.startsWith("picket_"));
      expect(remarks).toEqual([]);
      expect(stderr).not.toContain("error");
    },
  );
});
