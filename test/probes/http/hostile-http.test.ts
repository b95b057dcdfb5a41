import type { Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { HttpTarget } from "#check/monitor";
import { noKernelClock } from "#probes/socket/kernel-clock";
import { ask, askAt, bodyText, statusOf } from "../../support/asking.ts";
import { Authority } from "../../support/authority.ts";
import { happened } from "../../support/probing.ts";
import { type Told, told } from "../../support/timing-contract.ts";
import { resettingThread } from "../../servers/resetting-thread.ts";
import { answers, drips, onRequestHead, type Script, tcpPeer } from "../../servers/scripted.ts";
import { sendUrgently } from "../../servers/send-urgently.ts";

/** Hostile peers over HTTP: what each sends, and what is reported of it. The plain cases are in http.test.ts. */

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

/** More than the buffers of both kernels together hold, so that the peer decides when the request is written. */
const upload: Partial<HttpTarget> = { method: "POST", body: "x".repeat(32 * 1024 * 1024) };

const exchanged = ["connect", "write", "wait", "receive"];

describe("framing", () => {
  const read: Record<string, [script: Script, body: string]> = {
    "chunked with extensions and trailers": [
      answers(`${chunkedHead}\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n`),
      "hello",
    ],
    "chunked with a Content-Length, which it overrides": [
      answers(`${chunkedHead}Content-Length: 2\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, "keep"),
      "hello",
    ],
    "two Content-Lengths before chunked": [
      answers(
        "HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 1\r\ncontent-length: 9\r\ntransfer-encoding: identity, Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "keep",
      ),
      "hello",
    ],
    "a body that the transfer itself compressed": [
      answers(
        Buffer.concat([
          Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
          chunk(gzipSync("hello")),
          Buffer.from("0\r\n\r\n"),
        ]),
        "keep",
      ),
      "hello",
    ],
    "a header that is folded": [
      answers("HTTP/1.1 200 OK\r\nX-A: 1\r\n  2\r\nContent-Length:\r\n\t2\r\n\r\nok", "keep"),
      "ok",
    ],
    "bytes after Content-Length, in a separate packet": [
      (socket) =>
        onRequestHead(socket, () => socket.write(ok, () => socket.end("HTTP/1.1 500 X\r\n\r\n"))),
      "ok",
    ],
    "an HTTP/1.0 body with a Content-Length": [
      answers("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "keep"),
      "ok",
    ],
    "a status line without a reason": [
      answers("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
      "ok",
    ],
    "one byte a packet": [
      (socket) =>
        onRequestHead(socket, () => {
          socket.setNoDelay(true);
          for (const byte of ok) socket.write(byte);
          socket.end();
        }),
      "ok",
    ],
    "a head of 18 KiB in many headers": [
      answers(`HTTP/1.1 200 OK\r\n${"X-Filler: 0123456789\r\n".repeat(850)}\r\nok`),
      "ok",
    ],
  };
  test.each(Object.entries(read))("%s: read whole", async (_name, [script, body]) => {
    const outcome = await ask(script);
    expect(told(outcome)).toBe("ok");
    expect(statusOf(outcome)).toBe(200);
    expect(bodyText(outcome)).toBe(body);
    expect(happened(outcome.phases)).toEqual(exchanged);
  });

  const broken: Record<string, [script: Script, says: Told, status: number | null]> = {
    "a chunk size that overflows 64 bits": [
      answers(`${chunkedHead}\r\n1ffffffffffffffff\r\nx`),
      "protocol_error in receive",
      200,
    ],
    "an empty line before the status line": [
      answers(`\r\n${ok}`),
      "protocol_error in receive",
      null,
    ],
    "two numbers as the size of a chunk": [
      answers(`${chunkedHead}\r\n5 5\r\nhello\r\n0\r\n\r\n`),
      "protocol_error in receive",
      200,
    ],
    "a chunk size that is no number": [
      answers(`${chunkedHead}\r\nzz\r\nx`),
      "protocol_error in receive",
      200,
    ],
    "a chunk longer than it said": [
      answers(`${chunkedHead}\r\n2\r\nhello\r\n0\r\n\r\n`),
      "protocol_error in receive",
      200,
    ],
    "chunks without their end": [
      answers(`${chunkedHead}\r\n2\r\nok\r\n`),
      "body_truncated in receive",
      200,
    ],
    "two lengths that differ": [
      answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"),
      "protocol_error in receive",
      null,
    ],
    "a negative length": [
      answers("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok"),
      "protocol_error in receive",
      null,
    ],
    "a length that overflows": [
      answers(`HTTP/1.1 200 OK\r\nContent-Length: ${"9".repeat(30)}\r\n\r\nok`),
      "protocol_error in receive",
      null,
    ],
    "HTTP/0.9": [answers("<html>hello</html>"), "protocol_error in receive", null],
    "a version that does not exist": [
      answers("HTTP/7.3 200 OK\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a status of two digits": [
      answers("HTTP/1.1 20 OK\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a status below 100": [
      answers("HTTP/1.1 042 OK\r\nContent-Length: 0\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a transfer coding that no one knows": [
      answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13, chunked\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a status line that never ends": [
      drips("HTTP/1.1 200 ", "x".repeat(60_000), 1),
      "headers_too_large in receive",
      null,
    ],
    "a status of four digits": [
      answers("HTTP/1.1 2000 OK\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a header without a colon": [
      answers("HTTP/1.1 200 OK\r\nX-A: 1\r\nno colon\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a space before the colon": [
      answers("HTTP/1.1 200 OK\r\nX-A : 1\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a NUL in a header's name": [
      answers("HTTP/1.1 200 OK\r\nX\0A: 1\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "a 101 that does not say to what": [
      answers("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
      "protocol_error in receive",
      null,
    ],
    "the banner of a mail server": [
      (socket) => socket.end("220 mail.test ESMTP\r\n"),
      "protocol_error in receive",
      null,
    ],
    "one header over 300 KiB": [
      answers(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(310 * 1024)}\r\n\r\n`),
      "headers_too_large in receive",
      null,
    ],
    "a head that never ends": [
      drips("HTTP/1.1 200 OK\r\n", `X: ${"x".repeat(60_000)}\r\n`, 1),
      "headers_too_large in receive",
      null,
    ],
    "trailers that never end": [
      drips(`${chunkedHead}\r\n0\r\n`, `X: ${"x".repeat(60_000)}\r\n`, 1),
      "headers_too_large in receive",
      200,
    ],
    "interim responses that never end": [
      drips("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n".repeat(400), 1),
      "protocol_error in wait",
      null,
    ],
  };
  test.each(Object.entries(broken))("%s: named", async (_name, [script, says, status]) => {
    const outcome = await ask(script);
    expect(told(outcome)).toBe(says);
    expect(statusOf(outcome)).toBe(status);
    expect(happened(outcome.phases).slice(0, 3)).toEqual(exchanged.slice(0, 3));
  });

  test.each([
    ["HEAD", "200 OK"],
    ["GET", "204 No Content"],
    ["GET", "304 Not Modified"],
  ] as const)("%s %s with a Content-Length ends with its head", async (method, status) => {
    const script = answers(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n`, "keep");
    const outcome = await ask(script, { target: { method, followRedirects: false } });
    expect(told(outcome)).toBe("ok");
    expect(bodyText(outcome)).toBe("");
    expect(happened(outcome.phases)).toEqual(exchanged);
  });
});

describe("a connection that ends", () => {
  test("by a reset before the request is there fails in write", async () => {
    await using peer = await resettingThread();
    const kernelClock = { ...noKernelClock, handshake: () => (peer.reset(), null) };
    const outcome = await askAt(`http://127.0.0.1:${peer.port}/`, { context: { kernelClock } });
    expect(told(outcome)).toBe("connection_reset in write");
  });
  const pieces: Record<string, [script: Script, says: Told, status: number | null]> = {
    "by a reset after the request": [answers([], "reset"), "connection_reset in wait", null],
    "by a reset in the head": [
      answers("HTTP/1.1 200 OK\r\nX-A", "reset"),
      "headers_truncated in receive",
      null,
    ],
    "by a reset in the body": [
      answers("HTTP/1.1 503 X\r\nContent-Length: 10\r\n\r\nok", "reset"),
      "body_truncated in receive",
      503,
    ],
    "by a reset between chunks": [
      answers(`${chunkedHead}\r\n2\r\nok\r\n`, "reset"),
      "body_truncated in receive",
      200,
    ],
    "by a close without a byte": [answers([]), "empty_reply in wait", null],
    "by a close after an interim response": [
      answers("HTTP/1.1 103 Early Hints\r\n\r\n"),
      "empty_reply in wait",
      null,
    ],
    "by a reset after an interim response": [
      answers("HTTP/1.1 103 Early Hints\r\n\r\n", "reset"),
      "connection_reset in wait",
      null,
    ],
    "by a close in the body": [
      answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"),
      "body_truncated in receive",
      200,
    ],
  };
  test.each(Object.entries(pieces))("%s is named", async (_name, [script, says, status]) => {
    const outcome = await ask(script);
    expect(told(outcome)).toBe(says);
    expect(statusOf(outcome)).toBe(status);
  });
});

describe("what a peer writes into a sentence", () => {
  test("is made harmless: a control character of ISO 8859-1 in a header is written out", async () => {
    const head = (header: string): string =>
      `HTTP/1.1 200 OK\r\n${header}: x\x85\x9by\r\nContent-Length: 2\r\n\r\nok`;
    const of = async (header: string): Promise<string | undefined> =>
      (await ask(answers(Buffer.from(head(header), "latin1")))).failure?.message;
    const word = "x\\x85\\x9by";
    expect(await of("Transfer-Encoding")).toContain(`unknown transfer coding "${word}"`);
    expect(await of("Content-Encoding")).toContain(`unknown encoding "${word}"`);
  });
  test("is made harmless: what turns the direction in the name of an authority is written out", async () => {
    const root = await Authority.create("Root \u202eevil\u2028");
    const server = createServer(await root.issue());
    server.on("tlsClientError", () => {});
    await using peer = await tcpPeer((socket) => server.emit("connection", socket));
    const { failure } = await askAt(`https://localhost:${peer.port}/`);
    expect(failure?.message).toContain("Root \\u{202e}evil\\u{2028}");
  });
});

describe("urgent data of TCP", () => {
  const rest = ok.slice(ok.indexOf("\r\n"));
  test("inside a response that the peer then keeps open is passed over, and all behind it is read", async () => {
    const outcome = await ask((socket) =>
      onRequestHead(socket, () => sendUrgently(socket, "HTTP/1.1 200 OK!", rest)),
    );
    expect([told(outcome), bodyText(outcome)]).toEqual(["ok", "ok"]);
  });
  test("between the records of TLS is passed over, and all behind it is read", async () => {
    const root = await Authority.create();
    const server = createServer(await root.issue());
    await using peer = await tcpPeer((socket) => {
      server.once("secureConnection", (secure: TLSSocket) =>
        onRequestHead(secure, () => {
          secure.write("HTTP/1.1 200 OK");
          sendUrgently(socket, "!", "");
          secure.write(rest);
        }),
      );
      server.emit("connection", socket);
    });
    const context = { ca: root.cert };
    const outcome = await askAt(`https://localhost:${peer.port}/`, { context });
    expect([told(outcome), bodyText(outcome)]).toEqual(["ok", "ok"]);
  });
});

describe("interim responses", () => {
  const interim: Record<string, [script: Script, seen: readonly number[]]> = {
    "103 before 200": [answers(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`), [103]],
    "a 100 that no one asked for": [answers(`HTTP/1.1 100 Continue\r\n\r\n${ok}`), [100]],
    "several in one packet": [
      answers(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nA: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}`,
      ),
      [100, 103, 100],
    ],
    "several in separate packets": [
      answers(["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 X\r\n\r\n", ok]),
      [100, 102],
    ],
  };
  test.each(Object.entries(interim))(
    "%s: kept apart from the answer",
    async (_, [script, seen]) => {
      const outcome = await ask(script);
      expect(told(outcome)).toBe("ok");
      expect(bodyText(outcome)).toBe("ok");
      expect(outcome.response?.informational).toEqual(seen);
    },
  );
  test("do not end the wait: it lasts until the final response", async () => {
    const outcome = await ask(answers("HTTP/1.1 103 Early Hints\r\n\r\n", "keep"), {
      timeout: 1_000,
    });
    expect(told(outcome)).toBe("response_timeout in wait");
    expect(happened(outcome.phases)).toEqual(["connect", "write", "wait"]);
  });
  test("are not looked for in a body", async () => {
    const body = "HTTP/1.1 100 Continue\r\n\r\n";
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(bodyText(await ask(answers([head, body])))).toBe(body);
  });
});

describe("an answer before the whole request was sent", () => {
  /** Answers as soon as the first bytes of the request are there. */
  const early =
    (then: (socket: Socket) => void): Script =>
    (socket) =>
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig", () => then(socket));
      });
  const ends: Record<string, (socket: Socket) => void> = {
    "and is closed": (socket) => socket.end(),
    "and is reset": (socket) => socket.resetAndDestroy(),
    "and is left unread": () => {},
    "and is read on": (socket) => socket.resume(),
  };
  test.each(Object.entries(ends))("is kept, when the connection has it %s", async (_name, then) => {
    const outcome = await ask(early(then), { target: upload });
    expect(told(outcome)).toBe("ok");
    expect(statusOf(outcome)).toBe(413);
    expect(bodyText(outcome)).toBe("big");
    expect(happened(outcome.phases)).toEqual(exchanged);
  });
  test("is not needed to fail: a peer that resets in the upload fails it in write", async () => {
    const outcome = await ask((socket) => socket.once("data", () => socket.resetAndDestroy()), {
      target: upload,
    });
    expect(told(outcome)).toBe("connection_reset in write");
    expect(happened(outcome.phases)).toEqual(["connect", "write"]);
  });
});

describe("a peer that drips", () => {
  const slow: Record<string, [script: Script, says: Told, status: number | null]> = {
    "a head without an end": [
      drips("HTTP/1.1 200 OK\r\n", "X: y\r\n"),
      "response_timeout in receive",
      null,
    ],
    "interim responses": [
      drips("HTTP/1.1 102 X\r\n\r\n", "HTTP/1.1 102 X\r\n\r\n", 200),
      "response_timeout in wait",
      null,
    ],
    "a body byte by byte": [
      drips("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x"),
      "body_timeout in receive",
      200,
    ],
    "chunks without an end": [
      drips(`${chunkedHead}\r\n`, "1\r\nx\r\n"),
      "body_timeout in receive",
      200,
    ],
    "trailers without an end": [
      drips(`${chunkedHead}\r\n0\r\n`, "X: y\r\n"),
      "body_timeout in receive",
      200,
    ],
  };
  // They wait together, for long enough that the head is read on a busy machine, too.
  test.concurrent.each(Object.entries(slow))(
    "%s ends at the deadline",
    async (_name, [script, says, status]) => {
      const outcome = await ask(script, { timeout: 1_000 });
      expect(told(outcome)).toBe(says);
      expect(statusOf(outcome)).toBe(status);
    },
  );
});
