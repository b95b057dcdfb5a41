import { expect, test } from "vitest";
import { ruleIn } from "#service/status-site/view/repeat-rule";
import { epochMillis } from "#base/units";

/** Work begins on 30 November, a Monday, at 10:00 in Berlin. */
const begin = epochMillis(Date.parse("2026-11-30T09:00:00Z"));
const said = (locale: Parameters<typeof ruleIn>[0]["locale"], recurrence: string) =>
  ruleIn({ locale }, { recurrence, begin, timeZone: "Europe/Berlin" });

test.each([
  ["en", "every Tuesday, 10:00 (Europe/Berlin), until 31 January 2027"],
  ["fr", "tous les mardis, 10:00 (Europe/Berlin), jusqu’au 31 janvier 2027"],
  ["de", "jeden Dienstag, 10:00 (Europe/Berlin), bis 31. Januar 2027"],
  ["tr", "her salı, 10:00 (Europe/Berlin), son tarih: 31 Ocak 2027"],
  ["hi", "हर मंगलवार को, 10:00 am (Europe/Berlin), 31 जनवरी 2027 तक"],
  ["ko", "매주 화요일, 오전 10:00 (Europe/Berlin), 2027년 1월 31일까지"],
] as const)("how work repeats is said in %s, with its time, zone and end", (locale, words) => {
  expect(said(locale, "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270131T235959")).toBe(words);
});

test.each([
  ["FREQ=DAILY", "every day"],
  ["FREQ=DAILY;INTERVAL=2", "every 2 days"],
  ["FREQ=WEEKLY", "every Monday"],
  ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "on weekdays"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,TU", "every 2 weeks on Tuesday and Friday"],
  ["FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"],
  ["FREQ=MONTHLY;BYMONTHDAY=1,-1", "every month on the 1st and the last day"],
  ["FREQ=MONTHLY;INTERVAL=3", "every 3 months on the 30th"],
  ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on Friday on the 13th"],
])("the rule %s is said as %s", (recurrence, words) => {
  expect(said("en", recurrence)).toBe(`${words}, 10:00 (Europe/Berlin)`);
});

test.each([
  ["en", "every year on 30 November", "every 2 years on the last Friday of November"],
  ["fr", "chaque année le 30 novembre", "tous les 2 ans le dernier vendredi de novembre"],
  ["de", "jedes Jahr am 30. November", "alle 2 Jahre am letzten Freitag im November"],
  ["tr", "her yıl, 30 Kasım", "2 yılda bir, kasım ayında son cuma"],
  ["hi", "हर साल 30 नवंबर को", "हर 2 साल में नवंबर के अंतिम शुक्रवार को"],
  ["ko", "매년 11월 30일", "2년마다 11월 마지막 금요일"],
] as const)("a rule by years is said in %s with its month", (locale, date, weekday) => {
  expect(said(locale, "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30")).toContain(`${date}, `);
  expect(said(locale, "FREQ=MONTHLY;INTERVAL=12")).toContain(`${date}, `);
  expect(said(locale, "FREQ=MONTHLY;INTERVAL=24;BYDAY=-1FR")).toContain(`${weekday}, `);
});

test("an end that is an instant is the day that its zone has then, and a number of times is said as that", () => {
  expect(said("en", "FREQ=DAILY;UNTIL=20261231T233000Z")).toContain("until 1 January 2027");
  expect(said("de", "FREQ=DAILY;COUNT=10")).toContain("10-mal");
  expect(said("en", "")).toBeNull();
});
