import { describe, expect, test } from "vitest";
import { retryPause, runCheck } from "#agent/prober/checks/run-check";
import { failure, type Failure, type FailureCode } from "#check/failure";
import type { LatencyEnd } from "#check/outcome";
import type { Result } from "#check/result";
import { epochMillis, millis, nanos } from "#base/units";
import { httpOutcome } from "../../../support/results.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import {
  hanging,
  memoryLog,
  monitorWith,
  passed,
  refused,
  TwinProber,
} from "../../../support/twins.ts";

async function check(
  prober: TwinProber,
  monitor = monitorWith(),
  {
    until = 30_000,
    abortAfter,
    latencyEnd,
  }: { until?: number; abortAfter?: number; latencyEnd?: LatencyEnd } = {},
): Promise<{ result: Result | null; log: ReturnType<typeof memoryLog> }> {
  const clock = new FakeClock();
  const log = memoryLog();
  const stop = new AbortController();
  const slot = { monitor, at: clock.wall(), until: epochMillis(clock.wall() + until) };
  const ends = latencyEnd === undefined ? {} : { latencyEnd };
  const running = runCheck(slot, { prober, clock, log, chance: () => 0.5, ...ends }, stop.signal);
  if (abortAfter !== undefined) {
    await clock.advance(abortAfter);
    stop.abort();
  }
  await clock.advance(60_000);
  return { result: await running, log };
}

describe("the latency of an HTTP check", () => {
  const slowDownload = (failed: Failure | null = null): TwinProber => {
    const prober = new TwinProber();
    const phases = { ...httpOutcome().phases, wait: nanos(12e6), receive: nanos(287e6) };
    const hops = [
      { url: "u", statusCode: 200, startedAt: epochMillis(1001), phases, leftBehind: [] },
    ];
    prober.script = () => httpOutcome({ phases, total: nanos(303e6), hops, failure: failed });
    return prober;
  };
  const monitor = monitorWith({ kind: "http", degradedAt: millis(100) });

  test("ends with the body's last byte, unless it is set to end with the head", async () => {
    const { result: total } = await check(slowDownload(), monitor);
    expect(total).toMatchObject({ latency: 303, status: "degraded" });
    const { result: head } = await check(slowDownload(), monitor, { latencyEnd: "head" });
    expect(head).toMatchObject({ latency: 16, status: "success" });
  });

  test("is all of its time if the check failed", async () => {
    const broken = failure("body_truncated", "receive", "The body broke off");
    const { result } = await check(slowDownload(broken), monitorWith({ ...monitor, retry: 0 }), {
      latencyEnd: "head",
    });
    expect(result).toMatchObject({ latency: 303, status: "error" });
  });
});

describe("a check", () => {
  test("that passes at once has one attempt", async () => {
    const { result } = await check(new TwinProber(), monitorWith({ retry: 3 }));
    expect(result).toMatchObject({
      monitorId: "m",
      status: "success",
      failure: null,
      latency: 5,
      uri: "a.test:1",
    });
    expect(result?.attempts).toHaveLength(1);
    expect(result?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  test("that fails is tried again as often as the monitor says, and the last attempt is reported", async () => {
    const prober = new TwinProber();
    prober.script = () => refused();
    const { result } = await check(prober, monitorWith({ retry: 2 }));
    expect(prober.probed).toHaveLength(3);
    expect(result).toMatchObject({ status: "error", failure: { code: "connection_refused" } });
    expect(result?.attempts).toHaveLength(3);
    let count = 0;
    prober.script = () => ((count += 1) < 3 ? refused() : passed());
    const recovered = await check(prober, monitorWith({ retry: 2 }));
    expect(recovered.result).toMatchObject({ status: "success", failure: null });
    expect(recovered.result?.attempts.map((attempt) => attempt.failure?.code ?? null)).toEqual([
      "connection_refused",
      "connection_refused",
      null,
    ]);
  });

  test("is not tried again if a gRPC server said how it is, and is if none answered", async () => {
    const grpc = monitorWith({ kind: "grpc", retry: 3 });
    const attempts = async (code: FailureCode, phase: Failure["phase"]) => {
      const prober = new TwinProber();
      const answered = {
        ...passed("grpc"),
        total: nanos(7e6),
        failure: failure(code, phase, "no"),
      };
      prober.script = () => answered;
      const { result } = await check(prober, grpc);
      return [prober.probed.length, result?.latency];
    };
    for (const code of [
      "grpc_not_serving",
      "grpc_service_unknown",
      "grpc_unimplemented",
      "grpc_status",
    ] as const)
      expect([code, await attempts(code, "assertion")]).toEqual([code, [1, 7]]);
    expect(await attempts("connection_refused", "connect")).toEqual([4, 7]);
    expect(await attempts("protocol_error", "receive")).toEqual([4, 7]);
  });

  test("is not tried again where retry is 0, or the next slot would be passed, or policy forbids", async () => {
    const prober = new TwinProber();
    prober.script = () => refused();
    await check(prober, monitorWith({ retry: 0 }));
    expect(prober.probed).toHaveLength(1);
    await check(prober, monitorWith({ retry: 10 }), { until: 2_000 });
    // Pauses of 500 and 750 ms fit before 2 s, the next of 1,125 ms does not.
    expect(prober.probed).toHaveLength(1 + 3);
    prober.script = () => ({ ...refused(), failure: failure("target_denied", "policy", "denied") });
    await check(prober, monitorWith({ retry: 10 }));
    expect(prober.probed).toHaveLength(1 + 3 + 1);
  });

  test("of a monitor that cannot be run says so, without a probe", async () => {
    const prober = new TwinProber();
    const rejection = failure(
      "invalid_url",
      "config",
      "Invalid configuration: url is not a valid URL",
    );
    const { id, kind, uri, periodicity } = monitorWith();
    const { result } = await check(prober, { id, kind, uri, periodicity, rejection } as never);
    expect(result).toMatchObject({
      status: "error",
      failure: rejection,
      outcome: null,
      latency: 0,
    });
    expect(prober.probed).toEqual([]);
  });

  test("that is aborted has no result: it is not downtime", async () => {
    const prober = new TwinProber();
    prober.script = (target, signal) => hanging(target.kind, signal);
    expect((await check(prober, monitorWith(), { abortAfter: 100 })).result).toBeNull();
    prober.script = () => refused();
    expect((await check(prober, monitorWith({ retry: 5 }), { abortAfter: 100 })).result).toBeNull();
  });

  test("that fails by a fault of our own says agent_error, and logs the monitor", async () => {
    const prober = new TwinProber();
    prober.script = () => {
      throw new RangeError("our bug");
    };
    const { result, log } = await check(prober);
    expect(result).toMatchObject({
      status: "error",
      failure: { code: "agent_error", phase: "agent" },
    });
    expect(log.said).toMatchObject([{ level: "error", fields: { monitor: "m" } }]);
  });

  test("is degraded strictly above its threshold", async () => {
    expect(
      (await check(new TwinProber(), monitorWith({ degradedAt: millis(5) }))).result?.status,
    ).toBe("success");
    expect(
      (await check(new TwinProber(), monitorWith({ degradedAt: millis(4) }))).result?.status,
    ).toBe("degraded");
  });
});

test("pauses grow by half, with a fifth of jitter to either side", () => {
  expect([1, 2, 3].map((done) => retryPause(done, 0.5))).toEqual([500, 750, 1125]);
  expect([retryPause(1, 0), retryPause(1, 0.999_999)]).toEqual([400, 600]);
});
