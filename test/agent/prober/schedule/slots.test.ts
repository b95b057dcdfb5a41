import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { firstSlot, nextSlot, opening } from "#agent/prober/schedule/slots";
import { spread } from "#base/spread";
import { epochMillis, millis } from "#base/units";

const period = constantFrom(10_000, 30_000, 60_000, 3_600_000).map(millis);
const instant = integer({ min: 0, max: 4e12 }).map(epochMillis);

describe("slots", () => {
  test("are strictly after now, at most a period away, and the same for every caller", () => {
    assert(
      property(string(), period, instant, (id, every, now) => {
        const slot = nextSlot(id, every, now);
        expect(slot).toBeGreaterThan(now);
        expect(slot - now).toBeLessThanOrEqual(every);
        expect(nextSlot(id, every, epochMillis(slot - 1))).toBe(slot);
        expect(nextSlot(id, every, slot)).toBe(slot + every);
      }),
    );
  });
  test("of a new monitor begin within five seconds, jittered, never now and never before", () => {
    assert(
      property(string(), period, instant, (id, every, now) => {
        const slot = firstSlot(id, every, now);
        expect(slot).toBeGreaterThan(now);
        expect(slot - now).toBeLessThanOrEqual(5_000);
      }),
    );
  });
  test("of a new monitor begin at one instant on all agents that begin before it", () => {
    const share = integer({ min: 0, max: 99 });
    assert(
      property(string(), period, instant, share, (id, every, now, percent) => {
        const slot = firstSlot(id, every, now);
        const later = epochMillis(now + Math.floor(((slot - now) * percent) / 100));
        expect([slot, nextSlot(id, every, now)]).toContain(firstSlot(id, every, later));
      }),
    );
  });
  test("of a monitor that another agent ran go on if that one left off", () => {
    assert(
      property(string(), period, instant, integer({ min: -3, max: 1 }), (id, every, now, turns) => {
        const next = nextSlot(id, every, now);
        const newest = epochMillis(next + turns * every);
        const { due, at } = opening(id, every, now, newest);
        // Every result is of a slot that all agents have, and never of one that has a result.
        expect((next - at) % every).toBe(0);
        expect(at).toBeGreaterThan(Math.min(newest, now - every));
        const missed = newest < next - every;
        expect(due).toBeLessThanOrEqual(missed ? now + 5_000 : next);
        if (!missed) expect(at).toBe(next);
        if (at !== due) expect([missed, at]).toEqual([true, next - every]);
      }),
    );
  });
  test("of a monitor that has no result begin soon, whoever takes it", () => {
    const now = epochMillis(1_000_000);
    const soon = firstSlot("m", millis(3_600_000), now);
    expect(opening("m", millis(3_600_000), now, null)).toEqual({ due: soon, at: soon });
  });
  test("spread evenly: no tenth of the period has twice its share", () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 10_000; n += 1) tenths[Math.floor(spread(`monitor-${n}`) * 10)]! += 1;
    expect(Math.max(...tenths)).toBeLessThan(1_200);
    expect(Math.min(...tenths)).toBeGreaterThan(800);
    assert(
      property(array(string()), (ids) => ids.every((id) => spread(id) >= 0 && spread(id) < 1)),
    );
  });
});
