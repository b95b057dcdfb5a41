import { expect, test } from "vitest";
import { hidesTarget } from "#check/cause";
import type { Failure } from "#check/failure";
import { type Clock, systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { Scheduler } from "#agent/prober/schedule/scheduler";
import { MachineSleep } from "#probes/socket/machine-sleep";
import { loopMarker, threadTimes } from "#probes/socket/marker";
import { probe } from "#probes/registry";
import { epochMillis, type Millis, millis } from "#base/units";
import { tcpPeer } from "../../servers/scripted.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { reach } from "../../support/metering.ts";
import { monitorWith } from "../../support/twins.ts";
import { Scene } from "./scene.ts";

const night = millis(8 * 3_600_000);

/** A machine whose wall clock goes ahead during a check, by a sleep or because it is set: its boot clock tells them apart. */
async function failureWith(ahead: { readonly wall: Millis; readonly boot: Millis }) {
  let isOver = false;
  const clock: Clock = {
    ...systemClock,
    wall: () => epochMillis(systemClock.wall() + (isOver ? ahead.wall : 0)),
  };
  const monotonic = (): number => systemClock.monotonic() / 1e6;
  const boot = (): Millis => millis(monotonic() + (isOver ? ahead.boot : 0));
  const marker = loopMarker(clock, threadTimes(), new MachineSleep(clock, boot));
  // As what was on the way when the machine slept: the connection is gone when it wakes.
  await using peer = await tcpPeer((socket) => {
    isOver = true;
    socket.resetAndDestroy();
  });
  const url = `http://127.0.0.1:${peer.port}/`;
  const target = { kind: "http", url, method: "GET", headers: [], body: "" } as const;
  using deadline = startDeadline(clock, millis(60_000));
  const context = { ...reach(), clock, marker };
  return (await probe({ ...target, followRedirects: true }, deadline, context)).failure;
}

const saidOf = (failure: Failure | null): string => `${failure?.code}: ${failure?.message}`;

test("24: a check in flight while the machine slept has no verdict, whatever it saw", async () => {
  const failure = await failureWith({ wall: night, boot: night });
  expect(saidOf(failure)).toBe(
    "agent_error: This machine slept for 8 h during the check, so its failure says nothing about the target",
  );
  const scene = new Scene();
  const cause = scene.fails("one", "10.9.1.1", { code: "agent_error", phase: "agent" });
  expect([cause?.scope, cause?.certainty, cause !== null && hidesTarget(cause)]).toEqual([
    "machine",
    "proven",
    true,
  ]);
  expect(saidOf(await failureWith({ wall: night, boot: millis(0) }))).toMatch(/^connection_/);
});

test("24: the slots that a machine slept through are missed by the clock, and none is run late", async () => {
  const clock = new FakeClock();
  const ran: number[] = [];
  const scheduler = new Scheduler(clock, async ({ at }) => void ran.push(at));
  const end = new AbortController();
  const running = scheduler.run(end.signal);
  const plan = { start: [monitorWith()], change: [], stop: [], kept: 0 };
  scheduler.apply(plan);
  await clock.advance(35_000);
  const before = ran.length;
  clock.stepWall(night);
  await clock.advance(2_000);
  const { clock: byClock, late } = scheduler.counts.missed;
  expect([ran.length - before <= 1, byClock >= night / 30_000 - 1, late]).toEqual([true, true, 0]);
  end.abort();
  await running;
});
