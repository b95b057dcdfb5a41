import { expect, test } from "vitest";
import { marksAt } from "#browser/marked-instants";

const second = (count: number): string => new Date(count * 1_000).toISOString();
const mark = (from: number, to: number, words: string) =>
  ({ kind: "error", from: second(from), to: second(to), words }) as const;
/** An incident that eased for a minute, and another one. */
const marks = [
  mark(60, 120, "Incident 1"),
  mark(180, 240, "Incident 1"),
  mark(90, 100, "Incident 2"),
];
const wordsAt = (seconds: number, length: number): readonly string[] =>
  marksAt({ marks }, seconds * 1_000, length).map(({ words }) => words);

test("a single check is in an incident if it was made while that went on, not in the minute before or between", () => {
  expect([30, 60, 119, 120, 150, 180, 240].map((at) => wordsAt(at, 0))).toEqual([
    [],
    ["Incident 1"],
    ["Incident 1"],
    [],
    [],
    ["Incident 1"],
    [],
  ]);
});
test("a step has each incident that went on in it, once", () => {
  expect(wordsAt(0, 300_000)).toEqual(["Incident 1", "Incident 2"]);
  expect(wordsAt(0, 60_000)).toEqual([]);
});
