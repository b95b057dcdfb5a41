import { expect, test } from "vitest";
import { type Chart, columnsOf } from "#browser/chart-columns";

const second = (count: number): string => new Date(count * 1_000).toISOString();

const point = (at: number, location: string, status: "success" | "error", latency: number) => ({
  at: second(at),
  location,
  status,
  failure: status === "error" ? { words: "DNS timeout" } : null,
  latency_ms: latency,
});

const chart: Chart = {
  from: second(0),
  to: second(3_600),
  step_ms: 60_000,
  period_ms: 60_000,
  threshold_ms: null,
  series: [],
  earlier: null,
  locations: [
    { location: "1", name: "Office", steps: [] },
    { location: "2", name: "Depot", steps: [] },
  ],
  points: [],
  echoes: [],
  phases: null,
  phases_cut_at_ms: null,
  marks: [],
};

test("single checks of two locations are a line each, which passes over the other's instants", () => {
  const points = [
    point(0, "1", "success", 10),
    point(20, "2", "success", 30),
    point(60, "1", "success", 11),
    point(80, "2", "success", 31),
  ];
  const { lines } = columnsOf({ ...chart, points });
  expect(lines.map(({ words, values }) => [words, values])).toEqual([
    ["Office", [10, undefined, 11, null]],
    ["Depot", [null, 30, undefined, 31]],
  ]);
});

test("a line ends while its location is silent, and at a check that failed", () => {
  const points = [
    point(0, "1", "success", 10),
    point(60, "2", "success", 30),
    point(120, "2", "error", 5_000),
    point(180, "1", "success", 11),
  ];
  const { lines, losses } = columnsOf({ ...chart, points });
  expect(lines.map(({ values }) => values)).toEqual([
    [10, null, null, 11],
    [null, 30, null, null],
  ]);
  expect([...losses]).toEqual([[120_000, "failed at Depot: DNS timeout"]]);
});

test("a monitor that is checked each half an hour has a line, and no gap between two checks", () => {
  const points = [0, 1_800, 3_600].map((at) => point(at, "1", "success", 10));
  const rare = { ...chart, period_ms: 1_800_000, locations: [], points };
  expect(columnsOf(rare).lines.map(({ values }) => values)).toEqual([[10, 10, 10]]);
});

test("checks that failed at one instant are said with their cause, and where", () => {
  const points = [point(0, "1", "error", 1), point(0, "2", "error", 1)];
  const lossesOf = (changes: object) => [...columnsOf({ ...chart, points, ...changes }).losses];
  expect(lossesOf({})).toEqual([[0, "failed at Office, Depot: DNS timeout"]]);
  const [first, last] = points;
  const other = { ...last, failure: { words: "unexpected status" } };
  expect(lossesOf({ points: [first, other] })).toEqual([
    [0, "failed at Office: DNS timeout; Depot: unexpected status"],
  ]);
  expect(lossesOf({ points: [other], locations: [] })).toEqual([[0, "failed: unexpected status"]]);
});

const step = (at: number, failed: number, median: number) => ({
  at: second(at),
  passed: 4,
  degraded: 0,
  failed,
  p50_ms: median,
  p95_ms: median,
});

test("two locations that are compared are drawn alike, as single checks or as steps, with the failures of both", () => {
  const series = [
    { location: "1", name: "Office", steps: [step(0, 0, 10), step(60, 1, 11)] },
    { location: "2", name: "Depot", steps: [step(0, 2, 30), step(60, 0, 31)] },
  ];
  const points = [
    point(0, "1", "success", 10),
    point(20, "2", "error", 30),
    point(60, "1", "success", 11),
    point(80, "2", "success", 31),
  ];
  const single = columnsOf({ ...chart, series, points });
  expect(single.at).toEqual([0, 20_000, 60_000, 80_000]);
  expect(single.lines.map(({ words, look, tint }) => [words, look, tint])).toEqual([
    ["Office", "dots", "bar"],
    ["Depot", "dots", "other"],
  ]);
  expect([...single.losses]).toEqual([[20_000, "failed at Depot: DNS timeout"]]);
  const stepped = columnsOf({ ...chart, series, locations: [] });
  expect(stepped.lines.map(({ words, look, values }) => [words, look, values])).toEqual([
    ["Office, median", "line", [10, 11]],
    ["Depot, median", "other", [30, 31]],
  ]);
  expect([...stepped.losses]).toEqual([
    [0, "Depot: 2 failed"],
    [60_000, "Office: 1 failed"],
  ]);
  expect(stepped.counts.get(0)).toBe("Office: 4 passed; Depot: 4 passed, 2 failed");
});

test("the medians of an earlier time are a line next to single checks, whose instants it passes over", () => {
  const step = (at: number, p50: number | null) => ({
    at: second(at),
    passed: 1,
    degraded: 0,
    failed: 0,
    p50_ms: p50,
    p95_ms: p50,
  });
  const earlier = { name: "a day before", steps: [step(0, 8), step(60, 9), step(120, null)] };
  const points = [point(10, "1", "success", 10), point(70, "1", "success", 11)];
  const { at, lines } = columnsOf({ ...chart, points, locations: [], earlier });
  expect(at).toEqual([0, 10_000, 60_000, 70_000, 120_000]);
  expect(lines.map(({ words, values }) => [words, values])).toEqual([
    ["Latency", [null, 10, undefined, 11, null]],
    ["Median, a day before", [8, undefined, 9, undefined, null]],
  ]);
});
