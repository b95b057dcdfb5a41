import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextReports } from "#agent/replay";
import { Reporter } from "#agent/reporter";
import { ServiceLink } from "#agent/service-link";
import { type Receipt, ServiceError, type ServiceReason } from "#transport/control-plane";
import { memorySpool } from "#transport/memory-spool";
import { type Report, reportOf } from "#transport/report";
import { epochMillis, hours, mebibytes, millis } from "#units";
import { FakeClock } from "../support/fake-clock.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { memoryLog, TwinControlPlane } from "../support/twins.ts";

const roomy = { bytesMax: mebibytes(64), ageMax: hours(24 * 365 * 100) };
const result = (monitorId: string, slot: number) =>
  resultWith({ monitorId, slot: epochMillis(slot) });

/** A service that answers each call by a script of its own. */
class ScriptedPlane extends TwinControlPlane {
  readonly calls: (readonly Report[])[] = [];
  answer: (reports: readonly Report[]) => readonly (Receipt | null)[] = (reports) =>
    reports.map(() => ({ outcome: "accepted" }));

  override async report(reports: readonly Report[]): Promise<readonly (Receipt | null)[]> {
    this.calls.push(reports);
    const receipts = this.answer(reports);
    receipts.forEach((receipt, index) => {
      const report = reports[index];
      if (receipt?.outcome === "accepted" && report !== undefined) this.reported.push(report);
    });
    return receipts;
  }
}

function scene() {
  const clock = new FakeClock();
  const plane = new ScriptedPlane();
  const spool = memorySpool(clock, roomy);
  const log = memoryLog();
  const link = new ServiceLink(log, clock, "http://service.test");
  const reporter = new Reporter({
    controlPlane: plane,
    spool,
    link,
    clock,
    log,
    chance: () => 0.5,
  });
  const end = new AbortController();
  const running = reporter.run(end.signal);
  const stop = async (): Promise<void> => {
    end.abort();
    await running;
  };
  return { clock, plane, spool, log, link, reporter, stop };
}

const fails = (reason: ServiceReason, retryAfter: number | null = null): never => {
  throw new ServiceError(reason, reason, retryAfter === null ? null : millis(retryAfter));
};

describe("what goes next", () => {
  test("is of monitors without a backlog first, each monitor's in the order of its slots", () => {
    const spool = memorySpool(new FakeClock(), roomy);
    for (const slot of [1, 2, 3]) spool.add(reportOf(result("behind", slot)));
    spool.add(reportOf(result("live", 9)));
    const said = (max: number, held?: (id: string) => boolean): readonly string[] =>
      nextReports(spool, max, held).map(({ monitorId, slot }) => `${monitorId}${slot}`);
    expect(said(3)).toEqual(["live9", "behind1", "behind2"]);
    expect(said(3, (id) => id === "live")).toEqual(["behind1", "behind2", "behind3"]);
  });

  test("stays within 4 MiB however large the bodies are, and is never nothing", () => {
    const spool = memorySpool(new FakeClock(), roomy);
    const body = Buffer.alloc(64 * 1024, "x");
    const outcome = httpOutcome({ response: { ...httpOutcome().response!, body } });
    for (let slot = 0; slot < 200; slot += 1)
      spool.add(reportOf(resultWith({ slot: epochMillis(slot), status: "degraded", outcome })));
    const count = nextReports(spool, 500).length;
    expect(count).toBeGreaterThan(50);
    expect(count).toBeLessThan(65);
  });

  test("is found in 10,000 monitors and 250,000 reports", () => {
    const spool = memorySpool(new FakeClock(), { ...roomy, bytesMax: mebibytes(4_096) });
    const one = reportOf(result("m", 1));
    for (let slot = 0; slot < 25; slot += 1)
      for (let monitor = 0; monitor < 10_000; monitor += 1)
        spool.add({ ...one, id: `${slot}-${monitor}`, monitorId: `m${monitor}` });
    spool.add(reportOf(result("live", 9)));
    const next = nextReports(spool, 500);
    expect(next).toHaveLength(500);
    expect(next[0]?.monitorId).toBe("live");
  });
});

describe("a reporter", () => {
  test("sends a backlog at a pace, and what has none in every call", async () => {
    const { clock, plane, reporter, spool, stop } = scene();
    for (let slot = 1; slot <= 5_000; slot += 1) reporter.add(result("behind", slot));
    await clock.advance(1_000);
    reporter.add(result("live", 1));
    await clock.advance(1_000);
    expect(plane.reported.length).toBeLessThanOrEqual(2_501);
    expect(plane.reported.some(({ monitorId }) => monitorId === "live")).toBe(true);
    await clock.advance(2_000);
    expect(spool.size).toBe(0);
    await stop();
  });

  test.each(["rejected", "internal"] as const)(
    "finds the one result that makes a service fail on a whole batch (%s), and delivers the others",
    async (reason) => {
      const { clock, plane, reporter, spool, stop } = scene();
      plane.answer = (reports) =>
        reports.some(({ monitorId }) => monitorId === "poison")
          ? fails(reason)
          : reports.map(() => ({ outcome: "accepted" }));
      for (let slot = 1; slot <= 300; slot += 1)
        for (const id of ["a", "b", ...(slot === 150 ? ["poison"] : [])])
          reporter.add(result(id, slot));
      for (let second = 0; second < 1_200; second += 1) {
        if (second % 10 === 0) reporter.add(result("c", 1_000 + second));
        await clock.advance(1_000);
      }
      expect(plane.reported.filter(({ monitorId }) => monitorId !== "c")).toHaveLength(600);
      expect(spool.size).toBeLessThanOrEqual(1);
      const { rejected, givenUp } = reporter.counts;
      expect([rejected, givenUp]).toEqual(reason === "rejected" ? [1, 0] : [0, 1]);
      await stop();
    },
  );

  test("gives nothing up while the service fails on everything, and delivers it when that is over", async () => {
    const { clock, plane, reporter, log, stop } = scene();
    const retry: Receipt = { outcome: "retry", error: new ServiceError("internal", "no disk") };
    plane.answer = (reports) => reports.map(() => retry);
    for (let slot = 1; slot <= 20; slot += 1)
      for (const id of ["a", "b", "c"]) reporter.add(result(id, slot));
    await clock.advance(7_200_000);
    expect(reporter.counts).toMatchObject({ accepted: 0, rejected: 0, givenUp: 0 });
    plane.answer = (reports) => reports.map(() => ({ outcome: "accepted" }));
    await clock.advance(120_000);
    expect(reporter.counts).toMatchObject({ accepted: 60 });
    expect(log.said.map(({ message }) => message)).toEqual([
      "the service fails on results: they are kept and sent again",
      "the service takes results again",
      "connected to the service",
    ]);
    await stop();
  });

  test("does not wait out its pause when a pull or a heartbeat finds the service", async () => {
    const { clock, plane, reporter, link, stop } = scene();
    plane.answer = () => fails("unavailable");
    reporter.add(result("a", 1));
    await clock.advance(600_000);
    plane.answer = (reports) => reports.map(() => ({ outcome: "accepted" }));
    link.succeeded();
    await clock.advance(1);
    expect(reporter.counts.accepted).toBe(1);
    await stop();
  });

  test("waits as long as it was asked to, whatever else succeeds", async () => {
    const { clock, plane, reporter, link, stop } = scene();
    plane.answer = () => fails("rate_limited", 60_000);
    reporter.add(result("a", 1));
    await clock.advance(2_000);
    plane.answer = (reports) => reports.map(() => ({ outcome: "accepted" }));
    link.succeeded();
    await clock.advance(50_000);
    expect(reporter.counts.accepted).toBe(0);
    await clock.advance(20_000);
    expect(reporter.counts.accepted).toBe(1);
    await stop();
  });

  test("at its end tries what is not on disk until its time is over", async () => {
    const { clock, plane, reporter, spool, stop } = scene();
    await stop();
    plane.answer = () => fails("unavailable");
    reporter.add(result("a", 1));
    const end = new AbortController();
    const flushed = reporter.flush(end.signal);
    await clock.advance(10_000);
    expect(plane.calls.length).toBeGreaterThanOrEqual(5);
    plane.answer = (reports) => reports.map(() => ({ outcome: "accepted" }));
    await clock.advance(2_000);
    expect(await flushed).toBe(true);
    expect(spool.size).toBe(0);
  });

  test("loses nothing, doubles nothing and keeps each monitor's order, whatever the service does", async () => {
    const deeds = fc.constantFrom(
      "accept",
      "accept",
      "half",
      "unavailable",
      "timeout",
      "internal",
      "garbage",
      "rate_limited",
      "fail on a",
      "reject b",
      "forbidden",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ deed: deeds, adds: fc.array(fc.constantFrom("a", "b", "c")) }), {
          maxLength: 30,
        }),
        async (script) => {
          const { clock, plane, reporter, spool, link, stop } = scene();
          const deedsLeft = script.map(({ deed }) => deed);
          plane.answer = (reports) => answered(deedsLeft.shift() ?? "accept", reports);
          let slot = 0;
          const added: string[] = [];
          for (const { adds } of script) {
            for (const id of adds) {
              slot += 1;
              added.push(`${id}${slot}`);
              reporter.add(result(id, slot));
            }
            await clock.advance(1_000);
            link.succeeded();
          }
          for (let turn = 0; turn < 40; turn += 1) {
            link.succeeded();
            await clock.advance(30_000);
          }
          await stop();
          const { accepted, rejected, givenUp } = reporter.counts;
          expect(spool.size).toBe(0);
          expect(accepted + rejected + givenUp).toBe(added.length);
          const names = plane.reported.map((one) => `${one.monitorId}${one.slot}`);
          expect(new Set(names).size).toBe(names.length);
          for (const own of Map.groupBy(plane.reported, ({ monitorId }) => monitorId).values()) {
            const slots = own.map((one) => one.slot);
            expect(slots).toEqual(slots.toSorted((a, b) => a - b));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

function answered(deed: string, reports: readonly Report[]): readonly (Receipt | null)[] {
  const retry: Receipt = { outcome: "retry", error: new ServiceError("internal", "fails") };
  switch (deed) {
    case "accept":
      return reports.map(() => ({ outcome: "accepted" }));
    case "half":
      return reports.map((_, index) =>
        index < reports.length / 2 ? { outcome: "accepted" } : null,
      );
    case "fail on a":
      return byMonitor(reports, "a", retry);
    case "reject b":
      return reports.map(({ monitorId }) =>
        monitorId === "b" ? { outcome: "rejected", reason: "no" } : { outcome: "accepted" },
      );
    case "unavailable":
    case "timeout":
    case "internal":
    case "garbage":
    case "rate_limited":
    case "forbidden":
      return fails(deed);
    default:
      throw new TypeError(`no such deed: ${deed}`);
  }
}

/** As plain calls do: what follows a failure of the same monitor is not sent. */
function byMonitor(
  reports: readonly Report[],
  failing: string,
  retry: Receipt,
): readonly (Receipt | null)[] {
  let failed = false;
  return reports.map(({ monitorId }) => {
    if (monitorId !== failing) return { outcome: "accepted" };
    const receipt = failed ? null : retry;
    failed = true;
    return receipt;
  });
}
