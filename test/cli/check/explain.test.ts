import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { Authority } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { dnsServer, misbehaviours, zone } from "../../servers/dns-server.ts";
import { http2Peer } from "../../servers/http2-peer.ts";
import {
  answers,
  closedPort,
  onRequestHead,
  type Script,
  tcpPeer,
} from "../../servers/scripted.ts";

async function explain(...args: readonly string[]): Promise<string> {
  const io = captureIo();
  await runCheck([...args, "--explain"], io);
  return io.written.stdout();
}

const ok = answers("HTTP/1.1 200 OK\r\nX-Mine: 1\r\nContent-Length: 2\r\n\r\nok");

/** What a person is shown of the exchanges with a peer that does this. */
async function explained(script: Script, ...args: readonly string[]): Promise<string> {
  await using peer = await tcpPeer(script);
  const out = await explain(`http://127.0.0.1:${peer.port}/x`, ...args);
  return out.slice(out.indexOf("  exchange 1: "));
}

describe("check --explain", () => {
  test("shows the request and the response as they went over the wire, on success too", async () => {
    const out = await explained(ok, "-X", "POST", "-d", "{}");
    expect(out.replaceAll(/:\d{4,5}/g, ":0")).toBe(`  exchange 1: 127.0.0.1:0 over HTTP/1.1
  > POST /x HTTP/1.1
  > Host: 127.0.0.1:0
  > User-Agent: picket/0.1.0
  > Content-Type: application/json
  > Content-Length: 2
  and a body of 2 bytes
  < HTTP/1.1 200 OK
  < X-Mine: 1
  < Content-Length: 2
  body: 2 bytes
  | ok
`);
  });

  test("shows nothing of it unasked", async () => {
    await using peer = await tcpPeer(ok);
    const io = captureIo();
    await runCheck([`http://127.0.0.1:${peer.port}/`], io);
    await runCheck([`http://127.0.0.1:${peer.port}/`, "--json"], io);
    expect(io.written.stdout()).not.toMatch(/exchange|X-Mine: 1/);
  });

  test("shows no secret, neither one that was sent nor one that came, nor an echo of them", async () => {
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        expect(head).toContain("planted");
        if (head.startsWith("GET /a"))
          return socket.end(
            "HTTP/1.1 302 Found\r\nLocation: /b?next=planted-e\r\nSet-Cookie: s=planted-f\r\n\r\n",
          );
        const key = /planted-key-\w+/.exec(head)?.[0] ?? "";
        // The end of what is shown falls into the last echo.
        const body = `${head}\n{"k":"${key}"}\n`.padEnd(1024 - 12, ".") + key;
        return socket.end(
          `HTTP/1.1 500 X\r\nX-Echo: ${key}\r\nSet-Cookie: s=planted-g\r\n\r\n${body}`,
        );
      }),
    );
    const url = `http://planted-u:planted%2Dp@127.0.0.1:${peer.port}/a?t=planted-q`;
    const secrets = ["Authorization: Bearer planted-b", "X-Key: planted-key-0123456789"];
    const headers = [...secrets, "Cookie: s=planted-c"].flatMap((header) => ["-H", header]);
    const out = await explain(url, ...headers);
    expect(out).not.toContain("planted");
    expect(out).toMatch(/^ {2}> GET \/a\?\[removed\] HTTP\/1\.1$/m);
    expect(out).toMatch(/^ {2}< Location: \/b\?\[removed\]$/m);
    expect(out).toMatch(/^ {2}< X-Echo: \[removed\]$/m);
    expect(out).toMatch(/^ {2}\| \{"k":"\[removed\]"\}/m);
    expect(out).toMatch(/^ {2}\| \.+\[removed\]$/m);
    const json = JSON.parse(await explain(url, ...headers, "--json"));
    expect(json.exchanges).toHaveLength(2);
    expect(JSON.stringify(json.exchanges)).not.toContain("planted");
    expect(json.exchanges[0]).toMatchObject({
      kind: "http",
      request: { line: "GET /a?[removed] HTTP/1.1" },
      responses: [{ line: "HTTP/1.1 302 Found", headers: expect.any(Array) }],
    });
  });

  test("shows the first KiB of a body and says how long it is", async () => {
    const body = "a".repeat(5_000);
    const out = await explained(answers(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${body}`));
    expect(out).toContain("body: 5000 bytes, the first 1024\n");
    expect(/a{10,}/.exec(out)?.[0]).toHaveLength(1024);
  });

  test("shows a binary body in hex, and takes the framing away", async () => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n";
    const out = await explained(
      answers([head, Buffer.of(0, 1, 0xfe, 0x41), "\r\n0\r\n\r\n"], "keep"),
    );
    expect(out).toMatch(/^ {2}body: 4 bytes\n {2}\| 0000 {2}00 01 fe 41 +\.\.\.A$/m);
  });

  test("shows every interim response as it came", async () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: </a?b=c>\r\n\r\n";
    const out = await explained(answers(`${interim}HTTP/1.1 204 X\r\n\r\n`));
    expect(out).toMatch(
      /< HTTP\/1\.1 100 Continue\n {2}< HTTP\/1\.1 103 Early\n {2}< Link: <\/a\?\[removed\]>\n {2}< HTTP\/1\.1 204 X\n$/,
    );
  });

  test("shows what is not HTTP, and lets it do nothing to the terminal", async () => {
    const out = await explained(answers("SSH-2.0-x\r\n\x1b[2Jforged\n"));
    expect(out).toContain("  not a whole response: 22 bytes\n  < SSH-2.0-x\n  < \\x1b[2Jforged\n");
    const alert = await explained(answers(Buffer.of(0x15, 3, 1, 0, 2, 2, 70)));
    expect(alert).toMatch(/^ {2}< 0000 {2}15 03 01 00 02 02 46 /m);
  });

  test("shows the received part of a response that broke off, in its head and in its body", async () => {
    const head = await explained(
      answers("HTTP/1.1 200 OK\r\nSet-Cookie: s=planted\r\n ,planted\r\nServer: x"),
    );
    expect(head).toContain("  < HTTP/1.1 200 OK\n  < Set-Cookie: [removed]\n  < Server: x\n");
    expect(head).not.toContain("planted");
    const body = await explained(
      answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n"),
    );
    expect(body).toContain("  body: 14 bytes\n  | 5\n  | hello\n  | zz\n");
  });

  test("says that no response came, or that nothing was exchanged at all", async () => {
    expect(await explained((socket) => onRequestHead(socket, () => socket.end()))).toMatch(
      /no response came\n$/,
    );
    expect(await explain(`http://127.0.0.1:${await closedPort()}/`)).toMatch(
      /\n\n {2}No text was exchanged: no request or query was sent\.\n$/,
    );
  });

  test("shows the exchange of the reported attempt, and not of those before it", async () => {
    let times = 0;
    const out = await explained(
      (socket) => {
        times += 1;
        answers(`HTTP/1.1 500 Time-${times}\r\n\r\n`)(socket);
      },
      "--retry",
      "1",
    );
    expect(out).toContain("< HTTP/1.1 500 Time-2");
    expect(out).not.toContain("Time-1");
  });

  test("shows over HTTP/2 the header lists and the body", async () => {
    const authority = await Authority.create();
    const ca = path.join(temporaryFolder(), "ca.pem");
    writeFileSync(ca, authority.cert);
    await using peer = await http2Peer(await authority.issue(), (stream) => {
      stream.respond({ ":status": 418, "set-cookie": ["s=planted"], "x-mine": "1" });
      stream.end("short");
    });
    const url = `https://localhost:${peer.port}/x?t=planted`;
    const out = await explain(url, "--ca", ca, "-4", "-H", "X-Key: planted");
    expect(out).toMatch(/ over HTTP\/2\n {2}> GET \/x\?\[removed\] HTTP\/2\n {2}> :authority: /);
    expect(out).toMatch(/^ {2}> x-key: \[removed\]$/m);
    expect(out).toMatch(/^ {2}< HTTP\/2 418\n {2}< set-cookie: \[removed\]\n {2}< x-mine: 1$/m);
    expect(out).toMatch(/^ {2}body: 5 bytes\n {2}\| short$/m);
    expect(out).not.toContain("planted");
  });

  test("shows DNS messages in hex, each with its server and transport", async () => {
    await using server = await dnsServer(zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]));
    const target = `dns:a.test?type=A&server=127.0.0.1:${server.port}`;
    const out = await explain(target);
    expect(out).toMatch(/^ {2}exchange 1: 127\.0\.0\.1:\d+ over udp\n {2}query: \d+ bytes$/m);
    expect(out).toMatch(/^ {2}> 0000 {2}(?:[\da-f]{2} ){16} .{16}$/m);
    expect(out).toMatch(/^ {2}answer: \d+ bytes\n {2}< 0000 {2}/m);
    const json = JSON.parse(await explain(target, "--json"));
    expect(json.exchanges).toMatchObject([
      { kind: "dns", transport: "udp", query: { hex: expect.stringMatching(/^[\da-f]{48,}$/) } },
    ]);
    expect(json.exchanges[0].answers[0].hex).toContain("0a000001");
  });

  test("shows a DNS message that cannot be used, and the query that then went over TCP", async () => {
    await using foreign = await dnsServer(misbehaviours.wrongId);
    const unused = `dns:a.test?type=A&server=127.0.0.1:${foreign.port}`;
    expect(await explain(unused, "--timeout", "200ms")).toMatch(/^ {2}answer: \d+ bytes$/m);
    await using truncated = await dnsServer(misbehaviours.truncatedEverywhere);
    const out = await explain(`dns:a.test?type=A&server=127.0.0.1:${truncated.port}`);
    expect(out).toMatch(/over udp\n(?:.*\n)+?\n {2}exchange 2: 127\.0\.0\.1:\d+ over tcp\n/);
    expect(out.match(/^ {2}answer: /gm)?.length).toBeGreaterThanOrEqual(2);
  });
});
