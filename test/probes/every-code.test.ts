import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { runCheck } from "#agent/prober/checks/run-check";
import type { Assertion, QueryType } from "#check/assertion";
import { decide } from "#assertions/decide";
import { evaluate } from "#assertions/evaluate";
import { systemClock } from "#base/clock";
import { assignedMonitor } from "#check/read-monitor";
import { startDeadline } from "#base/deadline";
import { dnsDefaults, httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { type Failure, type FailureCode, failureCodes, type FailurePhase } from "#check/failure";
import { silentLogger } from "#base/log";
import type { Outcome } from "#check/outcome";
import { classify } from "#probes/socket/classify";
import type { Mark } from "#probes/socket/marker";
import type { EchoListener, EchoSocket } from "#probes/socket/sockets";
import { probeDns } from "#probes/dns/dns";
import { TargetGuard } from "#probes/connection/guard";
import { parseTargetRules } from "#network/target-rules";
import { probeGrpc } from "#probes/grpc/grpc";
import { probeHttp } from "#probes/http/http";
import { probeIcmp } from "#probes/icmp/icmp";
import { parseProxy } from "#network/proxy";
import { probeTcp } from "#probes/tcp/tcp";
import { bytes, epochMillis, hours, millis } from "#base/units";
import { type Asking, ask, askAt } from "../support/asking.ts";
import { Authority, type Identity } from "../support/authority.ts";
import { attempt, contextWith, httpTarget, patience } from "../support/probing.ts";
import { expectTimingContract } from "../support/timing-contract.ts";
import { type DnsScript, dnsServer, misbehaviours } from "../servers/dns-server.ts";
import { grpcServer, type HealthReply } from "../servers/grpc-server.ts";
import { fullListener } from "../servers/full-listener.ts";
import {
  answers,
  closedPort,
  onRequestHead,
  type Script,
  tcpPeer,
  tlsPeer,
} from "../servers/scripted.ts";
import { alertBytes } from "../servers/tls-peers.ts";

/**
 * Every failure code, provoked: by a real peer where the network gives it, else through the function that does. A code
 * that is added to the vocabulary does not compile here until something provokes it.
 */

interface Provocation {
  readonly phase: FailurePhase;
  readonly provoke: () => Promise<Failure | null> | Failure | null;
}

let authority: Authority;
beforeAll(async () => {
  authority = await Authority.create();
});

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
/** Says that it is longer than what comes, which is more than the body of `judged` may be. */
const longer = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ntext";
const day = 86_400_000;
const short: Asking = { timeout: 150 };
/** The peer cannot know when its head was read, so the time must last until then on a busy machine. */
const readable: Asking = { timeout: 3_000 };
const upload = { method: "POST", body: "x".repeat(32 * 1024 * 1024) } as const;

/** Over HTTP to a peer that follows a script. */
const http = (phase: FailurePhase, script: Script, asking: Asking = {}): Provocation => ({
  phase,
  provoke: async () => (await ask(script, asking)).failure,
});

/** By a handshake with a scripted peer. */
const handshake = (script: Script, asking: Asking = {}): Provocation => ({
  phase: "tls",
  provoke: async () => {
    await using peer = await tcpPeer(script);
    return (await askAt(`https://127.0.0.1:${peer.port}/`, asking)).failure;
  },
});

/** By a proxy that follows a script; no target is ever reached. */
const tunnel = (script: Script, asking: Asking = {}): Provocation => ({
  phase: "proxy",
  provoke: async () => {
    await using peer = await tcpPeer(script);
    const proxy = parseProxy(`http://127.0.0.1:${peer.port}`);
    if (!proxy.ok) throw new Error(proxy.message);
    const context = { proxying: { proxy: proxy.value, exceptions: [] } };
    return (await askAt("https://target.test/", { ...asking, context })).failure;
  },
});

/** The time is up as soon as the peer has seen enough of the phase, so that no load makes it another one. */
function timedOut(
  provocation: (script: Script, asking: Asking) => Provocation,
  watch: (socket: Socket, seen: () => void) => void,
  asking: Asking = {},
): Provocation {
  const up = Promise.withResolvers<void>();
  // A turn later, when our own side has noted what it did.
  const seen = (): void => void setImmediate(up.resolve);
  return provocation((socket) => watch(socket, seen), { ...asking, timeout: up.promise });
}

/** By the certificate that a peer shows. */
const certificate = (identity: () => Promise<Identity>): Provocation => ({
  phase: "tls",
  provoke: async () => {
    await using peer = await tlsPeer(await identity(), answers(ok));
    const context = { ca: authority.cert };
    return (await askAt(`https://127.0.0.1:${peer.port}/`, { context })).failure;
  },
});

/** By a TCP connection to an address that stays on this machine. */
const connecting = (host: string, port: () => Promise<number>): Provocation => ({
  phase: "connect",
  provoke: async () => {
    const outcome = await attempt(probeTcp, { kind: "tcp", host, port: await port() });
    expectTimingContract(outcome);
    return outcome.failure;
  },
});

/** By an error of the system that no address of the loopback has: a router says it, or another machine's settings. */
const said = (code: string): Provocation => ({
  phase: "connect",
  provoke: () => classify(Object.assign(new Error("connect"), { code }), "connect", "a.test:443"),
});

/** By a name server that follows a script. */
const dns = (script: DnsScript, timeout = patience): Provocation => ({
  phase: "wait",
  provoke: async () => {
    await using server = await dnsServer(script);
    return await queried(server, timeout);
  },
});

async function queried(
  server: { host: string; port: number },
  timeout = patience,
): Promise<Failure | null> {
  const types: readonly QueryType[] = ["A"];
  const { host, port } = server;
  const target = {
    kind: "dns",
    name: "a.test",
    types,
    recordsNeeded: true,
    server: { host, port },
  } as const;
  const outcome = await attempt(probeDns, target, contextWith(), timeout);
  expectTimingContract(outcome);
  return outcome.failure;
}

/** By a definition that a monitor cannot be made of. */
const config = (definition: MonitorDefinition): Provocation => ({
  phase: "config",
  provoke: () => assignedMonitor("m", definition).monitor?.rejection ?? null,
});
const httpMonitor = { ...httpDefaults, url: "http://a.test/", periodicity: "1m" };

/** By what was wanted of an answer that came as it should. */
const judged = (
  phase: FailurePhase,
  response: string,
  assertions: readonly Assertion[],
): Provocation => ({
  phase,
  provoke: async () => {
    const outcome: Outcome = await ask(answers(response), { context: { bodyBytesMax: bytes(2) } });
    expect(outcome.failure).toBeNull();
    return decide(outcome, evaluate(outcome, assertions), null).failure;
  },
});

/** By what comes for each echo request; real networks are in icmp/pings.test.ts. */
const pinged = (answer: (listener: EchoListener, request: number) => void): Provocation => ({
  phase: "connect",
  provoke: async () => {
    const context = contextWith();
    const echoes = (_address: string, listener: EchoListener): EchoSocket => {
      let count = 0;
      queueMicrotask(() => listener.onReady());
      const send = (): Mark => {
        const request = count;
        count += 1;
        queueMicrotask(() => answer(listener, request));
        return context.marker.acted();
      };
      return { source: "10.0.0.2", send, read: () => {}, close: () => {} };
    };
    const target = { kind: "icmp", host: "10.2.0.9", packets: 2, interval: millis(10) } as const;
    const sockets = { ...context.sockets, echoes };
    const outcome = await attempt(probeIcmp, target, { ...context, sockets }, 150);
    expectTimingContract(outcome);
    return outcome.failure;
  },
});

/** By an ICMP error of a router. */
const refusedPing = (type: number, code: number): Provocation =>
  pinged((listener, request) => listener.onRefused(request, { sender: "10.0.0.1", type, code }));

/** By a real gRPC server that answers so for its one service. */
const health = (reply: HealthReply | null): Provocation => ({
  phase: "assertion",
  provoke: async () => {
    await using server = await grpcServer(reply === null ? null : { "shop.v1.Orders": reply });
    const target = {
      kind: "grpc",
      host: "127.0.0.1",
      port: server.port,
      service: "shop.v1.Orders",
      tlsMode: "plaintext",
      metadata: [],
    } as const;
    const outcome = await attempt(probeGrpc, target);
    expectTimingContract(outcome);
    return outcome.failure;
  },
});

const provocations: { readonly [C in FailureCode]: Provocation } = {
  invalid_url: config({ ...httpMonitor, url: "ftp://a.test/" }),
  invalid_uri: config({ ...tcpDefaults, uri: "a.test:no-port", periodicity: "1m" }),
  invalid_method: config({ ...httpMonitor, method: "TRACE" }),
  invalid_header: config({ ...httpMonitor, headers: [{ key: "X-A", value: "a\r\nX-B: b" }] }),
  invalid_periodicity: config({ ...httpMonitor, periodicity: "7m" }),
  invalid_comparator: config({
    ...dnsDefaults,
    uri: "a.test",
    periodicity: "1m",
    recordAssertions: [{ record: "PTR", target: "a.test", comparator: "eq" }],
  }),
  invalid_setting: config({ ...httpMonitor, method: "POST", body: "x".repeat(2 ** 21) }),

  target_denied: {
    phase: "policy",
    provoke: async () => {
      const deny = parseTargetRules(["127.0.0.0/8"], "PICKET_TARGET_DENY=");
      if (!deny.ok) throw new Error(deny.message);
      const guard = new TargetGuard({ allow: [], deny: deny.value });
      await using peer = await tcpPeer(answers(ok));
      return (await askAt(`http://127.0.0.1:${peer.port}/`, { context: { guard } })).failure;
    },
  },

  dns_nxdomain: dns(misbehaviours.nxdomain),
  dns_nodata: dns(misbehaviours.nodata),
  dns_servfail: dns(misbehaviours.servfail),
  dns_refused: dns(misbehaviours.refused),
  dns_rcode: dns(misbehaviours.notauth),
  dns_timeout: dns(misbehaviours.silent, 150),
  dns_malformed: dns(misbehaviours.lyingCount),
  dns_truncated: dns(misbehaviours.truncatedEverywhere),
  dns_unreachable: {
    phase: "wait",
    provoke: async () => {
      const gone = await dnsServer(misbehaviours.silent);
      await gone[Symbol.asyncDispose]();
      return queried(gone);
    },
  },

  connection_refused: connecting("127.0.0.1", closedPort),
  connection_reset: http("wait", answers([], "reset")),
  host_unreachable: said("EHOSTUNREACH"),
  // The loopback's broadcast address, which TCP does not connect to (tcp_v4_connect).
  network_unreachable: connecting("127.255.255.255", closedPort),
  address_unusable: said("EAFNOSUPPORT"),
  connect_timeout: {
    phase: "connect",
    provoke: async () => {
      await using peer = await fullListener();
      return (await askAt(`http://127.0.0.1:${peer.port}/`, short)).failure;
    },
  },

  icmp_timeout: pinged(() => {}),
  icmp_host_unreachable: refusedPing(3, 1),
  icmp_net_unreachable: refusedPing(3, 0),
  icmp_prohibited: refusedPing(3, 13),
  icmp_ttl_exceeded: refusedPing(11, 0),

  proxy_refused: tunnel(answers("HTTP/1.1 403 Forbidden\r\n\r\n")),
  proxy_timeout: timedOut(tunnel, onRequestHead),

  tls_expired: certificate(() =>
    authority.issue({
      validFrom: new Date(Date.now() - 9 * day),
      validTo: new Date(Date.now() - day),
    }),
  ),
  tls_not_yet_valid: certificate(() => authority.issue({ validFrom: new Date(Date.now() + day) })),
  tls_hostname: certificate(() => authority.issue({ altNames: ["other.test"] })),
  tls_self_signed: certificate(() => Authority.selfSigned()),
  tls_untrusted: certificate(async () => (await Authority.create("Stranger")).issue()),
  tls_protocol: handshake((socket) => socket.once("data", () => socket.end(alertBytes(70)))),
  tls_alert: handshake((socket) => socket.once("data", () => socket.end(alertBytes(40)))),
  tls_timeout: timedOut(handshake, (socket, seen) => socket.once("data", seen)),
  tls_closed: handshake((socket) => socket.once("data", () => socket.end())),
  not_tls: handshake((socket) => socket.end("220 mail.test ESMTP\r\n")),

  write_timeout: timedOut(
    (script, asking) => http("write", script, asking),
    (socket, seen) => socket.once("data", () => (socket.pause(), seen())),
    { target: upload },
  ),
  response_timeout: timedOut((script, asking) => http("wait", script, asking), onRequestHead),
  empty_reply: http("wait", answers([])),
  headers_truncated: http("receive", answers("HTTP/1.1 200 OK\r\nX-A")),
  headers_too_large: http("receive", answers(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(310_000)}\r\n`)),
  protocol_error: http("receive", answers("220 mail.test ESMTP\r\n")),
  body_truncated: http("receive", answers(longer)),
  body_timeout: http("receive", answers(longer, "keep"), readable),
  body_too_large: judged("receive", longer, [
    { kind: "body", comparator: "contains", target: "other" },
  ]),
  decode_error: http(
    "decode",
    answers([
      "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n",
      brotliCompressSync("text").subarray(1),
    ]),
  ),
  too_many_redirects: http("receive", answers("HTTP/1.1 302 X\r\nLocation: /\r\n\r\n")),

  grpc_not_serving: health(2),
  grpc_service_unknown: health(3),
  grpc_unimplemented: health(null),
  grpc_status: health({ code: 14, details: "no backend" }),

  unexpected_status: judged("assertion", "HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", []),
  assertion_failed: judged("assertion", ok, [{ kind: "body", comparator: "eq", target: "no" }]),
  agent_error: {
    phase: "agent",
    provoke: async () => {
      const left = Promise.withResolvers<void>();
      await using peer = await tcpPeer(
        (socket) => void socket.resume().once("close", left.resolve),
      );
      const gone = (): never => {
        throw new Error("the CA file is gone");
      };
      const context = contextWith({ trust: { secureContext: gone, onlyAuthorities: gone } });
      const { monitor } = assignedMonitor("m", {
        ...httpMonitor,
        url: `https://127.0.0.1:${peer.port}/`,
        retry: 0,
      });
      if (monitor === null) throw new Error("it has a periodicity");
      const prober = {
        probe: () => attempt(probeHttp, httpTarget(monitor.uri), context),
        [Symbol.asyncDispose]: async () => {},
      };
      const tools = { prober, clock: systemClock, log: silentLogger, chance: () => 0 };
      const now = systemClock.wall();
      const slot = { monitor, at: now, until: epochMillis(now + hours(1)) };
      const result = await runCheck(slot, tools, new AbortController().signal);
      // Its own fault is no reason to keep the peer's connection open.
      await left.promise;
      return result?.failure ?? null;
    },
  },
  cancelled: {
    phase: "agent",
    provoke: async () => {
      const giveUp = new AbortController();
      await using peer = await tcpPeer(() => giveUp.abort());
      using deadline = startDeadline(systemClock, millis(patience), giveUp.signal);
      const target = httpTarget(`http://127.0.0.1:${peer.port}/`);
      return (await probeHttp(target, deadline, contextWith())).failure;
    },
  },
};

/** What docs/troubleshoot.md shows for each code. */
const examples = new Map(
  [
    ...readFileSync(
      path.resolve(import.meta.dirname, "../../docs/troubleshoot.md"),
      "utf8",
    ).matchAll(/^\| `(\w+)` \|.*\| `([^`]+)` \|$/gm),
  ].map(([, code = "", message = ""]) => [code, message]),
);

/** A sentence without what differs from target to target: addresses, names, quotations, figures. */
const shapeOf = (message: string): string =>
  message
    .replace(/"[^"]*"/g, '"…"')
    .replace(/https?:\/\/\S+/g, "URL")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/(\[[\da-f:]+\]|\b[\w.-]+):\d+\b/g, "PEER")
    .replace(
      /\b(localhost|\d+\.\d+\.\d+\.\d+(\/\d+)?|[a-z][\w-]*(\.[\w-]+)*\.(test|internal|com))\b/g,
      "HOST",
    )
    .replace(/^(Fault in the agent: ).*$/, "$1…")
    .replace(/\d+/g, "N");

test.each(Object.entries(provocations))("%s is provoked", async (code, { phase, provoke }) => {
  const failed = await provoke();
  expect(failed).toMatchObject({ code, phase });
  // One plain sentence for a person.
  expect(failed?.message).toMatch(/^\S[^\r\n]{4,}\S$/);
  expect(shapeOf(failed?.message ?? "")).toBe(shapeOf(examples.get(code) ?? ""));
});

test("no code is left out", () => {
  expect(Object.keys(provocations).toSorted()).toEqual(Object.keys(failureCodes).toSorted());
});
