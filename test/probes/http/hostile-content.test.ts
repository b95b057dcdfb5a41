import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { HttpOutcome } from "#check/outcome";
import { bytes, kibibytes } from "#base/units";
import { type Asking, ask, askAt, bodyText, statusOf } from "../../support/asking.ts";
import { Authority, type Identity } from "../../support/authority.ts";
import { told } from "../../support/timing-contract.ts";
import { answers, onRequestHead, type Script, tcpPeer, tlsPeer } from "../../servers/scripted.ts";

/** Bodies that do not decode, and redirects that lead nowhere. */

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

describe("an encoding", () => {
  const text = "hello ".repeat(2_000);
  const encoded = (
    coding: string,
    body: Uint8Array,
    max = bytes(1_000_000),
  ): Promise<HttpOutcome> =>
    ask(
      answers([
        `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
        Buffer.from(body),
      ]),
      { context: { bodyBytesMax: max } },
    );
  const codings = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  } as const;
  test.each(Object.entries(codings))(
    "%s that is cut off is decode_error",
    async (coding, encode) => {
      const outcome = await encoded(coding, encode(text).subarray(0, -5));
      expect(told(outcome)).toBe("decode_error in decode");
      expect(statusOf(outcome)).toBe(200);
    },
  );
  test.each(Object.entries(codings))(
    "%s that is something else is decode_error",
    async (coding) => {
      const outcome = await encoded(coding, Buffer.from("this is not compressed"));
      expect(told(outcome)).toBe("decode_error in decode");
    },
  );
  test.each(Object.entries(codings))("%s bombs stop at the limit", async (coding, encode) => {
    const bomb = encode(Buffer.alloc(4_000_000));
    const outcome = await encoded(coding, bomb, kibibytes(64));
    expect(told(outcome)).toBe("ok");
    expect(outcome.response).toMatchObject({ bodyCut: true, bodyBytesReceived: bomb.length });
    expect(outcome.response?.body).toHaveLength(65_536);
  });
  test("a brotli bomb of a few bytes stops at the limit", async () => {
    const bomb = brotliCompressSync(Buffer.alloc(4_000_000));
    expect(bomb.length).toBeLessThan(20);
    const outcome = await encoded("br", bomb, bytes(1_000));
    expect(outcome.response?.body).toHaveLength(1_000);
    expect(outcome.response?.bodyCut).toBe(true);
  });
  test("over another is undone in its order; a nested bomb stops at the limit too", async () => {
    expect(bodyText(await encoded("gzip, br", brotliCompressSync(gzipSync(text))))).toBe(text);
    const bomb = gzipSync(gzipSync(Buffer.alloc(4_000_000)));
    const outcome = await encoded("gzip, gzip", bomb, kibibytes(64));
    expect(outcome.response?.body.length).toBeLessThanOrEqual(65_536);
  });
  test("that is unknown, or that is there too often, is decode_error", async () => {
    expect(told(await encoded("rot13", Buffer.from("uryyb")))).toBe("decode_error in decode");
    const often = await encoded(Array(200).fill("gzip").join(", "), gzipSync(text));
    expect(told(often)).toBe("decode_error in decode");
  });
  test("of no body at all is nothing to decode", async () => {
    expect(told(await encoded("gzip", new Uint8Array()))).toBe("ok");
  });
  test("broken off by the peer is body_truncated, and its received part is kept", async () => {
    const body = gzipSync(text);
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
    const outcome = await ask(answers([head, body.subarray(0, 20)]));
    expect(told(outcome)).toBe("body_truncated in receive");
    expect(outcome.response).toMatchObject({ statusCode: 200, bodyBytesReceived: 20 });
  });
});

describe("a redirect", () => {
  /** Answers by path, and notes each request line with the Host that was asked. */
  function site(routes: Readonly<Record<string, string>>, asked: string[] = []): Script {
    return (socket) =>
      onRequestHead(socket, (head) => {
        const [, path = ""] = head.split(" ");
        asked.push(`${/^host: (.*)$/im.exec(head)?.[1]?.trim()}${path}`);
        socket.end(routes[path] ?? ok);
      });
  }
  const to = (location: string): string =>
    `HTTP/1.1 302 X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
  const statuses = ({ hops }: HttpOutcome): readonly (number | null)[] =>
    hops.map(({ statusCode }) => statusCode);

  test("to itself is a loop, and its status is kept", async () => {
    const outcome = await ask(site({ "/": to("/") }));
    expect(told(outcome)).toBe("too_many_redirects in receive");
    expect(statuses(outcome)).toEqual([302]);
    expect(statusOf(outcome)).toBe(302);
  });
  test("that differs only in its fragment is a loop", async () => {
    const outcome = await ask(site({ "/": to("/#elsewhere") }));
    expect(told(outcome)).toBe("too_many_redirects in receive");
    expect(outcome.hops).toHaveLength(1);
  });
  test("from A to B and back is a loop", async () => {
    const outcome = await ask(site({ "/": to("/b"), "/b": to("/") }));
    expect(told(outcome)).toBe("too_many_redirects in receive");
    expect(statuses(outcome)).toEqual([302, 302]);
  });
  test("between two hosts and back is a loop", async () => {
    let back = "";
    await using b = await tcpPeer((socket) => onRequestHead(socket, () => socket.end(back)));
    await using a = await tcpPeer(site({ "/": to(`http://127.0.0.1:${b.port}/`) }));
    back = to(`http://127.0.0.1:${a.port}/`);
    const outcome = await askAt(`http://127.0.0.1:${a.port}/`);
    expect(told(outcome)).toBe("too_many_redirects in receive");
    expect(outcome.addresses.map(({ port }) => port)).toEqual([a.port, b.port]);
  });
  const relative: Record<string, string> = {
    "b?c=d": "/x/b?c=d",
    "./b": "/x/b",
    "../b": "/b",
    "?c": "/x/a?c",
    "/b": "/b",
    "  /b  ": "/b",
    "/b#part": "/b",
  };
  test.each(Object.entries(relative))(
    'to "%s" is taken from where it was found',
    async (location, path) => {
      const asked: string[] = [];
      await using peer = await tcpPeer(site({ "/x/a": to(location) }, asked));
      const outcome = await askAt(`http://127.0.0.1:${peer.port}/x/a`);
      expect(told(outcome)).toBe("ok");
      expect(asked[1]).toBe(`127.0.0.1:${peer.port}${path}`);
    },
  );
  test("to //host keeps the scheme and asks the other host", async () => {
    const asked: string[] = [];
    await using other = await tcpPeer(site({}, asked));
    const outcome = await ask(site({ "/": to(`//localhost:${other.port}/x`) }));
    expect(told(outcome)).toBe("ok");
    expect(asked).toEqual([`localhost:${other.port}/x`]);
  });
  test("without a Location is judged as it is", async () => {
    const none = await ask(answers("HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n"));
    expect([told(none), statusOf(none)]).toEqual(["ok", 302]);
  });
  test.each(["http://[::1", "http://a b/", "javascript:alert(1)", "file:///etc/passwd", "http://"])(
    "to %s is a protocol error, with the status kept",
    async (location) => {
      const outcome = await ask(answers(to(location)));
      expect(told(outcome)).toBe("protocol_error in receive");
      expect(statusOf(outcome)).toBe(302);
    },
  );
  test("to a host that does not exist fails in dns, and keeps the hop before it", async () => {
    const outcome = await ask(answers(to("http://nowhere.test/")));
    expect(told(outcome)).toBe("dns_nxdomain in dns");
    expect(statuses(outcome)).toEqual([302, null]);
    expect(outcome.response).toBeNull();
  });
  test("does not wait for a body that is not read", async () => {
    const asked: string[] = [];
    const routes = { "/": "HTTP/1.1 302 X\r\nLocation: /b\r\nContent-Length: 1000000\r\n\r\nx" };
    const outcome = await ask((socket) =>
      onRequestHead(socket, (head) => {
        asked.push(head);
        if (head.startsWith("GET / ")) socket.write(routes["/"]);
        else socket.end(ok);
      }),
    );
    expect(told(outcome)).toBe("ok");
    expect(statuses(outcome)).toEqual([302, 200]);
  });

  describe("between http and https", () => {
    let authority: Authority;
    let identity: Identity;
    let trusting: Asking;
    beforeAll(async () => {
      authority = await Authority.create();
      identity = await authority.issue();
      trusting = { context: { ca: authority.cert } };
    });
    test("is followed down, and what was known of the TLS connection is of no use any more", async () => {
      await using plain = await tcpPeer(answers(ok));
      const script = answers(to(`http://localhost:${plain.port}/`));
      await using secure = await tlsPeer(identity, script);
      const outcome = await askAt(`https://localhost:${secure.port}/`, trusting);
      expect(told(outcome)).toBe("ok");
      expect(outcome.hops.map(({ phases }) => phases.tls === null)).toEqual([false, true]);
      expect(outcome.tls).toBeNull();
    });
    test("is followed up, and the certificate of the last host is the one described", async () => {
      await using secure = await tlsPeer(identity, answers(ok));
      await using plain = await tcpPeer(answers(to(`https://localhost:${secure.port}/`)));
      const outcome = await askAt(`http://localhost:${plain.port}/`, trusting);
      expect(told(outcome)).toBe("ok");
      expect(outcome.tls?.certificate?.subject).toBe("CN=localhost");
    });
  });
});
