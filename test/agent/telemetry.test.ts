import { describe, expect, test } from "vitest";
import { Agent } from "#agent/agent";
import type { Telemetry } from "#agent/telemetry";
import type { Monitor } from "#check/monitor";
import { memorySpool } from "#agent/spool/memory-spool";
import { hours, mebibytes, millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import { shop } from "../support/metering.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { telemetryTo, watched } from "../support/telemetry-scene.ts";
import { memoryLog, monitorWith, TwinControlPlane, TwinProber } from "../support/twins.ts";
import { startCollector } from "../servers/collector.ts";
import { closedPort, tcpPeer } from "../servers/scripted.ts";
import { checkerWith } from "../support/checking.ts";

test("a result asks the agent for its location's name, and not for its whole status", () => {
  const telemetry = telemetryTo({ url: null, clock: new FakeClock() });
  let asked = 0;
  telemetry.watch({
    monitors: new Map(),
    region: "office",
    get status() {
      asked += 1;
      return watched().status;
    },
  });
  for (let n = 0; n < 3; n += 1) telemetry.note(resultWith(), monitorWith(), null);
  expect(asked).toBe(0);
});

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
      checker: checkerWith(new TwinProber(), clock, log, 10),
      controlPlane,
      spool: memorySpool(clock, { bytesMax: mebibytes(1), ageMax: hours(24) }),
      clock,
      log,
      serviceUrl: "http://127.0.0.1:1",
      pollInterval: millis(60_000),
      heartbeatInterval: millis(30_000),
      drainTimeout: millis(30_000),
      sinks: [({ result, monitor, lateness }) => telemetry.note(result, monitor, lateness)],
      chance: () => 0.5,
    });
    telemetry.watch(agent);
    const ended = agent.run(drain.signal, new AbortController().signal);
    await clock.advance(300_000);
    const said = (port: number): readonly string[] =>
      log.said.filter(({ fields }) => fields["server.port"] === port).map(({ message }) => message);
    const away = "the collector cannot be reached: checks continue, and metrics are kept";
    const refuses = "the collector refuses metrics: checks continue, and metrics are sent again";
    // What goes over a socket takes real time, of which five minutes of this clock have hardly any.
    const saidAll = async (): Promise<boolean> => {
      await clock.advance(1_000);
      const [first, second, third] = [dead, silent.port, refusing.port].map(said);
      return first?.length === 1 && second?.length === 1 && third?.includes(refuses) === true;
    };
    await expect.poll(saidAll).toBe(true);
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
      vantage: 0,
    });
    let closed = false;
    const closing = telemetry[Symbol.asyncDispose]().then(() => (closed = true));
    await expect.poll(async () => (await clock.advance(1_000), closed)).toBe(true);
    await closing;
    expect(said(dead)).toEqual([away]);
    expect(said(silent.port)).toEqual([away]);
    expect(said(refusing.port)).toContain(refuses);
  });
});

/** What a scrape with this query gets; a refusal as it is. */
function textOf(telemetry: Telemetry, query = ""): string {
  const scraped = telemetry.scraped(new URLSearchParams(query));
  return scraped.ok ? [...scraped.text].join("") : scraped.message;
}

/** The metrics in a text, each with the monitors that have it. */
function toldIn(text: string): Readonly<Record<string, readonly string[]>> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const byName = Map.groupBy(lines, (line) => line.replace(/[{ ].*/, ""));
  const monitorIn = (line: string): string => /monitor_id="([^"]*)"/.exec(line)?.[1] ?? "";
  return Object.fromEntries(
    [...byName].map(([name, some]) => [name, [...new Set(some.map(monitorIn))]]),
  );
}

describe("an agent's own metrics", () => {
  const note = (monitors: readonly Monitor[]) => {
    const clock = new FakeClock();
    const telemetry = telemetryTo({ url: null, clock });
    const known = new Map(monitors.map((one) => [one.id, one]));
    telemetry.watch({ ...watched(), monitors: known });
    for (const one of monitors)
      telemetry.note(resultWith({ monitorId: one.id, outcome: httpOutcome() }), one, null);
    return { clock, telemetry, known };
  };

  test("say who is speaking, what the agent does, and every check, for Prometheus", async () => {
    const { telemetry } = note([monitorWith({ id: "a" })]);
    const text = textOf(telemetry);
    expect(text).toContain(
      'target_info{service_name="picket",service_version="0.0.0",service_instance_id="agent-1",picket_label_site="north",' +
        'deployment_environment_name="test",picket_location_name="office",picket_location_id="l1",picket_location_label_floor="2"} 1',
    );
    expect(text).toContain("picket_agent_monitors 7\n");
    expect(text).toContain('picket_agent_slots_missed_total{picket_slot_missed_reason="late"} 3\n');
    for (const line of [
      "paths_known 3",
      "paths_packets_total 41",
      'paths_traces_total{picket_path_trace_outcome="partial"} 1',
      'paths_changes_total{picket_path_change_kind="replaced"} 2',
      'paths_changes_total{picket_path_change_kind="circle"} 0',
      "paths_failures_named_total 1",
    ])
      expect(text).toContain(`picket_agent_${line}\n`);
    expect(text).toContain('picket_reports_total{picket_report_outcome="accepted"} 5\n');
    expect(text.match(/^picket_spool_given_up_total.*$/gm)).toEqual(
      ["age", "room", "unreadable", "service"].map((reason) =>
        expect.stringContaining(
          `{picket_spool_given_up_reason="${reason}"} ${reason === "service" ? 4 : 0}`,
        ),
      ),
    );
    expect(text).toContain('picket_service_link_state{picket_service_link_state="up"} 1\n');
    expect(text).toContain('picket_check_status{picket_monitor_id="a"');
    await telemetry[Symbol.asyncDispose]();
  });
  test("forget a monitor that the agent no longer has", async () => {
    const { clock, telemetry, known } = note([
      monitorWith({ id: "stays" }),
      monitorWith({ id: "goes" }),
    ]);
    expect(textOf(telemetry)).toContain("goes");
    known.delete("goes");
    await clock.advance(10_000);
    expect(textOf(telemetry)).not.toContain("goes");
    expect(textOf(telemetry)).toContain("stays");
    await telemetry[Symbol.asyncDispose]();
  });
  test("are scraped in part: the agent's alone, some monitors, some metrics", async () => {
    const { telemetry } = note(["a", "b", "c"].map((id) => monitorWith({ id })));
    const agent = toldIn(textOf(telemetry, "scope=agent"));
    expect(agent).toMatchObject({ target_info: [""], picket_agent_monitors: [""] });
    expect(Object.values(agent).flat()).toEqual(Object.keys(agent).map(() => ""));
    const two = toldIn(textOf(telemetry, "monitor=a&monitor=c&monitor=gone"));
    expect(two).toMatchObject({ target_info: [""], picket_check_status: ["a", "c"] });
    // The view's names too, which have no id.
    expect(two).toHaveProperty("tcpcheck_status_ratio");
    expect(two).not.toHaveProperty("picket_agent_monitors");
    const query = "name[]=picket_check_status&name[]=picket_check_duration_seconds";
    expect(toldIn(textOf(telemetry, query))).toEqual({
      target_info: [""],
      picket_check_status: ["a", "b", "c"],
      ...Object.fromEntries(
        ["bucket", "sum", "count"].map((end) => [
          `picket_check_duration_seconds_${end}`,
          ["a", "b", "c"],
        ]),
      ),
    });
    expect(toldIn(textOf(telemetry, `${query}&monitor=b`))["picket_check_status"]).toEqual(["b"]);
    expect(toldIn(textOf(telemetry, "scope=all&monitor="))).toEqual(toldIn(textOf(telemetry)));
    await telemetry[Symbol.asyncDispose]();
  });
  test.each([
    ["scope=monitors", "scope must be agent or all"],
    ["scope=agent&monitor=a", "scope=agent leaves monitors out: give it or monitor"],
    ["name[]=picket_check_statu", "name[] must be a metric; did you mean picket_check_status?"],
    ["name[]=x", "name[] must be a metric: docs/reference/metrics.md has them all"],
  ])("are not scraped by %s", async (query, message) => {
    const { telemetry } = note([]);
    expect(textOf(telemetry, query)).toBe(message);
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
    telemetry.note(resultWith({ monitorId: "m", outcome: httpOutcome() }), monitor, null);
    await telemetry[Symbol.asyncDispose]();
    expect(own.exports[0]?.body.toString("latin1")).toContain("picket.agent.monitors");
    expect(own.exports[0]?.headers["x-api-key"]).toBeUndefined();
    expect(named.exports[0]?.body.toString()).toContain("picket.check.duration");
    expect(named.exports[0]?.body.toString()).not.toContain("picket.agent");
    for (const { body } of [...own.exports, ...named.exports])
      expect(body.toString("latin1")).not.toContain("hunter2");
  });
});
