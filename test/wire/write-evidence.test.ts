import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  BatchResultSchema,
  type CheckEvidence,
  CheckEvidenceSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { ConnectionEvidence } from "#check/evidence";
import { failure } from "#check/failure";
import type { PlaceEvidence, ResolverAnswer } from "#check/place-evidence";
import * as limits from "#limits/vantage-limits";
import { epochMillis, millis, nanos } from "#base/units";
import { readHops, readPlace } from "#wire/read-evidence";
import { messageOf, reportOf } from "#wire/report";
import { type ReportedEvidence, withoutAddresses } from "#wire/write-evidence";
import { httpOutcome, resultWith } from "../support/results.ts";
import { hopAt, quietTcp } from "../agent/vantage/scene.ts";

const refusal: ConnectionEvidence = {
  address: "10.9.1.1",
  port: 443,
  peer: "target",
  source: "10.66.0.2",
  refusedBy: { sender: "10.66.0.1", from: "a router", type: 3, code: 13 },
  tcp: { ...quietTcp, state: 2, retransmittedInAll: 3 },
  path: {
    hops: [
      { ...hopAt(1, "10.66.0.3"), roundTrip: nanos(412_000), icmp: "11/0" },
      hopAt(2, "10.66.0.4"),
    ],
    packets: 4,
    reached: false,
  },
  onlySmallPass: null,
};
const place: PlaceEvidence = {
  resolvers: [
    { server: "10.66.0.53:53", outcome: "answered", roundTrip: nanos(1_500_000) },
    { server: "10.66.0.54:53", outcome: "silent", roundTrip: null },
  ],
  local: {
    device: "eth0",
    carrier: "up",
    route: "gateway",
    gateway: "10.66.0.9",
    gatewayState: "believed",
    throttledShare: 0.25,
    pressureShare: null,
  },
  direct: { address: "10.66.0.77", outcome: "connected" },
  took: millis(120),
  pathChange: {
    change: {
      kind: "replaced",
      ttl: 3,
      gone: "10.1.9.1",
      came: "10.1.9.2",
      before: epochMillis(1_000),
      at: epochMillis(2_000),
    },
    to: "10.2.0.7",
  },
  leftOut: 1,
};

function reported(
  evidence: ReportedEvidence,
  connection: ConnectionEvidence | null = refusal,
  beside: PlaceEvidence = place,
): CheckEvidence | undefined {
  const failed = failure("host_unreachable", "connect", "refused");
  const outcome = { ...httpOutcome(), failure: failed, evidence: connection };
  const result = resultWith({ status: "error", failure: failed, outcome, place: beside });
  return messageOf(reportOf(result, evidence).payload)?.detail?.evidence;
}

test("evidence comes back from binary and JSON as it was sent", () => {
  const sent = reported("whole");
  if (sent === undefined) throw new Error("no evidence");
  expect(readPlace(sent)).toEqual(place);
  expect(readHops(sent.path)).toEqual(refusal.path?.hops);
  expect(sent.path).toMatchObject([{ rttUs: 412n, icmp: "11/0" }, { icmp: "" }]);
  expect(sent).toMatchObject({
    source: "10.66.0.2",
    refusedBy: "10.66.0.1",
    tcpState: 2,
    retransmittedInAll: 3n,
  });
  const again = fromJson(CheckEvidenceSchema, toJson(CheckEvidenceSchema, sent));
  expect(again).toEqual(sent);
  expect(fromBinary(CheckEvidenceSchema, toBinary(CheckEvidenceSchema, again))).toEqual(sent);
});

test("addresses of routers, name servers and the machine itself leave it only if that is wanted", () => {
  const sent = reported("without addresses");
  if (sent === undefined) throw new Error("no evidence");
  expect(JSON.stringify(toJson(CheckEvidenceSchema, sent))).not.toContain("10.66.");
  expect(readPlace(sent)?.resolvers.map(({ outcome }) => outcome)).toEqual(["answered", "silent"]);
  expect(readPlace(sent)?.local).toMatchObject({ route: "gateway", gateway: null });
  expect(withoutAddresses(sent)).toEqual(sent);
});

test("a report has no evidence unless it is asked for", () => {
  expect(reported("none")).toBeUndefined();
});

test("a failure without a connection has what its machine said", () => {
  expect(reported("whole", null)).toMatchObject({ tookMs: 120n, leftOut: 1n, peer: "" });
});

test("evidence has at most 2 KiB, and counts what it had no room for", () => {
  const server = (n: number): ResolverAnswer => ({
    server: `[fd00:0:0:0:ffff:ffff:ffff:${n}]:53`,
    outcome: "unreachable",
    roundTrip: null,
  });
  const many = { ...place, resolvers: Array.from({ length: 60 }, (_, n) => server(n)) };
  const sent = reported("whole", refusal, many);
  if (sent === undefined) throw new Error("no evidence");
  const size = toBinary(CheckEvidenceSchema, sent).length;
  expect(size).toBeLessThanOrEqual(limits.evidenceBytesMax);
  expect(size).toBeGreaterThan(limits.evidenceBytesMax / 2);
  expect(sent.path.length).toBe(2);
  expect(Number(sent.leftOut)).toBe(1 + 60 - sent.resolvers.length);
});

test("words that we do not know are left out, and a service before this one has no place to show", () => {
  const json = {
    detail: {
      evidence: {
        resolvers: [{ server: "10.0.0.53", outcome: "confused" }],
        path: [
          { ttl: 1, address: "10.0.0.1", ended: "lost" },
          { ttl: 2, address: "10.0.1.2", ended: "hop", rttUs: "-5", icmp: "11/0, by the way" },
        ],
        local: { device: "eth0", carrier: "wet", route: "tunnel", gatewayState: "asleep" },
      },
    },
  };
  const evidence = fromJson(BatchResultSchema, json).detail?.evidence;
  if (evidence === undefined) throw new Error("no evidence");
  expect(readHops(evidence.path)).toEqual([hopAt(2, "10.0.1.2")]);
  expect(readPlace(evidence)).toMatchObject({
    resolvers: [],
    local: { device: "eth0", carrier: "unknown", route: "unknown", gatewayState: "unknown" },
  });
  expect(readPlace(fromJson(CheckEvidenceSchema, { leftNothing: true }))).toBeNull();
});
