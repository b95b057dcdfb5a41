import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#base/clock";
import type { Target } from "#check/monitor";
import { silentLogger } from "#base/log";
import type { Prober, ProberOptions } from "#agent/prober/prober";
import { proberOptions } from "../test/support/metering.ts";
import { startWorkerProber } from "../test/support/worker-prober.ts";
import { millis, nanos } from "#base/units";
import { addresses, padding, startNamePeer, startWebPeer } from "../test/wire-truth/peers.ts";

/*
 * Processor time of one check, in microseconds of user and system time of this whole process: probes over raw sockets
 * beside probes over the runtime's, each in a thread, in turns on the same targets. Needs nginx, knot and openssl.
 *
 *   npm run bench:sockets -- [--rates 333,100] [--turns 5] [--seconds 3]
 */
const { values: asked } = parseArgs({
  options: {
    rates: { type: "string", default: "333,100" },
    turns: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
  },
});
const warmUpChecks = 1_500;

const folder = mkdtempSync(path.join(tmpdir(), "picket-sockets-"));
await using peers = new AsyncDisposableStack();
peers.defer(() => rmSync(folder, { recursive: true }));
const web = peers.use(await startWebPeer(folder));
const names = peers.use(await startNamePeer(folder));
const options = (rawSockets: "on" | "off"): ProberOptions => ({
  ...proberOptions,
  trust: { authorities: readFileSync(web.caFile, "utf8"), identity: null },
  kernelClock: true,
  rawSockets,
  http2: false,
  userAgent: "picket/bench",
});
const runtime = peers.use(await startWorkerProber(options("off"), silentLogger));
const raw = peers.use(await startWorkerProber(options("on"), silentLogger));

const hostOf = (n: number): string => addresses[n % addresses.length] ?? "";
const url =
  (scheme: string, port: number) =>
  (n: number): Target => ({
    kind: "http",
    url: `${scheme}://${hostOf(n)}:${port}/`,
    method: "GET",
    headers: [{ key: "x-fill", value: padding }],
    body: "",
    followRedirects: false,
  });
const kinds: Readonly<Record<string, (n: number) => Target>> = {
  http: url("http", web.plain),
  https: url("https", web.ecdsa),
  tcp: (n) => ({ kind: "tcp", host: hostOf(n), port: web.plain }),
  dns: (n) => ({
    kind: "dns",
    name: "a.wire.test",
    types: ["A"],
    recordsNeeded: true,
    server: { host: hostOf(n), port: names.port },
  }),
};
const never = new AbortController().signal;

/** Microseconds a check. */
async function turn(
  prober: Prober,
  target: (n: number) => Target,
  rate: number,
  checks: number,
): Promise<number> {
  const before = process.cpuUsage();
  const begun = [];
  let due = systemClock.monotonic();
  for (let n = 0; n < checks; n += 1) {
    await systemClock.sleep(millis((due - systemClock.monotonic()) / 1e6));
    begun.push(prober.probe(target(n), millis(10_000), never));
    due = nanos(due + 1e9 / rate);
  }
  const outcomes = await Promise.all(begun);
  const { user, system } = process.cpuUsage(before);
  const failed = outcomes.find(({ failure }) => failure !== null);
  if (failed !== undefined) throw new Error(failed.failure?.message);
  return (user + system) / checks;
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
const seconds = Number(asked.seconds);

process.stdout.write("check, a second: runtime's sockets, raw sockets, ratio (µs a check)\n");
for (const [name, target] of Object.entries(kinds)) {
  for (const prober of [runtime, raw]) await turn(prober, target, 500, warmUpChecks);
  for (const rate of asked.rates.split(",").map(Number)) {
    const used = { runtime: [] as number[], raw: [] as number[] };
    for (let n = 0; n < Number(asked.turns); n += 1) {
      used.runtime.push(await turn(runtime, target, rate, rate * seconds));
      used.raw.push(await turn(raw, target, rate, rate * seconds));
    }
    const [one, other] = [median(used.runtime), median(used.raw)];
    const figures = `${one.toFixed(0)}, ${other.toFixed(0)}, ${(other / one).toFixed(2)}`;
    process.stdout.write(`${name} ${rate}: ${figures}\n`);
  }
}
