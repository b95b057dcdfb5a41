import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { answers, onRequestHead, type Script, tcpPeer, tlsPeer } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";

async function check(...args: readonly string[]) {
  const io = captureIo();
  const code = await runCheck(args, io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

const ok = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

/** Answers and keeps what was asked. */
function listening(): { readonly script: Script; readonly heads: string[] } {
  const heads: string[] = [];
  const script = (socket: Socket): void =>
    onRequestHead(socket, (head) => {
      heads.push(head);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  return { script, heads };
}

describe("--resolve", () => {
  test("connects to the address that it names, and asks for the host as it was written", async () => {
    const { script, heads } = listening();
    await using peer = await tcpPeer(script);
    const { code, out, said } = await check(
      `http://shop.invalid:${peer.port}/`,
      "--resolve",
      `SHOP.invalid.:${peer.port}:127.0.0.1`,
    );
    expect({ code, said }).toEqual({ code: 0, said: "" });
    expect(heads[0]).toMatch(new RegExp(`^Host: shop\\.invalid:${peer.port}\r$`, "im"));
    expect(out).toMatch(/^ {2}Address {6}127\.0\.0\.1:\d+ connected /m);
    expect(out).not.toMatch(/^ {2}dns /m);
  });

  test("tries several addresses in their order, IPv6 with brackets or without", async () => {
    await using peer = await tcpPeer(ok);
    const { code, out } = await check(
      `tcp://shop.invalid:${peer.port}`,
      "--resolve",
      `shop.invalid:${peer.port}:[::1],127.0.0.1`,
    );
    expect(code).toBe(0);
    expect(out).toMatch(/Address {6}\[::1\]:\d+ .*\n {2}Address {6}127\.0\.0\.1:\d+ connected/);
  });

  test("is still judged by the guard: a metadata address is not dialled", async () => {
    const { code, out } = await check(
      "http://shop.invalid/",
      "--resolve",
      "shop.invalid:80:169.254.169.254",
      "--json",
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      failure: { code: "target_denied" },
      addresses: [{ address: "169.254.169.254", ended: "target_denied" }],
    });
  });

  test("holds for a redirect too, and says so if no target is meant", async () => {
    await using other = await tcpPeer(ok);
    await using peer = await tcpPeer(
      answers(
        `HTTP/1.1 302 X\r\nLocation: http://other.invalid:${other.port}/\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    const { code, said } = await check(
      `http://127.0.0.1:${peer.port}/`,
      "--resolve",
      `other.invalid:${other.port}:127.0.0.1`,
    );
    expect(code).toBe(0);
    expect(said).toMatch(
      /--resolve other\.invalid:\d+ matches no target, so it applies only to redirects/,
    );
  });
});

describe("--insecure", () => {
  test("accepts a certificate that is not trusted, and says what is wrong with it", async () => {
    const authority = await Authority.create();
    await using peer = await tlsPeer(await authority.issue({ altNames: ["other.test"] }), ok);
    const url = `https://localhost:${peer.port}/`;
    expect(await check(url, "-4")).toMatchObject({ code: 1 });
    const { code, out, said } = await check(url, "-4", "--insecure");
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}not verified, accepted as asked: the certificate/m);
    expect(said).toMatch(
      /warning: --insecure: a target's certificate that is not trusted is accepted/,
    );
    const json = JSON.parse((await check(url, "-4", "-k", "--json")).out);
    expect(json.tls.accepted_fault).toMatch(/certificate/);
    expect(json.remarks[0]).toContain(json.tls.accepted_fault);
  });

  test("says nothing of a certificate that is trusted", async () => {
    const authority = await Authority.create();
    const ca = path.join(temporaryFolder(), "ca.pem");
    writeFileSync(ca, authority.cert);
    await using peer = await tlsPeer(await authority.issue({ altNames: ["localhost"] }), ok);
    const { out } = await check(`https://localhost:${peer.port}/`, "-4", "-k", "--ca", ca);
    expect(out).not.toContain("not verified");
  });
});

describe("--user", () => {
  test("is sent as Basic authentication, and shown nowhere, also if the peer repeats it", async () => {
    const heads: string[] = [];
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        heads.push(head);
        const body = "you are me with planted-word";
        socket.end(`HTTP/1.1 401 X\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      }),
    );
    const url = `http://127.0.0.1:${peer.port}/`;
    const encoded = Buffer.from("me:planted-word").toString("base64");
    const texts = [
      await check(url, "-u", "me:planted-word", "--explain"),
      await check(url, "-u", "me:planted-word", "--explain", "--json"),
    ];
    expect(heads[0]).toContain(`Authorization: Basic ${encoded}\r\n`);
    for (const { out, said } of texts) {
      expect(out + said).not.toContain("planted-word");
      expect(out + said).not.toContain(encoded);
    }
  });
});

describe("--max-redirects", () => {
  const once = (socket: Socket): void =>
    onRequestHead(socket, (head) =>
      socket.end(
        head.startsWith("GET /old")
          ? "HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n"
          : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
      ),
    );

  test.each([
    ["0", 1, "More than 0 redirects, the last one to"],
    ["1", 0, "Redirected   1 time"],
  ])("%s", async (most, code, sentence) => {
    await using peer = await tcpPeer(once);
    const ended = await check(`http://127.0.0.1:${peer.port}/old`, "--max-redirects", most);
    expect(ended.code).toBe(code);
    expect(ended.out).toContain(sentence);
  });
});

describe("--dns-server", () => {
  test("is asked for the names of targets", async () => {
    await using peer = await tcpPeer(ok);
    await using server = await dnsServer(
      zone([{ type: "A", name: "shop.test", data: "127.0.0.1" }]),
    );
    const { code } = await check(
      `tcp://shop.test:${peer.port}`,
      "-4",
      "--dns-server",
      `127.0.0.1:${server.port}`,
    );
    expect(code).toBe(0);
  });
});

describe("a target without a scheme", () => {
  test.each(["shop.test:{port}", "shop.test:{port}/health?x=planted"])(
    "%s means https",
    async (typed) => {
      const authority = await Authority.create();
      const ca = path.join(temporaryFolder(), "ca.pem");
      writeFileSync(ca, authority.cert);
      await using peer = await tlsPeer(await authority.issue({ altNames: ["shop.test"] }), ok);
      const { code, out } = await check(
        typed.replace("{port}", `${peer.port}`),
        "--resolve",
        `shop.test:${peer.port}:127.0.0.1`,
        "--ca",
        ca,
      );
      expect(out).toContain(`https://shop.test:${peer.port}/`);
      expect(out).not.toContain("planted");
      expect(code).toBe(0);
    },
  );
});

describe("--assert of a latency or a certificate", () => {
  test("fails above the bound, and says what was received", async () => {
    await using peer = await tcpPeer((socket) =>
      onRequestHead(
        socket,
        () => void setTimeout(() => socket.end("HTTP/1.1 204 X\r\n\r\n"), 3_000),
      ),
    );
    const url = `http://127.0.0.1:${peer.port}/`;
    const { code, out } = await check(url, "-a", "latency lt 100ms", "-a", "certificate gte 1");
    expect(code).toBe(1);
    expect(out).toMatch(
      /assertion_failed in assertion: Assertion failed: latency lt 100 ms \(and 1 more\)/,
    );
    expect(out).toMatch(/✗ latency lt 100 ms, received "[\d]+ ± [\d.]+ ms"/);
    expect(out).toMatch(
      /✗ certificate days gte 1, received "no certificate: the answer came without TLS"/,
    );
  });

  test("holds within it: of the certificate, whole days", async () => {
    const authority = await Authority.create();
    const ca = path.join(temporaryFolder(), "ca.pem");
    writeFileSync(ca, authority.cert);
    await using peer = await tlsPeer(await authority.issue({ altNames: ["localhost"] }), ok);
    const target = [`https://localhost:${peer.port}/`, "-4", "--ca", ca];
    expect(
      await check(...target, "-a", "latency lte 60000", "-a", "certificate gt 14"),
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining("✓ certificate days gt 14"),
    });
    expect(await check(...target, "-a", "certificate gt 90")).toMatchObject({ code: 1 });
  });

  test.each([
    ["latency lt soon", /needs a duration, e\.g\. 500ms or 2s$/],
    ["latency gt 1s", /must compare by one of lt, lte$/],
    ["certificate gt 1d", /needs a number of days$/],
    ["certificate is 1", /must compare by one of eq, /],
  ])("%s is refused", async (rule, sentence) => {
    await expect(check("http://a", "-a", rule)).rejects.toThrow(sentence);
  });

  test("a certificate does not apply to a DNS target, a latency does", async () => {
    await expect(check("dns:a", "-a", "certificate gt 1")).rejects.toThrow(
      /does not apply to a DNS/,
    );
    await using server = await dnsServer(zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]));
    const target = `dns:a.test?server=127.0.0.1:${server.port}`;
    expect(await check(target, "-a", "latency lt 1m")).toMatchObject({ code: 0 });
  });
});
