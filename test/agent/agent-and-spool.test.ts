import { expect, test } from "vitest";
import { Agent } from "#agent/agent";
import { memorySpool } from "#agent/spool/memory-spool";
import type { Spool } from "#agent/spool/spool";
import { bytes, hours, mebibytes, millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import {
  memoryLog,
  monitorWith,
  TwinControlPlane,
  TwinProber,
  unavailable,
} from "../support/twins.ts";
import { checkerWith } from "../support/checking.ts";

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
