import { expect, test } from "vitest";
import { readRecurrence } from "#service/alerting/recurrence";
import { recurrenceWords } from "#service/operator/planned/repeat-words";
import { ruleTyped } from "#service/operator/planned/rule-words";
import { epochMillis } from "#base/units";

const wall = "2026-08-12T22:00";
const ruleIn = (text: string): string => {
  const read = ruleTyped(text, wall);
  return read.ok ? read.value : read.message;
};

test.each([
  ["every second Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"],
  ["Every other Tuesday.", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"],
  ["every 2 weeks on Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"],
  ["every two weeks on Tue and Fri", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR"],
  ["fortnightly on Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"],
  ["first Monday of the month", "FREQ=MONTHLY;BYDAY=1MO"],
  ["the 1st and 3rd Monday of every month", "FREQ=MONTHLY;BYDAY=1MO,3MO"],
  ["every second Tuesday of the month", "FREQ=MONTHLY;BYDAY=2TU"],
  ["monthly on the second Tuesday", "FREQ=MONTHLY;BYDAY=2TU"],
  ["last Friday", "FREQ=MONTHLY;BYDAY=-1FR"],
  ["second last Friday of each month", "FREQ=MONTHLY;BYDAY=-2FR"],
  ["monthly on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"],
  ["last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-1"],
  ["every 3 months on the 1st", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1"],
  ["quarterly", "FREQ=MONTHLY;INTERVAL=3"],
  ["yearly", "FREQ=MONTHLY;INTERVAL=12"],
  ["daily 22:00", "FREQ=DAILY"],
  ["daily at 10 pm", "FREQ=DAILY"],
  ["every 3 days", "FREQ=DAILY;INTERVAL=3"],
  ["every night", "FREQ=DAILY"],
  ["weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
  ["Sundays, 22:00, 5 times", "FREQ=WEEKLY;BYDAY=SU;COUNT=5"],
  ["every Sunday until 2026-12-31", "FREQ=WEEKLY;BYDAY=SU;UNTIL=20261231T235959"],
  ["freq=weekly;byday=su", "FREQ=WEEKLY;BYDAY=SU"],
])("the words “%s” are the rule %s", (words, rule) => {
  expect(ruleIn(words)).toBe(rule);
  expect(readRecurrence(ruleIn(words)).ok).toBe(true);
});

test.each([
  "",
  "whenever",
  "Tuesday or so",
  "first weekday of the month",
  "monthly on Monday",
  "weekly on the 15th",
  "every second",
  "first Monday and Tuesday",
  "every week every month",
])("the words “%s” are refused, with words that would be taken", (words) => {
  expect(ruleIn(words)).toMatch(/^is not understood: write for example “every second Tuesday”/);
});

test("the words that a refusal names are taken", () => {
  const named = [...ruleIn("whenever").matchAll(/“([^”]+)”/g)].map(([, words = ""]) => words);
  expect(named.map((words) => ruleTyped(words, wall).ok)).toEqual(named.map(() => true));
  expect(named).toHaveLength(3);
});

test("a time of day in the words that is not when the work begins is refused", () => {
  expect(ruleIn("daily at 9pm")).toBe("says 21:00, and “Begins” says 22:00: make them the same");
});

test.each([
  "FREQ=DAILY",
  "FREQ=DAILY;INTERVAL=3",
  "FREQ=WEEKLY;BYDAY=TU",
  "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR",
  "FREQ=MONTHLY;BYDAY=1MO",
  "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1SU",
  "FREQ=MONTHLY;BYMONTHDAY=1,15",
  "FREQ=MONTHLY;BYMONTHDAY=-1",
  "FREQ=WEEKLY;BYDAY=SU;COUNT=10",
  "FREQ=WEEKLY;BYDAY=SU;UNTIL=20261231T235959",
])("the words by which pages say %s are that rule", (recurrence) => {
  const from = epochMillis(Date.parse(`${wall}:00Z`));
  expect(ruleIn(recurrenceWords({ recurrence, from, timeZone: "UTC" }))).toBe(recurrence);
});
