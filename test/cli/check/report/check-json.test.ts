import { expect, test } from "vitest";
import { evidenceJson } from "#cli/check/report/check-json";
import { nanos } from "#base/units";
import { hopAt, quietTcp } from "../../../agent/vantage/scene.ts";

test("each hop of a path has the message that it sent, and its round trip in microseconds", () => {
  const hops = [
    { ...hopAt(1, "10.0.0.1"), roundTrip: nanos(412_345), icmp: "11/0" },
    hopAt(2, "10.0.1.2"),
  ];
  const evidence = {
    address: "10.0.2.9",
    port: 80,
    peer: "target",
    source: "10.0.0.2",
    refusedBy: null,
    tcp: quietTcp,
    path: { hops, packets: 4, reached: false },
    onlySmallPass: null,
  } as const;
  expect(evidenceJson(evidence)).toMatchObject({
    path: {
      hops: [
        { ttl: 1, address: "10.0.0.1", ended: "hop", rtt_us: 412, icmp: "11/0" },
        { ttl: 2, address: "10.0.1.2", ended: "hop", rtt_us: null, icmp: null },
      ],
      packets: 4,
      reached: false,
    },
  });
});
