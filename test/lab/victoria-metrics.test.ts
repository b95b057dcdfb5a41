import type { Kind, RunnableMonitor } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { blackboxInstruments } from "#metrics/blackbox-instruments";
import { instruments } from "#metrics/instruments";
import { prometheusName } from "#metrics/prometheus-name";
import { failure } from "#check/failure";
import { epochMillis, millis, nanos } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import { shop } from "../support/metering.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { telemetryTo, watched } from "../support/telemetry-scene.ts";
import { monitorWith, passed, refused } from "../support/twins.ts";
import { closedPort } from "../servers/scripted.ts";
import { startDaemon } from "./daemon.ts";
import { isInstalled } from "../support/installed.ts";

const program = "victoria-metrics";

interface Line {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/** A VictoriaMetrics of the test's own, which names OTLP metrics as Prometheus does. */
async function startVictoriaMetrics(life: AsyncDisposableStack) {
  const folder = await mkdtemp(path.join(tmpdir(), "picket-metrics-"));
  life.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await closedPort();
  const flags = [
    `-httpListenAddr=127.0.0.1:${port}`,
    `-storageDataPath=${folder}/data`,
    "-opentelemetry.usePrometheusNaming",
    "-memory.allowedBytes=64MB",
  ];
  life.use(await startDaemon(program, flags, { folder, port }));
  const url = `http://127.0.0.1:${port}`;
  /** Everything that it has of a job, read back. */
  const readBack = async (): Promise<readonly Line[]> => {
    await fetch(`${url}/internal/force_flush`);
    const answer = await fetch(
      `${url}/api/v1/export?match[]=${encodeURIComponent('{__name__!=""}')}`,
    );
    const text = await answer.text();
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Line => JSON.parse(line));
  };
  return { url: `${url}/opentelemetry/v1/metrics`, readBack };
}

/** Of the event loop's delay there is no sample in so short a time. */
const exportedNames: readonly string[] = Object.entries(instruments)
  .filter(([name]) => !(name in blackboxInstruments) && !name.startsWith("nodejs.eventloop.delay"))
  .flatMap(([name, instrument]) => {
    const shown = prometheusName(name, instrument);
    return instrument.kind === "histogram"
      ? ["_bucket", "_sum", "_count"].map((end) => `${shown}${end}`)
      : [shown];
  });

const monitorsOfAllKinds = (): readonly RunnableMonitor[] => [
  { ...shop("m-http", "http://127.0.0.1:1"), otel: null },
  monitorWith({ id: "m-tcp" }),
  monitorWith({
    id: "m-dns",
    kind: "dns",
    target: { kind: "dns", name: "a.test", types: ["A"], recordsNeeded: true, server: null },
  }),
  monitorWith({
    id: "m-icmp",
    kind: "icmp",
    target: { kind: "icmp", host: "a.test", packets: 3, interval: millis(100) },
  }),
  monitorWith({
    id: "m-grpc",
    kind: "grpc",
    target: {
      kind: "grpc",
      host: "a.test",
      port: 50_051,
      service: "",
      tlsMode: "tls",
      metadata: [],
    },
  }),
];

/** What passed, with an answer where only an answer has figures. */
function answeredOf(kind: Kind): Outcome {
  const outcome = passed(kind);
  const echo = { roundTrip: nanos(2e6), errorBar: nanos(0), refusal: null };
  if (outcome.kind === "icmp") return { ...outcome, echoes: [echo, echo] };
  if (outcome.kind === "grpc") return { ...outcome, grpcCode: 0, servingStatus: "SERVING" };
  return outcome;
}

describe.skipIf(!isInstalled(program))("VictoriaMetrics (which .ci/run installs)", () => {
  test("holds every instrument as it was sent, by its name in Prometheus", async () => {
    await using life = new AsyncDisposableStack();
    const database = await startVictoriaMetrics(life);
    const clock = new FakeClock(Date.now());
    const telemetry = telemetryTo({
      url: database.url,
      clock,
      metricsViews: ["collector", "openstatus"],
    });
    telemetry.watch(watched());
    const outcome = httpOutcome({
      tls: {
        protocol: "TLSv1.3",
        cipher: null,
        alpn: null,
        serverName: null,
        acceptedFault: null,
        certificate: {
          subject: "CN=shop.test",
          issuer: "CN=x",
          altNames: [],
          validFrom: epochMillis(0),
          validTo: epochMillis(Date.UTC(2030, 0, 1)),
          fingerprint256: "",
          chain: [],
        },
      },
    });
    const phases = outcome.phases;
    const attempt = {
      startedAt: epochMillis(1003),
      phases,
      total: nanos(6e6),
      own: null,
      failure: null,
    };
    const one = shop("m1", "http://127.0.0.1:1");
    telemetry.note(
      resultWith({ monitorId: "m1", outcome, attempts: [attempt] }),
      {
        ...one,
        otel: null,
      },
      millis(3),
    );
    const refusal = failure("connection_refused", "connect", "refused (10.0.0.1:1)");
    for (const monitor of monitorsOfAllKinds()) {
      const { kind } = monitor;
      const seen = refused(kind);
      const failed = { ...attempt, failure: refusal };
      telemetry.note(
        resultWith({
          monitorId: monitor.id,
          kind,
          status: "error",
          failure: refusal,
          outcome: seen,
          attempts: [failed, failed],
        }),
        monitor,
        millis(3),
      );
      const up = { ...monitor, id: `${monitor.id}-up` };
      const outcome = answeredOf(kind);
      const answered = resultWith({ monitorId: up.id, kind, outcome });
      if (kind !== "http") telemetry.note(answered, up, millis(3));
    }
    await telemetry[Symbol.asyncDispose]();
    let lines: readonly Line[] = [];
    // It answers with what its index has so far, which grows for a moment after it has taken the samples.
    await expect
      .poll(async () => {
        lines = await database.readBack();
        const has = new Set(lines.map(({ metric }) => metric["__name__"]));
        return exportedNames.filter((name) => !has.has(name));
      })
      .toEqual([]);
    const valueOf = (name: string, labels: Record<string, string>): number | undefined =>
      lines
        .find(
          ({ metric }) =>
            metric["__name__"] === name &&
            Object.entries(labels).every(([key, value]) => metric[key] === value),
        )
        ?.values.at(-1);
    const m1 = { picket_monitor_id: "m1" };
    expect(valueOf("picket_check_duration_seconds_sum", m1)).toBeCloseTo(0.006, 9);
    expect(valueOf("picket_check_duration_seconds_count", m1)).toBe(1);
    expect(valueOf("picket_check_duration_seconds_bucket", { ...m1, le: "0.005" })).toBe(0);
    expect(valueOf("picket_check_duration_seconds_bucket", { ...m1, le: "0.01" })).toBe(1);
    expect(
      valueOf("picket_check_phase_duration_seconds_sum", { ...m1, picket_check_phase: "tls" }),
    ).toBeCloseTo(0.001, 9);
    expect(valueOf("picket_check_status", { ...m1, picket_check_status: "success" })).toBe(1);
    expect(valueOf("picket_check_status", { ...m1, picket_check_status: "error" })).toBe(0);
    expect(valueOf("picket_check_certificate_expiry_seconds", m1)).toBe(Date.UTC(2030, 0, 1) / 1e3);
    expect(
      valueOf("picket_check_failures_total", {
        picket_monitor_id: "m-tcp",
        error_type: "connection_refused",
        picket_failure_phase: "connect",
        server_address: "a.test",
        server_port: "1",
      }),
    ).toBe(2);
    expect(valueOf("picket_agent_slots_missed_total", { picket_slot_missed_reason: "late" })).toBe(
      3,
    );
    expect(valueOf("picket_reports_total", { picket_report_outcome: "given_up" })).toBe(4);
    expect(valueOf("picket_agent_schedule_lateness_seconds_sum", {})).toBeCloseTo(0.03, 9);
    expect(valueOf("httpcheck_status", { http_status_class: "2xx", http_status_code: "200" })).toBe(
      1,
    );
    expect(valueOf("tcpcheck_error_total", { tcpcheck_endpoint: "a.test:1" })).toBe(1);
    expect(valueOf("picket_agent_monitors", {})).toBe(7);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|10\.0\.0\.1/);
  });
});
