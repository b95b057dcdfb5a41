import { expect, test } from "vitest";
import { fewerMarks } from "#service/operator/charts/fewer-marks";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { epochMillis } from "#base/units";

const mark = (from: number, to: number, kind: ChartMark["kind"] = "error"): ChartMark => ({
  kind,
  from: epochMillis(from),
  to: epochMillis(to),
  words: "Incident 1",
  address: "/incidents/1",
});
const spans = (marks: readonly ChartMark[]) => marks.map(({ from, to }) => [from, to]);

test("marks within the limit stay as they are", () => {
  const [one, two] = [[mark(0, 1), mark(2, 3)], [mark(8, 9)]];
  expect(fewerMarks([one, two], 3)).toEqual([...one, ...two]);
  expect(fewerMarks([], 3)).toEqual([]);
});

test("the stretches of an incident that are nearest to each other become one, and it keeps its ends", () => {
  const flapping = [mark(0, 10), mark(30, 40), mark(45, 50), mark(60, 70)];
  expect(spans(fewerMarks([flapping], 3))).toEqual([
    [0, 10],
    [30, 50],
    [60, 70],
  ]);
  expect(spans(fewerMarks([flapping], 2))).toEqual([
    [0, 10],
    [30, 70],
  ]);
  expect(spans(fewerMarks([flapping], 1))).toEqual([[0, 70]]);
});

test("an incident with many stretches leaves each other one its own", () => {
  const flapping = Array.from({ length: 9 }, (_, index) => mark(10 * index, 10 * index + 5));
  const others = [[mark(-20, -10)], [mark(200, 210), mark(220, 230)]];
  const marks = fewerMarks([others[0] ?? [], flapping, others[1] ?? []], 8);
  expect(marks).toHaveLength(8);
  expect(marks).toEqual(expect.arrayContaining(others.flat()));
});

test("slow and down together are marked as down", () => {
  const parts = [mark(0, 10, "degraded"), mark(10, 20), mark(20, 30, "degraded")];
  expect(fewerMarks([parts], 1)).toEqual([mark(0, 30)]);
});
