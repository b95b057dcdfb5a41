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
  ["weekdays at 0:30", "2026-12-01T00:30", "2026-12-01T02:00"],
  ["monthly on the 15th at midnight", "2026-12-01T00:00", "2026-12-01T01:30"],
  ["every week at 0:30", "2026-11-30T00:30", "2026-11-30T02:00"],
])("work by the rule “%s” begins at its time, and is as long as it was", (rule, from, to) => {
  const { typed, words } = withRuleTime(form(rule));
  expect(times(typed)).toEqual([from, to]);
  expect(words).toBe(
    `It begins at ${from.slice(11)}, as the rule says: this takes the place of “Begins”.`,
  );
});

test("times stay where the rule says none, the same one, cannot be read, or does not count", () => {
  for (const typed of [
    form("every Tuesday"),
    form("weekdays at 0:45"),
    form("whenever at 3"),
    form("weekdays at 3", "daily"),
  ])
    expect(withRuleTime(typed)).toEqual({ typed, words: null });
});
