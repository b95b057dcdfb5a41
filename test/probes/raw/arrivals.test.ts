import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "#base/clock";
import { rawLookAfter, rawSleepMax, rawWakeDelayMax } from "#limits/probes-limits";
import { loopMarker, type Mark } from "#probes/socket/marker";
import { noSocketEvidence } from "#probes/socket/socket-evidence";
import type { Segments } from "#probes/raw/arena";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { type KernelCalls, openKernelCalls, tryAgain } from "#probes/raw/kernel-calls";
import { RawConnection } from "#probes/raw/raw-connection";
import { RawLoop } from "#probes/raw/raw-loop";
import { RawWitness } from "#probes/raw/raw-witness";
import { bytes, nanos } from "#base/units";

/** A loop whose clock a test moves, with some of the kernel's calls its own. */
function loopWith(calls: Partial<KernelCalls>, clock: Clock): RawLoop {
  const times = { slept: () => nanos(0), queued: () => nanos(0) };
  const loop = new RawLoop({ ...openKernelCalls(), ...calls }, clock, times, new DescriptorList());
  onTestFinished(() => loop.end());
  return loop;
}

const readable = 1;

/**
 * When bytes came that are stamped 100 µs after the connection was there, and of which the kernel says this. They were found
 * by a look at an instant; null if the connection is told at once.
 */
async function arrivalOf(
  segments: Omit<Segments, "longest"> | null,
  foundAt: number | null = null,
): Promise<Mark | null> {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => nanos(now) };
  const ids: number[] = [];
  const received = [5];
  const calls: Partial<KernelCalls> = {
    watch: (_set, _descriptor, id) => ids.push(id),
    wall: () => nanos(now),
    // A packet, and then nothing more.
    receive: () => received.shift() ?? tryAgain,
    arrivedAt: () => nanos(200_000),
    segments: () => segments && { ...segments, longest: 0 },
    runtimeTimeout: () => 0,
    wait: () => {
      if (foundAt === null || now !== 0) return 0;
      now = foundAt;
      return 2;
    },
    changeOf: (index) => ({ id: ids[index] ?? 0, events: readable }),
  };
  const loop = loopWith(calls, clock);
  let arrived: Mark | null = null;
  const over = Promise.withResolvers<void>();
  const other = loop.open("127.0.0.1", "datagram");
  // What the thread does for another before it reads.
  const otherId = loop.watch(other, () => (now = 300_000));
  const descriptor = loop.open("127.0.0.1", "stream");
  const connection = new RawConnection({
    loop,
    marker: loopMarker(clock, loop),
    descriptor,
    watchId: 0,
    where: "127.0.0.1",
    connected: { at: nanos(100_000), errorBar: nanos(0) },
    witness: new RawWitness("127.0.0.1", noSocketEvidence),
    onOwnWork: () => {},
  });
  connection.listen(bytes(64), {
    onSent: () => {},
    onBytes: (_bytes, mark) => {
      arrived = mark;
      over.resolve();
    },
    onEnd: () => {},
    onError: () => {},
  });
  if (foundAt === null) {
    now = 300_000;
    connection.onChange(readable);
  }
  await over.promise;
  connection.close();
  loop.unwatch(otherId);
  loop.close(other);
  return arrived;
}

test.each([
  ["alone came when it is stamped", { withData: 1, isOver: false }, 0],
  ["with the peer's end behind it may have come before", { withData: 1, isOver: true }, 100_000],
  ["among several may have come before", { withData: 2, isOver: false }, 100_000],
  ["of which the kernel does not say may have come before", null, 100_000],
])("a packet %s", async (_name, segments, errorBar) => {
  expect(await arrivalOf(segments)).toEqual({ at: 200_000, errorBar });
});

test.each([
  ["with the peer's end behind it had come by the look that found it", 1, 150_000, 50_000],
  ["among several may have come after the look that found the first of them", 2, 200_000, 100_000],
])("a packet %s", async (_name, withData, at, errorBar) => {
  expect(await arrivalOf({ withData, isOver: true }, 150_000)).toEqual({ at, errorBar });
});

test("what ended a sleep came at most as long before the thread was ready as wake-ups have lately taken, and mostly as long as they usually take", async () => {
  let now = 0;
  let id = 0;
  const lags: number[] = [];
  const usual: number[] = [];
  const over = Promise.withResolvers<void>();
  const loop = loopWith(
    {
      runtimeTimeout: () => rawSleepMax,
      wait: (_set, timeout) => {
        if (timeout === 0) return 0;
        now += 10_000_000;
        return 1;
      },
      changeOf: () => ({ id, events: readable }),
    },
    { ...systemClock, monotonic: () => nanos(now) },
  );
  const descriptor = loop.open("127.0.0.1", "datagram");
  id = loop.watch(descriptor, () => {
    lags.push(now - loop.heardSince);
    usual.push(Math.round((now - loop.heardAt) / 1e3));
    // Each of these came 30 µs before the thread was ready: at last, nothing longer is remembered.
    for (let n = 0; n < 1_000; n += 1) loop.cameAlone(nanos(now - 30_000));
    if (lags.length === 2) over.resolve();
  });
  await over.promise;
  loop.unwatch(id);
  loop.close(descriptor);
  expect(lags.slice(0, 2)).toEqual([rawWakeDelayMax, 30_000]);
  expect(usual).toEqual([0, 30]);
});

test("data that came while the thread worked on another is known by the looks in between", async () => {
  let now = 0;
  const looks: (readonly string[])[] = [["first", "second"], ["third"]];
  let found: readonly string[] = [];
  const ids = new Map<string, number>();
  const reported: { name: string; since: number; until: number }[] = [];
  const over = Promise.withResolvers<void>();
  const loop = loopWith(
    {
      runtimeTimeout: () => 0,
      wait: () => {
        found = looks.shift() ?? [];
        return found.length;
      },
      changeOf: (index) => ({ id: ids.get(found[index] ?? "") ?? 0, events: readable }),
    },
    { ...systemClock, monotonic: () => nanos(now) },
  );
  const descriptors = ["first", "second", "third"].map((name) => {
    const descriptor = loop.open("127.0.0.1", "datagram");
    const watcher = (): void => {
      // Before anything came alone, a packet may have been stamped so long before its socket had it.
      reported.push({ name, since: loop.heardSince + rawWakeDelayMax, until: loop.heardUntil });
      if (name === "first") now += rawLookAfter;
      if (name === "third") over.resolve();
    };
    ids.set(name, loop.watch(descriptor, watcher));
    return descriptor;
  });
  await over.promise;
  for (const id of ids.values()) loop.unwatch(id);
  for (const descriptor of descriptors) loop.close(descriptor);
  expect(reported).toEqual([
    { name: "first", since: 0, until: 0 },
    { name: "second", since: 0, until: 0 },
    { name: "third", since: 0, until: rawLookAfter },
  ]);
});
