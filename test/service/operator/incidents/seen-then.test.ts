import { expect, test } from "vitest";
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

const known = {
  locations: [
    { id: "1", name: "office", status: "active" },
    { id: "2", name: "warehouse", status: "error" },
  ],
} as const;
const wasWell = [turn(1_000, 1, "success"), turn(1_000, 2, "success")];

test("what a location saw at an event is said as the event keeps it, if its checks until then say the same", () => {
  const turns = [...wasWell, turn(5_000, 2, "error"), turn(9_000, 1, "error")];
  const said = ["office: passing", "warehouse: failing"];
  expect(seenThen(known, turns, epochMillis(5_000))).toEqual(said);
  expect(seenThen(known, [], epochMillis(5_000))).toEqual(said);
});

test("what a location saw at an event came later, if a check that began before it says something else", () => {
  const failed = [...wasWell, turn(5_000, 1, "error"), turn(5_000, 2, "error")];
  expect(seenThen(known, failed, epochMillis(5_000))).toEqual([
    "office: its failing result came later",
    "warehouse: failing",
  ]);
  const repaired = [...failed, turn(9_000, 1, "success"), turn(9_000, 2, "success")];
  expect(seenThen(known, repaired, epochMillis(9_000))).toEqual([
    "office: passing",
    "warehouse: its passing result came later",
  ]);
});

test("a silent location has no data at an event, whatever its last check saw", () => {
  const silent = { locations: [{ id: "1", name: "office", status: "unknown" }] } as const;
  expect(seenThen(silent, wasWell, epochMillis(5_000))).toEqual(["office: no data"]);
});
