import { describe, expect, test } from "vitest";
import { quietUntil } from "#service/alerting/quiet-hours";
import { epochMillis } from "#base/units";

const until = (now: string, ...all: Parameters<typeof quietUntil>[0][number][]): string | null => {
  const end = quietUntil(all, "Europe/Berlin", epochMillis(Date.parse(now)));
  return end === null ? null : new Date(end).toISOString().slice(0, 16);
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
  test("that touch are one, and a week of them is asked again", () => {
    const day = { days: [], from: "07:00", to: "12:00" };
    expect(until("2026-08-12T20:00:00Z", night, day)).toBe("2026-08-13T10:00");
    const always = { days: [], from: "00:00", to: "00:00" };
    expect(until("2026-08-12T20:00:00Z", always)).not.toBeNull();
  });
});
