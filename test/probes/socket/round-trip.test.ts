import { expect, test } from "vitest";
import { type ClockReading, roundTripOf } from "#probes/socket/round-trip";
import { nanos } from "#base/units";

const hour = 3_600_000_000_000n;
const start = 1_790_000_000_000_000_000n;

/** Both clocks some milliseconds after the packet left; the thread may lose the processor while it reads them. */
const reading = (after: number, paused = 0.001): ClockReading => ({
  before: nanos(after * 1e6),
  wall: start + BigInt(after) * 1_000_000n,
  after: nanos((after + paused) * 1e6),
});
const moved = (one: ClockReading, by: bigint): ClockReading => ({ ...one, wall: one.wall + by });

const [sent, looked] = [reading(0), reading(20)];
const stamp = start + 412_345n;

test.each<readonly [string, number | null, ReturnType<typeof roundTripOf>]>([
  ["the stamp less the clock before the packet left", 412_345, roundTripOf(sent, stamp, looked)],
  [
    "the same, however long the thread stood still between two readings",
    412_345,
    roundTripOf(reading(0, 15), stamp, reading(20, 300)),
  ],
  ["nothing without a stamp", null, roundTripOf(sent, null, looked)],
  [
    "nothing of a stamp that the kernel made when it was asked",
    null,
    roundTripOf(sent, looked.wall + 900n, looked),
  ],
  [
    "nothing where the clock was set back after the packet left",
    null,
    roundTripOf(sent, stamp - hour, moved(looked, -hour)),
  ],
  [
    "nothing where it was set forward before the answer came",
    null,
    roundTripOf(sent, stamp + 5_000_000n, moved(looked, 5_000_000n)),
  ],
  [
    "nothing where it was set after the answer came, in either direction",
    null,
    roundTripOf(sent, stamp, moved(looked, hour)) ??
      roundTripOf(sent, stamp, moved(looked, -1_000_000n)),
  ],
])("a round trip is %s", (_fact, expected, found) => {
  expect(found).toBe(expected);
});
