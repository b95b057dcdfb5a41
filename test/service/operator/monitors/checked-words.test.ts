import { expect, test } from "vitest";
import { checkedWords } from "#service/operator/monitors/checked-words";
import type { Sight } from "#service/operator/picture";
import { locationId, monitorId } from "#service/store/ids";
import type { StoredResult } from "#service/store/result-store";
import { epochMillis, millis } from "#base/units";
import { noPhases } from "#check/outcome";

const at = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const sights = (names: readonly string[]): readonly Sight[] =>
  names.map((name, index) => ({
    location: index + 1,
    name,
    status: "active",
    slot: at,
    since: at,
    stale: false,
  }));

const seen = (location: number, fields: Partial<StoredResult> = {}): StoredResult => ({
  monitor: monitorId(1),
  location: locationId(location),
  storedAt: at,
  slot: epochMillis(at - 2_000),
  startedAt: epochMillis(at - 2_000),
  status: "success",
  latency: millis(49),
  statusCode: 200,
  failure: null,
  phases: noPhases,
  own: null,
  echoes: null,
  attempts: 1,
  trigger: "api",
  ...fields,
});
const refused = {
  status: "error",
  failure: { code: "connection_refused", phase: "connect" },
} as const;

test("a check on request says what each location saw", () => {
  const newest = [seen(1), seen(2, refused), seen(1, refused)];
  expect(checkedWords(newest, sights(["Office", "Warehouse"]), at)).toBe(
    "Checked just now. Office: passed in 49\u00A0ms. Warehouse: connection refused.",
  );
  expect(checkedWords([seen(1, { status: "degraded" })], sights(["Office"]), at)).toBe(
    "Checked just now. Office: degraded, 49\u00A0ms.",
  );
});

test("of many locations a check on request says how many failed", () => {
  const places = sights(["A", "B", "C", "D", "E", "F"]);
  const passed = places.map(({ location }) => seen(location));
  expect(checkedWords(passed, places, at)).toBe("Checked just now at 6 locations: all passed.");
  expect(checkedWords([seen(3, refused), ...passed], places, at)).toBe(
    "Checked just now at 6 locations: 1 failed.",
  );
});

test("a check that was due, or asked for over a minute ago, is not one of just now", () => {
  const old = epochMillis(at - 60_000);
  for (const fields of [{ trigger: "cron" }, { slot: old }] as const)
    expect(checkedWords([seen(1, fields)], sights(["Office"]), at)).toBeNull();
});
