import { expect, test } from "vitest";
import { failure, type FailurePhase } from "#check/failure";
import { stepsOf } from "#cli/why/why-steps";
import { httpOutcome, resultWith } from "../../support/results.ts";

const sight = {
  interfaces: [],
  routes: [],
  silentGateways: [],
  deadEnds: [],
  throttledShare: null,
  pressureShare: null,
  resentShare: null,
  faultyInterfaces: [],
  resolvers: [],
  heldBack: null,
  clockSkew: null,
};

const timesOf = (phase: FailurePhase | null): readonly string[] => {
  const wrong = phase === null ? null : failure("unexpected_status", phase, "no");
  const result = resultWith({ failure: wrong, outcome: httpOutcome({ failure: wrong }) });
  const facts = { address: null, way: null, isGatewayPassed: false, references: [] };
  return stepsOf({ result, sight, ...facts })
    .filter(({ step }) => step === "time")
    .map(({ says }) => says);
};

test("an answer has a step that says where its time went, and a failed connection has none", () => {
  const parts = ["dns", "connect", "tls", "write", "wait", "receive"];
  const says = [parts.map((name) => `${name} 1.000 ms`).join(", ")];
  expect(timesOf(null)).toEqual(says);
  expect(timesOf("assertion")).toEqual(says);
  expect(timesOf("connect")).toEqual([]);
});
