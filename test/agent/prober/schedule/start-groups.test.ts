import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import * as limits from "#limits/prober-limits";
import { StartGroups } from "#agent/prober/schedule/start-groups";
import type { Monitor } from "#check/monitor";
import { epochMillis, millis } from "#base/units";
import { httpTarget } from "../../../support/probing.ts";
import { monitorWith } from "../../../support/twins.ts";

const instant = integer({ min: 0, max: 4e12 }).map(epochMillis);
const longest = Math.max(...limits.startsApart);
const https = monitorWith({ kind: "http", target: httpTarget("https://127.0.0.1/") });

const pingTarget = { kind: "icmp", host: "127.0.0.1", packets: 3, interval: millis(10) } as const;

/** The starts of an agent that has so many such monitors. */
function startsOf(count: number, monitor: Monitor): StartGroups {
  const starts = new StartGroups();
  starts.arrange(Array.from({ length: count }, () => monitor));
  return starts;
}

describe("starts of checks", () => {
  test("are at their slots, or less than half a second later, at the same instants of each period", () => {
    const count = constantFrom(0, 1, 17, 500, 3_000, 10_000, 50_000);
    const period = constantFrom(10_000, 30_000, 60_000, 3_600_000);
    assert(
      property(count, period, instant, (many, every, slot) => {
        const monitor = monitorWith({ periodicity: millis(every) });
        const starts = startsOf(many, monitor);
        const start = starts.startOf(monitor, slot);
        expect(start - slot).toBeGreaterThanOrEqual(0);
        expect(start - slot).toBeLessThan(longest);
        expect(starts.startOf(monitor, start)).toBe(start);
        expect(starts.startOf(monitor, epochMillis(slot + every))).toBe(start + every);
      }),
    );
  });

  test.each([
    { count: 10, apart: 500 },
    { count: 500, apart: 500 },
    { count: 3_000, apart: 100 },
    { count: 10_000, apart: 25 },
    { count: 100_000, apart: 1 },
  ])("of $count monitors at 30 s are $apart ms apart", ({ count, apart }) => {
    const monitor = monitorWith();
    const starts = startsOf(count, monitor);
    const instants = Array.from({ length: 1_000 }, (_, at) =>
      starts.startOf(monitor, epochMillis(at + 1)),
    );
    expect(new Set(instants).size).toBe(1_000 / apart);
  });

  test("of 10,000 pings at 30 s are at most 10 ms after their slots, and of 500 they still begin together", () => {
    const ping = monitorWith({ kind: "icmp", target: pingTarget });
    const latest = (count: number): number => {
      const starts = startsOf(count, ping);
      const slots = Array.from({ length: 1_000 }, (_, at) => epochMillis(at));
      return Math.max(...slots.map((slot) => starts.startOf(ping, slot) - slot));
    };
    expect(latest(10_000)).toBeLessThan(10);
    expect(latest(500)).toBeGreaterThan(50);
  });

  test("over TLS are at their slots: a handshake would blur the times of those next to it", () => {
    const starts = new StartGroups();
    starts.arrange([...Array.from({ length: 500 }, () => https), monitorWith()]);
    assert(
      property(instant, (slot) => {
        expect(starts.startOf(https, slot)).toBe(slot);
      }),
    );
  });
});
