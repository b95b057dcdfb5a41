import { describe, expect, test } from "vitest";
import { isAlwaysQuiet, quietAt } from "#service/alerting/quiet-hours";
import { epochMillis } from "#base/units";

const until = (now: string, ...all: Parameters<typeof quietAt>[0][number][]): string | null => {
  const quiet = quietAt(all, "Europe/Berlin", epochMillis(Date.parse(now)));
  if (quiet === null) return null;
  return quiet.until === null ? "never" : new Date(quiet.until).toISOString().slice(0, 16);
};
const night = { days: [], from: "22:00", to: "07:00" };

describe("quiet hours", () => {
  test("are by the wall clock of their zone, and pass midnight", () => {
    expect(until("2026-08-12T19:59:00Z", night)).toBeNull();
    expect(until("2026-08-12T20:00:00Z", night)).toBe("2026-08-13T05:00");
    expect(until("2026-08-13T04:59:00Z", night)).toBe("2026-08-13T05:00");
    expect(until("2026-08-13T05:00:00Z", night)).toBeNull();
  });
  test("end by the clocks of the morning after a change", () => {
    expect(until("2026-03-28T22:00:00Z", night)).toBe("2026-03-29T05:00");
    expect(until("2026-10-24T21:00:00Z", night)).toBe("2026-10-25T06:00");
  });
  test("belong to the day on which they begin", () => {
    const saturday = { ...night, days: [6] };
    expect(until("2026-08-16T03:00:00Z", saturday)).toBe("2026-08-16T05:00");
    expect(until("2026-08-17T03:00:00Z", saturday)).toBeNull();
  });
  test("that touch are one", () => {
    const day = { days: [], from: "07:00", to: "12:00" };
    expect(until("2026-08-12T20:00:00Z", night, day)).toBe("2026-08-13T10:00");
    const weekend = { days: [5], from: "20:00", to: "20:00" };
    const sunday = { days: [6], from: "20:00", to: "19:59" };
    expect(until("2026-08-14T18:00:00Z", weekend, sunday)).toBe("2026-08-16T17:59");
  });
  test("of all but a minute of the week end then, however many they are", () => {
    const days = { days: [1, 2, 3, 4, 5, 6], from: "12:00", to: "12:00" };
    const rest = { days: [7], from: "12:00", to: "11:59" };
    expect(until("2026-08-10T10:00:00Z", days, rest)).toBe("2026-08-17T09:59");
    expect(isAlwaysQuiet([days, rest])).toBe(false);
  });
  test.each([
    [{ days: [], from: "00:00", to: "00:00" }],
    [{ days: [], from: "09:00", to: "09:00" }],
    [night, { days: [], from: "07:00", to: "22:00" }],
    [
      { days: [1, 2, 3, 4, 5], from: "18:00", to: "18:00" },
      { days: [6], from: "17:00", to: "18:00" },
      { days: [6, 7], from: "18:00", to: "18:00" },
    ],
  ])("that cover the whole week never end: %o %o %o", (...all) => {
    const hours = all.filter((one) => one !== undefined);
    expect(until("2026-08-12T20:00:00Z", ...hours)).toBe("never");
    expect(until("2026-03-29T01:00:00Z", ...hours)).toBe("never");
  });
});
