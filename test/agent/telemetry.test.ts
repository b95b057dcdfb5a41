import { describe, expect, test } from "vitest";
import { Agent } from "#agent/agent";
import type { Monitor } from "#monitor";
import { memorySpool } from "#transport/memory-spool";
import { hours, mebibytes, millis } from "#units";
import { FakeClock } from "../support/fake-clock.ts";
import { shop } from "../support/metering.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { telemetryTo, watched } from "../support/telemetry-scene.ts";
import { memoryLog, monitorWith, TwinControlPlane, TwinProber } from "../support/twins.ts";
import { startCollector } from "../servers/collector.ts";
import { closedPort, tcpPeer } from "../servers/scripted.ts";

describe("an agent whose monitors name collectors", () => {
  test("checks and reports as if they named none, also where those are dead, silent or refuse", async () => {
    await using silent = await tcpPeer(() => {});
    await using refusing = await startCollector();
    refusing.answer = (response) => void response.writeHead(401).end();
    const dead = await closedPort();
    const otel = (port: number) => ({ endpoint: `http://127.0.0.1:${port}`, headers: [] });
    const clock = new FakeClock();
    const log = memoryLog();
    const controlPlane = new TwinControlPlane();
    controlPlane.monitors = [
      monitorWith({ id: "plain" }),
      monitorWith({ id: "dead", otel: otel(dead) }),
      monitorWith({ id: "silent", otel: otel(silent.port) }),
      monitorWith({ id: "refusing", otel: otel(refusing.port) }),
    ];
    const telemetry = telemetryTo({ url: null, clock, log, interval: 10_000 });
    const drain = new AbortController();
    const agent = new Agent({
      watch: null,
      prober: new TwinProber(),
      controlPlane,
      spool: memorySpool(clock, { bytesMax: mebibytes(1), ageMax: hours(24) }),
      clock,
      log,
      serviceUrl: "http://127.0.0.1:1",
      pollInterval: millis(60_000),
      heartbeatInterval: millis(30_000),
      concurrency: 10,
      drainTimeout: millis(30_000),
      onResult: (result, monitor) => telemetry.note(result, monitor),
      chance: () => 0.5,
    });
    telemetry.watch(agent);
    const ended = agent.run(drain.signal, new AbortController().signal);
    await clock.advance(300_000);
    drain.abort();
    expect(await ended).toBe("drained");
    const reported = Map.groupBy(controlPlane.reported, ({ monitorId }) => monitorId);
    for (const id of ["plain", "dead", "silent", "refusing"])
      expect(reported.get(id)?.length, id).toBeGreaterThanOrEqual(10);
    expect(agent.status.schedule.missed).toEqual({
      late: 0,
      clock: 0,
      overlap: 0,
      busy: 0,
      drained: 0,
    });
    let closed = false;
    const closing = telemetry[Symbol.asyncDispose]().then(() => (closed = true));
    await expect.poll(async () => (await clock.advance(1_000), closed)).toBe(true);
    await closing;
    const said = (port: number): readonly string[] =>
      log.said
        .filter(({ fields }) => fields["url.full"] === `http://127.0.0.1:${port}/v1/metrics`)
        .map(({ message }) => message);
    const away = "the collector cannot be reached: checks go on, and metrics are kept";
    expect(said(dead)).toEqual([away]);
    expect(said(silent.port)).toEqual([away]);
    expect(said(refusing.port)).toContain(
      "the collector refuses metrics: checks go on, and they are sent again",
    );
  });
});

describe("an agent's own metrics", () => {
  const note = (monitors: readonly Monitor[]) => {
    const clock = new FakeClock();
    const telemetry = telemetryTo({ url: null, clock });
    const known = new Map(monitors.map((one) => [one.id, one]));
    telemetry.watch({ ...watched(), monitors: known });
    for (const one of monitors)
      telemetry.note(resultWith({ monitorId: one.id, outcome: httpOutcome() }), one);
    return { clock, telemetry, known };
  };

  test("say who is speaking, what the agent does, and every check, for Prometheus", async () => {
    const { telemetry } = note([monitorWith({ id: "a" })]);
    const text = telemetry.prometheusText();
    expect(text).toContain(
      'target_info{service_name="picket",service_version="0.0.0",service_instance_id="agent-1",picket_label_site="north",' +
        'deployment_environment_name="test",picket_location_name="office",picket_location_id="l1",picket_location_label_floor="2"} 1',
    );
    expect(text).toContain("picket_agent_monitors 7\n");
    expect(text).toContain('picket_agent_slots_missed_total{picket_slot_missed_reason="late"} 3\n');
    expect(text).toContain('picket_reports_total{picket_report_outcome="accepted"} 5\n');
    expect(text).toContain('picket_service_link_state{picket_service_link_state="up"} 1\n');
    expect(text).toContain('picket_check_status{picket_monitor_id="a"');
    await telemetry[Symbol.asyncDispose]();
  });
  test("forget a monitor that the agent no longer has", async () => {
    const { clock, telemetry, known } = note([
      monitorWith({ id: "stays" }),
      monitorWith({ id: "goes" }),
    ]);
    expect(telemetry.prometheusText()).toContain("goes");
    known.delete("goes");
    await clock.advance(10_000);
    expect(telemetry.prometheusText()).not.toContain("goes");
    expect(telemetry.prometheusText()).toContain("stays");
    await telemetry[Symbol.asyncDispose]();
  });
  test("are waited for no longer once the agent is abandoned", async () => {
    await using silent = await tcpPeer(() => {});
    const abandon = new AbortController();
    const url = `http://127.0.0.1:${silent.port}/v1/metrics`;
    const telemetry = telemetryTo({ url, clock: new FakeClock(), abandon: abandon.signal });
    telemetry.watch(watched());
    const closed = telemetry[Symbol.asyncDispose]();
    await expect.poll(() => silent.accepted).toBe(1);
    abandon.abort();
    await closed;
    expect(silent.accepted).toBe(1);
  });
  test("go to their own collector, and a monitor's to the monitor's", async () => {
    await using own = await startCollector();
    await using named = await startCollector();
    const clock = new FakeClock();
    const telemetry = telemetryTo({ url: `http://127.0.0.1:${own.port}/v1/metrics`, clock });
    telemetry.watch(watched());
    const monitor = shop("m", `http://127.0.0.1:${named.port}`);
    telemetry.note(resultWith({ monitorId: "m", outcome: httpOutcome() }), monitor);
    await telemetry[Symbol.asyncDispose]();
    expect(own.exports[0]?.body.toString("latin1")).toContain("picket.agent.monitors");
    expect(own.exports[0]?.headers["x-api-key"]).toBeUndefined();
    expect(named.exports[0]?.body.toString()).toContain("picket.check.duration");
    expect(named.exports[0]?.body.toString()).not.toContain("picket.agent");
    for (const { body } of [...own.exports, ...named.exports])
      expect(body.toString("latin1")).not.toContain("hunter2");
  });
});
