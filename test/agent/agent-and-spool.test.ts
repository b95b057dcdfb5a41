import { expect, test } from "vitest";
import { Agent } from "#agent/agent";
import { memorySpool } from "#agent/spool/memory-spool";
import type { Spool } from "#agent/spool/spool";
import { bytes, hours, mebibytes, millis } from "#base/units";
import { aborted } from "#base/aborted";
import { stopSilenceMax } from "#limits/agent-limits";
import { ingestBatchMax } from "#limits/wire-limits";
import { FakeClock } from "../support/fake-clock.ts";
import {
  memoryLog,
  monitorWith,
  TwinControlPlane,
  TwinProber,
  unavailable,
} from "../support/twins.ts";
import { checkerWith } from "../support/checking.ts";
import { reportWith } from "../support/reports.ts";

function scene(
  limits = { bytesMax: mebibytes(1), ageMax: hours(24) },
  wrap = (spool: Spool) => spool,
) {
  const clock = new FakeClock();
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = [monitorWith()];
  const steps: string[] = [];
  const inner = memorySpool(clock, limits);
  const save = (): void => {
    steps.push(`save ${inner.size}`);
    inner.save();
  };
  const spool = wrap(Object.create(inner, { save: { value: save } }));
  const drain = new AbortController();
  const agent = new Agent({
    watch: null,
    checker: checkerWith(new TwinProber(), clock, memoryLog(), 10),
    controlPlane,
    spool,
    clock,
    log: memoryLog(),
    serviceUrl: "http://127.0.0.1:1",
    pollInterval: millis(60_000),
    heartbeatInterval: millis(30_000),
    drainTimeout: millis(30_000),
    chance: () => 0.5,
  });
  const ended = agent.run(drain.signal, new AbortController().signal);
  return { clock, controlPlane, steps, spool, agent, drain, ended };
}

test("results are saved every second, also while the service takes its time, and before and after the last report", async () => {
  const { clock, controlPlane, steps, agent, drain, ended } = scene();
  const answer = Promise.withResolvers<void>();
  const report = controlPlane.report.bind(controlPlane);
  controlPlane.report = async (results, told) => {
    steps.push(`report ${results.length}`);
    await answer.promise;
    return report(results, told);
  };
  await clock.advance(20_000);
  expect(steps.filter((one) => one.startsWith("report"))).toEqual(["report 1"]);
  expect(steps.slice(-12)).toEqual(Array.from({ length: 12 }, () => "save 1"));
  expect(agent.status).toMatchObject({ resultsWaiting: 1, spoolDurable: false });
  drain.abort();
  await clock.advance(10);
  steps.length = 0;
  answer.resolve();
  await clock.advance(1_000);
  expect(await ended).toBe("drained");
  expect(steps.at(-1)).toBe("save 0");
  const calm = steps.length;
  await clock.advance(60_000);
  expect(steps).toHaveLength(calm);
});

test("if the service takes results at once, a save finds none to write", async () => {
  const { clock, controlPlane, steps, drain, ended } = scene();
  controlPlane.monitors = Array.from({ length: 40 }, (_, n) => monitorWith({ id: `${n}` }));
  await clock.advance(120_000);
  expect(controlPlane.reported.length).toBeGreaterThan(100);
  expect(steps.filter((step) => step !== "save 0")).toEqual([]);
  drain.abort();
  await clock.advance(1_000);
  await ended;
});

test.each([
  ["age", { bytesMax: mebibytes(1), ageMax: millis(100_000) }],
  ["room", { bytesMax: bytes(1_000), ageMax: hours(24) }],
] as const)("a heartbeat and the status tell what was given up for %s", async (reason, limits) => {
  const { clock, controlPlane, agent, drain, ended } = scene(limits);
  await clock.advance(3_000);
  controlPlane.fault = unavailable;
  await clock.advance(600_000);
  controlPlane.receipt = () => ({ outcome: "rejected", reason: "it is odd", isUnassigned: false });
  controlPlane.fault = null;
  await clock.advance(60_000);
  drain.abort();
  await clock.advance(1_000);
  await ended;
  const count = agent.status.resultsGivenUp[reason];
  expect(count).toBeGreaterThan(10);
  expect(agent.status.resultsGivenUp).toEqual({ age: 0, room: 0, unreadable: 0, [reason]: count });
  const { rejected } = agent.status.reports;
  expect(rejected).toBeGreaterThan(0);
  expect(controlPlane.beats.at(-1)).toMatchObject({
    resultsGivenUp: count,
    resultsGivenUpAge: reason === "age" ? count : 0,
    resultsGivenUpRoom: reason === "room" ? count : 0,
    resultsRejected: rejected,
  });
});

test("results that wait if they cannot be read just now cause no busy loop, and are reported later", async () => {
  let readable = false;
  const { clock, controlPlane, spool, drain, ended } = scene(undefined, (inner) =>
    Object.create(inner, {
      oldestOf: { value: (id: string, max: number) => (readable ? inner.oldestOf(id, max) : []) },
    }),
  );
  await clock.advance(40_000);
  expect([controlPlane.reported.length, spool.size > 0]).toEqual([0, true]);
  readable = true;
  await clock.advance(2_000);
  expect(controlPlane.reported.length).toBeGreaterThan(0);
  readable = false;
  await clock.advance(30_000);
  drain.abort();
  await clock.advance(1_000);
  expect(await ended).toBe("abandoned");
});

const durable = (inner: Spool): Spool => Object.create(inner, { durable: { value: true } });

test("a stop waits for no service that cannot be reached, if the disk keeps the results", async () => {
  const { clock, controlPlane, spool, agent, drain, ended } = scene(undefined, durable);
  await clock.advance(40_000);
  controlPlane.fault = unavailable;
  await clock.advance(60_000);
  drain.abort();
  await clock.advance(stopSilenceMax - 1);
  expect([await ended, agent.status.state]).toEqual(["abandoned", "stopped"]);
  expect(spool.size).toBeGreaterThan(0);
});

test("a stop waits for a service that is slow, and not long for one that answers nothing any more", async () => {
  const { clock, controlPlane, spool, agent, drain, ended } = scene(undefined, durable);
  await clock.advance(10_000);
  const report = controlPlane.report.bind(controlPlane);
  let calls = 0;
  controlPlane.report = async (results, told, signal = new AbortController().signal) => {
    await clock.sleep(millis(stopSilenceMax - 1_000), signal);
    if (calls === 3) await aborted(signal);
    else await report(results, told);
    calls += 1;
  };
  drain.abort();
  for (let at = 0; at < 5 * ingestBatchMax; at += 1)
    spool.add(reportWith({ monitorId: "backlog", at }));
  await clock.advance(2 * stopSilenceMax);
  expect([agent.status.state, calls, spool.size]).toEqual(["draining", 3, 2 * ingestBatchMax]);
  await clock.advance(2 * stopSilenceMax);
  expect(await ended).toBe("abandoned");
  expect(spool.size).toBe(2 * ingestBatchMax);
});
