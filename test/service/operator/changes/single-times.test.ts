import { expect, test } from "vitest";
import {
  singleTimeLabel,
  singleTimeSentence,
  singleTimeValue,
} from "#service/operator/changes/single-times";

const begin = "2026-12-08T22:00:00.000Z";
const end = "2026-12-08T22:30:00.000Z";
const field = `end of the time from: ${begin}`;

test.each([
  [null, "skipped", `${begin} skipped`],
  ["skipped", null, `${begin} takes place again`],
  [null, end, `the time from ${begin} ends ${end}`],
  [end, null, `the time from ${begin} ends as planned again`],
])(
  "a time of work that repeats that was %s and becomes %s is said in words",
  (before, after, words) => {
    expect(singleTimeSentence({ field, is: "text", before, after })).toBe(words);
  },
);

test("its row has a name and values that are words", () => {
  expect(singleTimeLabel(field)).toBe(`The time from ${begin}`);
  expect([null, "skipped", end].map((one) => singleTimeValue(field, one))).toEqual([
    "as planned",
    "skipped",
    `ends ${end}`,
  ]);
  expect([singleTimeLabel("title"), singleTimeValue("title", null)]).toEqual([null, null]);
});
