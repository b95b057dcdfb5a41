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
  [millis(minutes(14) - 1), "13 min"],
  [seconds(59), "59 sec"],
  [millis(minutes(91) - 1), "1 hr, 30 min"],
])(
  "a length of %i ms is %s on a status page: rounded down, as on every other page",
  (duration, words) => {
    expect(wordsIn("en").length(duration)).toBe(words);
  },
);

test.each([
  ["en", "29 Nov 2026, 23:00 – 30 Nov 2026, 00:30 CET", "Sun 29 Nov"],
  ["de", "29.11.2026, 23:00 – 30.11.2026, 00:30 MEZ", "So., 29. Nov."],
] as const)("times in %s are those of the page's zone, which is named", (locale, period, day) => {
  const at = (text: string) => epochMillis(Date.parse(text));
  const words = wordsIn(locale, "Europe/Berlin");
  const from = at("2026-11-29T22:00:00Z");
  expect(words.period(from, at("2026-11-29T23:30:00Z"))).toBe(period);
  expect(words.weekday(from)).toBe(day);
  // A day of the bars is one of UTC in any zone.
  expect(words.date(at("2026-11-30T00:00:00Z"))).toBe(
    wordsIn(locale).localDate(at("2026-11-30T00:00:00Z")),
  );
});

test("a period that begins and ends in the same minute is one time", () => {
  const from = epochMillis(Date.parse("2026-11-29T16:02:10Z"));
  const to = epochMillis(Date.parse("2026-11-29T16:02:50Z"));
  expect(wordsIn("en").period(from, to)).toBe("29 Nov 2026, 16:02 UTC");
  expect(wordsIn("de", "Europe/Berlin").period(from, to)).toBe("29.11.2026, 17:02 MEZ");
});

test("a period in which clocks change has the name of the zone at both ends", () => {
  const [from, to] = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((text) =>
    epochMillis(Date.parse(text)),
  );
  expect(wordsIn("en", "Europe/Berlin").period(from ?? epochMillis(0), to ?? epochMillis(0))).toBe(
    "25 Oct 2026, 02:30 CEST – 02:30 CET",
  );
  expect(wordsIn("en", "America/Sao_Paulo").moment(epochMillis(0))).toBe(
    "31 Dec 1969, 21:00 GMT−3",
  );
});
