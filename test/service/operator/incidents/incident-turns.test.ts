import { expect, test } from "vitest";
import { turnsOf } from "#service/operator/incidents/incident-turns";
import { remainingLength } from "#web/page/format";
import { locationId, monitorId } from "#service/store/ids";
import { after, epochMillis, millis, minutes, seconds } from "#base/units";
import { someResult } from "../../store/conformance/scene.ts";

const noon = epochMillis(Date.parse("2026-11-22T12:00:00Z"));

test("a timeline has a check when it began, as the incident that ends with it has", () => {
  const startedAt = after(noon, seconds(1));
  const result = someResult(monitorId(1), noon, { startedAt });
  const { detail: _detail, period: _period, certificate: _certificate, ...facts } = result;
  const listed = { ...facts, location: locationId(1), storedAt: startedAt, message: "" };
  expect(turnsOf([listed], after(noon, millis(-60_000)))).toMatchObject([{ at: startedAt }]);
});

test("what is left of a time is rounded up to whole minutes on each page", () => {
  const left = (length: number): string =>
    remainingLength(noon, epochMillis(noon + length)).replaceAll("\u00a0", " ");
  expect(left(minutes(30))).toBe("30 min");
  expect(left(minutes(75) - 1_000)).toBe("1 h 15 min");
  expect(left(1_000)).toBe("1 min");
  expect(left(-1_000)).toBe("0 s");
});
