import { describe, expect, test } from "vitest";
import { errorBudget, budgetWords, objectiveWords } from "#service/operator/reports/error-budget";
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
const wordsOf = (down: Readonly<Record<number, Millis>>): string =>
  plain(budgetWords(errorBudget(objective, daysWith(down), now)));

describe("the error budget of an objective", () => {
  test("is what its days allow, less the downtime of these days alone", () => {
    const budget = errorBudget(
      objective,
      daysWith({ 2: minutes(10), 29: minutes(5), 30: hours(5) }),
      now,
    );
    expect(budget).toMatchObject({ allowed: 2_592_000, used: minutes(15), left: 1_692_000 });
    expect(budget.uptime).toBe("99.96\u00a0%");
  });

  test("says what is left, and when it is used up at the pace of the last week", () => {
    expect(wordsOf({})).toBe("43 min of the error budget of 43 min are left. It was not down.");
    expect(wordsOf({ 20: minutes(13) })).toBe(
      "30 min of the error budget of 43 min are left. It was not down in the last 7 days.",
    );
    // 14 minutes in seven days are two a day, and 29 are left.
    expect(wordsOf({ 3: minutes(14) })).toBe(
      "29 min of the error budget of 43 min are left. At the pace of the last 7 days, it is used up on 7 Dec.",
    );
    expect(wordsOf({ 3: minutes(50) })).toBe(
      "The error budget of 43 min is used up: it was down for 50 min.",
    );
  });

  test("of a monitor that nothing has checked has no uptime, and all of its time left", () => {
    const unseen = daysWith({}).map((day) => ({ ...day, known: millis(0) }));
    expect(errorBudget(objective, unseen, now)).toMatchObject({
      uptime: null,
      used: 0,
      usedUpAt: null,
    });
    expect(plain(objectiveWords(objective))).toBe("99.9 % over 30 d");
  });
});
