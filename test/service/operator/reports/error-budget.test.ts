import { describe, expect, test } from "vitest";
import {
  errorBudget,
  budgetWords,
  leftInPeriod,
  objectiveWords,
  usedUpInPeriod,
} from "#service/operator/reports/error-budget";
import { monthOf } from "#service/operator/reports/report-period";
import { type Day, dayLength } from "#web/page/chart/calendar";
import { epochMillis, hours, type Millis, millis, minutes } from "#base/units";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const objective = { percent: 99.9, days: 30 };

/** The last 90 days, seen as a whole, and down for so long on the days that are named by their age. */
const daysWith = (down: Readonly<Record<number, Millis>>): readonly Day[] =>
  Array.from({ length: 90 }, (_, index) => ({
    begin: epochMillis(Date.parse("2026-11-22T00:00:00Z") - (89 - index) * dayLength),
    known: dayLength,
    down: down[89 - index] ?? millis(0),
    checks: 100,
    slow: 0,
  }));
const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const wordsOf = (down: Readonly<Record<number, Millis>>, isDown = false): string =>
  plain(budgetWords(errorBudget(objective, daysWith(down), { now, isDown })));

describe("the error budget of an objective", () => {
  test("is what its days allow, less the downtime of these days alone", () => {
    const budget = errorBudget(
      objective,
      daysWith({ 2: minutes(10), 29: minutes(5), 30: hours(5) }),
      { now, isDown: false },
    );
    expect(budget).toMatchObject({ allowed: 2_592_000, used: minutes(15), left: 1_692_000 });
    expect(budget.uptime).toBe("99.96\u00a0%");
  });

  test("says what is left, and when it is used up at the pace of the last week", () => {
    expect(wordsOf({})).toBe("Error budget: all 43 min 12 s left in these 30 days.");
    expect(wordsOf({ 20: minutes(13) })).toBe(
      "Error budget: 30 min 12 s of 43 min 12 s left in these 30 days. It was not down in the last 7 days.",
    );
    // 14 minutes in seven days are two a day, and 29 are left.
    expect(wordsOf({ 3: minutes(14) })).toBe(
      "Error budget: 29 min 12 s of 43 min 12 s left in these 30 days. At the pace of the last 7 days, it is used up on 7 Dec.",
    );
    expect(wordsOf({ 3: minutes(50) })).toBe(
      "Error budget: none of 43 min 12 s left in these 30 days. It was down for 50 min.",
    );
  });

  test("has no forecast while it is down, nor one for later than its days", () => {
    expect(wordsOf({ 3: minutes(14) }, true)).toBe(
      "Error budget: 29 min 12 s of 43 min 12 s left in these 30 days. It is down now, so this becomes less.",
    );
    // Half a minute a day would last for 79 days.
    expect(wordsOf({ 3: minutes(3.5) })).toBe(
      "Error budget: 39 min 42 s of 43 min 12 s left in these 30 days.",
    );
  });

  test("of a young monitor is that of the time that was seen, as its uptime is", () => {
    const young = (known: Millis, down: Millis, isDown = false): string => {
      const days = daysWith({ 0: down }).map((day, index) => ({
        ...day,
        known: index === 89 ? known : millis(0),
      }));
      return plain(budgetWords(errorBudget(objective, days, { now, isDown })));
    };
    expect(young(minutes(17), minutes(15), true)).toBe(
      "Checks saw 17 min of 30 days so far: too little for an error budget. It was down for 15 min.",
    );
    expect(young(minutes(1), millis(0))).toBe(
      "Checks saw 1 min of 30 days so far: too little for an error budget.",
    );
    expect(young(hours(20), minutes(1), true)).toBe(
      "Error budget: 12 s of 1 min 12 s left in the 20 h of 30 days that checks saw. It is down now, so this becomes less.",
    );
  });

  test("of a monitor that nothing has checked has no uptime, and all of its time left", () => {
    const unseen = daysWith({}).map((day) => ({ ...day, known: millis(0) }));
    expect(errorBudget(objective, unseen, { now, isDown: false })).toMatchObject({
      uptime: null,
      used: 0,
      usedUpAt: null,
    });
    expect(plain(objectiveWords(objective))).toBe("99.9 % over 30 d");
  });
});

describe("the error budget of a month", () => {
  const november = (at: string) => monthOf("2026-11", epochMillis(Date.parse(at)))!;
  const leftAt = (at: string, known: Millis, down: Millis): Millis | null =>
    leftInPeriod(99.9, { known, down }, november(at));

  test("is of the time that was seen and of the rest of the month", () => {
    // Down for half an hour in the first day: below its share so far, and 13 of 43 minutes are left.
    expect(leftAt("2026-11-02T00:00:00Z", hours(24), minutes(30))).toBe(minutes(13.2));
    expect(leftAt("2026-12-05T00:00:00Z", hours(30 * 24), minutes(44))).toBe(minutes(-0.8));
  });

  test("is used up at the pace of the month on a day that is named, if that is in the month", () => {
    const period = november("2026-11-11T00:00:00Z");
    const endOf = (left: Millis, down: Millis, isFailing = false): string | null => {
      const end = usedUpInPeriod(left, { known: hours(240), down }, period, isFailing);
      return end === null ? null : new Date(end).toISOString();
    };
    // Down for half an hour in ten days: ten minutes last for a third of that.
    expect(endOf(minutes(10), minutes(30))).toBe("2026-11-14T08:00:00.000Z");
    expect(endOf(minutes(10), minutes(30), true)).toBeNull();
    expect(endOf(minutes(30), minutes(10))).toBeNull();
    expect(endOf(minutes(10), minutes(0))).toBeNull();
    expect(endOf(minutes(-1), minutes(30))).toBeNull();
    expect(
      usedUpInPeriod(
        minutes(1),
        { known: hours(720), down: minutes(42) },
        november("2026-12-05T00:00:00Z"),
        false,
      ),
    ).toBeNull();
  });

  test("of a monitor that was made late does not change if it is not down again", () => {
    const [made, down] = [Date.parse("2026-11-21T00:00:00Z"), minutes(20)];
    const left = [22, 26, 30].map((day) => {
      const at = `2026-11-${day}T12:00:00Z`;
      return leftAt(at, millis(Date.parse(at) - made), down);
    });
    const ended = leftAt("2026-12-01T00:00:00Z", hours(10 * 24), down);
    expect([...left, ended]).toEqual(Array.from({ length: 4 }, () => minutes(-5.6)));
  });

  test("is not known of a monitor that nothing has checked", () => {
    expect(leftAt("2026-11-22T12:00:00Z", millis(0), millis(0))).toBeNull();
  });
});
