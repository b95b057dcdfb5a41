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
