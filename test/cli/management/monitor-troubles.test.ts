import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { whyUnknown } from "#cli/management/monitor-troubles";
import type { LocationEntry } from "#cli/management/inventory";
import { GetMonitorStatusResponseSchema } from "#contract/openstatus/monitor/v1/monitor_pb";

const office: LocationEntry = {
  id: "1",
  name: "office",
  status: "active",
  why: "",
  lastSeenAt: "2026-11-22T12:00:00Z",
  monitorCount: 1,
};

const why = (seen: {
  readonly lastCheckedAt?: string;
  readonly notMeasuredSince?: string;
  readonly notMeasuredBecause?: string;
}): string =>
  whyUnknown(
    { locationIds: ["1"] },
    create(GetMonitorStatusResponseSchema, { locations: [{ name: "office", ...seen }] }),
    [office],
  );

describe("a monitor that is unknown though its location reports", () => {
  test("has no result yet", () => {
    expect(why({})).toBe("no result yet");
  });
  test("has no fresh result", () => {
    expect(why({ lastCheckedAt: "2026-11-22T11:00:00Z" })).toBe(
      "no fresh result: the newest is of 2026-11-22T11:00:00Z",
    );
  });
  test("is of a kind that no agent of its location knows", () => {
    const notMeasuredBecause =
      "not checked: the agent a (0.1.0) does not know ICMP monitors: upgrade it";
    expect(why({ notMeasuredBecause })).toBe(`${notMeasuredBecause} (office)`);
  });
  test("is hidden by a fault of the location's own place, which is named", () => {
    const hidden = {
      lastCheckedAt: "2026-11-22T11:00:00Z",
      notMeasuredSince: "2026-11-22T11:01:00Z",
      notMeasuredBecause: "the name server 10.0.0.53 does not answer",
    };
    expect(why(hidden)).toBe(
      "not measured at office since 2026-11-22T11:01:00Z: the name server 10.0.0.53 does not answer",
    );
  });
});
