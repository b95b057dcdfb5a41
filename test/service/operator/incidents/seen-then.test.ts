import { expect, test } from "vitest";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import { epochMillis } from "#base/units";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import { seenThen } from "#service/operator/incidents/seen-then";
import { locationId } from "#service/store/ids";

const turn = (at: number, location: number, status: LocatedTurn["status"]): LocatedTurn => ({
  at: epochMillis(at),
  location: locationId(location),
  status,
  failure: null,
  message: "",
  attempts: 1,
  checks: 1,
  checksBefore: 0,
});

type Status = MonitorSnapshot["locations"][number]["status"];
const places = (...all: readonly (readonly [name: string, status: Status])[]) => ({
  locations: all.map(([name, status], index) => ({ id: String(index + 1), name, status })),
});
const known = places(["office", "active"], ["warehouse", "error"]);
const wasWell = [turn(1_000, 1, "success"), turn(1_000, 2, "success")];

test.each([
  [places(["lab", "error"]), "Failed at lab"],
  [places(["office", "active"], ["lab", "error"]), "Failed at lab only; office passed"],
  [places(["lab", "error"], ["office", "error"]), "Failed at both locations: lab and office"],
  [
    places(["attic", "error"], ["lab", "error"], ["office", "active"], ["roof", "degraded"]),
    "Failed at attic and lab; roof was degraded; office passed",
  ],
  [
    places(["attic", "error"], ["lab", "error"], ["office", "error"]),
    "Failed at all 3 locations: attic, lab and office",
  ],
  [
    places(["attic", "active"], ["lab", "degraded"], ["office", "unknown"]),
    "Degraded at lab only; attic passed; no data from office",
  ],
  [places(["office", "active"], ["lab", "active"]), "Passed at both locations: office and lab"],
  [places(["office", "active"], ["lab", "unknown"]), "Passed at office; no data from lab"],
  [places(), ""],
] as const)("where a monitor failed is one sentence: %#", (seen, sentence) => {
  expect(seenThen(seen, [], epochMillis(5_000))).toBe(sentence);
});

test("what a location saw at an event is said as the event keeps it, if its checks until then say the same", () => {
  const turns = [...wasWell, turn(5_000, 2, "error"), turn(9_000, 1, "error")];
  const said = "Failed at warehouse only; office passed";
  expect(seenThen(known, turns, epochMillis(5_000))).toBe(said);
  expect(seenThen(known, [], epochMillis(5_000))).toBe(said);
});

test("what a location saw at an event came later, if a check that began before it says something else", () => {
  const failed = [...wasWell, turn(5_000, 1, "error"), turn(5_000, 2, "error")];
  expect(seenThen(known, failed, epochMillis(5_000))).toBe(
    "Failed at warehouse; a failing result of office came later",
  );
  const repaired = [...failed, turn(9_000, 1, "success"), turn(9_000, 2, "success")];
  expect(seenThen(known, repaired, epochMillis(9_000))).toBe(
    "Passed at office; a passing result of warehouse came later",
  );
});

test("a silent location has no data at an event, whatever its last check saw", () => {
  const silent = places(["office", "unknown"]);
  expect(seenThen(silent, wasWell, epochMillis(5_000))).toBe("No data from office");
});
