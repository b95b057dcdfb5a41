import { expect, test } from "vitest";
import { type LocationSigns, locationState } from "#service/monitors/location-state";
import { epochMillis, hours, minutes, seconds } from "#base/units";

const noon = epochMillis(Date.UTC(2026, 0, 1, 12));
const signs: LocationSigns = {
  lastSeenAt: noon,
  lastSeenBy: "heartbeat",
  stoppedAt: null,
  refused: null,
  shortestPeriod: null,
};
const statusAt = (known: Partial<LocationSigns>, later: number): string =>
  locationState({ ...signs, ...known }, epochMillis(noon + later)).status;

test("a location is unknown until an agent was seen, and an error 90 s after its last heartbeat", () => {
  expect(statusAt({ lastSeenAt: null }, 0)).toBe("unknown");
  expect(statusAt({}, 90_000)).toBe("active");
  expect(statusAt({}, 90_001)).toBe("error");
  expect(locationState(signs, epochMillis(noon + 90_001)).message).toBe(
    "no agent has reported since 2026-01-01T12:00:00.000Z",
  );
});

test("an agent without heartbeats is waited for as long as it pulls, or twice the shortest period", () => {
  const calls = { lastSeenBy: "call" } as const;
  expect(statusAt(calls, minutes(11))).toBe("active");
  expect(statusAt(calls, minutes(11) + 1)).toBe("error");
  expect(statusAt({ ...calls, shortestPeriod: seconds(30) }, minutes(11))).toBe("active");
  expect(statusAt({ ...calls, shortestPeriod: hours(1) }, hours(2))).toBe("active");
  expect(statusAt({ ...calls, shortestPeriod: hours(1) }, hours(2) + 1)).toBe("error");
  // An agent that sends them is not excused by its monitors' periods.
  expect(statusAt({ shortestPeriod: hours(1) }, 90_001)).toBe("error");
});

test("a location whose last agent said goodbye is an error at once, and says so", () => {
  expect(locationState({ ...signs, stoppedAt: noon }, noon)).toEqual({
    status: "error",
    message: "stopped as asked at 2026-01-01T12:00:00.000Z",
    refused: null,
  });
});

const ended = epochMillis(noon + 1000);
const refused = { at: epochMillis(noon + 20_000), tokenEndedAt: ended, workingCallAt: null };
const refusedAt = (known: Partial<LocationSigns>, later: number) =>
  locationState({ ...signs, refused, ...known }, epochMillis(noon + later));

test("an agent whose token has ended is named until another calls, and next to others while it calls", () => {
  // Who is notified of silence, and when, is as before.
  expect(refusedAt({}, 20_000)).toEqual({
    status: "active",
    message: "",
    refused: { at: refused.at, tokenEndedAt: ended, isOnly: true, isCalling: true },
  });
  expect(refusedAt({}, 110_000)).toMatchObject({
    status: "error",
    message:
      "no agent has reported since 2026-01-01T12:00:00.000Z; an agent calls with a token that ended at 2026-01-01T12:00:01.000Z",
    refused: { isOnly: true },
  });
  const seen = { lastSeenAt: epochMillis(noon + 30_000) };
  expect(refusedAt(seen, 40_000).refused).toMatchObject({ isOnly: false });
  expect(refusedAt(seen, 110_001).refused).toBeNull();
});

test("a location is not refused while an agent is well whose token works, seen last before the other one ended", () => {
  const beside = { refused: { ...refused, workingCallAt: noon } };
  expect(refusedAt(beside, 21_000)).toMatchObject({ status: "active", refused: { isOnly: false } });
  // Silent for too long, it is lost as well; and so is one that said goodbye.
  expect(refusedAt(beside, 90_001)).toMatchObject({ status: "error", refused: { isOnly: true } });
  expect(refusedAt({ ...beside, stoppedAt: noon }, 21_000).refused).toMatchObject({ isOnly: true });
});

test("an agent that was refused and no longer calls is named by its last call, for a day", () => {
  const calledAt = (later: number) => refusedAt({}, 20_000 + later);
  expect(calledAt(90_000).refused).toMatchObject({ isCalling: true });
  expect(calledAt(90_001)).toMatchObject({
    message:
      "no agent has reported since 2026-01-01T12:00:00.000Z; an agent last called at 2026-01-01T12:00:20.000Z with a token that ended at 2026-01-01T12:00:01.000Z",
    refused: { isCalling: false },
  });
  expect(calledAt(hours(24)).refused).not.toBeNull();
  expect(calledAt(hours(24) + 1)).toEqual({
    status: "error",
    message: "no agent has reported since 2026-01-01T12:00:00.000Z",
    refused: null,
  });
});
