import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noPhases } from "#check/outcome";
import { phaseFigures, wholeTime } from "#web/page/phase-figures";
import { nanos } from "#base/units";

const inMillis = (millis: number) => nanos(millis * 1e6);
const plain = (text: string): string => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");
const shown = (measured: Parameters<typeof phaseFigures>[0]): readonly string[] => {
  const { parts, total } = phaseFigures(measured);
  return [
    ...parts.map(({ name, time, share }) => `${name} ${time} ${share}`),
    `total ${total}`,
  ].map(plain);
};

/** What a picture shows, as a count of its last digit; less than the least that is shown is none. */
const counted = (text: string): number =>
  text.startsWith("<") ? 0 : Number(text.replaceAll(/[^\d]/g, ""));

describe("the figures of a check", () => {
  test("have its whole time as it is shown elsewhere", () => {
    const total = inMillis(1_501.835);
    expect(plain(wholeTime(total))).toBe("1 502 ms");
    expect(phaseFigures({ phases: noPhases, own: null, total }).total).toBe(wholeTime(total));
  });

  test("have the digits that four of the total need, each the same ones", () => {
    const phases = { ...noPhases, dns: inMillis(0.5), connect: inMillis(1.25), wait: inMillis(7) };
    const own = null;
    expect(shown({ phases, own, total: inMillis(8.75) })).toEqual([
      "dns 0.500 ms 6 %",
      "connect 1.250 ms 14 %",
      "wait 7.000 ms 80 %",
      "total 8.750 ms",
    ]);
    const longer = { ...noPhases, dns: inMillis(0.04), wait: inMillis(4_999.96) };
    expect(shown({ phases: longer, own, total: inMillis(5_000) })).toEqual([
      "dns < 1 ms < 1 %",
      "wait 5 000 ms 100 %",
      "total 5 000 ms",
    ]);
  });

  test("have a row for what is in no phase, and none if that is less than what is shown", () => {
    const phases = { ...noPhases, wait: inMillis(300) };
    expect(shown({ phases, own: inMillis(20), total: inMillis(400) })).toEqual([
      "wait 300.0 ms 75 %",
      "own 20.0 ms 5 %",
      "other 80.0 ms 20 %",
      "total 400.0 ms",
    ]);
    expect(shown({ phases, own: null, total: inMillis(300.01) })).toEqual([
      "wait 300.0 ms 100 %",
      "total 300.0 ms",
    ]);
  });

  test("round a bound up, so that it stays one", () => {
    const { bound } = phaseFigures({ phases: noPhases, own: null, total: inMillis(5_000) });
    expect(plain(bound(inMillis(0.041)))).toBe("1 ms");
    expect(plain(bound(inMillis(1.2)))).toBe("2 ms");
  });

  test("sum to the total and to 100 %, whatever was measured", () => {
    const time = fc.option(fc.integer({ min: 1, max: 20_000_000_000 }).map(nanos), { nil: null });
    const measured = fc.record({
      phases: fc.record({
        dns: time,
        connect: time,
        proxy: time,
        tls: time,
        write: time,
        wait: time,
        receive: time,
      }),
      own: time,
      total: fc.integer({ min: 1, max: 60_000_000_000 }).map(nanos),
    });
    fc.assert(
      fc.property(measured, (one) => {
        const { parts, total, whole } = phaseFigures(one);
        expect(parts.reduce((sum, { time: each }) => sum + counted(each), 0)).toBe(counted(total));
        expect(parts.reduce((sum, { share }) => sum + counted(share), 0)).toBe(100);
        expect(whole).toBeGreaterThanOrEqual(one.total);
        expect(parts.reduce((sum, { elapsed }) => sum + elapsed, 0)).toBeLessThanOrEqual(whole);
      }),
    );
  });
});
