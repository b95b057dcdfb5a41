import { Metadata } from "@grpc/grpc-js";
import type * as Http2 from "node:http2";
import { beforeAll, describe, expect, test } from "vitest";
import type { OutcomeOf } from "#check/outcome";
import { kindTable } from "#check/kinds/kind-table";
import { remarksOf } from "#check/remark";
import type { GrpcTarget } from "#check/kinds/grpc/grpc-monitor";
import { probeGrpc } from "#probes/grpc/grpc";
import { millis } from "#base/units";
import { Authority } from "../../support/authority.ts";
import { attempt, contextWith, happened, patience } from "../../support/probing.ts";
import { expectTimingContract, told } from "../../support/timing-contract.ts";
import { grpcServer } from "../../servers/grpc-server.ts";
import { http2Peer } from "../../servers/http2-peer.ts";
import { answers, tcpPeer, tlsPeer } from "../../servers/scripted.ts";

let authority: Authority;
beforeAll(async () => {
  authority = await Authority.create();
});

async function called(
  port: number,
  more: Partial<GrpcTarget> = {},
  { ca = null, timeout = patience }: { ca?: string | null; timeout?: number } = {},
): Promise<OutcomeOf<"grpc">> {
  const target: GrpcTarget = {
    kind: "grpc",
    host: "127.0.0.1",
    port,
    service: "",
    tlsMode: "plaintext",
    metadata: [],
    ...more,
  };
  const outcome = await attempt(probeGrpc, target, contextWith({ ca }), timeout);
  expectTimingContract(outcome);
  return outcome;
}

const messageOf = ({ failure }: OutcomeOf<"grpc">): string => failure?.message ?? "";

describe("the health of a gRPC server", () => {
  test("passes if it is SERVING, with the phases of HTTP/2", async () => {
    await using server = await grpcServer({ "": 1, "shop.v1.Orders": 1 });
    const whole = await called(server.port);
    expect(whole).toMatchObject({ failure: null, servingStatus: "SERVING", grpcCode: 0 });
    expect(happened(whole.phases)).toEqual(["connect", "write", "wait", "receive"]);
    const one = await called(server.port, { service: "shop.v1.Orders" });
    expect(one).toMatchObject({ failure: null, service: "shop.v1.Orders" });
  });

  test("fails by what the server says, in a sentence with the service", async () => {
    await using server = await grpcServer({
      down: 2,
      undecided: 0,
      gone: 3,
      newer: 9,
      busy: { code: 14, details: "back in ünder a minute\u001b[31m" },
    });
    const seen = new Map<string, readonly [string, string]>();
    for (const service of ["down", "undecided", "gone", "newer", "busy", "never heard of"]) {
      const outcome = await called(server.port, { service });
      seen.set(service, [told(outcome), messageOf(outcome).replace(/ \(127.*$/, "")]);
    }
    expect(Object.fromEntries(seen)).toEqual({
      down: ["grpc_not_serving in assertion", 'the server says that "down" is NOT_SERVING'],
      undecided: ["grpc_not_serving in assertion", 'the server says that "undecided" is UNKNOWN'],
      gone: ["grpc_service_unknown in assertion", 'the server does not know the health of "gone"'],
      newer: ["grpc_not_serving in assertion", 'the server says that "newer" is status 9'],
      busy: [
        "grpc_status in assertion",
        expect.stringMatching(/^the server answered UNAVAILABLE \(14\): back in ünder a minute/),
      ],
      "never heard of": [
        "grpc_service_unknown in assertion",
        'the server does not know the health of "never heard of"',
      ],
    });
    // eslint-disable-next-line no-control-regex -- that is what must not be there.
    expect([...seen.values()].flat().join("")).not.toMatch(/[\x00-\x1f]/);
  });

  test("fails if the server has no health service", async () => {
    await using server = await grpcServer(null);
    const outcome = await called(server.port);
    expect(told(outcome)).toBe("grpc_unimplemented in assertion");
    expect(messageOf(outcome)).toMatch(/^this server has no gRPC health service \(127/);
  });

  test("is asked for with the metadata, binary values included, and with how long we wait", async () => {
    await using server = await grpcServer({ "": 1 });
    const metadata = [
      { key: "authorization", value: "Bearer x" },
      { key: "trace-bin", value: Buffer.from([0, 255]).toString("base64") },
    ];
    expect((await called(server.port, { metadata })).failure).toBeNull();
    const [sent = new Metadata()] = server.calls;
    expect(sent.get("authorization")).toEqual(["Bearer x"]);
    expect(sent.get("trace-bin")).toEqual([Buffer.from([0, 255])]);
    expect(sent.get("user-agent")).toEqual(["picket/test"]);
  });

  test("takes a service's name of 512 letters", async () => {
    const service = "s".repeat(512);
    await using server = await grpcServer({ [service]: 1 });
    expect((await called(server.port, { service })).failure).toBeNull();
  });
});

describe("a certificate", () => {
  test("is verified, and one that is not trusted fails the check", async () => {
    const { key, cert } = await authority.issue();
    await using server = await grpcServer({ "": 1 }, { key, cert });
    const verified = await called(server.port, { tlsMode: "tls" }, { ca: authority.cert });
    expect(verified.failure).toBeNull();
    expect(happened(verified.phases)).toEqual(["connect", "tls", "write", "wait", "receive"]);
    const other = await Authority.create("Stranger");
    const refused = await called(server.port, { tlsMode: "tls" }, { ca: other.cert });
    expect(told(refused)).toMatch(/^tls_untrusted in tls/);
  });

  test("that is not verified passes, with its facts and a remark that says so", async () => {
    const { key, cert } = await Authority.selfSigned();
    await using server = await grpcServer({ "": 1 }, { key, cert });
    const outcome = await called(server.port, { tlsMode: "tls_insecure" });
    expect(outcome.failure).toBeNull();
    expect(outcome.tls?.certificate?.validTo).toBeGreaterThan(0);
    const result = { status: "success", latency: millis(1), degradedAt: null, outcome } as const;
    expect(remarksOf(result)[0]).toMatch(/^not verified, accepted as asked: /);
  });

  test("that is not verified is marked wherever the target is named: pages, logs and messages", () => {
    const target = { kind: "grpc", host: "a.test", port: 443, service: "", metadata: [] } as const;
    const shown = (tlsMode: GrpcTarget["tlsMode"]): string =>
      kindTable.grpc.shown({ ...target, tlsMode });
    expect(shown("tls_insecure")).toBe("a.test:443, certificate not verified");
    expect(shown("tls")).toBe("a.test:443");
  });

  test("of a server that speaks no HTTP/2 is of no use to it", async () => {
    const { key, cert } = await authority.issue();
    await using peer = await tlsPeer({ key, cert }, answers("HTTP/1.1 200 OK\r\n\r\n"));
    const outcome = await called(peer.port, { tlsMode: "tls" }, { ca: authority.cert });
    expect(told(outcome)).toBe("protocol_error in tls");
    expect(messageOf(outcome)).toMatch(/^the peer does not speak HTTP\/2 on this port/);
  });
});

/** Peers that answer over HTTP/2 and say something that is no health. */
const oddPeers: Readonly<
  Record<string, readonly [script: (stream: Http2.ServerHttp2Stream) => void, expected: string]>
> = {
  "a proxy's page": [
    (stream) => {
      stream.respond({ ":status": 502, "content-type": "text/html" });
      stream.end("<h1>Bad Gateway</h1>");
    },
    "protocol_error in receive: the answer is not gRPC: it has the HTTP status 502 and the content type text/html",
  ],
  "no trailers": [
    (stream) => {
      stream.respond(grpcHead);
      stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
    },
    "protocol_error in receive: the answer is not gRPC: it ends without the trailers of gRPC",
  ],
  "a compressed message": [
    (stream) => withTrailers(stream, Buffer.from([1, 0, 0, 0, 2, 8, 1])),
    "protocol_error in receive: the answer is not gRPC: it is compressed, which was not asked for",
  ],
  "a message that is longer than its frame": [
    (stream) => withTrailers(stream, Buffer.from([0, 0, 0, 0, 9, 8, 1])),
    "protocol_error in receive: the answer is not gRPC: it says that its message has 9 bytes, and has 2",
  ],
  "two messages": [
    (stream) => withTrailers(stream, Buffer.from([0, 0, 0, 0, 2, 8, 1, 0, 0, 0, 0, 2, 8, 1])),
    "protocol_error in receive: the answer is not gRPC: it has more than one message",
  ],
  "another message": [
    (stream) => withTrailers(stream, Buffer.from([0, 0, 0, 0, 2, 0x0d, 1])),
    "protocol_error in receive: the answer is not gRPC: it holds another message than the health service's",
  ],
  "no message": [
    (stream) => withTrailers(stream, Buffer.alloc(0)),
    "protocol_error in receive: the answer is not gRPC: it has no message",
  ],
  "an endless answer": [
    (stream) => {
      stream.on("error", () => {});
      stream.respond(grpcHead);
      stream.end(Buffer.alloc(1 << 20));
    },
    "protocol_error in receive: the answer is not gRPC: it is longer than any answer of the health service",
  ],
  "a reset stream": [
    (stream) => stream.close(7),
    "protocol_error in wait: the answer is not valid HTTP: the HTTP/2 stream was reset with REFUSED_STREAM",
  ],
  "a goodbye": [
    (stream) => {
      stream.session?.goaway(11);
      stream.close(8);
    },
    "protocol_error in wait: the answer is not valid HTTP: the peer ended the HTTP/2 session with ENHANCE_YOUR_CALM",
  ],
};

const grpcHead = { ":status": 200, "content-type": "application/grpc" };

function withTrailers(stream: Http2.ServerHttp2Stream, body: Buffer): void {
  stream.respond(grpcHead, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(body);
}

describe("a peer that is not gRPC server", () => {
  test.each(Object.entries(oddPeers))("gets a sentence: %s", async (_name, [script, expected]) => {
    await using peer = await http2Peer(null, script);
    const outcome = await called(peer.port);
    const words = messageOf(outcome).replace(/ \(127\.0\.0\.1:\d+\)$/, "");
    expect(`${told(outcome)}: ${words}`).toBe(expected);
  });

  test("gets a sentence: HTTP/1.1 on its port", async () => {
    await using peer = await tcpPeer(answers("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const outcome = await called(peer.port);
    expect(told(outcome)).toMatch(/^protocol_error in (write|wait)$/);
    expect(messageOf(outcome)).toMatch(
      /^the answer is not valid HTTP: it is HTTP\/1\.1, and HTTP\/2 was asked for/,
    );
  });

  test("gets a sentence: one that keeps silent", async () => {
    await using peer = await http2Peer(null, () => {});
    expect(told(await called(peer.port, {}, { timeout: 300 }))).toBe("response_timeout in wait");
  });
});
