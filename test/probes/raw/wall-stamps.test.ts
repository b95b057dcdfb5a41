import { expect, test } from "vitest";
import { WallStamps } from "#probes/raw/wall-stamps";
import { nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";

/** A wall clock that is 50 s ahead of the monotonic one, until it is set. */
function clocks(): {
  clock: FakeClock;
  calls: { wall: () => ReturnType<typeof nanos> };
  ahead: number;
} {
  const clock = new FakeClock();
  const both = {
    clock,
    ahead: 50e9,
    calls: { wall: () => nanos(clock.monotonic() + both.ahead) },
  };
  return both;
}

test("a stamp lies on the monotonic clock where the wall clock says it did", async () => {
  const { clock, calls, ahead } = clocks();
  const stamps = new WallStamps(clock, calls);
  const sent = clock.monotonic();
  await clock.advance(20);
  const stamp = nanos(sent + ahead + 7e6);
  expect(stamps.place(stamp, sent)).toEqual({ at: sent + 7e6, errorBar: 0 });
});

test("a stamp from before a step of the wall clock is none: it would lie in the future, or before its cause", async () => {
  for (const step of [3_600e9, -3_600e9]) {
    const both = clocks();
    const stamps = new WallStamps(both.clock, both.calls);
    const sent = both.clock.monotonic();
    const stamp = nanos(sent + both.ahead + 1e6);
    await both.clock.advance(20);
    both.ahead += step;
    expect(stamps.place(stamp, sent)).toBeNull();
    // The next one is of the new time, and placed by it.
    const next = nanos(both.clock.monotonic() + both.ahead - 1e6);
    expect(stamps.place(next, sent)?.at).toBe(both.clock.monotonic() - 1e6);
  }
});
