import { expect, test } from "vitest";
import { withRuleTime } from "#service/operator/planned/rule-time";

const form = (recurrence: string, repeat = "rule"): URLSearchParams =>
  new URLSearchParams({ from: "2026-11-30T00:45", to: "2026-11-30T02:15", repeat, recurrence });
const times = (typed: URLSearchParams): readonly (string | null)[] => [
  typed.get("from"),
  typed.get("to"),
];

test.each([
  ["weekdays at 3", "2026-11-30T03:00", "2026-11-30T04:30"],
  ["every week at 0:30", "2026-11-30T00:30", "2026-11-30T02:00"],
])("work by the rule “%s” begins at its time, and is as long as it was", (rule, from, to) => {
  const { typed, words } = withRuleTime(form(rule));
  expect(times(typed)).toEqual([from, to]);
  expect(words).toBe(
    `It begins at ${from.slice(11)}, as the rule says: this takes the place of “Begins”.`,
  );
});

test("work is as long as its rule says, and a changed end is said", () => {
  const long = withRuleTime(form("2nd Tuesday 22:00-23:00"));
  expect(times(long.typed)).toEqual(["2026-12-08T22:00", "2026-12-08T23:00"]);
  expect(long.words).toBe(
    "It begins on 8 December 2026 at 22:00 and ends at 23:00, as the rule says: this takes the place of “Begins” and “Ends”.",
  );
  const late = withRuleTime(form("every Monday 0:45 for 24 hours"));
  expect(times(late.typed)).toEqual(["2026-11-30T00:45", "2026-12-01T00:45"]);
  expect(late.words).toBe(
    "It ends on 1 December 2026 at 00:45, as the rule says: this takes the place of “Ends”.",
  );
});

test("times stay where the rule says none, the same one, cannot be read, or does not count", () => {
  for (const typed of [
    form("every Monday"),
    form("weekdays at 0:45"),
    form("whenever at 3"),
    form("weekdays at 3", "daily"),
  ])
    expect(withRuleTime(typed)).toEqual({ typed, words: null });
});

test.each([
  [
    "first Sunday of each quarter",
    "2027-01-03T00:45",
    "2027-01-03T02:15",
    "3 January 2027 at 00:45",
  ],
  [
    "first Sunday of each quarter at 22:00",
    "2027-01-03T22:00",
    "2027-01-03T23:30",
    "3 January 2027 at 22:00",
  ],
  [
    "last Friday of the quarter, 4 times",
    "2026-12-25T00:45",
    "2026-12-25T02:15",
    "25 December 2026 at 00:45",
  ],
  [
    "quarterly on the 15th until 2027",
    "2027-01-15T00:45",
    "2027-01-15T02:15",
    "15 January 2027 at 00:45",
  ],
  ["first Monday of the year", "2027-01-04T00:45", "2027-01-04T02:15", "4 January 2027 at 00:45"],
  ["1st of January", "2027-01-01T00:45", "2027-01-01T02:15", "1 January 2027 at 00:45"],
  ["every year on March 1", "2027-03-01T00:45", "2027-03-01T02:15", "1 March 2027 at 00:45"],
  [
    "every first Sunday of Mar at 2am",
    "2027-03-07T02:00",
    "2027-03-07T03:30",
    "7 March 2027 at 02:00",
  ],
  [
    "every 2 weeks on Monday at 0:30",
    "2026-12-07T00:30",
    "2026-12-07T02:00",
    "7 December 2026 at 00:30",
  ],
  ["every Tuesday", "2026-12-01T00:45", "2026-12-01T02:15", "1 December 2026 at 00:45"],
  ["weekdays at 0:30", "2026-12-01T00:30", "2026-12-01T02:00", "1 December 2026 at 00:30"],
  [
    "monthly on the 15th at midnight",
    "2026-12-15T00:00",
    "2026-12-15T01:30",
    "15 December 2026 at 00:00",
  ],
  [
    "second Tuesday of the month, 3 times",
    "2026-12-08T00:45",
    "2026-12-08T02:15",
    "8 December 2026 at 00:45",
  ],
])("work by “%s” begins on its next day, %s", (rule, from, to, when) => {
  const { typed, words } = withRuleTime(form(rule));
  expect(times(typed)).toEqual([from, to]);
  expect(words).toBe(`It begins on ${when}, as the rule says: this takes the place of “Begins”.`);
});

test("work by quarters stays where it may begin in the month that was chosen", () => {
  for (const rule of ["every quarter", "quarterly", "31st of the quarter"])
    expect(withRuleTime(form(rule)).words).toBeNull();
  const october = new URLSearchParams({
    from: "2026-10-02T00:45",
    repeat: "rule",
    recurrence: "first Sunday of each quarter",
  });
  // Its first Sunday is two days later.
  expect(withRuleTime(october).words).toContain("It begins on 4 October 2026 at 00:45");
});
