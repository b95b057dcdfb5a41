import { describe, expect, test } from "vitest";
import { systemClock } from "#base/clock";
import * as limits from "#limits/probes-limits";
import { probeHttp } from "#probes/http/http";
import { Recorder } from "#probes/resolve/recorder";
import { stubResolver } from "#probes/resolve/resolver";
import { attempt, contextWith, httpTarget } from "../../support/probing.ts";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { answers, tcpPeer } from "../../servers/scripted.ts";

describe("a recorder", () => {
  test("keeps the look-up of a name next to the request that it was for, in their order", async () => {
    await using names = await dnsServer(zone([{ type: "A", name: "a.test", data: "127.0.0.1" }]));
    await using peer = await tcpPeer(answers("HTTP/1.1 204 X\r\n\r\n"));
    const transcript = new Recorder();
    const nameServers = [{ host: names.host, port: names.port }];
    const resolver = stubResolver({ clock: systemClock, nameServers, transcript });
    const context = contextWith({ transcript, resolver, ipFamily: "4" });
    await attempt(probeHttp, httpTarget(`http://a.test:${peer.port}/`), context);
    expect(transcript.exchanges).toMatchObject([
      { kind: "dns", server: `${names.host}:${names.port}`, answers: [expect.any(Uint8Array)] },
      { kind: "http", server: `a.test:${peer.port}`, head: { statusCode: 204 }, whole: true },
    ]);
    transcript.restart();
    expect(transcript.exchanges).toEqual([]);
  });

  test("keeps the beginning of what is longer than its limits, and counts the rest", () => {
    const recorder = new Recorder();
    const request = {
      url: new URL("http://a.test/"),
      headers: [],
      body: null,
      leftBehind: [],
      head: null,
    };
    const notes = recorder.http({ ...request, method: "GET" }, "a.test:80", "1.1");
    const chunk = new Uint8Array(limits.transcriptResponseBytesMax - 1);
    notes?.read(chunk);
    notes?.read(Uint8Array.of(1, 2, 3));
    chunk.fill(9);
    const query = recorder.dns(new Uint8Array(12), "a.test:53", "udp");
    for (let index = 0; index < 100; index += 1) query?.message(Uint8Array.of(index));
    const [http, dns] = recorder.exchanges;
    if (http?.kind !== "http" || dns?.kind !== "dns") throw new Error("another kind");
    expect(http.read.size).toBe(limits.transcriptResponseBytesMax + 2);
    expect(http.read.bytes).toHaveLength(limits.transcriptResponseBytesMax);
    expect([http.read.bytes[0], http.read.bytes.at(-1)]).toEqual([0, 1]);
    expect(dns.answers).toHaveLength(limits.transcriptMessagesMax);
  });
});
