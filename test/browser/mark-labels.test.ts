import { expect, test } from "vitest";
import type { ChartMark } from "#browser/chart-columns";
import { markLabels, roomOf } from "#browser/mark-labels";

const noon = Date.parse("2026-11-22T12:00:00Z");
const minute = 60_000;
const mark = (words: string, from: number, to: number, kind: ChartMark["kind"] = "error") => ({
  kind,
  words,
  from: new Date(noon + from * minute).toISOString(),
  to: new Date(noon + to * minute).toISOString(),
});
/** A minute is ten pixels, and so is a letter. */
const plot = {
  from: noon,
  to: noon + 60 * minute,
  width: 600,
  widthOf: (words: string) => words.length * 10,
};
const placed = (marks: readonly ChartMark[]) =>
  markLabels(marks, plot).map(({ words, left, row }) => [words, left, row]);

test("names of marks that overlap are in rows, and a row is used again further on", () => {
  const marks = [
    mark("Incident 11", 10, 30),
    mark("Planned work", 5, 25, "planned"),
    mark("Incident 12", 40, 60),
  ];
  expect(placed(marks)).toEqual([
    ["Planned work", 56, 0],
    ["Incident 11", 106, 1],
    ["Incident 12", 406, 0],
  ]);
  expect(roomOf(markLabels(marks, plot))).toBe(34);
});

test("a name that its band has no room for is left out, and each name is there once", () => {
  expect(placed([mark("Incident 11", 10, 22)])).toEqual([]);
  expect(placed([mark("Incident 11", 55, 90)])).toEqual([]);
  expect(placed([mark("Incident 1", 0, 20), mark("Incident 1", 30, 60)])).toEqual([
    ["Incident 1", 6, 0],
  ]);
  expect(placed([mark("", 0, 20, "gap")])).toEqual([]);
  expect(roomOf([])).toBe(0);
});

test("names take three rows at most, so that the curves keep their room", () => {
  const all = [1, 2, 3, 4].map((number) => mark(`Incident ${number}`, number, 50));
  expect(placed(all).map(([words]) => words)).toEqual(["Incident 1", "Incident 2", "Incident 3"]);
});
