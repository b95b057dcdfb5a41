import { expect, test } from "vitest";
import { wordsIn } from "#service/status-site/view/words";
import { epochMillis, millis, minutes, seconds } from "#base/units";

test.each([
  ["en", "29 Nov 2026, 22:00 – 23:30 UTC", "29 Nov 2026, 22:00 – 30 Nov 2026, 01:30 UTC"],
  ["de", "29.11.2026, 22:00 – 23:30 UTC", "29.11.2026, 22:00 – 30.11.2026, 01:30 UTC"],
] as const)(
  "planned work is said in %s with its day once, or with two days",
  (locale, one, two) => {
    const at = (text: string) => epochMillis(Date.parse(text));
    const from = at("2026-11-29T22:00:00Z");
    expect(wordsIn(locale).period(from, at("2026-11-29T23:30:00Z"))).toBe(one);
    expect(wordsIn(locale).period(from, at("2026-11-30T01:30:00Z"))).toBe(two);
  },
);

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
