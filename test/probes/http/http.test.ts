import {
  gzipSync,
  brotliCompressSync,
  constants,
  deflateSync,
  deflateRawSync,
  zstdCompressSync,
} from "node:zlib";
import { createServer } from "node:http";
import http2 from "node:http2";
import { createSecureContext } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import type { HttpOutcome } from "#check/outcome";
import { probeHttp } from "#probes/http/http";
import { bytes } from "#base/units";
import { Authority } from "../../support/authority.ts";
import { attempt, contextWith, happened, httpTarget, sumOf } from "../../support/probing.ts";
import {
  answers,
  closedPort,
  onRequestHead,
  type Script,
  tcpPeer,
  tlsPeer,
} from "../../servers/scripted.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const bodyText = (outcome: HttpOutcome): string =>
  Buffer.from(outcome.response?.body ?? []).toString();
const chunked = (...chunks: string[]): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.map((c) => `${c.length.toString(16)}\r\n${c}\r\n`).join("")}0\r\n\r\n`;

async function get(
  script: Script,
  more: Parameters<typeof httpTarget>[1] = {},
  timeout = 5_000,
): Promise<HttpOutcome> {
  await using peer = await tcpPeer(script);
  return await attempt(
    probeHttp,
    httpTarget(`http://127.0.0.1:${peer.port}/path?q=secret`, more),
    contextWith(),
    timeout,
  );
}

/** Every outcome keeps the timing contract, whatever happened. */
function expectContract(outcome: HttpOutcome): void {
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
  expect(outcome.failure?.message ?? "").not.toContain("secret");
}

describe("a plain request", () => {
  test("asks for no end of the connection: a server keeps it open, and it is we who end it", async () => {
    const ended = Promise.withResolvers<string | undefined>();
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      request.socket.once("end", () => ended.resolve(request.headers.connection));
      response.end("ok");
    });
    const port = await listenLocally(server);
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://127.0.0.1:${port}/`),
      contextWith(),
      5_000,
    );
    expect([outcome.failure, await ended.promise]).toEqual([null, undefined]);
    server.close();
  });

  test("is sent as configured: method, order of headers, body, default user agent and content type", async () => {
    let head = "";
    await get(
      (socket) =>
        onRequestHead(socket, (seen) => {
          head = seen;
          socket.end(ok);
        }),
      {
        method: "POST",
        body: "{}",
        headers: [
          { key: "X-B", value: "2" },
          { key: "X-A", value: "1" },
        ],
      },
    );
    expect(head).toMatch(/^POST \/path\?q=secret HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/i);
    expect(head).toMatch(/X-B: 2\r\nX-A: 1\r\n/i);
    expect(head).toMatch(/user-agent: picket\/test\r\n/i);
    expect(head).toMatch(/content-type: application\/json\r\n/i);
    expect(head).toMatch(/content-length: 2\r\n/i);
  });

  test("is the same each time, whatever is kept of it, and says whose it is", async () => {
    const heads: string[] = [];
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (seen) => {
        heads.push(seen);
        socket.end(ok);
      }),
    );
    const target = httpTarget(`http://127.0.0.1:${peer.port}/`);
    for (const userAgent of ["one", "one", "other"])
      await attempt(probeHttp, target, contextWith({ userAgent }), 5_000);
    const [first = "", second, third] = heads;
    expect(first).toMatch(/user-agent: one\r\n/i);
    expect(second).toBe(first);
    expect(third).toBe(first.replace("one", "other"));
  });

  test.each([
    ["POST", "", "application/json"],
    ["POST", "{}", "application/json"],
    ["PUT", "{}", "application/json"],
    ["PATCH", "{}", "application/json"],
    ["PUT", "", null],
    ["GET", "", null],
  ] as const)(
    "%s with the body %j has the content type %j by itself",
    async (method, body, type) => {
      let head = "";
      await get(
        (socket) =>
          onRequestHead(socket, (seen) => {
            head = seen;
            socket.end(ok);
          }),
        { method, body },
      );
      expect(/^content-type: (.*)\r$/im.exec(head)?.[1] ?? null).toBe(type);
    },
  );

  test("sends a header's value beyond ASCII as UTF-8", async () => {
    let head = "";
    await get(
      (socket) =>
        onRequestHead(socket, (seen) => {
          head = seen;
          socket.end(ok);
        }),
      { headers: [{ key: "X-Name", value: "Zoë 東京" }] },
    );
    const value = /^x-name: (.*)\r$/im.exec(head)?.[1] ?? "";
    const bytes = (text: string, encoding: "latin1" | "utf8"): string =>
      Buffer.from(text, encoding).toString("hex");
    expect([bytes(value, "latin1"), bytes(value, "utf8")]).toContain(bytes("Zoë 東京", "utf8"));
  });

  test("takes user-info of the URL as Basic auth and lets Host be set", async () => {
    let head = "";
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (seen) => {
        head = seen;
        socket.end(ok);
      }),
    );
    const url = `http://us%40er:pa%ss@127.0.0.1:${peer.port}/`;
    await attempt(
      probeHttp,
      httpTarget(url, { headers: [{ key: "Host", value: "example.test" }] }),
    );
    expect(head).toMatch(/host: example\.test\r\n/i);
    expect(head).toContain(`Basic ${Buffer.from("us@er:pa%ss").toString("base64")}`);
  });

  test("sends header values as UTF-8, as other clients do", async () => {
    let head = "";
    await get(
      (socket) =>
        onRequestHead(socket, (seen) => {
          head = seen;
          socket.end(ok);
        }),
      { headers: [{ key: "X-Name", value: "caf\u00e9" }] },
    );
    expect(Buffer.from(head, "latin1").toString()).toContain("X-Name: caf\u00e9\r\n");
  });

  test("keeps the timing contract: what did not happen is null, the rest sums to the total", async () => {
    const outcome = await get(answers(ok));
    expect(outcome.failure).toBeNull();
    expect(outcome.response?.statusCode).toBe(200);
    expect(outcome.response?.version).toBe("1.1");
    expect(bodyText(outcome)).toBe("ok");
    expect(happened(outcome.phases)).toEqual(["connect", "write", "wait", "receive"]);
    expectContract(outcome);
    expect(outcome.hops).toHaveLength(1);
    expect(outcome.hops[0]?.url).not.toContain("secret");
    expect(outcome.addresses).toMatchObject([{ address: "127.0.0.1", ended: "connected" }]);
  });

  test.each(["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)(
    "%s goes out as such",
    async (method) => {
      let head = "";
      const outcome = await get(
        (socket) =>
          onRequestHead(socket, (seen) => {
            head = seen;
            socket.end("HTTP/1.1 204 No Content\r\n\r\n");
          }),
        { method },
      );
      expect(head.startsWith(`${method} `)).toBe(true);
      expect(outcome.failure).toBeNull();
    },
  );

  test("a data: body with content type application/octet-stream is sent decoded", async () => {
    const received: Buffer[] = [];
    await get(
      (socket) =>
        socket.on("data", (chunk: Buffer) => {
          received.push(chunk);
          if (Buffer.concat(received).includes("\x00\x01\xff")) socket.end(ok);
          else if (Buffer.concat(received).includes(Buffer.from([0, 1, 255]))) socket.end(ok);
        }),
      {
        method: "POST",
        body: `data:application/octet-stream;base64,${Buffer.from([0, 1, 255]).toString("base64")}`,
        headers: [{ key: "Content-Type", value: "application/octet-stream" }],
      },
    );
    expect(Buffer.concat(received).subarray(-3)).toEqual(Buffer.from([0, 1, 255]));
  });
});

describe("framing", () => {
  const good: Record<string, [Script, string]> = {
    chunked: [answers(chunked("he", "llo")), "hello"],
    "chunked with trailers": [
      answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n"),
      "ok",
    ],
    "bytes after Content-Length": [answers(`${ok}garbage`), "ok"],
    "HTTP/1.0 until close": [answers("HTTP/1.0 200 OK\r\n\r\nuntil close"), "until close"],
    "an 18 KiB header": [
      answers(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(18_432)}\r\nContent-Length: 2\r\n\r\nok`),
      "ok",
    ],
    "103 before 200": [answers(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`), "ok"],
    "Content-Length then close": [answers(ok, "keep"), "ok"],
  };
  test.each(Object.entries(good))("%s is read whole", async (_name, [script, body]) => {
    const outcome = await get(script);
    expect(outcome.failure).toBeNull();
    expect(bodyText(outcome)).toBe(body);
    expectContract(outcome);
  });

  test("HTTP/1.0 is named as such, and interim responses are kept apart", async () => {
    expect((await get(answers("HTTP/1.0 200 OK\r\n\r\n"))).response?.version).toBe("1.0");
    expect(
      (await get(answers(`HTTP/1.1 103 Early Hints\r\n\r\n${ok}`))).response?.informational,
    ).toEqual([103]);
  });

  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ] as const)("%s %i with a Content-Length waits for no body", async (method, status) => {
    const outcome = await get(
      answers(`HTTP/1.1 ${status} X\r\nContent-Length: 100\r\n\r\n`, "keep"),
      { method },
    );
    expect(outcome.failure).toBeNull();
    expect(outcome.response?.statusCode).toBe(status);
  });

  const bad: Record<string, [Script, string, string]> = {
    "a short body": [
      answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"),
      "body_truncated",
      "receive",
    ],
    "a reset mid-body": [
      answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok", "reset"),
      "body_truncated",
      "receive",
    ],
    "a reset in a body that ends with the connection": [
      answers("HTTP/1.1 200 OK\r\n\r\nok", "reset"),
      "body_truncated",
      "receive",
    ],
    "a close in the head": [answers("HTTP/1.1 200 OK\r\nContent-"), "headers_truncated", "receive"],
    "a close without a byte": [answers([]), "empty_reply", "wait"],
    "a reset after the request": [answers([], "reset"), "connection_reset", "wait"],
    "a chunk size that overflows": [
      answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n"),
      "protocol_error",
      "receive",
    ],
    "HTTP/0.9": [answers("<html>hello</html>"), "protocol_error", "receive"],
    "a header without a colon": [
      answers("HTTP/1.1 200 OK\r\nbroken\r\n\r\n"),
      "protocol_error",
      "receive",
    ],
    "a NUL in a header": [
      answers("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n"),
      "protocol_error",
      "receive",
    ],
    "a head over 300 KiB": [
      answers(`HTTP/1.1 200 OK\r\n${`X: ${"x".repeat(1000)}\r\n`.repeat(400)}\r\n`),
      "headers_too_large",
      "receive",
    ],
    "101 that no one asked for": [
      answers("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      "protocol_error",
      "receive",
    ],
  };
  test.each(Object.entries(bad))("%s is named", async (_name, [script, code, phase]) => {
    const outcome = await get(script);
    expect(outcome.failure).toMatchObject({ code, phase });
    expectContract(outcome);
  });

  test("a truncated body keeps the status", async () => {
    const outcome = await get(answers("HTTP/1.1 503 X\r\nContent-Length: 10\r\n\r\nok"));
    expect(outcome.failure?.code).toBe("body_truncated");
    expect(outcome.response?.statusCode).toBe(503);
  });
});

describe("time", () => {
  const slow: Record<string, [Script, string, string]> = {
    "a peer that accepts and keeps silent": [() => {}, "response_timeout", "wait"],
    "a head that drips": [answers("HTTP/1.1 200 OK\r\nX: ", "keep"), "response_timeout", "receive"],
    "a body that stops": [
      answers("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "keep"),
      "body_timeout",
      "receive",
    ],
  };
  test.each(Object.entries(slow))(
    "%s ends at the deadline, in its phase",
    async (_name, [script, code, phase]) => {
      const outcome = await get(script, {}, 200);
      expect(outcome.failure).toMatchObject({ code, phase });
      expect(outcome.failure?.message).toMatch(/^Timeout after 200 ms /);
      expect(outcome.phases[phase === "wait" ? "wait" : "receive"]).toBeGreaterThan(0);
      expectContract(outcome);
    },
  );
});

describe("encodings", () => {
  const text = "hello ".repeat(200);
  const encoders = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  } as const;
  const encoded = (coding: string, body: Buffer): Script =>
    answers([
      `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
      body,
    ]);
  test.each(Object.entries(encoders))("%s is decoded", async (coding, encode) => {
    const outcome = await get(encoded(coding, encode(text)));
    expect(outcome.failure).toBeNull();
    expect(bodyText(outcome)).toBe(text);
    expect(outcome.response?.bodyBytesReceived).toBe(encode(text).length);
  });
  test("bare deflate is decoded too", async () => {
    expect(bodyText(await get(encoded("deflate", deflateRawSync(text))))).toBe(text);
  });
  test("what does not decode is decode_error, with the status kept", async () => {
    const outcome = await get(encoded("gzip", Buffer.from("not gzip")));
    expect(outcome.failure).toMatchObject({ code: "decode_error", phase: "decode" });
    expect(outcome.response?.statusCode).toBe(200);
  });
  test("a bomb stops at the limit", async () => {
    // As small as by the usual quality, which takes a second and a half.
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    const bomb = brotliCompressSync(Buffer.alloc(50_000_000), quick);
    await using peer = await tcpPeer(encoded("br", bomb));
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://127.0.0.1:${peer.port}/`),
      contextWith({ bodyBytesMax: bytes(1000) }),
    );
    expect(outcome.response?.body).toHaveLength(1000);
    expect(outcome.response?.bodyCut).toBe(true);
    expect(outcome.failure).toBeNull();
  });
  test("a plain body over the limit is cut", async () => {
    await using peer = await tcpPeer(
      answers(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${"x".repeat(5000)}`),
    );
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://127.0.0.1:${peer.port}/`),
      contextWith({ bodyBytesMax: bytes(1000) }),
    );
    expect(outcome.response?.body).toHaveLength(1000);
    expect(outcome.response?.bodyCut).toBe(true);
  });
});

describe("redirects", () => {
  /** Answers by path, and notes each request head. */
  function site(routes: Readonly<Record<string, string>>, heads: string[] = []): Script {
    return (socket) =>
      onRequestHead(socket, (head) => {
        heads.push(head);
        const path = head.split(" ")[1] ?? "";
        socket.end(routes[path] ?? ok);
      });
  }
  const to = (location: string, status = 302): string =>
    `HTTP/1.1 ${status} X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;

  test("are followed over fresh connections, each hop kept apart, and the whole sums up", async () => {
    const outcome = await get(site({ "/path?q=secret": to("/b?token=secret") }));
    expect(outcome.response?.statusCode).toBe(200);
    expect(outcome.hops.map(({ statusCode }) => statusCode)).toEqual([302, 200]);
    expect(outcome.addresses).toHaveLength(2);
    const ofHops = sumOf(outcome.hops[0]!.phases) + sumOf(outcome.hops[1]!.phases);
    expect(ofHops + (outcome.own ?? 0)).toBe(outcome.total);
    expectContract(outcome);
  });
  test("are judged themselves when not followed", async () => {
    const outcome = await get(site({ "/path?q=secret": to("/b") }), { followRedirects: false });
    expect(outcome.response?.statusCode).toBe(302);
    expect(outcome.hops).toHaveLength(1);
  });
  test.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ] as const)("%i after POST asks by %s", async (status, method) => {
    const heads: string[] = [];
    await get(site({ "/path?q=secret": to("/b", status) }, heads), { method: "POST", body: "{}" });
    expect(heads[1]?.startsWith(`${method} /b`)).toBe(true);
    expect(/content-length: 2/i.test(heads[1] ?? "")).toBe(method === "POST");
  });
  test("to another origin lose Host and what is named like a credential, and say which", async () => {
    const heads: string[] = [];
    await using other = await tcpPeer(site({}, heads));
    const private_ = ["Authorization", "Cookie", "X-Api-Key", "X-Session", "my-token", "XAuth"];
    const outcome = await get(site({ "/path?q=secret": to(`http://localhost:${other.port}/x`) }), {
      headers: [...private_, "Host", "X-Kept", "Author"].map((key) => ({ key, value: "planted" })),
    });
    expect(heads[0]).toMatch(/host: localhost:/i);
    expect(heads[0]?.match(/planted/g)).toHaveLength(2);
    expect(outcome.hops.map(({ leftBehind }) => leftBehind)).toEqual([[], private_]);
  });
  test("to the same origin keep every header", async () => {
    const heads: string[] = [];
    const outcome = await get(site({ "/path?q=secret": to("/b") }, heads), {
      headers: [{ key: "X-Api-Key", value: "planted" }],
    });
    expect(heads[1]).toContain("planted");
    expect(outcome.hops[1]?.leftBehind).toEqual([]);
  });
  test("in bytes of UTF-8 are asked for as browsers do, in the path and in the host", async () => {
    const heads: string[] = [];
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        heads.push(head);
        const location = `http://caf\u00e9.test:${peer.port}/caf\u00e9`;
        socket.end(heads.length === 1 ? Buffer.from(to(location)) : ok);
      }),
    );
    const names = { "xn--caf-dma.test": ["127.0.0.1"] };
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://127.0.0.1:${peer.port}/`),
      contextWith({ names }),
    );
    expect(outcome.failure).toBeNull();
    expect(heads[1]).toMatch(/^GET \/caf%C3%A9 HTTP\/1\.1\r\nHost: xn--caf-dma\.test:/);
  });
  test("that loop end as too_many_redirects", async () => {
    const outcome = await get(site({ "/path?q=secret": to("/b"), "/b": to("/path?q=secret") }));
    expect(outcome.failure).toMatchObject({ code: "too_many_redirects" });
    expectContract(outcome);
  });
  test("beyond ten end as too_many_redirects", async () => {
    let count = 0;
    const outcome = await get((socket) =>
      onRequestHead(socket, () => socket.end(to(`/${(count += 1)}`))),
    );
    expect(outcome.failure).toMatchObject({ code: "too_many_redirects" });
    expect(count).toBe(11);
  });
  test("without a Location are judged as they are; to another scheme they are a protocol error", async () => {
    expect(
      (await get(answers("HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n"))).response?.statusCode,
    ).toBe(302);
    expect((await get(answers(to("ftp://example.test/")))).failure?.code).toBe("protocol_error");
  });
});

describe("TLS", () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await Authority.create();
  });
  async function secure(
    identity: { cert: string; key: string },
    options: object = {},
    host = "localhost",
  ): Promise<HttpOutcome> {
    await using peer = await tlsPeer({ ...identity, ...options }, answers(ok));
    return await attempt(
      probeHttp,
      httpTarget(`https://${host}:${peer.port}/`),
      contextWith({ ca: authority.cert }),
    );
  }
  const day = 86_400_000;

  test("the dot that ends an absolute name is neither sent nor looked for in the certificate", async () => {
    const identity = await authority.issue();
    const asked: unknown[] = [];
    let head = "";
    await using peer = await tlsPeer(
      {
        ...identity,
        SNICallback: (name, callback) => {
          asked.push(name);
          callback(null, createSecureContext(identity));
        },
      },
      (socket) =>
        onRequestHead(socket, (seen) => {
          head = seen;
          socket.end(ok);
        }),
    );
    const outcome = await attempt(
      probeHttp,
      httpTarget(`https://localhost.:${peer.port}/`),
      contextWith({ ca: authority.cert, names: { "localhost.": ["127.0.0.1"] } }),
    );
    expect(outcome.failure).toBeNull();
    expect(asked).toEqual(["localhost"]);
    expect(outcome.tls?.serverName).toBe("localhost");
    expect(head).toMatch(/\r\nHost: localhost\.:/);
  });
  test("a trusted peer is checked and described", async () => {
    const outcome = await secure(await authority.issue());
    expect(outcome.failure).toBeNull();
    expect(happened(outcome.phases)).toEqual(["dns", "connect", "tls", "write", "wait", "receive"]);
    expect(outcome.tls).toMatchObject({ protocol: "TLSv1.3", serverName: "localhost" });
    expect(outcome.tls?.certificate).toMatchObject({
      subject: "CN=localhost",
      issuer: "CN=Picket test authority",
      altNames: ["localhost", "127.0.0.1"],
    });
    expectContract(outcome);
  });
  test("an address is checked against the certificate's addresses", async () => {
    expect((await secure(await authority.issue(), {}, "127.0.0.1")).failure).toBeNull();
    expect(
      (await secure(await authority.issue({ altNames: ["localhost"] }), {}, "127.0.0.1")).failure
        ?.code,
    ).toBe("tls_hostname");
  });
  test("a certificate without alternative names is its subject's", async () => {
    expect((await secure(await authority.issue({ altNames: [] }))).failure).toBeNull();
    const other = await secure(await authority.issue({ altNames: [], name: "other.test" }));
    expect(other.failure?.code).toBe("tls_hostname");
  });
  const refused: Record<string, [() => Promise<{ cert: string; key: string }>, string]> = {
    "an expired certificate": [
      () =>
        authority.issue({
          validFrom: new Date(Date.now() - 9 * day),
          validTo: new Date(Date.now() - day),
        }),
      "tls_expired",
    ],
    "one that is not valid yet": [
      () => authority.issue({ validFrom: new Date(Date.now() + day) }),
      "tls_not_yet_valid",
    ],
    "one for another name": [() => authority.issue({ altNames: ["other.test"] }), "tls_hostname"],
    "a self-signed one": [() => Authority.selfSigned(), "tls_self_signed"],
    "one of an unknown authority": [
      async () => (await Authority.create("Stranger")).issue(),
      "tls_untrusted",
    ],
  };
  test.each(Object.entries(refused))(
    "%s is refused by its own code, and still described",
    async (_name, [identity, code]) => {
      const outcome = await secure(await identity());
      expect(outcome.failure).toMatchObject({ code, phase: "tls" });
      expect(outcome.tls?.certificate?.fingerprint256).toMatch(/^[0-9A-F:]{95}$/);
      expect(outcome.phases.connect).not.toBeNull();
      expect(outcome.response).toBeNull();
      expectContract(outcome);
    },
  );
  test("a peer that wants a client certificate says so by an alert", async () => {
    const outcome = await secure(await authority.issue(), {
      requestCert: true,
      rejectUnauthorized: true,
    });
    expect(outcome.failure).toMatchObject({ code: "tls_alert" });
    expectContract(outcome);
  });
  test("a TLS 1.0-only peer shares no protocol", async () => {
    const outcome = await secure(await authority.issue(), {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    expect(outcome.failure).toMatchObject({ code: "tls_protocol", phase: "tls" });
  });
  test("a plain peer on a TLS port is not_tls, a silent one tls_timeout, a closing one tls_closed", async () => {
    const over = async (script: Script, timeout: number): Promise<HttpOutcome> => {
      await using peer = await tcpPeer(script);
      return await attempt(
        probeHttp,
        httpTarget(`https://localhost:${peer.port}/`),
        contextWith({ ca: authority.cert }),
        timeout,
      );
    };
    const plain = await over(
      (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      5_000,
    );
    expect(plain.failure).toMatchObject({ code: "not_tls", phase: "tls" });
    const silent = await over(() => {}, 200);
    expect(silent.failure).toMatchObject({ code: "tls_timeout", phase: "tls" });
    expect(silent.phases.connect).not.toBeNull();
    expect(silent.phases.tls).toBeGreaterThan(0);
    const closing = await over((socket) => socket.once("data", () => socket.end()), 5_000);
    expect(closing.failure).toMatchObject({ code: "tls_closed", phase: "tls" });
  });
  test("HTTP/2 is spoken where ALPN gives it, and can be switched off", async () => {
    const server = http2.createSecureServer({ ...(await authority.issue()), allowHTTP1: true });
    server.on("request", (request, response) => response.end(request.httpVersion));
    const port = await listenLocally(server);
    const target = httpTarget(`https://localhost:${port}/`);
    const h2 = await attempt(probeHttp, target, contextWith({ ca: authority.cert }));
    const h1 = await attempt(probeHttp, target, contextWith({ ca: authority.cert, http2: false }));
    expect([h2.response?.version, bodyText(h2), h2.tls?.alpn]).toEqual(["2", "2.0", "h2"]);
    expect([h1.response?.version, bodyText(h1)]).toEqual(["1.1", "1.1"]);
    expect(happened(h2.phases)).toEqual(["dns", "connect", "tls", "write", "wait", "receive"]);
    expectContract(h2);
    server.close();
  });
});

describe("connecting", () => {
  test("to a closed port is connection_refused", async () => {
    const outcome = await attempt(probeHttp, httpTarget(`http://127.0.0.1:${await closedPort()}/`));
    expect(outcome.failure).toMatchObject({ code: "connection_refused", phase: "connect" });
    expect(outcome.addresses).toMatchObject([{ ended: "connection_refused" }]);
    expectContract(outcome);
  });
  test("falls to the next address when one refuses, and keeps both", async () => {
    await using peer = await tcpPeer(answers(ok));
    const context = contextWith({ names: { "two.test": ["127.0.0.2", "127.0.0.1"] } });
    const outcome = await attempt(probeHttp, httpTarget(`http://two.test:${peer.port}/`), context);
    expect(outcome.failure).toBeNull();
    expect(outcome.addresses).toMatchObject([
      { address: "127.0.0.2", ended: "connection_refused" },
      { address: "127.0.0.1", ended: "connected" },
    ]);
  });
  test("a name that does not exist fails in dns", async () => {
    const outcome = await attempt(probeHttp, httpTarget("http://nowhere.test/"));
    expect(outcome.failure).toMatchObject({ code: "dns_nxdomain", phase: "dns" });
    expect(happened(outcome.phases)).toEqual(["dns"]);
  });
});
