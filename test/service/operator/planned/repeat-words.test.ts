import { describe, expect, test } from "vitest";
import {
  recurrenceWords,
  repeatOf,
  ruleOf,
  ruleShown,
} from "#service/operator/planned/repeat-words";
import { ruleTyped } from "#service/operator/planned/rule-words";
import { epochMillis } from "#base/units";

/** A Tuesday, 22:00 in Berlin. */
const from = epochMillis(Date.parse("2026-12-01T21:00:00Z"));
const wall = "2026-12-01T22:00";

describe("how planned work repeats", () => {
  test.each([
    ["FREQ=DAILY", "every day, 22:00"],
    ["FREQ=DAILY;INTERVAL=3", "every 3 days, 22:00"],
    ["FREQ=DAILY;INTERVAL=2;BYDAY=MO", "every 2 days on Monday, 22:00"],
    ["FREQ=WEEKLY", "every Tuesday, 22:00"],
    ["FREQ=WEEKLY;BYDAY=SU", "every Sunday, 22:00"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR", "every 2 weeks on Tuesday and Friday, 22:00"],
    ["FREQ=MONTHLY", "every month on the 1st, 22:00"],
    ["FREQ=MONTHLY;BYMONTHDAY=2,-1", "every month on the 2nd and last day, 22:00"],
    ["FREQ=MONTHLY;BYDAY=-1SU", "every month on the last Sunday, 22:00"],
    ["FREQ=MONTHLY;BYDAY=3WE", "every month on the 3rd Wednesday, 22:00"],
    ["FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30", "every year on 30 December, 22:00"],
    ["FREQ=MONTHLY;INTERVAL=12", "every year on 1 December, 22:00"],
    ["FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=-1", "every year on the last day of December, 22:00"],
    ["FREQ=MONTHLY;INTERVAL=24;BYDAY=-1FR", "every 2 years on the last Friday of December, 22:00"],
    ["FREQ=WEEKLY;BYDAY=SU;COUNT=4", "every Sunday, 22:00, 4 times"],
    ["FREQ=DAILY;UNTIL=20261231T000000Z", "every day, 22:00, until 31 December 2026"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "on weekdays, 22:00"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "every 2 weeks on weekdays, 22:00"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "every day, 22:00"],
    ["FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Monday, Wednesday and Friday, 22:00"],
    ["FREQ=DAILY;COUNT=1", "every day, 22:00, 1 time"],
    ["", ""],
  ])("%s is “%s” in words", (recurrence, words) => {
    expect(recurrenceWords({ recurrence, from, timeZone: "Europe/Berlin" })).toBe(words);
  });
  test("by years is typed again as it is shown", () => {
    const rule = "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30";
    expect(ruleShown(rule, wall)).toBe("every year on 30 December");
    expect(ruleTyped("every year on 30 December", wall)).toEqual({ ok: true, value: rule });
  });

  test("is a choice if the rule is that of one, and else the rule itself", () => {
    for (const repeat of ["once", "daily", "weekly", "fortnightly", "monthly"] as const)
      expect(repeatOf(ruleOf(repeat, wall), wall)).toBe(repeat);
    expect(repeatOf("FREQ=WEEKLY;BYDAY=SU", wall)).toBe("rule");
  });
});
