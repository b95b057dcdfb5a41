import { expect, test } from "vitest";
import { endedEarlierBy, startDeadline } from "#base/deadline";
import { Ending } from "#base/ending";
import { millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";

/** What a listener hears, in order. */
function heard(): { readonly said: string[]; readonly says: (what: string) => () => void } {
  const said: string[] = [];
  return { said, says: (what) => () => void said.push(what) };
}

test("an ending calls each listener once, in order, and none that was taken away or came later", () => {
  const { said, says } = heard();
  const ending = new Ending();
  const [first, second, third] = [says("first"), says("second"), says("third")];
  ending.addEventListener("abort", () => ending.removeEventListener("abort", third));
  for (const listener of [first, second, third]) ending.addEventListener("abort", listener);
  ending.removeEventListener("abort", second);
  expect(ending.aborted).toBe(false);
  ending.abort();
  ending.abort();
  ending.addEventListener("abort", says("late"));
  expect({ said, aborted: ending.aborted }).toEqual({ said: ["first"], aborted: true });
});

test("a deadline ends when its time is up, for whoever listens in either way", async () => {
  const clock = new FakeClock();
  const { said, says } = heard();
  using deadline = startDeadline(clock, millis(100));
  deadline.end.addEventListener("abort", says("end"));
  deadline.signal.addEventListener("abort", says("signal"));
  await clock.advance(99);
  expect({ said, ended: deadline.ended, left: deadline.remaining() }).toEqual({
    said: [],
    ended: null,
    left: 1,
  });
  await clock.advance(1);
  expect({ said, ended: deadline.ended, left: deadline.remaining() }).toEqual({
    said: ["end", "signal"],
    ended: "timeout",
    left: 0,
  });
});

test("a deadline ends with its parent, and a disposed one neither ends nor leaves a timer", async () => {
  const clock = new FakeClock();
  const parent = new AbortController();
  using cancelled = startDeadline(clock, millis(100), parent.signal);
  const disposed = startDeadline(clock, millis(100), parent.signal);
  disposed[Symbol.dispose]();
  await clock.advance(0);
  expect(clock.sleeping).toBe(1);
  parent.abort();
  await clock.advance(1_000);
  expect([cancelled.ended, disposed.ended]).toEqual(["cancelled", null]);
  expect([cancelled.signal.aborted, disposed.signal.aborted]).toEqual([true, false]);
  expect(startDeadline(clock, millis(100), parent.signal).ended).toBe("cancelled");
  expect(clock.sleeping).toBe(0);
});

test("a part that is ended earlier counts as cancelled, and the whole continues", () => {
  const clock = new FakeClock();
  const { said, says } = heard();
  using whole = startDeadline(clock, millis(100));
  const enough = new Ending();
  const part = endedEarlierBy(whole, enough);
  part.end.addEventListener("abort", says("part"));
  enough.abort();
  expect({ said, part: part.ended, left: part.remaining(), whole: whole.ended }).toEqual({
    said: ["part"],
    part: "cancelled",
    left: 0,
    whole: null,
  });
});
