import { expect, test } from "vitest";
import type { LocalEvidence, PlaceEvidence } from "#check/place-evidence";
import { placeFacts } from "#check/place-words";
import { millis } from "#base/units";

const local: LocalEvidence = {
  device: "eth0",
  carrier: "up",
  route: "network",
  gateway: null,
  gatewayState: "unknown",
  throttledShare: 0.3,
  pressureShare: 0.004,
};

const place: PlaceEvidence = {
  resolvers: [],
  local,
  direct: null,
  pathChange: null,
  took: millis(12),
  leftOut: 0,
};

test("a machine says for which share of the time it was throttled, unless that is 0 %", () => {
  const machine = (of: LocalEvidence): string =>
    placeFacts({ ...place, local: of })[0]?.value ?? "";
  expect(machine(local)).toBe("eth0 is up, in this network; throttled for 30 % of the time");
  expect(machine({ ...local, throttledShare: 0 })).toBe("eth0 is up, in this network");
});
