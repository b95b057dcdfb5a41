import { constants } from "node:http2";
import tls from "node:tls";
import { beforeAll, expect, test } from "vitest";
import type { HttpOutcome } from "#check/outcome";
import { askAt, bodyText, statusOf } from "../../support/asking.ts";
import { Authority, type Identity } from "../../support/authority.ts";
import { happened } from "../../support/probing.ts";
import { type Told, told } from "../../support/timing-contract.ts";
import { listenLocally } from "../../servers/listen-locally.ts";
import { http2Peer, type Http2Script } from "../../servers/http2-peer.ts";

/** What HTTP/2 has in place of closed and reset connections: streams that end early, and sessions that say goodbye. */

let authority: Authority;
let identity: Identity;
beforeAll(async () => {
  authority = await Authority.create();
  identity = await authority.issue();
});

async function ask(script: Http2Script): Promise<HttpOutcome> {
  await using peer = await http2Peer(identity, script);
  return await askAt(`https://127.0.0.1:${peer.port}/`, { context: { ca: authority.cert } });
}

const before = ["connect", "tls", "write", "wait"];

const broken: Record<string, [script: Http2Script, says: Told, status: number | null]> = {
  "a stream that is refused": [
    (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
    "protocol_error in wait",
    null,
  ],
  "a stream that is reset before its answer": [
    (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    "protocol_error in wait",
    null,
  ],
  "a session that says goodbye before the answer": [
    (_stream, session) => session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM),
    "protocol_error in wait",
    null,
  ],
  "a connection that is closed before the answer": [
    (_stream, session) => session.destroy(),
    "empty_reply in wait",
    null,
  ],
  "a stream that is reset in the body": [
    (stream) => {
      stream.respond({ ":status": 503 });
      stream.write("x", () => stream.destroy(new Error("a fault of the peer")));
    },
    "body_truncated in receive",
    503,
  ],
  "a stream that is reset in a body whose length is known": [
    (stream) => {
      stream.respond({ ":status": 200, "content-length": "10" });
      stream.write("x", () => stream.destroy(new Error("a fault of the peer")));
    },
    "body_truncated in receive",
    200,
  ],
  "a body shorter than its length": [
    (stream) => {
      stream.respond({ ":status": 200, "content-length": "10" });
      stream.end("x");
    },
    "body_truncated in receive",
    200,
  ],
  "a session that says goodbye in the body": [
    (stream, session) => {
      stream.respond({ ":status": 200 });
      stream.write("x", () => session.goaway(constants.NGHTTP2_PROTOCOL_ERROR));
    },
    "body_truncated in receive",
    200,
  ],
  "a connection that is closed in the body": [
    (stream, session) => {
      stream.respond({ ":status": 200, "content-length": "10" });
      stream.write("x", () => session.destroy());
    },
    "body_truncated in receive",
    200,
  ],
};

test.each(Object.entries(broken))("%s is named", async (_name, [script, says, status]) => {
  const outcome = await ask(script);
  expect(told(outcome)).toBe(says);
  expect(statusOf(outcome)).toBe(status);
  expect(happened(outcome.phases)).toEqual(status === null ? before : [...before, "receive"]);
  expect(outcome.tls?.alpn).toBe("h2");
});

const words: Record<string, [script: Http2Script, says: RegExp]> = {
  "a goodbye at once": [
    (_stream, session) => session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM),
    /^the answer is not valid HTTP: the peer ended the HTTP\/2 session with ENHANCE_YOUR_CALM \(/,
  ],
  "a stream that is told to calm down": [
    (stream) => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM),
    /^the answer is not valid HTTP: the HTTP\/2 stream was reset with ENHANCE_YOUR_CALM \(/,
  ],
};

test.each(Object.entries(words))("%s is said in words of HTTP", async (_name, [script, says]) => {
  expect((await ask(script)).failure?.message).toMatch(says);
});

test("interim responses and trailers are not part of the answer", async () => {
  const outcome = await ask((stream) => {
    stream.additionalHeaders({ ":status": 103 });
    stream.respond({ ":status": 200 }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": "1" }));
    stream.end("ok");
  });
  expect(told(outcome)).toBe("ok");
  expect(bodyText(outcome)).toBe("ok");
  expect(outcome.response?.informational).toEqual([103]);
  expect(happened(outcome.phases)).toEqual([...before, "receive"]);
});

test("a request leaves in one record with its session's preface, so that whatever comes then comes in the wait", async () => {
  const { promise: first, resolve } = Promise.withResolvers<Buffer>();
  const server = tls.createServer({ ...identity, ALPNProtocols: ["h2"] }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      resolve(bytes);
      socket.end("no frame of HTTP/2");
    });
  });
  const port = await listenLocally(server);
  const outcome = await askAt(`https://127.0.0.1:${port}/`, { context: { ca: authority.cert } });
  server.close();
  expect(told(outcome)).toBe("protocol_error in wait");
  expect(kindsOf(await first)).toEqual([4, 8, 1]);
});

const goodbye = Buffer.from("0000080700000000000000000000000000", "hex");
const settings = Buffer.from("000000040000000000", "hex");
const acknowledged = Buffer.from("000000040100000000", "hex");
const lastWords: Record<string, [frames: readonly Buffer[], says: Told]> = {
  nothing: [[], "empty_reply in wait"],
  "its settings": [[settings], "empty_reply in wait"],
  "its settings twice": [[settings, settings], "empty_reply in wait"],
  "its settings and that it has ours": [[settings, acknowledged], "empty_reply in wait"],
  // It names no stream that it took.
  "its settings and a goodbye": [[settings, acknowledged, goodbye], "protocol_error in wait"],
  "a goodbye before its settings": [[goodbye, settings], "protocol_error in wait"],
};
test.each(Object.entries(lastWords))(
  "a peer that says %s and hangs up in one breath is a failed check, and no fault of the agent",
  async (_name, [frames, says]) => {
    const server = tls.createServer({ ...identity, ALPNProtocols: ["h2"] }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(Buffer.concat(frames)));
    });
    const port = await listenLocally(server);
    const outcome = await askAt(`https://127.0.0.1:${port}/`, { context: { ca: authority.cert } });
    server.close();
    expect(told(outcome)).toBe(says);
  },
);

/** Of the frames behind the preface, as RFC 9113 §6 numbers them: settings 4, window 8, head 1. */
function kindsOf(bytes: Buffer): number[] {
  const kinds: number[] = [];
  let at = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length;
  while (at < bytes.length) {
    kinds.push(bytes[at + 3] ?? -1);
    at += 9 + bytes.readUIntBE(at, 3);
  }
  return kinds;
}
