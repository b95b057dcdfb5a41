import { expect, test } from "vitest";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { startDeadline } from "#base/deadline";
import { systemClock } from "#base/clock";
import type { ProbeContext } from "#probes/connection/probe";
import { probe } from "#probes/registry";
import { probeDns } from "#probes/dns/dns";
import { parseResolvConf } from "#probes/resolve/system-names";
import { millis } from "#base/units";
import { attempt as probed, contextWith, patience } from "../support/probing.ts";
import { floodingDatagrams } from "../servers/flooding-datagrams.ts";
import { floodingThread } from "../servers/flooding-thread.ts";
import { tcpPeer } from "../servers/scripted.ts";

/**
 * Whatever a peer pours out, as fast as loopback goes: the check ends at its timeout at the latest, others in the same
 * thread go on meanwhile, and what came is not kept.
 */

const host = "127.0.0.1";
const timeout = 500;
const memoryMax = 150 * 1024 * 1024;

const https = {
  kind: "http",
  method: "GET",
  headers: [],
  body: "",
  followRedirects: true,
} as const;
const name = { kind: "dns", name: "a.test", types: ["A"], recordsNeeded: true } as const;

type Flooding = AsyncDisposable & { readonly port: number };
type Asking = readonly [target: Target, context?: Parameters<typeof contextWith>[0]];

const overUdp = ({ port }: Flooding): Asking => [{ ...name, server: { host, port } }];
const overTcp = ({ port }: Flooding): Asking => [
  { ...name, server: null },
  {
    systemNames: {
      hosts: () => [],
      resolvConf: () => ({ ...parseResolvConf(""), servers: [{ host, port }], overTcp: true }),
    },
  },
];
const throughProxy = ({ port }: Flooding): Asking => [
  { ...https, url: "https://target.test/" },
  { proxying: { proxy: { host, port, secure: false, authorization: null }, exceptions: [] } },
];
const secured = ({ port }: Flooding): Asking => [{ ...https, url: `https://127.0.0.1:${port}/` }];
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
const text = (content: string): Buffer => Buffer.from(content, "latin1");

/** An answer of no question of ours: its id is another each time, and wrong but once in 65,536. */
const foreign = hex("0000 8180 0001 0000 0000 0000 0162 0474657374 00 0001 0001");

const floods: Readonly<Record<string, readonly [() => Promise<Flooding>, typeof overUdp, RegExp]>> =
  {
    "answers to other questions over UDP": [
      () => floodingDatagrams(foreign),
      overUdp,
      /^dns_timeout in wait$/,
    ],
    "messages too short over UDP": [
      () => floodingDatagrams(hex("00")),
      overUdp,
      /^dns_timeout in wait$/,
    ],
    "a message over TCP that is longer than it says": [
      () => floodingThread({ first: hex("ffff"), piece: hex("ff") }),
      overTcp,
      /^dns_malformed in wait$/,
    ],
    "empty messages over TCP": [
      () => floodingThread({ first: "", piece: hex("0000") }),
      overTcp,
      /^dns_malformed in wait$/,
    ],
    "a proxy's head without end": [
      () => floodingThread({ first: text("HTTP/1.1 200 OK\r\nX: "), piece: text("x") }),
      throughProxy,
      /^proxy_refused in proxy$/,
    ],
    "a proxy's interim answers without end": [
      () => floodingThread({ first: "", piece: text("HTTP/1.1 100 Continue\r\n\r\n") }),
      throughProxy,
      /^proxy_refused in proxy$/,
    ],
    "a handshake's message that is longer than any": [
      () => floodingThread({ first: "", piece: hex("16 0303 0004 0bffffff") }),
      secured,
      /^(tls_\w+|not_tls) in tls$/,
    ],
    "records of TLS that change the cipher": [
      () => floodingThread({ first: "", piece: hex("14 0303 0001 01") }),
      secured,
      /^(tls_\w+|not_tls) in tls$/,
    ],
    "warnings of TLS": [
      () => floodingThread({ first: "", piece: hex("15 0303 0002 015a") }),
      secured,
      /^(tls_\w+|not_tls) in tls$/,
    ],
    "empty records of TLS": [
      () => floodingThread({ first: "", piece: hex("16 0303 0000") }),
      secured,
      /^(tls_\w+|not_tls) in tls$/,
    ],
  };

test("a server that floods over UDP is named with what it sent", async () => {
  await using server = await floodingDatagrams(foreign);
  // The probe alone, with turns for what comes: a busy machine pauses the check, which then says that instead.
  const target = { ...name, server: { host, port: server.port } };
  const { failure } = await probed(probeDns, target, contextWith(), timeout);
  expect(failure?.message).toMatch(
    /\(no answer from 127\.0\.0\.1:\d+, which sent \d{3,} datagrams that answer another question\)$/,
  );
});

test.each(Object.entries(floods))("%s", async (_what, [start, asking, says]) => {
  await using peer = await start();
  await using healthy = await tcpPeer(() => {});
  const [target, context] = asking(peer);
  const shared = contextWith(context);
  const before = process.memoryUsage().rss;
  const beside = { kind: "tcp", host: "127.0.0.1", port: healthy.port } as const;
  const over = new AbortController();
  // What ends at a limit has the time for it on a busy machine, too.
  const budget = says.source.includes("timeout") ? timeout : patience;
  const flooded = attempt(target, shared, budget).finally(() => over.abort());
  let others = 0;
  /** How many others had ended when a timer of the same length did: a busy machine delays both alike. */
  let othersInTime: number | null = null;
  const timer = setTimeout(() => (othersInTime = others), budget);
  while (!over.signal.aborted) {
    expect((await attempt(beside, { ...shared, proxying: direct }, patience)).failure).toBeNull();
    others += 1;
  }
  const outcome = await flooded;
  clearTimeout(timer);
  expect(others - (othersInTime ?? others)).toBeLessThanOrEqual(2);
  // On a busy machine, a check may have no verdict for its own pause or delay.
  if (!/^The agent was (paused for|delayed by) /.test(outcome.failure?.message ?? ""))
    expect(told(outcome)).toMatch(says);
  if (told(outcome).includes("timeout")) expect(others).toBeGreaterThan(1);
  expect(process.memoryUsage().rss - before).toBeLessThan(memoryMax);
});

const direct = { proxy: null, exceptions: [] } as const;

const told = ({ failure }: Outcome): string =>
  failure === null ? "ok" : `${failure.code} in ${failure.phase}`;

async function attempt(target: Target, context: ProbeContext, budget: number): Promise<Outcome> {
  using deadline = startDeadline(systemClock, millis(budget));
  return await probe(target, deadline, context);
}
