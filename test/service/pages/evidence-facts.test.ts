import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { CheckDetailSchema } from "#contract/private_location/v1/private_location_pb";
import { evidenceFacts } from "#service/pages/evidence-facts";

const shown = (detail: Parameters<typeof create<typeof CheckDetailSchema>>[1]): readonly string[] =>
  evidenceFacts(create(CheckDetailSchema, detail)).map(({ label, value }) => `${label}: ${value}`);

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
          { ttl: 1, address: "10.0.0.1", ended: "hop" },
          { ttl: 2, address: "", ended: "silence" },
          { ttl: 3, address: "10.0.1.2", ended: "refusal" },
          { ttl: 4, address: "10.0.1.3", ended: "what no agent says" },
        ],
      },
    }),
  ).toEqual([
    "Cause: likely: nothing in 10.0.2.0/24 answers; 4 monitors of this agent failed by it then",
    "Kernel: refused by a router, ICMP 3/13; 1 timeout, 0 packets not acknowledged, path MTU 1500",
    "Path: 1 10.0.0.1, 2 silent, 3 10.0.1.2 refuses",
  ]);
  expect(shown({ evidence: { peerHasAll: true, onlySmallPass: true, peer: "target" } })).toEqual([
    "Kernel: the host has all that was sent",
    "Packets: small ones pass, large ones do not",
  ]);
  expect(shown({ evidence: { leftNothing: true } })).toEqual([
    "Kernel: no packet left the agent's machine",
  ]);
});

test("where nothing was looked up, nothing is said", () => {
  expect(shown({})).toEqual([]);
  expect(shown({ evidence: {} })).toEqual([]);
});
