import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "#clock";
import { rawSleepMax, rawWakeDelayMax } from "#limits/probes-limits";
import { loopMarker, type Mark } from "#probes/connection/marker";
import { noSocketEvidence } from "#probes/evidence/socket-evidence";
import type { Segments } from "#probes/raw/arena";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { type KernelCalls, openKernelCalls } from "#probes/raw/kernel-calls";
import { RawConnection } from "#probes/raw/raw-connection";
import { RawLoop } from "#probes/raw/raw-loop";
import { RawWitness } from "#probes/raw/raw-witness";
import { bytes, nanos } from "#units";

/** A loop whose clock a test moves, with some of the kernel's calls its own. */
function loopWith(calls: Partial<KernelCalls>, clock: Clock): RawLoop {
  const times = { slept: () => nanos(0), queued: () => nanos(0) };
  const loop = new RawLoop({ ...openKernelCalls(), ...calls }, clock, times, new DescriptorList());
  onTestFinished(() => loop.end());
  return loop;
}

const readable = 1;

/** When bytes came that are stamped 100 µs after the connection was there, and of which the kernel says this. */
function arrivalOf(segments: Segments | null): Mark | null {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => nanos(now) };
  const calls: Partial<KernelCalls> = {
    wall: () => nanos(now),
    receive: () => 5,
    arrivedAt: () => nanos(200_000),
    segments: () => segments,
  };
  const loop = loopWith(calls, clock);
  let arrived: Mark | null = null;
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
    onBytes: (_bytes, mark) => (arrived = mark),
    onEnd: () => {},
    onError: () => {},
  });
  now = 300_000;
  connection.onChange(readable);
  connection.close();
  return arrived;
}

test.each([
  ["alone came when it is stamped", { withData: 1, isOver: false }, 0],
  ["with the peer's end behind it may have come before", { withData: 1, isOver: true }, 100_000],
  ["among several may have come before", { withData: 2, isOver: false }, 100_000],
  ["of which the kernel does not say may have come before", null, 100_000],
])("a packet %s", (_name, segments, errorBar) => {
  expect(arrivalOf(segments)).toEqual({ at: 200_000, errorBar });
});

test("what ended a sleep came as long before the thread was ready as wake-ups have lately taken", async () => {
  let now = 0;
  const lags: number[] = [];
  const over = Promise.withResolvers<void>();
  const loop = loopWith(
    {
      runtimeTimeout: () => rawSleepMax,
      wait: () => {
        lags.push(now - loop.heardSince);
        // Each of these came 30 µs before the thread was ready: at last, nothing longer is remembered.
        for (let n = 0; n < 1_000 && lags.length === 2; n += 1) loop.cameAlone(nanos(now - 30_000));
        if (lags.length === 3) over.resolve();
        now += 10_000_000;
        return 0;
      },
    },
    { ...systemClock, monotonic: () => nanos(now) },
  );
  const descriptor = loop.open("127.0.0.1", "datagram");
  const id = loop.watch(descriptor, () => {});
  await over.promise;
  loop.unwatch(id);
  loop.close(descriptor);
  expect(lags.slice(0, 3)).toEqual([0, rawWakeDelayMax, 30_000]);
});
