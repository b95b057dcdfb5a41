import { systemClock } from "#base/clock";
import { describe, expect, test } from "vitest";
import type { HttpOutcome, TcpOutcome } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { TargetGuard } from "#probes/connection/guard";
import { parseTargetRules, type TargetRule } from "#network/target-rules";
import { probeHttp } from "#probes/http/http";
import type { Resolver } from "#probes/resolve/resolving";
import { parseResolvConf } from "#probes/resolve/system-names";
import { systemResolver } from "#probes/resolve/system-resolver";
import { probeTcp } from "#probes/tcp/tcp";
import { type DnsServer, dnsServer, zone } from "../../servers/dns-server.ts";
import { onRequestHead, type Script, tcpPeer } from "../../servers/scripted.ts";
import { attempt, contextWith, happened, httpTarget, sumOf } from "../../support/probing.ts";

/** Every peer here would answer: what keeps a probe from it is the guard alone. */

function rulesOf(text: string, source: string): readonly TargetRule[] {
  const rules = parseTargetRules(text.split(",").filter(Boolean), source);
  if (!rules.ok) throw new Error(rules.message);
  return rules.value;
}

const guardOf = (deny: string, allow = ""): TargetGuard =>
  new TargetGuard({ allow: rulesOf(allow, "ALLOW="), deny: rulesOf(deny, "DENY=") });

/** Another answer at each look-up; the last one again and again. */
function turncoat(...answers: readonly (readonly string[])[]): Resolver & { asked: number } {
  return {
    asked: 0,
    async resolve() {
      const addresses = answers[Math.min(this.asked, answers.length - 1)] ?? [];
      this.asked += 1;
      return { ok: true, addresses };
    },
  };
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const redirectTo =
  (location: () => string): Script =>
  (socket) =>
    onRequestHead(socket, () =>
      socket.end(`HTTP/1.1 302 X\r\nLocation: ${location()}\r\nContent-Length: 0\r\n\r\n`),
    );
const okScript: Script = (socket) => onRequestHead(socket, () => socket.end(ok));

describe("http", () => {
  async function redirected(
    location: (port: number) => string,
    guard: TargetGuard,
    names: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<{ outcome: HttpOutcome; accepted: number }> {
    await using inner = await tcpPeer(okScript, "127.0.0.2");
    await using outer = await tcpPeer(redirectTo(() => location(inner.port)));
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://127.0.0.1:${outer.port}/start`),
      contextWith({ guard, names }),
    );
    return { outcome, accepted: inner.accepted };
  }

  test("a redirect to a denied address ends on that hop, and the hop before it is kept", async () => {
    const guard = guardOf("127.0.0.2");
    const { outcome, accepted } = await redirected((port) => `http://127.0.0.2:${port}/in`, guard);
    expect(accepted).toBe(0);
    expect(outcome.failure).toEqual({
      code: "target_denied",
      phase: "policy",
      message: "127.0.0.2 is denied by DENY=127.0.0.2",
    });
    expect(outcome.response).toBeNull();
    expect(outcome.hops).toMatchObject([
      { url: expect.stringMatching(/127\.0\.0\.1:\d+\/start$/), statusCode: 302 },
      { url: expect.stringMatching(/127\.0\.0\.2:\d+\/in$/), statusCode: null },
    ]);
    expect(happened(outcome.hops[0]!.phases)).toContain("receive");
    expect(happened(outcome.hops[1]!.phases)).toEqual([]);
    expect(outcome.addresses).toMatchObject([
      { address: "127.0.0.1", ended: "connected" },
      { address: "127.0.0.2", ended: "target_denied", elapsed: 0 },
    ]);
    expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
  });

  test("the same redirect is followed if nothing denies it, or an allow beats the deny", async () => {
    for (const guard of [guardOf(""), guardOf("127.0.0.0/8", "127.0.0.1,127.0.0.2")]) {
      const { outcome, accepted } = await redirected((port) => `http://127.0.0.2:${port}/`, guard);
      expect(outcome.response?.statusCode).toBe(200);
      expect(accepted).toBe(1);
    }
  });

  test.each([
    "127.2",
    "2130706434",
    "0x7f000002",
    "0x7f.2",
    "0177.0.0.2",
    "0177.0.0.02.",
    "%31%32%37.0.0.2",
    "127%E3%80%820%E3%80%820%E3%80%822",
    "[::ffff:127.0.0.2]",
    "[::ffff:7f00:2]",
    "[0:0:0:0:0:FFFF:127.0.0.2]",
    "inner.test",
    "INNER.TEST",
  ])("a redirect to %s does not slip past the deny of 127.0.0.2", async (host) => {
    const names = { "inner.test": ["127.0.0.2"] };
    const to = (port: number): string => `http://${host}:${port}/`;
    const { outcome, accepted } = await redirected(to, guardOf("127.0.0.2"), names);
    expect(outcome.failure).toMatchObject({ code: "target_denied", phase: "policy" });
    expect(accepted).toBe(0);
    const open = await redirected(to, guardOf(""), names);
    expect(open.outcome.response?.statusCode).toBe(200);
  });

  test("a redirect to a denied host is not even looked up", async () => {
    const resolver = turncoat(["127.0.0.2"]);
    await using outer = await tcpPeer(redirectTo(() => "http://db.INTERNAL./"));
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://127.0.0.1:${outer.port}/`),
      contextWith({ guard: guardOf("*.internal"), resolver }),
    );
    expect(outcome.failure).toMatchObject({
      code: "target_denied",
      message: "db.internal. is denied by DENY=*.internal",
    });
    expect(resolver.asked).toBe(0);
  });

  test("a name is looked up once for each hop, and judged again when it has turned", async () => {
    const resolver = turncoat(["127.0.0.1"], ["127.0.0.2"]);
    let port = 0;
    await using outer = await tcpPeer(redirectTo(() => `http://turn.test:${port}/next`));
    port = outer.port;
    const outcome = await attempt(
      probeHttp,
      httpTarget(`http://turn.test:${port}/`),
      contextWith({ guard: guardOf("127.0.0.2"), resolver }),
    );
    expect(outcome.hops.map(({ statusCode }) => statusCode)).toEqual([302, null]);
    expect(outcome.failure).toMatchObject({
      code: "target_denied",
      message: "127.0.0.2 (turn.test) is denied by DENY=127.0.0.2",
    });
    expect(resolver.asked).toBe(2);
  });

  test("a link-local address is denied without any rule, and nothing is sent there", async () => {
    await using outer = await tcpPeer(redirectTo(() => "http://[::ffff:a9fe:a9fe]/latest/"));
    const outcome = await attempt(probeHttp, httpTarget(`http://127.0.0.1:${outer.port}/`));
    expect(outcome.failure?.message).toBe(
      "::ffff:a9fe:a9fe is denied as a link-local address, unless it is allowed itself",
    );
  });
});

describe("tcp", () => {
  async function connected(
    host: string,
    context: Parameters<typeof contextWith>[0],
    listen = "127.0.0.2",
  ): Promise<{ outcome: TcpOutcome; accepted: number }> {
    const heard = Promise.withResolvers<void>();
    await using peer = await tcpPeer(() => heard.resolve(), listen);
    const outcome = await attempt(
      probeTcp,
      { kind: "tcp", host, port: peer.port },
      contextWith(context),
    );
    // The peer may hear of a connection after we do.
    if (outcome.failure === null) await heard.promise;
    return { outcome, accepted: peer.accepted };
  }

  test("a denied address is not dialled: no phase, no time", async () => {
    const { outcome, accepted } = await connected("127.0.0.2", { guard: guardOf("127.0.0.0/8") });
    expect(outcome.failure).toMatchObject({ code: "target_denied", phase: "policy" });
    expect(happened(outcome.phases)).toEqual([]);
    expect(outcome.total).toBe(0);
    expect(accepted).toBe(0);
  });

  test("of a name with a denied and an allowed address the allowed one is dialled, and both are named", async () => {
    const { outcome, accepted } = await connected("two.test", {
      guard: guardOf("127.0.0.1"),
      names: { "two.test": ["127.0.0.1", "127.0.0.2"] },
    });
    expect(outcome.failure).toBeNull();
    expect(accepted).toBe(1);
    expect(outcome.addresses).toMatchObject([
      { address: "127.0.0.1", ended: "target_denied", elapsed: 0 },
      { address: "127.0.0.2", ended: "connected" },
    ]);
    expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
  });

  test("of a name whose addresses are all denied none is dialled, after the look-up that it took", async () => {
    const { outcome } = await connected("two.test", {
      guard: guardOf("127.0.0.0/8,::1"),
      names: { "two.test": ["127.0.0.2", "::1"] },
    });
    expect(outcome.failure?.message).toBe(
      "127.0.0.2 (two.test) is denied by DENY=127.0.0.0/8; none of 2 addresses is allowed",
    );
    expect(happened(outcome.phases)).toEqual(["dns"]);
    expect(outcome.addresses.map(({ ended }) => ended)).toEqual(Array(2).fill("target_denied"));
  });

  test("a name that turns after the look-up gains nothing: what was judged is what is dialled", async () => {
    const resolver = turncoat(["127.0.0.1"], ["127.0.0.2"]);
    const { outcome, accepted } = await connected("turn.test", {
      guard: guardOf("127.0.0.2"),
      resolver,
    });
    expect(resolver.asked).toBe(1);
    expect(accepted).toBe(0);
    expect(outcome.addresses.map(({ address }) => address)).toEqual(["127.0.0.1"]);
  });

  test.each(["2130706434", "0x7f000002", "0177.0.0.2", "127.2"])(
    "%s, which the system's resolver takes for 127.0.0.2, is judged as that",
    async (host) => {
      const resolver = systemResolver({ clock: systemClock });
      const open = await connected(host, { resolver });
      expect(open.outcome.failure).toBeNull();
      const { outcome, accepted } = await connected(host, {
        resolver,
        guard: guardOf("127.0.0.2"),
      });
      expect(outcome.failure?.message).toBe(`127.0.0.2 (${host}) is denied by DENY=127.0.0.2`);
      expect(accepted).toBe(0);
    },
  );

  test("the unspecified address reaches this machine, and is judged as that", async () => {
    for (const [host, deny, listen] of [
      ["0.0.0.0", "127.0.0.0/8", "127.0.0.1"],
      ["::ffff:0.0.0.0", "127.0.0.0/8", "127.0.0.1"],
      ["::", "::1", "::1"],
    ] as const) {
      expect((await connected(host, {}, listen)).accepted, host).toBe(1);
      const { outcome, accepted } = await connected(host, { guard: guardOf(deny) }, listen);
      expect(outcome.failure?.code, host).toBe("target_denied");
      expect(accepted).toBe(0);
    }
  });

  test("a zone changes nothing of what is denied", async () => {
    expect((await connected("::1%lo", {}, "::1")).accepted).toBe(1);
    const { outcome, accepted } = await connected("::1%lo", { guard: guardOf("::1") }, "::1");
    expect(outcome.failure?.message).toBe("::1%lo is denied by DENY=::1");
    expect(accepted).toBe(0);
  });

  test.each(["64:ff9b::7f00:2", "64:ff9b:1::7f00:2", "2002:7f00:2::", "::127.0.0.2"])(
    "%s, which a translator or a tunnel turns into 127.0.0.2, is not dialled",
    async (host) => {
      const { outcome } = await connected(host, { guard: guardOf("127.0.0.2") });
      expect(outcome.failure?.message).toBe(`${host} is denied by DENY=127.0.0.2`);
      expect(happened(outcome.phases)).toEqual([]);
    },
  );

  test("an allowed host is dialled at an address that is denied", async () => {
    const names = { "ok.test": ["127.0.0.2"] };
    const guard = guardOf("127.0.0.0/8,*.test", "ok.test");
    expect((await connected("ok.test", { guard, names })).outcome.failure).toBeNull();
  });
});

describe("dns", () => {
  const records = zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]);
  const target = (server: { host: string; port: number } | null) =>
    ({ kind: "dns", name: "a.test", types: ["A"], recordsNeeded: true, server }) as const;
  const heard = (server: DnsServer): number => server.heard.length;

  test("a server that a monitor names by a denied address is not asked", async () => {
    await using server = await dnsServer(records);
    for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
      const guard = guardOf("127.0.0.1");
      const outcome = await attempt(
        probeDns,
        target({ host, port: server.port }),
        contextWith({ guard }),
      );
      expect(outcome.failure).toEqual({
        code: "target_denied",
        phase: "policy",
        message: `${host} is denied by DENY=127.0.0.1`,
      });
      expect(happened(outcome.phases)).toEqual([]);
    }
    expect(heard(server)).toBe(0);
  });

  test("one that it names by name is asked at its allowed addresses only, or not at all", async () => {
    await using server = await dnsServer(records);
    const named = target({ host: "ns.test", port: server.port });
    const names = { "ns.test": ["127.0.0.2", "127.0.0.1"] };
    const ask = (deny: string) =>
      attempt(probeDns, named, contextWith({ guard: guardOf(deny), names }));
    const some = await ask("127.0.0.2");
    expect(some.failure).toBeNull();
    expect(some.server).toBe(`127.0.0.1:${server.port}`);
    expect((await ask("127.0.0.0/8")).failure?.message).toBe(
      "127.0.0.2 (ns.test) is denied by DENY=127.0.0.0/8; none of 2 addresses is allowed",
    );
    expect((await ask("ns.*")).failure?.message).toBe("ns.test is denied by DENY=ns.*");
    expect(heard(server)).toBe(1);
  });

  test("the operator's own servers are asked whatever is denied: configured ones and the system's", async () => {
    await using server = await dnsServer(records);
    const guard = guardOf("0.0.0.0/0,::/0,*");
    const resolvConf = { ...parseResolvConf(""), servers: [server] };
    const systemNames = { hosts: () => [], resolvConf: () => resolvConf };
    for (const servers of [{ nameServers: [server] }, { systemNames }]) {
      const outcome = await attempt(probeDns, target(null), contextWith({ guard, ...servers }));
      expect(outcome.failure).toBeNull();
    }
    expect(heard(server)).toBe(2);
  });
});
