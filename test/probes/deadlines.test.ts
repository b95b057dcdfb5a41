import { beforeAll, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import type { HttpOutcome, PhaseName } from "#check/outcome";
import { probeHttp } from "#probes/http/http";
import { stubResolver } from "#probes/resolve/resolver";
import { after, epochMillis, hours, millis, nanosToMillis } from "#base/units";
import { type Asking, ask, askAt } from "../support/asking.ts";
import { Authority } from "../support/authority.ts";
import { attempt, contextWith, happened, httpTarget, patience, sumOf } from "../support/probing.ts";
import { expectTimingContract, type Told, told } from "../support/timing-contract.ts";
import { turnClock } from "../support/turn-clock.ts";
import { dnsServer, misbehaviours, zone } from "../servers/dns-server.ts";
import { fullListener } from "../servers/full-listener.ts";
import { http2Peer, type Http2Script } from "../servers/http2-peer.ts";
import { answers, drips, onRequestHead, tcpPeer, tlsPeer } from "../servers/scripted.ts";

/** The attempt's timeout ends the attempt in every phase, whatever the peer does. */

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const timeout = 500;
/** No measure of lateness, only of hanging: machines that run tests are busy. */
const lateMax = 30_000;

let authority: Authority;
beforeAll(async () => {
  authority = await Authority.create();
});

describe("the timeout ends an attempt", () => {
  const short: Asking = { timeout };
  const stuck: Record<string, Stuck> = {
    "in dns, when no name server answers": {
      says: "dns_timeout in dns",
      phases: ["dns"],
      provoke: async () => {
        await using server = await dnsServer(misbehaviours.silent);
        const resolver = stubResolver({ clock: systemClock, nameServers: [server] });
        return await askAt("http://silent.test./", { ...short, context: { resolver } });
      },
    },
    "in connect, when no SYN is answered": {
      says: "connect_timeout in connect",
      phases: ["connect"],
      provoke: async () => {
        await using peer = await fullListener();
        return await askAt(`http://127.0.0.1:${peer.port}/`, short);
      },
    },
    "in tls, when the peer accepts and says nothing": {
      says: "tls_timeout in tls",
      phases: ["connect", "tls"],
      provoke: async () => {
        await using peer = await tcpPeer(() => {});
        return await askAt(`https://127.0.0.1:${peer.port}/`, short);
      },
    },
    "in write, when the peer does not read": {
      says: "write_timeout in write",
      phases: ["connect", "write"],
      provoke: () => ask((socket) => socket.pause(), { ...short, target: upload }),
    },
    "in write, when the peer reads a little": {
      says: "write_timeout in write",
      phases: ["connect", "write"],
      provoke: () =>
        ask((socket) => socket.once("data", () => socket.pause()), { ...short, target: upload }),
    },
    "in write over TLS, when the peer does not read": {
      says: "write_timeout in write",
      phases: ["connect", "tls", "write"],
      provoke: () => askSecure((socket) => socket.pause(), { ...short, target: upload }),
    },
    "in wait, when the peer reads and says nothing": {
      says: "response_timeout in wait",
      phases: ["connect", "write", "wait"],
      provoke: () => ask((socket) => socket.resume(), short),
    },
    "in wait over TLS, when the peer reads and says nothing": {
      says: "response_timeout in wait",
      phases: ["connect", "tls", "write", "wait"],
      provoke: () => askSecure((socket) => socket.resume(), short),
    },
    "in wait over HTTP/2, when the peer reads and says nothing": {
      says: "response_timeout in wait",
      phases: ["connect", "tls", "write", "wait"],
      provoke: () => askHttp2(() => {}, short),
    },
    "in receive, when the head drips": {
      says: "response_timeout in receive",
      phases: ["connect", "write", "wait", "receive"],
      provoke: () => ask(drips("HTTP/1.1 200 OK\r\n", "X: y\r\n"), short),
    },
    "in receive, when the body drips": {
      says: "body_timeout in receive",
      phases: ["connect", "write", "wait", "receive"],
      provoke: () => ask(drips("HTTP/1.1 200 OK\r\n\r\n", "x"), short),
    },
    "in receive over TLS, when the body drips": {
      says: "body_timeout in receive",
      phases: ["connect", "tls", "write", "wait", "receive"],
      provoke: () => askSecure(drips("HTTP/1.1 200 OK\r\n\r\n", "x"), short),
    },
    "in receive over HTTP/2, when the body stops": {
      says: "body_timeout in receive",
      phases: ["connect", "tls", "write", "wait", "receive"],
      provoke: () => askHttp2((stream) => stream.write("x"), short),
    },
    "in a later hop, for the whole chain": {
      says: "response_timeout in wait",
      phases: ["connect", "write", "wait", "receive"],
      provoke: () =>
        ask((socket) => {
          onRequestHead(socket, (head) => {
            if (head.startsWith("GET / "))
              socket.end("HTTP/1.1 302 X\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
          });
        }, short),
    },
  };
  // Each waits for its timeout: they wait together.
  test.concurrent.each(Object.entries(stuck))("%s", async (_name, { says, phases, provoke }) => {
    const outcome = await provoke();
    expect(told(outcome)).toBe(says);
    expect(outcome.failure?.message).toMatch(new RegExp(`^Timeout after ${timeout} ms `));
    expect(happened(outcome.phases)).toEqual(phases);
    // What was prepared before the first phase is in the attempt's time, but in no phase.
    const late = nanosToMillis(outcome.total) - timeout;
    expect(late).toBeGreaterThan(-timeout);
    expect(late).toBeLessThan(lateMax);
  });
});

interface Stuck {
  readonly says: Told;
  readonly phases: readonly PhaseName[];
  readonly provoke: () => Promise<HttpOutcome>;
}

const upload = { method: "POST", body: "x".repeat(32 * 1024 * 1024) } as const;

async function askSecure(
  script: Parameters<typeof tcpPeer>[0],
  asking: Asking,
): Promise<HttpOutcome> {
  await using peer = await tlsPeer(await authority.issue(), script);
  const context = { ca: authority.cert };
  return await askAt(`https://127.0.0.1:${peer.port}/`, { ...asking, context });
}

async function askHttp2(script: Http2Script, asking: Asking): Promise<HttpOutcome> {
  await using peer = await http2Peer(await authority.issue(), script);
  const context = { ca: authority.cert };
  return await askAt(`https://127.0.0.1:${peer.port}/`, { ...asking, context });
}

test("what the agent itself gives up is cancelled in every phase, never the target's fault", async () => {
  const giveUp = new AbortController();
  await using peer = await tcpPeer((socket) => onRequestHead(socket, () => giveUp.abort()));
  using deadline = startDeadline(systemClock, millis(patience), giveUp.signal);
  const target = httpTarget(`http://127.0.0.1:${peer.port}/`);
  const outcome = await probeHttp(target, deadline, contextWith());
  expect(told(outcome)).toBe("cancelled in agent");
  expectTimingContract(outcome);
});

describe("the wall clock", () => {
  /** Steps an hour forward and back in turn, at each look. */
  const stepping = (): Clock => {
    let looked = 0;
    return {
      ...turnClock,
      wall: () => after(epochMillis(Date.now()), hours((looked += 1) % 2 === 0 ? 1 : -1)),
    };
  };
  test("may step by an hour at every look: durations are unaffected", async () => {
    const outcome = await ask(answers(ok), { context: { clock: stepping() } });
    expect(told(outcome)).toBe("ok");
    expect(nanosToMillis(outcome.total)).toBeLessThan(lateMax);
  });
  test("may step by an hour at every look: the timeout fires on time, and no sooner", async () => {
    const clock = stepping();
    await using peer = await tcpPeer(() => {});
    using deadline = startDeadline(clock, millis(timeout));
    const target = httpTarget(`http://127.0.0.1:${peer.port}/`);
    const outcome = await probeHttp(target, deadline, contextWith({ clock }));
    expect(told(outcome)).toBe("response_timeout in wait");
    expectTimingContract(outcome);
    expect(nanosToMillis(outcome.total)).toBeGreaterThan(timeout / 2);
    expect(nanosToMillis(outcome.total)).toBeLessThan(timeout + lateMax);
  });
});

test("fifty checks of names that no server answers do not hold up one of a healthy target", async () => {
  const known = zone([{ type: "A", name: "healthy.test", data: "127.0.0.1" }]);
  await using server = await dnsServer((query, over) =>
    query.questions?.[0]?.name === "healthy.test" ? known(query, over) : [],
  );
  await using peer = await tcpPeer(answers(ok));
  const context = contextWith({
    resolver: stubResolver({ clock: systemClock, nameServers: [server] }),
    ipFamily: "4",
  });
  const giveUp = new AbortController();
  const hanging = Array.from({ length: 50 }, async (_, n) => {
    using deadline = startDeadline(systemClock, millis(patience), giveUp.signal);
    return await probeHttp(httpTarget(`http://hangs-${n}.test./`), deadline, context);
  });
  const healthy = await attempt(
    probeHttp,
    httpTarget(`http://healthy.test.:${peer.port}/`),
    context,
  );
  expect(told(healthy)).toBe("ok");
  expect(happened(healthy.phases)).toEqual(["dns", "connect", "write", "wait", "receive"]);
  giveUp.abort();
  for (const outcome of await Promise.all(hanging)) {
    expect(told(outcome)).toBe("cancelled in agent");
    expect(happened(outcome.phases)).toEqual(["dns"]);
    expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
    // None of them was over when the healthy one was.
    expect(outcome.total).toBeGreaterThan(healthy.total);
  }
});
