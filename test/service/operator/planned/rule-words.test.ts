import { expect, test } from "vitest";
import fc from "fast-check";
import { readRecurrence } from "#service/alerting/recurrence";
import { recurrenceWords, ruleShown } from "#service/operator/planned/repeat-words";
import { clockOfRule, nextLongDay, ruleTyped } from "#service/operator/planned/rule-words";
import { epochMillis, minutes } from "#base/units";

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
  ["Mondays 10-11", "FREQ=WEEKLY;BYDAY=MO"],
  ["tuesdays and thursdays 10-11", "FREQ=WEEKLY;BYDAY=TU,TH"],
  ["Tue 22-24", "FREQ=WEEKLY;BYDAY=TU"],
  ["the 1st and 3rd Monday of every month", "FREQ=MONTHLY;BYDAY=1MO,3MO"],
  ["every second Tuesday of the month", "FREQ=MONTHLY;BYDAY=2TU"],
  ["monthly on the second Tuesday", "FREQ=MONTHLY;BYDAY=2TU"],
  ["first Monday of every second month", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO"],
  ["first Monday every other month", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO"],
  ["second Tuesday every 3 months", "FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU"],
  ["last Friday every 2 months", "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR"],
  ["every second Tuesday of every third month", "FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU"],
  ["every 2 months on the first Monday of the month", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO"],
  ["every first and third Monday of the month", "FREQ=MONTHLY;BYDAY=1MO,3MO"],
  ["every first and third Monday", "FREQ=MONTHLY;BYDAY=1MO,3MO"],
  ["every second and fourth Tuesday", "FREQ=MONTHLY;BYDAY=2TU,4TU"],
  ["every first Monday", "FREQ=MONTHLY;BYDAY=1MO"],
  ["every last Friday", "FREQ=MONTHLY;BYDAY=-1FR"],
  ["every second last Friday of the month", "FREQ=MONTHLY;BYDAY=-2FR"],
  ["first and last Monday of the month", "FREQ=MONTHLY;BYDAY=1MO,-1MO"],
  ["first Monday and third Wednesday of the month", "FREQ=MONTHLY;BYDAY=1MO,3WE"],
  ["every 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=15"],
  ["every 1st and 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=1,15"],
  ["first of every second month", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1"],
  ["last day of every 3 months", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1"],
  ["Monday every other week", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"],
  ["every 3 weeks on Tuesday", "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU"],
  ["daily for 5 times", "FREQ=DAILY;COUNT=5"],
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
  ["every Tuesday until 31 December", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261231T235959"],
  ["every Tuesday, until the 1st of Feb", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270201T235959"],
  ["every Tuesday until December 31, 2027", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20271231T235959"],
  ["weekdays at 3 until 31 Dec 2026", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231T235959"],
  ["weekdays until 31 Dec 2026 at 3", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231T235959"],
  ["every first Tuesday 22:00 until March 2027", "FREQ=MONTHLY;BYDAY=1TU;UNTIL=20270331T235959"],
  ["every Tuesday until the end of February 2028", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20280229T235959"],
  ["every Tuesday until August", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20260831T235959"],
  ["every Tuesday until Mar.", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270331T235959"],
  ["every Tuesday until 2027", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20271231T235959"],
  ["every Tuesday until 31 March 2027", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270331T235959"],
  ["every Tuesday 10 times", "FREQ=WEEKLY;BYDAY=TU;COUNT=10"],
  ["daily, three times", "FREQ=DAILY;COUNT=3"],
  ["freq=weekly;byday=su", "FREQ=WEEKLY;BYDAY=SU"],
  ["every 2nd Tue of the month", "FREQ=MONTHLY;BYDAY=2TU"],
  ["2nd Tuesday 22:00-23:30", "FREQ=MONTHLY;BYDAY=2TU"],
  ["Monthly: 2nd/4th Tuesday", "FREQ=MONTHLY;BYDAY=2TU,4TU"],
  ["weekly on Tuesday and Thursday 22:00-23:30", "FREQ=WEEKLY;BYDAY=TU,TH"],
  ["22:00–23:30 on Tue/Thu", "FREQ=WEEKLY;BYDAY=TU,TH"],
  ["alternate Fridays", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"],
  ["Monday to Friday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
  ["Sat – Tue", "FREQ=WEEKLY;BYDAY=SA,SU,MO,TU"],
  ["every working day", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
  ["Tuesday evenings at 22:00", "FREQ=WEEKLY;BYDAY=TU"],
  ["once a week on Weds", "FREQ=WEEKLY;BYDAY=WE"],
  ["the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"],
  ["on the 1st and the 15th at 22:00", "FREQ=MONTHLY;BYMONTHDAY=1,15"],
  ["half-yearly", "FREQ=MONTHLY;INTERVAL=6"],
  // Work begins on Wednesday 12 August 2026.
  ["every Friday for 10 weeks", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20261020T235959"],
  [
    "every other Friday for the next ten weeks",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;UNTIL=20261020T235959",
  ],
  ["daily for 10 days", "FREQ=DAILY;UNTIL=20260821T235959"],
  ["every Friday for a year", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270811T235959"],
  ["2nd Tuesday of the month for 6 months", "FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270131T235959"],
  ["every Friday, 10x", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"],
  ["every Friday x10", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"],
  ["every Friday at 22:00 x 10", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"],
  ["every 2nd Tuesday of the month, ×6", "FREQ=MONTHLY;BYDAY=2TU;COUNT=6"],
  ["10 times every Friday", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"],
  ["10x every Friday at 22:00", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"],
  ["ten times, every second Tuesday of the month", "FREQ=MONTHLY;BYDAY=2TU;COUNT=10"],
  ["every Friday for twelve times", "FREQ=WEEKLY;BYDAY=FR;COUNT=12"],
  ["every Friday 10 occurrences", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"],
  ["every Friday until 31 Mar 2027", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270331T235959"],
  ["every Friday 22:00-23:30 through March", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270331T235959"],
  [
    "every Friday until 31 March 2027 from 22:00 to 23:30",
    "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270331T235959",
  ],
  ["every Friday until 31.3.2027", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270331T235959"],
  ["every Friday ending 3/31/2027", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270331T235959"],
])("the words “%s” are the rule %s", (words, rule) => {
  expect(ruleIn(words)).toBe(rule);
  expect(readRecurrence(ruleIn(words)).ok).toBe(true);
});

test.each([
  "",
  "whenever",
  "Tuesday or so",
  "monthly on Monday",
  "weekly on the 15th",
  "every second",
  "first Monday and Tuesday",
  "every week every month",
  "Tuesday of every second month",
  "every other Tuesday of the month",
  "every 2 Tuesdays of the month",
  "every second Tuesday and Friday",
  "Friday and every second Tuesday",
  "every second Tuesday every 2 weeks",
  "every other first Monday of the month",
  "every first day",
  "2 Mondays a month",
  "two a month",
  "2 days of the month",
  "3 months on the 1st",
  "third month",
  "last 3 days of the month",
  "every 2 3 months",
  "every 2 months on the first Monday of every month",
  "fortnightly every week",
  "first and third of five quarters",
  "every 2 days on Monday",
  "first Monday every",
  "every day 2 times",
  "2 times every day",
  "daily x2",
  "2 times a week on Tuesday",
  "monthly on the 45th",
  "every 999 months",
])("the words “%s” are refused, with words that would be taken", (words) => {
  expect(ruleIn(words)).toMatch(
    /^is not understood: write for example “second Tuesday of the month”/,
  );
});

test.each([
  ["2026-10-05", "first Monday of each quarter", "FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO"],
  ["2026-01-30", "every quarter on the first Monday", "FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO"],
  ["2026-07-01", "quarterly on the 15th, 4 times", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15;COUNT=4"],
  ["2026-12-01", "the last Friday of the quarter", "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR"],
  ["2026-03-01", "last day of each quarter at 10 pm", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1"],
  ["2027-01-01", "first Monday of the year", "FREQ=MONTHLY;INTERVAL=12;BYDAY=1MO"],
])("for work that begins on %s, “%s” is the rule %s", (day, words, rule) => {
  expect(ruleTyped(words, `${day}T22:00`)).toEqual({ ok: true, value: rule });
});

test.each(["Christmas", "31 February", "29 February", "5 ma", "31 December 20", "4/5/2027"])(
  "an end of repeating that no calendar has is refused with one that is taken: until %s",
  (end) => {
    expect(ruleIn(`every Tuesday until ${end}`)).toMatch(/^has an end that is not understood/);
  },
);

const firsts = "choose January, April, July or October there, or ";
const lasts = "choose March, June, September or December there, or ";
test.each([
  ["first sunday of every quarter", firsts, "first sunday of every 3 months"],
  ["every quarter on the first Monday", firsts, "every 3 months on the first monday"],
  ["the last Friday of the quarter", lasts, "the last friday of every 3 months"],
  ["quarterly on the 15th", firsts, "every 3 months on the 15th"],
  ["last day of each quarter at 10 pm", lasts, "last day of every 3 months"],
  ["first and last Monday of the quarter", "", "first and last monday of every 3 months"],
  ["31st of the quarter", "", "31st of every 3 months"],
  ["first Monday of the year", "choose January there, or ", "first monday of every 12 months"],
])("“%s” is refused for work that begins in August: %swrite “%s”", (words, choice, months) => {
  expect(ruleIn(words)).toBe(`counts from the month in “Begins”: ${choice}write “${months}”`);
  expect(ruleIn(months)).toMatch(/^FREQ=MONTHLY;INTERVAL=/);
});

test.each([
  "2nd Tuesday of the month 25:00-26:00",
  "every Tuesday 22:60",
  "every Tuesday at 22:60",
  "every Friday at 24:00",
  "Fridays 24:00-25:00",
])("a time that no clock shows is refused: %s", (words) => {
  expect(ruleIn(words)).toMatch(/^has a time that no clock shows: write one from 00:00 to 23:59/);
  expect(clockOfRule(words)).toEqual({ time: null, length: null });
});

test("a text that is longer than any rule is refused at once, and says no time", () => {
  const long = "every tuesday at 22:00 and ".repeat(5_000);
  for (const text of [long, `FREQ=WEEKLY;BYDAY=${"TU,".repeat(400)}WE`])
    expect(ruleTyped(text, "2026-11-30T22:00")).toEqual({
      ok: false,
      message: "is longer than 1000 characters",
    });
  expect(clockOfRule(`${long}daily at 22:00`)).toEqual({ time: null, length: null });
  expect(nextLongDay(`${long}quarterly`, "2026-11-30T22:00")).toBeNull();
  const longest = `FREQ=MONTHLY;BYDAY=${["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    .flatMap((day) => [1, 2, 3, 4, 5, -1, -2, -3, -4, -5].map((nth) => `${nth}${day}`))
    .join(
      ",",
    )};BYMONTHDAY=${Array.from({ length: 31 }, (_, day) => `${day + 1},-${day + 1}`).join(",")}`;
  expect(ruleTyped(longest, "2026-11-30T22:00")).toMatchObject({ ok: true });
});

test("a part of a day without its hour is refused, and with it is read", () => {
  for (const words of ["every Sunday night", "Tuesday evenings", "monday morning, 5 times"])
    expect(ruleIn(words)).toContain("names no hour");
  expect(ruleIn("10pm every Saturday night")).toBe("FREQ=WEEKLY;BYDAY=SA");
  expect(ruleIn("monday mornings 8:00-9:00")).toBe("FREQ=WEEKLY;BYDAY=MO");
});

test("the words that a refusal names are taken", () => {
  const named = [...ruleIn("whenever").matchAll(/“([^”]+)”/g)].map(([, words = ""]) => words);
  expect(named.map((words) => ruleTyped(words, wall).ok)).toEqual(named.map(() => true));
  expect(named).toHaveLength(4);
});

test.each([
  ["weekdays at 3", "03:00", null],
  ["daily at 9pm", "21:00", null],
  ["daily 22:00, 5 times", "22:00", null],
  ["daily until 31 December at 9 pm", "21:00", null],
  ["daily at 9 pm until 31 December", "21:00", null],
  ["2nd Tuesday 22:00-23:30", "22:00", 90],
  ["weekdays from 10pm to 11:30pm", "22:00", 90],
  ["weekdays between 22 and 23", "22:00", 60],
  ["Sundays 2-4am", "02:00", 120],
  ["Sundays 10-2am", "22:00", 240],
  ["Fridays 22:00-24:00", "22:00", 120],
  ["daily 23:00–01:00 for 10 weeks", "23:00", 120],
  ["Tuesdays at 22:00 for 2 hours", "22:00", 120],
  ["Tuesdays for 90 min", null, 90],
  ["Tuesdays at noon for an hour", "12:00", 60],
  ["22:00-23:30 every Tuesday", "22:00", 90],
  ["every Tuesday at 22:00 until 2027", "22:00", null],
  ["every Tuesday", null, null],
  ["FREQ=DAILY", null, null],
])("by the words “%s”, work begins at %s and lasts %s minutes", (words, time, length) => {
  expect(clockOfRule(words)).toEqual({ time, length: length === null ? null : minutes(length) });
  expect(ruleTyped(words, wall).ok).toBe(true);
});

test.each([
  [
    "every third Tuesday",
    "has two readings: write “third tuesday of the month”, or “every 3 weeks on tuesday”",
  ],
  ["biweekly", "has two readings: write “every 2 weeks on Friday”"],
  ["twice a month", "has two readings: write “every 2 months on the 15th”"],
  ["every 4 hours", "repeats within a day, which no rule does"],
  ["every day except Sunday", "leaves days out: write the days that it is on"],
  ["every Tuesday starting 1 December", "has a day on which it begins: choose that in “Begins”"],
  ["last weekday of the month", "counts working days, which no rule does"],
])("“%s” is refused, and the answer says what would be read", (words, answer) => {
  expect(ruleIn(words)).toContain(answer);
});

test.each([
  "FREQ=DAILY",
  "FREQ=DAILY;INTERVAL=3",
  "FREQ=DAILY;BYDAY=MO,TU",
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

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const nths = ["1", "2", "3", "4", "5", "-1", "-2"];
const ends = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 1_000 }).map((count) => `;COUNT=${count}`),
  fc
    .date({
      min: new Date("2026-01-01T00:00:00Z"),
      max: new Date("2099-12-31T00:00:00Z"),
      noInvalidDate: true,
    })
    .map((day) => `;UNTIL=${day.toISOString().slice(0, 10).replaceAll("-", "")}T235959`),
);
const days = fc.oneof(
  some(weekdays).map((list) => `WEEKLY;BYDAY=${list.join()}`),
  some(nths.flatMap((nth) => weekdays.map((day) => `${nth}${day}`))).map(
    (list) => `MONTHLY;BYDAY=${list.slice(0, 4).join()}`,
  ),
  some(Array.from({ length: 31 }, (_, day) => day + 1)).map(
    (list) => `MONTHLY;BYMONTHDAY=${list.slice(0, 4).join()}`,
  ),
  fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "MONTHLY;BYMONTHDAY=-1", "DAILY;BYDAY=MO,TU"),
);
const intervals = fc.integer({ min: 1, max: 12 });

test("a form has every rule in words that are that rule, and as it is written if there are none", () => {
  fc.assert(
    fc.property(days, intervals, ends, (parts, interval, end) => {
      const [every = "", ...rest] = parts.split(";");
      const often =
        interval === 1 || rest.join("").startsWith("BYDAY=MO,TU") ? [] : [`INTERVAL=${interval}`];
      const rule = `FREQ=${[every, ...often, ...rest].join(";")}${end}`;
      const words = ruleShown(rule, "2026-08-12T22:00");
      expect(words).not.toContain("FREQ");
      expect(ruleIn(words)).toBe(rule);
    }),
    { numRuns: 500 },
  );
  for (const rule of ["FREQ=MONTHLY;BYDAY=MO", "FREQ=DAILY;UNTIL=20261231T120000Z"])
    expect(ruleShown(rule, "2026-08-12T22:00")).toBe(rule);
});
