import { expect, test } from "vitest";
import type { Mark } from "#probes/socket/marker";
import { Stopwatch } from "#probes/socket/stopwatch";
import type { Resolution, Resolver } from "#probes/resolve/resolving";
import { lookUpTimed } from "#probes/connection/timed-lookup";
import { nanos, millis } from "#base/units";
import { startDeadline } from "#base/deadline";
import { FakeClock } from "../../support/fake-clock.ts";
import { contextWith } from "../../support/probing.ts";

const found: Resolution = { ok: true, addresses: ["192.0.2.1"] };

/** How long `dns` and our own work took of a look-up that began 3 ms before the first question, 5 ms before we connect. */
async function timesOf(
  resolve: (clock: FakeClock, ...args: Parameters<Resolver["resolve"]>) => Promise<Resolution>,
): Promise<{
  readonly dns: number | null;
  readonly own: number | null;
  readonly errorBar: number;
}> {
  const clock = new FakeClock();
  const now = (): Mark => ({ at: clock.monotonic(), errorBar: nanos(0) });
  const late = (): Mark => ({ at: clock.monotonic(), errorBar: nanos(30e6) });
  const context = {
    ...contextWith(),
    clock,
    marker: { ...contextWith().marker, acted: now, observed: late, paused: () => nanos(0) },
    resolver: { resolve: (...args: Parameters<Resolver["resolve"]>) => resolve(clock, ...args) },
  };
  const stopwatch = new Stopwatch(clock, context.marker);
  using deadline = startDeadline(clock, millis(1_000));
  await lookUpTimed("shop.test", { deadline, stopwatch, context });
  await clock.advance(5);
  stopwatch.enter("connect");
  stopwatch.ownWork(clock.monotonic(), clock.monotonic());
  stopwatch.stop();
  const { phases, own, errorBar } = stopwatch.times;
  return { dns: phases.dns, own, errorBar };
}

test("dns is from the first question to the last answer, by their marks", async () => {
  const times = await timesOf(async (clock, _host, _family, _deadline, watch) => {
    await clock.advance(3);
    const [a, aaaa] = [watch?.asking("A"), watch?.asking("AAAA")];
    const at = (time: number): Mark => ({ at: nanos(time * 1e6), errorBar: nanos(0) });
    a?.onSending(at(3));
    aaaa?.onSending(at(4));
    aaaa?.onAnswer({ mark: at(20), measuredBy: "kernel" });
    a?.onAnswer({ mark: { at: nanos(23e6), errorBar: nanos(400) }, measuredBy: "kernel" });
    await clock.advance(27);
    return found;
  });
  expect(times).toEqual({ dns: 20e6, own: 12e6, errorBar: 400 });
});

test("if a question has no answer, dns lasts until the look-up ended", async () => {
  const times = await timesOf(async (clock, _host, _family, _deadline, watch) => {
    const [a, aaaa] = [watch?.asking("A"), watch?.asking("AAAA")];
    const mark = { at: clock.monotonic(), errorBar: nanos(0) };
    a?.onSending(mark);
    aaaa?.onSending(mark);
    a?.onAnswer({ mark, measuredBy: "kernel" });
    await clock.advance(50);
    return found;
  });
  expect(times).toEqual({ dns: 50e6, own: 5e6, errorBar: 30e6 });
});

test("a resolver that shows no questions takes as long as its call", async () => {
  const times = await timesOf(async (clock) => {
    await clock.advance(8);
    return found;
  });
  expect(times).toEqual({ dns: 8e6, own: 5e6, errorBar: 8e6 });
});
