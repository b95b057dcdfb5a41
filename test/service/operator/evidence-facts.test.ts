import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { CheckDetailSchema } from "#contract/private_location/v1/private_location_pb";
import { evidenceFacts, type ShownEvidence } from "#service/operator/evidence-facts";

const shown = (
  detail: Parameters<typeof create<typeof CheckDetailSchema>>[1],
  to: ShownEvidence = "whole",
): readonly string[] =>
  evidenceFacts(create(CheckDetailSchema, detail), to).map(
    ({ label, value }) => `${label}: ${value}`,
  );

test("a check's page says what the agent concludes, and what it looked up", () => {
  expect(
    shown({
      cause: {
        scope: "prefix",
        certainty: "likely",
        sentence: "nothing in 10.0.2.0/24 answers",
        affected: 4n,
      },
      evidence: {
        refusedFrom: "a router",
        icmpType: 3,
        icmpCode: 13,
        retransmits: 1n,
        pathMtu: 1500n,
        path: [
          { ttl: 1, address: "10.0.0.1", ended: "hop", rttUs: 412n, icmp: "11/0" },
          { ttl: 2, address: "", ended: "silence" },
          { ttl: 3, address: "10.0.1.2", ended: "refusal", rttUs: 12_340n, icmp: "3/13" },
          { ttl: 4, address: "10.0.1.3", ended: "what no agent says" },
        ],
      },
    }),
  ).toEqual([
    "Cause: likely: nothing in 10.0.2.0/24 answers; 4 monitors of this agent failed by it then",
    "Kernel: refused by a router, ICMP 3/13; 1 timeout, 0 packets not acknowledged, path MTU 1500",
    "Path: 1 10.0.0.1 in 0.41 ms, 2 silent, 3 10.0.1.2 refuses by ICMP 3/13 in 12.3 ms",
  ]);
  expect(shown({ evidence: { peerHasAll: true, onlySmallPass: true, peer: "target" } })).toEqual([
    "Kernel: the host has all that was sent",
    "Packets: small ones pass, large ones do not",
  ]);
  expect(shown({ evidence: { leftNothing: true } })).toEqual([
    "Kernel: no packet left the agent's machine",
  ]);
});

test("if nothing was looked up, nothing is said", () => {
  expect(shown({})).toEqual([]);
  expect(shown({ evidence: {} })).toEqual([]);
});

const inside = {
  source: "10.66.0.2",
  refusedFrom: "a router",
  refusedBy: "10.66.0.1",
  icmpType: 3,
  icmpCode: 13,
  path: [
    { ttl: 1, address: "10.66.0.1", ended: "refusal" },
    { ttl: 2, address: "10.66.0.9", ended: "target" },
  ],
  resolvers: [
    { server: "10.66.0.53:53", outcome: "answered", rttUs: 1_500n },
    { server: "10.66.0.54:53", outcome: "silent" },
  ],
  local: {
    device: "eth0",
    carrier: "up",
    route: "gateway",
    gateway: "10.66.0.1",
    gatewayState: "dead end",
    throttledShare: 0.3,
  },
  tookMs: 120n,
  leftOut: 2n,
};

test("what an agent's machine and its name servers said stands next to it", () => {
  expect(shown({ evidence: inside })).toEqual([
    "Kernel: from 10.66.0.2; refused by 10.66.0.1, a router, ICMP 3/13",
    "Path: 1 10.66.0.1 refuses, 2 10.66.0.9 the target itself",
    "Machine: eth0 is up, by the gateway 10.66.0.1, which passes nothing on; throttled for 30 % of the time",
    "Name servers: 10.66.0.53:53 answers in 1.5 ms, 10.66.0.54:53 is silent",
    "Looked up: in 120 ms; 2 things left out: the limits allowed no more",
  ]);
});

test("whoever may only read sees no address of the inside of that network", () => {
  const facts = shown({ evidence: inside }, "without addresses");
  expect(facts).toEqual([
    "Kernel: refused by a router, ICMP 3/13",
    "Path: 1 a router refuses, 2 the target itself",
    "Machine: eth0 is up, by a gateway, which passes nothing on; throttled for 30 % of the time",
    "Name servers: one answers in 1.5 ms, one is silent",
    "Looked up: in 120 ms; 2 things left out: the limits allowed no more",
  ]);
});
