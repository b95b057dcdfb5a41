import { beforeAll, describe, expect, test } from "vitest";
import type { HttpOutcome } from "#check/outcome";
import { type Asking, askAt, statusOf } from "../../support/asking.ts";
import { http2IdleFramesMax } from "#limits/probes-limits";
import { kibibytes } from "#base/units";
import { Authority, type Identity } from "../../support/authority.ts";
import { type Told, told } from "../../support/timing-contract.ts";
import { type Flood, floodingThread } from "../../servers/flooding-thread.ts";
import { answers, tcpPeer } from "../../servers/scripted.ts";

/** Peers that send as fast as they can, without an end: the check ends, and others have their turns meanwhile. */

const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/** Many checks of a healthy peer, one after another, beside the check of the flood. How many had their turn? */
async function askBeside(
  flood: Promise<HttpOutcome>,
): Promise<{ readonly outcome: HttpOutcome; readonly others: number }> {
  const over = new AbortController();
  const ended = flood.finally(() => over.abort());
  await using healthy = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  let others = 0;
  while (!over.signal.aborted) {
    const outcome = await askAt(`http://127.0.0.1:${healthy.port}/`);
    expect(told(outcome)).toBe("ok");
    others += 1;
  }
  return { outcome: await ended, others };
}

async function flooded(
  flood: Flood,
  asking: Asking,
  identity: Identity | null = null,
): ReturnType<typeof askBeside> {
  await using peer = await floodingThread(flood, identity);
  const url = `${identity === null ? "http" : "https"}://127.0.0.1:${peer.port}/`;
  return await askBeside(askAt(url, asking));
}

describe("over HTTP/1.1, a flood of", () => {
  const bounded: Record<string, [flood: Flood, says: Told, status: number | null]> = {
    "a body without an end": [{ first: "HTTP/1.1 200 OK\r\n\r\n", piece: "x" }, "ok", 200],
    "chunks of ten bytes": [{ first: chunkedHead, piece: "a\r\nxxxxxxxxxx\r\n" }, "ok", 200],
    "chunks of one byte": [{ first: chunkedHead, piece: "1\r\nx\r\n" }, "ok", 200],
    trailers: [
      { first: `${chunkedHead}0\r\n`, piece: "X: y\r\n" },
      "headers_too_large in receive",
      200,
    ],
    headers: [
      { first: "HTTP/1.1 200 OK\r\n", piece: "X: y\r\n" },
      "headers_too_large in receive",
      null,
    ],
    "one header that is folded": [
      { first: "HTTP/1.1 200 OK\r\nX: y\r\n", piece: " y\r\n" },
      "headers_too_large in receive",
      null,
    ],
    "a status line": [{ first: "HTTP/1.1 200 ", piece: "x" }, "headers_too_large in receive", null],
    "empty lines": [{ first: "", piece: "\r\n" }, "protocol_error in receive", null],
    "interim responses": [
      { first: "", piece: "HTTP/1.1 103 X\r\n\r\n" },
      "protocol_error in wait",
      null,
    ],
  };
  test.each(Object.entries(bounded))(
    "%s is judged at its limit",
    async (_, [flood, says, status]) => {
      const { outcome } = await flooded(flood, {});
      expect(told(outcome)).toBe(says);
      expect(statusOf(outcome)).toBe(status);
      if (says === "ok") expect(outcome.response?.bodyCut).toBe(true);
    },
  );

  test("chunks that hold hardly anything leaves turns to others until the deadline", async () => {
    const piece = `1;${"x".repeat(4_000)}\r\nx\r\n`;
    const { outcome, others } = await flooded({ first: chunkedHead, piece }, { timeout: 1_000 });
    expect(told(outcome)).toBe("body_timeout in receive");
    expect(others).toBeGreaterThan(5);
  });
});

describe("over HTTP/2, a flood of", () => {
  let authority: Authority;
  let identity: Identity;
  beforeAll(async () => {
    authority = await Authority.create();
    identity = await authority.issue();
  });

  const settings = frame(4, 0, 0);
  const status200 = Buffer.from([0x88]);
  const headers = frame(1, 4, 1, status200);
  const emptyData = frame(0, 0, 1);
  /** In one record of TLS. */
  const tooMany = (idle: Buffer): Buffer[] => Array(http2IdleFramesMax + 1).fill(idle);
  /** One header line without an index and without Huffman's code (RFC 7541 §6.2.2 and §5.1), as long as a frame. */
  const line16KiB = Buffer.concat([
    Buffer.from([0x00, 1, 0x78, 0x7f, 0xfb, 0x7e]),
    Buffer.alloc(16_378, "y"),
  ]);
  const kinds: Record<string, [flood: Flood, says: Told]> = {
    pings: [{ first: settings, piece: frame(6, 0, 0, Buffer.alloc(8)) }, "protocol_error in wait"],
    settings: [{ first: settings, piece: settings }, "protocol_error in wait"],
    "settings that come at once": [
      { first: Buffer.concat(tooMany(settings)), piece: settings },
      "protocol_error in wait",
    ],
    "empty data": [
      { first: Buffer.concat([settings, headers]), piece: emptyData },
      "protocol_error in receive",
    ],
    "empty data that comes together with its head": [
      { first: Buffer.concat([settings, headers, ...tooMany(emptyData)]), piece: emptyData },
      "protocol_error in receive",
    ],
    "empty pieces of a head": [
      { first: Buffer.concat([settings, frame(1, 0, 1, status200)]), piece: frame(9, 0, 1) },
      "protocol_error in wait",
    ],
    "a head without an end": [
      {
        first: Buffer.concat([settings, frame(1, 0, 1, status200)]),
        piece: frame(9, 0, 1, line16KiB),
      },
      "headers_too_large in wait",
    ],
    "header lines of one byte each": [
      {
        first: settings,
        piece: frame(1, 4, 1, Buffer.concat([status200, Buffer.alloc(16_000, 0xba)])),
      },
      "headers_too_large in wait",
    ],
    "frames that no one knows": [
      { first: settings, piece: frame(99, 0, 0, Buffer.alloc(100)) },
      "protocol_error in wait",
    ],
  };
  test.each(Object.entries(kinds))("%s is refused", async (_name, [flood, says]) => {
    const { outcome } = await flooded(flood, { context: { ca: authority.cert } }, identity);
    expect(told(outcome)).toBe(says);
    expect(statusOf(outcome)).toBe(says.endsWith("receive") ? 200 : null);
    expect(outcome.failure?.message).not.toMatch(/Http2Session|NGHTTP2/);
  });

  test("data frames of one byte is judged at the limit of a body, and leaves turns to others", async () => {
    const flood = {
      first: Buffer.concat([settings, headers]),
      piece: frame(0, 0, 1, Buffer.from("x")),
    };
    // Less than the 65,535 bytes that a peer may send ahead by itself: more is another error.
    const context = { ca: authority.cert, bodyBytesMax: kibibytes(60) };
    const { outcome, others } = await flooded(flood, { context }, identity);
    expect(told(outcome)).toBe("ok");
    expect(outcome.response).toMatchObject({ bodyBytes: kibibytes(60), bodyCut: true });
    expect(others).toBeGreaterThan(0);
  });

  /** The kinds of a frame are data 0, headers 1, settings 4, ping 6, continuation 9 (RFC 9113 §6). */
  function frame(type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.set([type, flags], 3);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  }
});
