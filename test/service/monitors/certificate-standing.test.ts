import { describe, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { certificateStanding, withCertificate } from "#service/monitors/certificate-standing";
import type { MonitorState } from "#service/monitors/judge";
import { locationId, monitorId } from "#service/store/ids";
import type { View } from "#service/store/result-store";
import { epochMillis, millis } from "#base/units";

const day = 86_400_000;
const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const watched = { ...httpDefaults, active: true };

/** What a location saw last: a certificate of 90 days that has so many left, some hours ago, and good checks for so many days. */
const view = (location: number, left: number | null, hoursAgo = 0, days = 30): View => ({
  monitor: monitorId(1),
  location: locationId(location),
  newestSlot: epochMillis(now - hoursAgo * 3_600_000),
  blindSlot: null,
  certificate:
    left === null
      ? null
      : { begin: epochMillis(now + (left - 90) * day), end: epochMillis(now + left * day) },
  seen: {
    slot: epochMillis(now - hoursAgo * 3_600_000),
    status: "success",
    since: epochMillis(now - days * day),
    recent: ["success"],
    startedAt: now,
    latency: millis(20),
  },
});
const daysLeft = (...views: readonly View[]): number | null => {
  const { span } = certificateStanding(watched, views, now);
  return span === null ? null : (span.end - now) / day;
};

describe("the certificate of a monitor", () => {
  test("is the one that ends first, whichever location sees it", () => {
    expect(daysLeft(view(1, 80), view(2, 12))).toBe(12);
    expect(daysLeft(view(2, 12), view(1, 80), view(3, null))).toBe(12);
    expect(daysLeft(view(3, null))).toBeNull();
  });

  test("is not that of a location which has been silent for a day while others report", () => {
    expect(daysLeft(view(1, 80), view(2, 12, 25))).toBe(80);
    expect(daysLeft(view(1, 80, 30), view(2, 12, 31))).toBe(12);
  });

  test("makes a monitor degraded whose checks are good, and hides nothing that is worse", () => {
    const standing = certificateStanding(watched, [view(1, 12)], now);
    const judged = (status: MonitorState["status"]) =>
      withCertificate(
        { state: { status, since: now }, events: [], againAt: null },
        standing,
        { status: "active", since: epochMillis(0) },
        now,
      );
    expect(judged("active").judgement).toMatchObject({
      state: { status: "degraded", since: now - 2 * day },
      againAt: now + 5 * day,
    });
    for (const status of ["error", "degraded", "unknown"] as const)
      expect(judged(status)).toMatchObject({
        judgement: { state: { status } },
        certificate: { isWhy: false },
      });
  });

  test("is near its end since a check saw it first, if the threshold had passed before", () => {
    const since = (...views: readonly View[]) =>
      certificateStanding(watched, views, now).ending?.since;
    expect(since(view(1, 5, 0, 0))).toBe(now);
    expect(since(view(1, 5, 0, 1), view(2, 80))).toBe(now - day);
    expect(since(view(1, 5, 0, 1), view(2, 5, 0, 9))).toBe(now - 2 * day);
  });

  test("is not watched while the monitor is paused", () => {
    const paused = { ...watched, active: false };
    expect(certificateStanding(paused, [view(1, 2)], now).ending).toBeNull();
  });
});
