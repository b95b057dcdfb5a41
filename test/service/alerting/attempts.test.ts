import { describe, expect, test } from "vitest";
import {
  type AttemptStart,
  fateOf,
  laneAtFirst,
  type LaneHealth,
  pauseAfter,
} from "#service/alerting/attempts";
import { takeToken } from "#service/alerting/token-bucket";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { epochMillis, hours, millis, minutes, seconds } from "#base/units";
import { after, noon } from "./waiting.ts";

const trouble = { code: "provider_failed", message: "slack has a fault", status: 500 } as const;
const again: DeliveryOutcome = { is: "again", after: null, trouble };
const besideNone: AttemptStart = {
  failures: 0,
  refusals: 0,
  tookSince: false,
  askedUntil: epochMillis(0),
};
const fate = (
  outcome: DeliveryOutcome,
  attempts = 0,
  lane: LaneHealth = laneAtFirst,
  firstTriedAt = noon,
): ReturnType<typeof fateOf> =>
  fateOf(outcome, { attempts, firstTriedAt, earliestTriedAt: firstTriedAt }, lane, noon, 0.5);

describe("an attempt", () => {
  test("that failed is repeated after 5 s, 30 s, 2 min, 5 min, 15 min, 30 min, then hourly", () => {
    const pauses = Array.from({ length: 9 }, (_, failures) => pauseAfter(failures, 0.5) / 1_000);
    expect(pauses).toEqual([5, 30, 120, 300, 900, 1_800, 3_600, 3_600, 3_600]);
    expect(pauseAfter(2, 0)).toBe(seconds(96));
    expect(pauseAfter(2, 1)).toBe(seconds(144));
  });
  test("rests the channel for as long, and drops nothing for a day", () => {
    const first = fate(again);
    const { message } = trouble;
    const isInDoubt = false;
    expect(first.fate).toEqual({ is: "waiting", retryAt: after(5), message, isInDoubt });
    const unanswered = fate({ ...again, trouble: { ...trouble, code: "timed_out", status: null } });
    expect(unanswered.fate).toMatchObject({ isInDoubt: true });
    expect(first.lane).toMatchObject({ failures: 1, restUntil: after(5), failing: null });
    const old = epochMillis(noon - hours(24));
    expect(fate(again, 30, laneAtFirst, old).fate).toMatchObject({
      is: "dropped",
      reason: "expired",
      isInDoubt: false,
    });
    const lost: DeliveryOutcome = { ...again, trouble: { ...trouble, code: "unreachable" } };
    expect(fate(lost, 30, laneAtFirst, old).fate).toMatchObject({
      reason: "expired",
      isInDoubt: true,
    });
  });
  test("next to others counts once with those that fail, and not at all if the channel took a message meanwhile", () => {
    const tried = { attempts: 0, firstTriedAt: noon, earliestTriedAt: noon };
    const start = besideNone;
    const first = fateOf(again, tried, laneAtFirst, noon, 0.5, start).lane;
    const second = fateOf(again, tried, first, after(1), 0.5, start).lane;
    expect(second).toEqual({ ...first, restUntil: after(6) });
    const next = { ...start, failures: 1 };
    expect(fateOf(again, tried, second, after(7), 0.5, next).lane).toMatchObject({ failures: 2 });
    const took = { ...next, tookSince: true };
    const beside = fateOf(again, tried, laneAtFirst, after(7), 0.5, took);
    expect(beside.lane).toEqual(laneAtFirst);
    expect(beside.fate).toMatchObject({ is: "waiting", retryAt: after(12) });
    // A pause that the provider asks for holds for all.
    const asked = fateOf({ ...again, after: minutes(7) }, tried, laneAtFirst, noon, 0.5, took);
    expect(asked.lane).toMatchObject({ restUntil: after(420) });
  });
  const gone: LaneHealth = {
    ...laneAtFirst,
    failing: { since: noon, message: "no such webhook" },
    isDisabled: true,
  };
  const resting: LaneHealth = { ...laneAtFirst, failures: 1, restUntil: after(420) };
  const taken: DeliveryOutcome = { is: "delivered", reference: null, moved: null };
  const promised: DeliveryOutcome = {
    is: "accepted",
    reference: null,
    receipt: "r",
    askAfter: seconds(30),
  };
  const unasked = epochMillis(0);
  test.each([
    ["taken beside one that was asked to wait", taken, resting, after(420), after(420), false],
    [
      "accepted beside one that was asked to wait",
      promised,
      resting,
      after(420),
      after(420),
      false,
    ],
    ["taken beside one that only failed", taken, resting, unasked, unasked, false],
    ["taken after the pause that was asked for", taken, resting, after(-1), unasked, false],
    ["taken beside one that found the channel gone", taken, gone, unasked, unasked, true],
    [
      "refused beside one that found it gone",
      { is: "permanent", trouble },
      gone,
      unasked,
      unasked,
      true,
    ],
  ] as const)(
    "%s leaves the channel as the other's answer says",
    (_, outcome, lane, askedUntil, restUntil, isDisabled) => {
      const tried = { attempts: 0, firstTriedAt: noon, earliestTriedAt: noon };
      const start = { ...besideNone, askedUntil };
      const next = fateOf(outcome, tried, lane, noon, 0.5, start).lane;
      expect(next).toMatchObject({ restUntil, isDisabled });
      expect(next.failing !== null).toBe(isDisabled);
    },
  );
  test("waits as long as the provider asks, up to an hour", () => {
    const asked = fate({ ...again, after: minutes(7) });
    expect(asked.fate).toMatchObject({ retryAt: after(420) });
    expect(asked.lane.restUntil).toBe(after(420));
    expect(fate({ ...again, after: hours(9) }).lane.restUntil).toBe(after(60 * 60));
  });
  test("the fifth in a row that fails says that the channel does; one that passes says that it is well", () => {
    let lane = laneAtFirst;
    for (let count = 0; count < 4; count += 1) lane = fate(again, count, lane).lane;
    expect(lane.failing).toBeNull();
    // It fails since the first of them.
    const since = epochMillis(noon - minutes(8));
    lane = fate(again, 4, lane, since).lane;
    expect(lane.failing).toEqual({ since, message: trouble.message });
    expect(fate(again, 5, lane, noon).lane.failing).toEqual({ since, message: trouble.message });
    const delivered = fate({ is: "delivered", reference: "r", moved: null }, 5, lane);
    expect(delivered.fate).toEqual({ is: "sent", reference: "r", moved: null });
    expect(delivered.lane).toEqual(laneAtFirst);
  });
  test("that a key stops is tried hourly; what is refused for good is dropped; a channel that is gone is disabled", () => {
    const key = fate({ is: "failing", trouble });
    expect(key.fate).toMatchObject({ is: "waiting", retryAt: after(3_600) });
    expect(key.lane.failing).not.toBeNull();
    const refused = fate({ is: "permanent", trouble });
    expect(refused.fate).toMatchObject({ is: "dropped", reason: "refused" });
    expect(refused.lane).toMatchObject({ isDisabled: false, failures: 0 });
    let lane = laneAtFirst;
    const noSuchUser = { ...trouble, code: "recipient_refused", status: 550 } as const;
    const isDisabled = [1, 2, 3].map(() => {
      lane = fate({ is: "permanent", trouble: noSuchUser }, 0, lane).lane;
      return lane.isDisabled;
    });
    expect(isDisabled).toEqual([false, false, true]);
    const gone = fate({ is: "disabled", trouble });
    expect(gone.fate).toMatchObject({ is: "dropped", reason: "channel_gone" });
    expect(gone.lane.isDisabled).toBe(true);
  });
  test("for which the provider has no message is counted as that", () => {
    const skipped = fate({ is: "skipped", why: "no reminders" }).fate;
    expect(skipped).toMatchObject({ is: "dropped", reason: "not_for_provider" });
  });
  test("is asked about later if the provider says its end later", () => {
    const accepted: DeliveryOutcome = {
      is: "accepted",
      reference: null,
      receipt: "r",
      askAfter: seconds(30),
    };
    expect(fate(accepted).fate).toMatchObject({ is: "accepted", askAt: after(30) });
  });
});

describe("a bucket of three, one in ten seconds", () => {
  const pace = { burst: 3, span: seconds(10) };
  test("gives three at once, and then one in each span", () => {
    let fullAt = epochMillis(0);
    const take = (second: number): number | null => {
      const taken = takeToken(fullAt, pace, after(second));
      ({ fullAt } = taken);
      return taken.waitsUntil === null ? null : (taken.waitsUntil - noon) / 1_000;
    };
    expect([take(0), take(0), take(0), take(0), take(9)]).toEqual([null, null, null, 10, 10]);
    expect([take(10), take(10)]).toEqual([null, 20]);
  });
  test("owes no more than itself when the clock was set back", () => {
    const ahead = epochMillis(noon + hours(9));
    expect(takeToken(ahead, pace, noon).waitsUntil).toBe(after(10));
    expect(takeToken(epochMillis(noon - millis(5)), pace, noon).waitsUntil).toBeNull();
  });
});
