import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  badDays,
  calendarOf,
  type Day,
  daysInWords,
  stateOfDay,
  uptimeOf,
} from "#web/page/chart/calendar";
import { englishAxis, latencyChart } from "#web/page/chart/latency-chart";
import {
  cutAbove,
  highestCut,
  phaseAreas,
  phaseLegend,
  type PhaseMeans,
} from "#web/page/chart/phase-areas";
import { uptimeAxis, uptimeBar } from "#web/page/chart/uptime-bar";
import { phaseNames } from "#check/outcome";
import { resultStatuses } from "#check/verdict";
import { epochMillis, hours, millis, minutes } from "#base/units";

const last = epochMillis(Date.parse("2026-11-22T00:00:00Z"));
const none = millis(0);
const noTime = {
  dns: none,
  connect: none,
  proxy: none,
  tls: none,
  write: none,
  wait: none,
  receive: none,
};
const dayAt = (ago: number, more: Partial<Day> = {}): Day => ({
  begin: epochMillis(last - ago * hours(24)),
  known: hours(24),
  down: millis(0),
  checks: 2_880,
  slow: 0,
  ...more,
});
const quarter = Array.from({ length: 89 }, (_, index) => {
  const ago = 89 - index;
  if (ago === 40) return dayAt(ago, { down: minutes(30) });
  if (ago === 10) return dayAt(ago, { down: minutes(1) });
  return dayAt(ago, { slow: [5, 6, 7].includes(ago) ? 100 : 0 });
});

describe("days", () => {
  test("are counted in words, and the bad ones listed", () => {
    const days = calendarOf(quarter, last, 90);
    expect(daysInWords(days)).toBe(
      "90 days: 84 up, 3 slow, 2 down (31\u00a0min of downtime in all), 1 without data",
    );
    const bad = [dayAt(1, { down: minutes(30) }), dayAt(0, { down: minutes(2) })];
    expect(daysInWords(bad)).toBe("2 days, both with downtime: 32\u00a0min in all");
    const worse = [dayAt(2, { down: minutes(1) }), ...bad];
    expect(daysInWords(worse, worse.map(stateOfDay), "hour")).toBe(
      "3 hours, all with downtime: 33\u00a0min in all",
    );
    expect(badDays(days).map(stateOfDay)).toEqual(["slow", "slow", "slow", "down", "down"]);
  });

  test("are down by how long they were, never up without data, and never 100 % with any downtime", () => {
    expect(stateOfDay(dayAt(0, { known: millis(0), checks: 0 }))).toBe("none");
    expect(stateOfDay(dayAt(0, { down: millis(30_000) }))).toBe("up");
    expect(stateOfDay(dayAt(0, { known: hours(1), down: millis(30_000) }))).toBe("down");
    expect(uptimeOf([dayAt(0)])).toBe("100.00\u00a0%");
    expect(uptimeOf([dayAt(0, { down: millis(1) })])).toBe("99.99\u00a0%");
    expect(uptimeOf([dayAt(0, { down: hours(12) })])).toBe("50.00\u00a0%");
    expect(uptimeOf([])).toBeNull();
    expect(badDays([dayAt(0, { down: millis(30_000) })]).length).toBe(1);
  });

  test("that are alike are one line of the bar, red if down, with a foot by the share that was", () => {
    expect(uptimeBar(calendarOf(quarter, last, 90)).text.match(/ d="[^"]+"/g)).toEqual([
      ' d="M0 15h490M500 15h290M800 15h20M850 15h40"',
      ' d="M820 13h30"',
      ' d="M890 23h10"',
      ' d="M490 12h10M790 12h10"',
      ' d="M490 21h10M790 21h10"',
    ]);
    const drawn = (day: Day) => uptimeBar([day]).text.match(/<path class="[^"]+/g);
    expect([
      drawn(dayAt(0, { down: minutes(13) })),
      drawn(dayAt(0, { known: minutes(18), down: minutes(13) })),
      drawn(dayAt(0, { down: hours(7) })),
      drawn(dayAt(0, { down: hours(13) })),
      drawn(dayAt(0, { down: hours(20) })),
    ]).toEqual([
      ['<path class="partly', '<path class="foot-1'],
      ['<path class="partly', '<path class="foot-1'],
      ['<path class="partly', '<path class="foot-2'],
      ['<path class="partly', '<path class="foot-3'],
      ['<path class="down'],
    ]);
    const flawless = calendarOf(
      Array.from({ length: 90 }, (_, ago) => dayAt(ago)),
      last,
      90,
    );
    expect(uptimeBar(flawless).text.match(/<path/g)?.length).toBe(1);
    expect(uptimeBar(flawless).text.length).toBeLessThan(220);
  });
});

/** What no chart may hold, whatever it is made of. */
const nonsense = /NaN|Infinity|undefined|null|e[+-]\d/;
const numbers = (text: string): readonly number[] =>
  [...text.matchAll(/-?\d+(\.\d+)?/g)].map(([number]) => Number(number));

const slots = fc.integer({ min: last - hours(24), max: last });
const latencies = fc.integer({ min: 0, max: 1_320_000 }).map(millis);

describe("charts of anything", () => {
  test("latencies: in the plot, whatever they are, and none if there is none", () => {
    const points = fc.array(
      fc.record({
        slot: slots.map(epochMillis),
        status: fc.constantFrom(...resultStatuses),
        latency: latencies,
        uncertain: fc.boolean(),
        errorBar: latencies,
      }),
      { maxLength: 50 },
    );
    fc.assert(
      fc.property(points, fc.option(latencies), (all, threshold) => {
        const sorted = all.toSorted((a, b) => a.slot - b.slot);
        const { text } = latencyChart({
          marks: [],
          failures: [],
          span: { from: epochMillis(last - hours(24)), to: last },
          curves: [
            {
              name: "p95",
              values: sorted.map(({ slot, latency }) => ({ at: slot, latency })),
              gap: hours(1),
            },
          ],
          points: sorted,
          echoes: {
            values: sorted.map(({ slot, latency, errorBar }) => ({
              at: slot,
              round: latency > errorBar ? null : { least: latency, most: errorBar },
              lost: latency > errorBar ? 1 : 0.5,
            })),
            gap: hours(1),
          },
          threshold,
          words: '"><script>',
          axis: { ...englishAxis, latency: () => "<script>" },
        });
        expect(text).not.toMatch(nonsense);
        expect(text).not.toContain("<script");
        const drawn = /class="curve p95" d="([^"]*)"/.exec(text)?.[1] ?? "";
        expect(numbers(drawn.replaceAll("h4", "")).every((one) => one >= -2 && one <= 1_002)).toBe(
          true,
        );
        expect(text.match(/<circle/g)?.length ?? 0).toBe(
          all.filter(({ status }) => status !== "error").length,
        );
      }),
    );
  });

  test("pings have a band from the shortest to the longest round trip, a line where echoes were lost, and parts of a millisecond", () => {
    const at = (minute: number) => epochMillis(last - hours(1) + minute * 60_000);
    const round = (least: number, most: number) => ({ least: millis(least), most: millis(most) });
    const { text } = latencyChart({
      marks: [],
      failures: [],
      span: { from: at(0), to: last },
      curves: [],
      points: [],
      echoes: {
        values: [
          { at: at(0), round: round(0.04, 0.09), lost: 0 },
          { at: at(6), round: round(0.05, 0.1), lost: 0.5 },
          { at: at(30), round: round(0.02, 0.08), lost: 0 },
          { at: at(36), round: null, lost: 1 },
        ],
        gap: minutes(10),
      },
      threshold: null,
      words: "",
      axis: englishAxis,
    });
    // The times next to a picture may be those of the reader.
    expect(text).toMatch(/>22.Nov UTC<\/text/);
    const drawn = (name: string): string =>
      new RegExp(`class="${name}" d="([^"]*)"`).exec(text)?.[1] ?? "";
    // There and back for the two that are neighbours, and a column for the one that stands alone.
    expect(drawn("band")).toBe("M0 13L100 0L100 65L0 78zM498 26h4V104h-4z");
    expect(drawn("lost")).toBe("M100 130v-18M600 130v-30");
    expect(text).toContain(">0.1\u00a0ms<");
  });

  test("a gap breaks the line, one point alone is a dash, and none is nothing", () => {
    const curve = (...minutesOfPoints: readonly number[]): string => {
      const { text } = latencyChart({
        marks: [],
        failures: [],
        span: { from: epochMillis(last - hours(1)), to: last },
        curves: [
          {
            name: "p50",
            values: minutesOfPoints.map((at) => ({
              at: epochMillis(last - hours(1) + at * 60_000),
              latency: millis(50),
            })),
            gap: minutes(10),
          },
        ],
        points: [],
        echoes: null,
        threshold: null,
        words: "",
        axis: englishAxis,
      });
      return /class="curve p50" d="([^"]*)"/.exec(text)?.[1] ?? "";
    };
    expect(curve(0, 6, 12, 30, 36)).toBe("M0 0L100 0L200 0M500 0L600 0");
    expect(curve(30)).toBe("M498 0h4");
    expect(curve()).toBe("");
  });

  test("latency: the words of the threshold are above the plot, wherever its line is", () => {
    for (const threshold of [20, 80].map(millis)) {
      const span = { from: epochMillis(0), to: epochMillis(60_000) };
      const values = [{ at: epochMillis(0), latency: millis(90) }];
      const curves = [{ name: "p50", values, gap: minutes(1) }] as const;
      const { text } = latencyChart({
        span,
        curves,
        threshold,
        marks: [],
        failures: [],
        points: [],
        echoes: null,
        words: "",
        axis: englishAxis,
      });
      const [, y] = /<text\s+class="threshold"\s+x="100%"\s+y="([\d.]+)"/.exec(text) ?? [];
      expect(Number(y)).toBeLessThan(14);
    }
  });

  test("phases: columns that touch and are on each other, and nothing if nothing was measured", () => {
    const span = { from: epochMillis(0), to: epochMillis(4_000) };
    const stretch = (at: number, wait: number, passed: number, failed = 0): PhaseMeans => ({
      at: epochMillis(at),
      means: { ...noTime, connect: millis(10), wait: millis(wait) },
      passed,
      failed,
    });
    const stretches = [stretch(0, 50, 2), stretch(3_000, 40, 1, 4)];
    const { text } = phaseAreas({ span, stretches, length: millis(1_000), words: "phases" });
    expect(text.match(/<path class="phase \w+" d="[^"]+"/g)).toEqual([
      '<path class="phase connect" d="M0 130h250v-13h-250zM750 130h250v-13h-250z"',
      '<path class="phase wait" d="M0 117h250v-65h-250zM750 117h250v-52h-250z"',
    ]);
    // Above the middle of its column, whose phases are of checks that passed.
    expect(text.match(/<svg class="mark" x="[^"]+" y="[^"]+"/g)).toEqual([
      '<svg class="mark" x="87.5%" y="7"',
    ]);
    // Now is at the end of the chart, in the middle of the newest column.
    const begun = { from: epochMillis(0), to: epochMillis(3_200) };
    const { text: cut } = phaseAreas({ span: begun, stretches, length: millis(1_000), words: "" });
    expect(/<svg class="mark" x="([^"]+)%"/.exec(cut)?.[1]).toBe("96.88");
    expect(phaseLegend(stretches).map(({ name, mean }) => [name, Math.round(mean)])).toEqual([
      ["connect", 10],
      ["wait", 47],
    ]);
    expect(phaseAreas({ span, stretches: [], length: millis(1_000), words: "" }).text).not.toMatch(
      /<path/,
    );
  });

  test("a column that is too high for the chart of phases has a gap near its top, and no other one", () => {
    const span = { from: last, to: epochMillis(last + 4_000) };
    const took = [10, 12, 11, 900];
    const stretches = took.map((wait, index): PhaseMeans => ({
      at: epochMillis(last + index * 1_000),
      means: { ...noTime, wait: millis(wait) },
      passed: 1,
      failed: 0,
    }));
    const { text } = phaseAreas({ span, stretches, length: millis(1_000), words: "" });
    expect(text.replaceAll(/\s+/g, " ").match(/class="cut" x="\d+" y="\d+" width="\d+"/g)).toEqual([
      'class="cut" x="750" y="7" width="250"',
    ]);
    expect(highestCut(stretches)).toBe(900);
    expect(highestCut(stretches.slice(0, 3))).toBeNull();
    expect(highestCut([])).toBeNull();
    // Of very few columns none is rare, and the usual value is that of most checks: it is never cut.
    expect(highestCut(stretches.slice(2))).toBeNull();
    expect(cutAbove(stretches)).toBe(50);
    const most = stretches.map((one, index) => ({ ...one, passed: index === 3 ? 40 : 1 }));
    expect([highestCut(most), cutAbove(most)]).toEqual([null, null]);
    // One in four is no rare timeout: the chart is as high as these.
    const often = [...stretches, ...stretches, ...stretches];
    expect(highestCut(often)).toBeNull();
  });

  test("phases of anything stay in the plot, and shares sum to one", () => {
    const mean = fc.integer({ min: 0, max: 120_000 }).map(millis);
    const means = fc.record({
      dns: mean,
      connect: mean,
      proxy: mean,
      tls: mean,
      write: mean,
      wait: mean,
      receive: mean,
    });
    const passed = fc.integer({ min: 1, max: 99 });
    const failed = fc.integer({ min: 0, max: 9 });
    const stretch = fc.record({ at: slots.map(epochMillis), means, passed, failed });
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 60 }), (stretches) => {
        const span = { from: epochMillis(last - hours(24)), to: last };
        const { text } = phaseAreas({ span, stretches, length: minutes(30), words: "" });
        expect(text).not.toMatch(nonsense);
        const shares = phaseLegend(stretches).map(({ share }) => share);
        if (shares.length > 0) expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1);
        expect(phaseNames).toEqual(
          expect.arrayContaining(phaseLegend(stretches).map(({ name }) => name)),
        );
      }),
    );
  });

  test("days of anything: each day is in one line, in order", () => {
    const day = fc.record({
      ago: fc.integer({ min: 0, max: 89 }),
      down: latencies,
      known: fc.constantFrom(0, 86_400_000),
      slow: fc.nat(3_000),
    });
    fc.assert(
      fc.property(fc.array(day, { maxLength: 100 }), (some) => {
        const days = calendarOf(
          some.map(({ ago, down, known, slow }) =>
            dayAt(ago, { down, known: millis(known), slow }),
          ),
          last,
          90,
        );
        const bars = uptimeBar(days).text.replaceAll(/<path class="foot[^>]*>/g, "");
        const lengths = [...bars.matchAll(/h(\d+)/g)].map(([, length]) => Number(length));
        expect(lengths.filter((one) => one % 10 === 0).reduce((a, b) => a + b, 0)).toBe(900);
        expect(daysInWords(days)).toMatch(
          /^(?:\d+ days?(?:, (?:both|all) with downtime)?: .*|No data yet)$/,
        );
        expect(uptimeAxis(days)?.text).not.toMatch(nonsense);
      }),
    );
    expect(uptimeBar([]).text).not.toMatch(nonsense);
    expect(uptimeAxis([])).toBeNull();
  });
});
