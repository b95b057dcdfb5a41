import { expect, test } from "vitest";
import { wordsIn } from "#service/status-site/view/words";
import { millis, minutes, seconds } from "#base/units";

test.each([
  [millis(minutes(14) - 1), "13 mins"],
  [seconds(59), "59 secs"],
  [millis(minutes(91) - 1), "1 hr, 30 mins"],
])(
  "a length of %i ms is %s on a status page: rounded down, as on every other page",
  (duration, words) => {
    expect(wordsIn("en").length(duration)).toBe(words);
  },
);
