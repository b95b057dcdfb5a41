import { expect, test } from "vitest";
import { cutToFailing, failingStretches } from "#service/operator/incidents/failing-stretches";
import { locationId } from "#service/store/ids";
import { epochMillis } from "#base/units";

const turn = (at: number, location: number, status: "success" | "degraded" | "error") => ({
  at: epochMillis(at),
  location: locationId(location),
  status,
});

test("a monitor fails from the check by which half of its locations see it fail until fewer do", () => {
  const stretches = failingStretches([
    turn(0, 1, "success"),
    turn(1, 2, "success"),
    turn(2, 3, "success"),
    turn(10, 1, "error"),
    turn(12, 2, "error"),
    turn(20, 2, "degraded"),
    turn(30, 3, "error"),
  ]);
  expect(stretches).toEqual([
    { from: 12, to: 20 },
    { from: 30, to: null },
  ]);
});

test("a chart leaves out what passed within an incident, and nothing of what else it marks", () => {
  const mark = (
    kind: "error" | "degraded",
    from: number,
    to: number,
    address = "/incidents/1",
  ) => ({
    kind,
    from: epochMillis(from),
    to: epochMillis(to),
    words: "",
    address,
  });
  const turns = [turn(5, 1, "error"), turn(20, 1, "success"), turn(30, 1, "error")];
  const others = [mark("degraded", 0, 40), mark("error", 0, 40, "/incidents/2")];
  const known = new Map([["/incidents/1", turns]]);
  expect(cutToFailing([mark("error", 10, 40), ...others], known)).toEqual([
    ...others,
    mark("error", 10, 20),
    mark("error", 30, 40),
  ]);
  // Without its checks it is marked as a whole.
  expect(cutToFailing(others, new Map([["/incidents/2", []]]))).toEqual(others);
});
