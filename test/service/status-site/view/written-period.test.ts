import { expect, test } from "vitest";
import { locales } from "#service/status-page/page-definition";
import { periodInZone } from "#service/status-site/view/words";
import { writtenPeriod } from "#service/status-site/view/written-period";

const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York", "Pacific/Apia"];
const periods = [
  ["2026-12-01T09:05:00Z", "2026-12-01T09:40:00Z"],
  ["2026-12-01T22:00:00Z", "2026-12-02T01:30:00Z"],
  ["2026-05-31T11:59:00Z", "2026-06-01T00:00:00Z"],
  ["2026-12-31T22:00:00Z", "2027-01-02T01:30:00Z"],
  // Clocks go forward.
  ["2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z"],
] as const;

test.each(locales)("a period that was written in any zone is read again (%s)", (locale) => {
  for (const timeZone of zones)
    for (const [from, to] of periods) {
      const text = periodInZone(locale, timeZone, new Date(from), new Date(to));
      const read = { from: Date.parse(from), to: Date.parse(to) };
      expect([text, writtenPeriod(text, locale, timeZone)]).toEqual([text, read]);
      expect(writtenPeriod(`${text}.`, locale, timeZone)).toBeNull();
    }
});

test.each([
  "",
  "tomorrow",
  "1 Dec 2026",
  "31 Feb 2026, 10:00–11:00 UTC",
  "1 Dec 2026, 10:00–10:00 UTC",
  "1 Dec 2026, 99:00–11:00 UTC",
  "1 Dec 2026, 10:00–11:00 CET",
])("a text that is no such period is not read: %s", (text) => {
  expect(writtenPeriod(text, "en", "UTC")).toBeNull();
});
