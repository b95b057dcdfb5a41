import { describe, expect, test } from "vitest";
import { failure } from "#check/failure";
import { noteCheck } from "#metrics/check-metrics";
import { instruments, type InstrumentName } from "#metrics/instruments";
import { scopesOf } from "#metrics/monitor-scopes";
import { type Attributes, countOf, type Series } from "#metrics/series";
import { MetricStore } from "#metrics/metric-store";
import { noPhases, type Outcome } from "#check/outcome";
import { epochMillis, millis, nanos } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import { shop } from "../support/metering.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { monitorWith, passed, refused } from "../support/twins.ts";

const refusal = failure("connection_refused", "connect", "connection refused (10.0.0.1:443)");
const views = ["collector", "blackbox"] as const;
const monitor = shop("m", "http://collector.test:4318");

const store = (): MetricStore => new MetricStore(new FakeClock());

/** `name{attribute=value,…} figure` of all series of an instrument, without those of every monitor. */
function seriesOf(from: MetricStore, name: InstrumentName): readonly string[] {
  const own = new Set<string>(instruments[name].attributes);
  return [...(from.byInstrument().get(name) ?? [])].map((series) => {
    const shown = Object.entries(attributesOf(series)).filter(([key]) => own.has(key));
    const figure = series.counts === null ? series.value : `${countOf(series)}/${series.value}`;
    return `${shown.map(([key, value]) => `${key}=${value}`).join(",")} ${figure}`;
  });
}

const attributesOf = ({ shared, more }: Series): Attributes => ({ ...shared, ...more });
const allOf = (from: MetricStore): readonly Series[] =>
  from
    .byInstrument()
    .values()
    .flatMap((all) => all)
    .toArray();

describe("a check that succeeds", () => {
  test("is a duration, a duration of each phase, a status and an attempt", () => {
    const kept = store();
    const outcome = httpOutcome();
    const { phases, total, own } = outcome;
    const attempt = { startedAt: epochMillis(1001), phases, total, own };
    const result = resultWith({ outcome, attempts: [{ ...attempt, failure: null }] });
    noteCheck(kept, result, monitor, []);
    noteCheck(kept, result, monitor, []);
    expect(seriesOf(kept, "picket.check.duration")).toEqual([
      "picket.check.status=success,http.response.status_code=200,network.protocol.version=1.1 2/0.012",
    ]);
    expect(seriesOf(kept, "picket.check.phase.duration")).toEqual(
      ["dns", "connect", "tls", "write", "wait", "receive"].map(
        (phase) => `picket.check.phase=${phase} 2/0.002`,
      ),
    );
    expect(seriesOf(kept, "picket.check.status")).toEqual([
      "picket.check.status=success 1",
      "picket.check.status=degraded 0",
      "picket.check.status=error 0",
    ]);
    expect(seriesOf(kept, "picket.check.attempts")).toEqual([" 2"]);
    expect(seriesOf(kept, "picket.check.failures")).toEqual([]);
    expect(seriesOf(kept, "picket.check.last_run")).toEqual([" 1.001"]);
  });
  test("falls into the bucket whose bound it does not exceed", () => {
    const kept = store();
    const phases = { ...noPhases, wait: nanos(5e6) };
    noteCheck(
      kept,
      resultWith({ outcome: httpOutcome({ phases, total: nanos(5e6) }) }),
      monitor,
      [],
    );
    const [series] = kept.byInstrument().get("picket.check.duration") ?? [];
    const at = instruments["picket.check.duration"].bounds?.indexOf(0.005);
    expect(series?.counts?.indexOf(1)).toBe(at);
  });
});

describe("a check that fails", () => {
  test("counts each failed attempt by code and phase", () => {
    const kept = store();
    const outcome = refused("http");
    const attempt = { startedAt: epochMillis(1001), phases: noPhases, total: nanos(0), own: null };
    const attempts = [refusal, refusal, null].map((one) => ({ ...attempt, failure: one }));
    noteCheck(
      kept,
      resultWith({ status: "error", failure: refusal, outcome, attempts }),
      monitor,
      [],
    );
    expect(seriesOf(kept, "picket.check.failures")).toEqual([
      "error.type=connection_refused,picket.failure.phase=connect 2",
    ]);
    expect(seriesOf(kept, "picket.check.attempts")).toEqual([" 3"]);
  });
  test("is counted also if the monitor could not be run at all, without its unreadable target", () => {
    const kept = store();
    const rejection = failure("invalid_url", "config", "url is not a valid URL");
    const rejected = { ...monitorWith({ id: "m", uri: "hunter2" }), rejection };
    noteCheck(kept, resultWith({ status: "error", failure: rejection }), rejected, [...views]);
    expect(seriesOf(kept, "picket.check.failures")).toEqual([
      "error.type=invalid_url,picket.failure.phase=config 1",
    ]);
    expect(allOf(kept).length).toBeGreaterThan(2);
    expect(JSON.stringify(allOf(kept))).not.toContain("hunter2");
  });
});

describe("series", () => {
  test("never hold user-info, a query or the text of an error", () => {
    const kept = store();
    const result = resultWith({ status: "error", failure: refusal, outcome: refused("http") });
    noteCheck(kept, result, monitor, [...views]);
    const all = JSON.stringify(allOf(kept));
    expect(all).toContain("https://shop.test/cart");
    expect(all).not.toMatch(/hunter2|secret|10\.0\.0\.1/);
  });
  test("go with their monitor, and their room is free again", () => {
    const kept = store();
    noteCheck(kept, resultWith({ outcome: httpOutcome() }), monitor, [...views]);
    expect(kept.size).toBeGreaterThan(20);
    for (const scope of scopesOf("m")) kept.forget(scope);
    expect(kept.size).toBe(0);
    expect([...kept.byInstrument()]).toEqual([]);
  });
  test("start again when the monitor's target changes", () => {
    const kept = store();
    noteCheck(kept, resultWith({ outcome: passed("tcp") }), monitorWith(), []);
    const target = { kind: "tcp", host: "b.test", port: 2 } as const;
    noteCheck(kept, resultWith({ outcome: passed("tcp") }), monitorWith({ target }), []);
    const hosts = allOf(kept).map((one) => attributesOf(one)["server.address"]);
    expect([...new Set(hosts)]).toEqual(["b.test"]);
  });
  test("that have no room are refused and counted", () => {
    const kept = new MetricStore(new FakeClock(), 5);
    noteCheck(kept, resultWith({ outcome: httpOutcome() }), monitor, []);
    expect(kept.size).toBe(5);
    expect(kept.refused).toBeGreaterThan(0);
  });
  test("have only attributes that the table names", () => {
    const kept = store();
    const outcomes: readonly Outcome[] = [httpOutcome(), refused("http")];
    for (const outcome of outcomes)
      noteCheck(kept, resultWith({ outcome, failure: outcome.failure }), monitor, [...views]);
    const ofEach = new Set([
      "picket.monitor.id",
      "picket.check.kind",
      "server.address",
      "server.port",
      "url.full",
    ]);
    for (const [name, all] of kept.byInstrument())
      for (const key of [...all].flatMap((one) => Object.keys(attributesOf(one))))
        expect(
          ofEach.has(key) || instruments[name].attributes.some((one) => one === key),
          `${name} ${key}`,
        ).toBe(true);
  });
});

describe("the views of other checkers", () => {
  test("tell an HTTP check as the Collector's http_check does", () => {
    const kept = store();
    noteCheck(kept, resultWith({ outcome: httpOutcome() }), monitor, ["collector"]);
    expect(seriesOf(kept, "httpcheck.status")).toContain(
      "http.url=https://shop.test/cart,http.status_code=200,http.method=GET,http.status_class=2xx 1",
    );
    expect(seriesOf(kept, "httpcheck.status")).toHaveLength(5);
    expect(seriesOf(kept, "httpcheck.duration")).toEqual(["http.url=https://shop.test/cart 6"]);
    const failed = resultWith({ status: "error", failure: refusal, outcome: refused("http") });
    noteCheck(kept, failed, monitor, ["collector"]);
    expect(seriesOf(kept, "httpcheck.status").every((line) => line.endsWith(" 0"))).toBe(true);
    expect(seriesOf(kept, "httpcheck.error")).toEqual([
      "http.url=https://shop.test/cart,error.message=connection_refused 1",
    ]);
  });
  test("tell a TCP and a DNS check as tcp_check and dns_check do", () => {
    const kept = store();
    const tcp = resultWith({
      kind: "tcp",
      status: "error",
      failure: refusal,
      outcome: refused("tcp"),
    });
    noteCheck(kept, tcp, monitorWith(), ["collector"]);
    expect(seriesOf(kept, "tcpcheck.status")).toEqual(["tcpcheck.endpoint=a.test:1 0"]);
    expect(seriesOf(kept, "tcpcheck.error")).toEqual([
      "tcpcheck.endpoint=a.test:1,error.code=connection_refused 1",
    ]);
    const target = {
      kind: "dns",
      name: "example.com",
      types: ["MX"],
      recordsNeeded: true,
      server: null,
    } as const;
    const seen = passed("dns");
    const outcome = seen.kind === "dns" ? { ...seen, rcode: "NXDOMAIN" } : seen;
    noteCheck(
      kept,
      resultWith({ kind: "dns", outcome }),
      monitorWith({ id: "d", kind: "dns", target }),
      ["collector"],
    );
    expect(seriesOf(kept, "dnscheck.status")).toEqual([
      "dns.domain=example.com,dns.record.type=MX,dns.server=default,dns.rcode=3 0",
    ]);
  });
  test("tell an HTTP check as blackbox_exporter does, and forget what the next check does not say", () => {
    const kept = store();
    noteCheck(kept, resultWith({ outcome: httpOutcome() }), monitor, ["blackbox"]);
    expect(seriesOf(kept, "probe_success")).toEqual(["instance=https://shop.test/cart 1"]);
    expect(seriesOf(kept, "probe_http_duration_seconds")).toEqual([
      "instance=https://shop.test/cart,phase=resolve 0.001",
      "instance=https://shop.test/cart,phase=connect 0.001",
      "instance=https://shop.test/cart,phase=tls 0.001",
      "instance=https://shop.test/cart,phase=processing 0.002",
      "instance=https://shop.test/cart,phase=transfer 0.001",
    ]);
    expect(seriesOf(kept, "probe_http_content_length")).toEqual([
      "instance=https://shop.test/cart -1",
    ]);
    const failed = resultWith({ status: "error", failure: refusal, outcome: refused("http") });
    noteCheck(kept, failed, monitor, ["blackbox"]);
    expect(seriesOf(kept, "probe_success")).toEqual(["instance=https://shop.test/cart 0"]);
    expect(seriesOf(kept, "probe_http_content_length")).toEqual([]);
  });
});

describe("the view of OpenStatus' own names", () => {
  const noted = (...args: Parameters<typeof resultWith>): MetricStore => {
    const kept = store();
    noteCheck(kept, resultWith(...args), monitor, ["openstatus"], "office");
    return kept;
  };
  const figures = (kept: MetricStore): object =>
    Object.fromEntries(
      [...kept.byInstrument()]
        .filter(([name]) => name.startsWith("openstatus."))
        .map(([name, [series]]) => [name, series?.value]),
    );

  test("counts a check that passed, and has its durations in milliseconds, 0 for what did not happen", () => {
    const phases = { ...httpOutcome().phases, tls: null };
    const kept = noted({ outcome: httpOutcome({ phases }), latency: millis(12) });
    expect(figures(kept)).toEqual({
      "openstatus.status": 1,
      "openstatus.http.request.duration": 12,
      "openstatus.http.dns.duration": 1,
      "openstatus.http.connection.duration": 1,
      "openstatus.http.tls.duration": 0,
      "openstatus.http.ttfb.duration": 2,
      "openstatus.http.transfer.duration": 1,
    });
    const [series] = kept.byInstrument().get("openstatus.status") ?? [];
    expect(series && attributesOf(series)).toMatchObject({
      "openstatus.probes": "office",
      "http.response.status_code": 200,
    });
    expect(JSON.stringify(series?.shared)).not.toContain("secret");
  });
  test("counts a check that failed as an error and nothing else", () => {
    const kept = noted({ outcome: httpOutcome(), status: "error", failure: refusal });
    expect(figures(kept)).toEqual({ "openstatus.error": 1 });
  });
  test("has no durations of a status code that is no longer the answer", () => {
    const kept = noted({ outcome: httpOutcome() });
    const { response } = httpOutcome();
    if (response === null) throw new Error("no response");
    const outcome = httpOutcome({ response: { ...response, statusCode: 204 } });
    noteCheck(kept, resultWith({ outcome }), monitor, ["openstatus"], "office");
    expect([...(kept.byInstrument().get("openstatus.http.request.duration") ?? [])]).toHaveLength(
      1,
    );
  });
  test("has the latency of TCP under both its names", () => {
    const kept = store();
    const result = resultWith({ kind: "tcp", outcome: passed("tcp"), latency: millis(5) });
    noteCheck(kept, result, monitorWith(), ["openstatus"], "office");
    expect(figures(kept)).toEqual({
      "openstatus.status": 1,
      "openstatus.tcp.request.duration": 5,
      "openstatus.tcp.tcp.duration": 5,
    });
  });
  test("goes with its monitor", () => {
    const kept = noted({ outcome: httpOutcome() });
    for (const key of scopesOf("m")) kept.forget(key);
    expect(kept.size).toBe(0);
  });
});
