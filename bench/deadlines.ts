import { noOverrides } from "#check/overrides";
import { once } from "node:events";
import dgram from "node:dgram";
import net from "node:net";
import { startWorkerProber } from "../test/support/worker-prober.ts";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import type { Target } from "#check/monitor";
import { mebibytes, millis } from "#base/units";

/**
 * How late the deadline of an attempt fires, by the phase in which the peer falls silent: alone, and beside 500 checks a
 * second that end well. Prints a table; `npm run bench:deadlines`.
 */
const timeout = 200;
const attemptsEach = 40;

const silent = net.createServer((socket) => socket.on("error", () => {}));
const dripping = net.createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    const drip = setInterval(() => socket.write("x"), 5);
    socket.once("close", () => clearInterval(drip));
  });
});
const healthy = net.createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
});
const mute = dgram.createSocket("udp4").bind(0, "127.0.0.1");
await once(mute, "listening");
const [silentPort, drippingPort, healthyPort] = await Promise.all(
  [silent, dripping, healthy].map(portOf),
);

const web = { kind: "http", method: "GET", headers: [], body: "", followRedirects: false } as const;
const targets: Readonly<Record<string, Target>> = {
  "dns (a name server that never answers)": { ...web, url: "http://never.test/" },
  tls: { ...web, url: `https://127.0.0.1:${silentPort}/` },
  wait: { ...web, url: `http://127.0.0.1:${silentPort}/` },
  "receive (a body that drips)": { ...web, url: `http://127.0.0.1:${drippingPort}/` },
  "wait of a DNS check": {
    kind: "dns",
    name: "never.test",
    types: ["A"],
    recordsNeeded: true,
    server: { host: "127.0.0.1", port: mute.address().port },
  },
};

await using prober = await startWorkerProber(
  {
    trust: { authorities: null, identity: null },
    nameServers: [{ host: "127.0.0.1", port: mute.address().port }],
    targetRules: { allow: [], deny: [] },
    proxying: { proxy: null, exceptions: [] },
    ipFamily: "any",
    resolver: "stub",
    http2: true,
    kernelClock: true,
    evidence: "local",
    evidenceDirect: false,
    paths: false,
    references: [],
    rawSockets: "off",
    bodyBytesMax: mebibytes(1),
    userAgent: "picket/bench",
    overrides: noOverrides,
  },
  silentLogger,
);
const signal = new AbortController().signal;
process.stdout.write("phase | load | median ms late | max ms late | code\n");
for (const load of [0, 500]) {
  const idle = new AbortController();
  const background = load === 0 ? Promise.resolve() : checkHealthy(load, idle.signal);
  for (const [phase, target] of Object.entries(targets)) await measure(phase, load, target);
  idle.abort();
  await background;
}
for (const server of [silent, dripping, healthy]) server.close();
mute.close();
process.exit(0);

async function measure(phase: string, load: number, target: Target): Promise<void> {
  const late: number[] = [];
  const codes = new Set<string>();
  await Promise.all(
    Array.from({ length: attemptsEach }, async (_, index) => {
      await systemClock.sleep(millis(index * 13));
      const { total, failure } = await prober.probe(target, millis(timeout), signal);
      late.push(total / 1e6 - timeout);
      codes.add(failure?.code ?? "none");
    }),
  );
  late.sort((a, b) => a - b);
  const shown = [late[attemptsEach / 2] ?? 0, late.at(-1) ?? 0].map((one) => one.toFixed(1));
  process.stdout.write(`${[phase, `${load}/s`, ...shown, [...codes].join()].join(" | ")}\n`);
}

async function checkHealthy(rate: number, until: AbortSignal): Promise<void> {
  const target: Target = { ...web, url: `http://127.0.0.1:${healthyPort}/` };
  while (!until.aborted) {
    void prober.probe(target, millis(5_000), signal);
    await systemClock.sleep(millis(1_000 / rate));
  }
}

async function portOf(server: net.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}
