import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unseen } from "#check/kinds/unseen";
import { failure } from "#check/failure";
import { type DnsOutcome, type HttpResponse, noPhases, type OutcomeOf } from "#check/outcome";
import { epochMillis, millis, nanos } from "#base/units";
import type { ResultStatus } from "#check/verdict";
import { httpOutcome, resultWith, wireMessage } from "../support/results.ts";

function http(more: Parameters<typeof resultWith>[0]) {
  const plain = wireMessage(resultWith(more)).result;
  if (plain.case !== "http") throw new Error("not http");
  return plain.value;
}
const refused = failure("connection_refused", "connect", "connection refused (10.0.0.1:443)");

const phase = fc.option(fc.integer({ min: 0, max: 120_000_000_000 }).map(nanos));
const anyPhases = fc.record({
  dns: phase,
  connect: phase,
  proxy: phase,
  tls: phase,
  write: phase,
  wait: phase,
  receive: phase,
});
const instant = fc.integer({ min: 1, max: 4e12 }).map(epochMillis);

test("the timestamp of a plain call lies after no instant of its timing, whatever clock gave the hops' beginnings", () => {
  fc.assert(
    fc.property(
      instant,
      fc.array(fc.tuple(instant, anyPhases), { minLength: 1 }),
      (startedAt, parts) => {
        const hops = parts.map(([at, phases]) => ({
          url: "https://shop.test/",
          statusCode: 200,
          startedAt: at,
          phases,
          leftBehind: [],
        }));
        const outcome = httpOutcome({ startedAt, hops });
        const { timestamp, timing } = http({ startedAt, outcome });
        const instants = Object.values<number>(JSON.parse(timing)).filter((at) => at !== 0);
        expect(instants.every((at) => at >= Number(timestamp))).toBe(true);
      },
    ),
  );
});

describe("an HTTP result on the wire", () => {
  test("carries ids, slot and status; a success has no message and no body", () => {
    const body = Buffer.from("hello");
    const outcome = httpOutcome({ response: { ...httpOutcome().response!, body } });
    expect(http({ outcome, latency: millis(7) })).toMatchObject({
      monitorId: "m",
      latency: 7n,
      timestamp: 1001n,
      cronTimestamp: 1000n,
      requestStatus: "success",
      message: "",
      body: "",
      statusCode: 200n,
      error: 0n,
    });
  });

  test("has the ten instants of the last hop, each phase with both its ends", () => {
    const timing: unknown = JSON.parse(http({ outcome: httpOutcome() }).timing);
    expect(timing).toEqual({
      dnsStart: 1001,
      dnsDone: 1002,
      connectStart: 1002,
      connectDone: 1003,
      tlsHandshakeStart: 1003,
      tlsHandshakeDone: 1004,
      firstByteStart: 1004,
      firstByteDone: 1006,
      transferStart: 1006,
      transferDone: 1007,
    });
  });

  test("never has a start without its end: what did not happen is 0 at both", () => {
    const phases = {
      dns: null,
      connect: nanos(3e6),
      proxy: null,
      tls: null,
      write: null,
      wait: null,
      receive: null,
    };
    const outcome = httpOutcome({
      startedAt: epochMillis(50),
      phases,
      hops: [{ url: "u", statusCode: null, startedAt: epochMillis(50), phases, leftBehind: [] }],
      response: null,
    });
    const cut = http({ outcome, status: "error", failure: refused });
    expect(JSON.parse(cut.timing)).toEqual({
      dnsStart: 0,
      dnsDone: 0,
      connectStart: 50,
      connectDone: 53,
      tlsHandshakeStart: 0,
      tlsHandshakeDone: 0,
      firstByteStart: 0,
      firstByteDone: 0,
      transferStart: 0,
      transferDone: 0,
    });
    expect(cut).toMatchObject({
      headers: "null",
      statusCode: 0n,
      error: 1n,
      message: refused.message,
    });
    const never = http({
      outcome: null,
      status: "error",
      failure: failure("invalid_url", "config", "x"),
    });
    expect(Object.values(JSON.parse(never.timing))).toEqual(Array(10).fill(0));
  });

  test("names headers canonically and keeps the first value of each", () => {
    const headers = [
      ["content-type", "a"],
      ["SET-COOKIE", "b"],
      ["set-cookie", "c"],
      ["x-uid", "d"],
    ] as const;
    const outcome = httpOutcome({ response: { ...httpOutcome().response!, headers } });
    expect(JSON.parse(http({ outcome }).headers)).toEqual({
      "Content-Type": "a",
      "Set-Cookie": "b",
      "X-Uid": "d",
    });
  });

  test("carries the body of a degraded one, as valid UTF-8 of at most 64 KiB", () => {
    const degraded = (body: Buffer): string =>
      http({
        status: "degraded",
        outcome: httpOutcome({ response: { ...httpOutcome().response!, body } }),
      }).body;
    expect(degraded(Buffer.from("grüße"))).toBe("grüße");
    expect(degraded(Buffer.from([0x61, 0xff, 0x62]))).toBe("a\ufffdb");
    const cut = degraded(Buffer.from("€".repeat(30_000)));
    expect(Buffer.byteLength(cut)).toBe(65_535);
    expect(cut).toMatch(/^€+$/);
    expect(Buffer.byteLength(degraded(Buffer.alloc(100_000, 0xff)))).toBeLessThanOrEqual(65_536);
  });

  test("carries no body of a failed one, of which the extension has an excerpt of at most 2 KiB and the length", () => {
    const answerOf = (
      body: Buffer,
      more: Partial<HttpResponse> = {},
      status: ResultStatus = "error",
    ) => {
      const response = { ...httpOutcome().response!, body, bodyBytes: body.length, ...more };
      const { result, detail } = wireMessage(
        resultWith({ status, outcome: httpOutcome({ response }) }),
      );
      if (status === "error") expect(result.value).toMatchObject({ body: "" });
      return detail?.answer;
    };
    expect(answerOf(Buffer.from("grüße"))).toMatchObject({
      body: "grüße",
      bodyBytes: 7n,
      bodyCut: false,
    });
    const long = answerOf(Buffer.from("€".repeat(10_000)), { bodyCut: true });
    expect(long?.body).toBe("€".repeat(682));
    expect(long).toMatchObject({ bodyBytes: 30_000n, bodyCut: true });
    const binary = answerOf(Buffer.alloc(100_000, 0xff));
    expect(Buffer.byteLength(binary?.body ?? "")).toBe(2_046);
    expect(answerOf(Buffer.alloc(0))).toMatchObject({ body: "", bodyBytes: 0n, bodyCut: false });
    expect(answerOf(Buffer.alloc(0), { bodyBytesReceived: 9 })).toMatchObject({ bodyCut: true });
    for (const status of ["success", "degraded"] as const)
      expect(answerOf(Buffer.from("slow"), {}, status)).toBeUndefined();
    const unanswered = resultWith({ status: "error", outcome: httpOutcome({ response: null }) });
    expect(wireMessage(unanswered).detail?.answer).toBeUndefined();
  });

  test("cuts a message that is not a sentence any more", () => {
    expect(
      http({ status: "error", failure: failure("agent_error", "agent", "x".repeat(5000)) }).message,
    ).toHaveLength(1024);
  });
});

test("a TCP result has its two instants", () => {
  const outcome = { ...unseen("tcp", epochMillis(500), refused), failure: null, total: nanos(4e6) };
  const plain = wireMessage(resultWith({ kind: "tcp", outcome })).result;
  expect(plain.case === "tcp" && JSON.parse(plain.value.timing)).toEqual({
    tcpStart: 500,
    tcpDone: 504,
  });
});

test("a ping has its round trips in the order in which they were sent, lost ones as -1", () => {
  const echo = { errorBar: nanos(500), refusal: null };
  const refusal = { sender: "10.0.0.1", from: "a router", type: 3, code: 1 } as const;
  const outcome: OutcomeOf<"icmp"> = {
    ...unseen("icmp", epochMillis(500), refused),
    kind: "icmp",
    failure: null,
    address: "10.2.0.9",
    echoes: [
      { ...echo, roundTrip: nanos(12_400_000) },
      { ...echo, roundTrip: null, refusal },
      { ...echo, roundTrip: nanos(80_000) },
    ],
    hopLimit: 62,
    duplicates: 0,
  };
  const { result, detail } = wireMessage(resultWith({ kind: "icmp", outcome, latency: millis(6) }));
  expect(result).toMatchObject({
    case: "icmp",
    value: {
      latency: 6n,
      latencyMin: 0n,
      latencyMax: 12n,
      packetsSent: 3n,
      packetsReceived: 2n,
      timing: '{"rtts":[12,-1,0]}',
    },
  });
  expect(detail?.echoes).toMatchObject([
    { rttNs: 12_400_000n, errorBarNs: 500n },
    { icmp: "3/1", refusedBy: "" },
    { rttNs: 80_000n },
  ]);
});

test("a gRPC result has what the server said, and the ten instants", () => {
  const outcome: OutcomeOf<"grpc"> = {
    ...unseen("grpc", epochMillis(500), refused),
    kind: "grpc",
    phases: { ...noPhases, connect: nanos(2e6), wait: nanos(3e6), receive: nanos(0) },
    service: "shop.v1.Orders",
    servingStatus: "NOT_SERVING",
    grpcCode: 0,
    grpcMessage: "",
  };
  const { result } = wireMessage(resultWith({ kind: "grpc", outcome, status: "error" }));
  expect(result).toMatchObject({
    case: "grpc",
    value: { service: "shop.v1.Orders", servingStatus: "NOT_SERVING", grpcCode: 0n, error: 1n },
  });
  expect(result.case === "grpc" && JSON.parse(result.value.timing)).toMatchObject({
    connectStart: 500,
    connectDone: 502,
    firstByteStart: 502,
    firstByteDone: 505,
    tlsHandshakeStart: 0,
  });
});

test("a DNS result has its records by type", () => {
  const outcome: DnsOutcome = {
    ...unseen("dns", epochMillis(500), refused),
    kind: "dns",
    server: "s",
    rcode: "NOERROR",
    transport: "udp",
    measuredBy: "event",
    failure: null,
    records: [
      { type: "A", value: "1" },
      { type: "MX", value: "m.:1" },
      { type: "A", value: "2" },
    ],
  };
  const plain = wireMessage(resultWith({ kind: "dns", outcome })).result;
  expect(plain.case === "dns" && plain.value.records).toMatchObject({
    A: { record: ["1", "2"] },
    MX: { record: ["m.:1"] },
  });
});

test("the extension carries everything else: failure, phases in nanoseconds, attempts, hops, addresses, TLS", () => {
  const outcome = httpOutcome({
    addresses: [
      { address: "::1", port: 1, ended: "connected", elapsed: nanos(5), measuredBy: "kernel" },
    ],
    tls: {
      protocol: "TLSv1.3",
      cipher: "c",
      alpn: "h2",
      serverName: "s",
      acceptedFault: null,
      certificate: {
        subject: "CN=a",
        issuer: "CN=b",
        altNames: ["a"],
        validFrom: epochMillis(1),
        validTo: epochMillis(2),
        fingerprint256: "f",
        chain: ["CN=a"],
      },
    },
    errorBar: nanos(9),
  });
  const { detail } = wireMessage(
    resultWith({
      outcome,
      status: "error",
      failure: refused,
      attempts: [
        {
          startedAt: epochMillis(1),
          phases: noPhases,
          total: nanos(2),
          own: null,
          failure: refused,
        },
      ],
      evaluations: [
        {
          kind: "body",
          held: false,
          expected: "e",
          received: "r",
          unproven: false,
          unreadable: null,
        },
      ],
    }),
  );
  expect(detail).toMatchObject({
    failure: { code: "connection_refused", phase: "connect" },
    phases: { dnsNs: 1_000_000n, receiveNs: 1_000_000n },
    totalNs: 6_000_000n,
    attempts: [{ startedAt: 1n, totalNs: 2n, failure: { code: "connection_refused" } }],
    hops: [{ url: "https://shop.test/", statusCode: 200 }],
    addresses: [{ address: "::1", port: 1, ended: "connected", elapsedNs: 5n }],
    tls: { protocol: "TLSv1.3", certificate: { subject: "CN=a", validTo: 2n } },
    errorBarNs: 9n,
    evaluations: [{ kind: "body", held: false, expected: "e", received: "r" }],
  });
  expect(detail?.phases?.proxyNs).toBeUndefined();
});
