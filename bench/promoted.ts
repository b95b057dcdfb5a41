import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getHeapSpaceStatistics } from "node:v8";
import type { Target } from "#check/monitor";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { Prober, ProbeThreadOptions } from "#agent/prober/prober";
import { millis } from "#base/units";
import { proberOptions } from "../test/support/metering.ts";
import { addresses, padding, startNamePeer, startWebPeer } from "../test/wire-truth/peers.ts";

/*
 * How many bytes of a check the collector moves to the old generation, where only a full collection frees them: one
 * check at a time, by kind and by sockets. It does not depend on what else the machine does. Needs nginx, knot and
 * openssl.
 *
 *   npm run bench:promoted
 */
const warmUpChecks = 500;
const checks = 1_000;
/** So few that no full collection hides between two looks. */
const checksBetweenLooks = 10;

const folder = mkdtempSync(path.join(tmpdir(), "picket-promoted-"));
await using peers = new AsyncDisposableStack();
peers.defer(() => rmSync(folder, { recursive: true }));
const web = peers.use(await startWebPeer(folder));
const names = peers.use(await startNamePeer(folder));
const host = addresses[0] ?? "";

const options = (rawSockets: "on" | "off", http2: boolean): ProbeThreadOptions => ({
  ...proberOptions,
  trust: { authorities: readFileSync(web.caFile, "utf8"), identity: null },
  kernelClock: true,
  rawSockets,
  http2,
  userAgent: "picket/bench",
  threads: 1,
});
const request = (url: string): Target => ({
  kind: "http",
  url,
  method: "GET",
  headers: [{ key: "x-fill", value: padding }],
  body: "",
  followRedirects: false,
});
const kinds: readonly (readonly [name: string, target: Target, http2: boolean])[] = [
  ["http", request(`http://${host}:${web.plain}/`), false],
  ["https", request(`https://${host}:${web.ecdsa}/`), false],
  ["https, HTTP/2", request(`https://${host}:${web.ecdsa}/`), true],
  ["tcp", { kind: "tcp", host, port: web.plain }, false],
  [
    "dns",
    {
      kind: "dns",
      name: "a.wire.test",
      types: ["A"],
      recordsNeeded: true,
      server: { host, port: names.port },
    },
    false,
  ],
];
const never = new AbortController().signal;

const oldBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === "old_space")?.space_used_size ?? 0;

async function check(prober: Prober, target: Target, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { failure } = await prober.probe(target, millis(10_000), never);
    if (failure !== null) throw new Error(failure.message);
  }
}

async function promoted(prober: Prober, target: Target): Promise<number> {
  await check(prober, target, warmUpChecks);
  let sum = 0;
  for (let n = 0; n < checks; n += checksBetweenLooks) {
    const before = oldBytes();
    await check(prober, target, checksBetweenLooks);
    sum += Math.max(0, oldBytes() - before);
  }
  return sum / checks;
}

process.stdout.write("| check | raw sockets | Node.js's sockets |\n| --- | --- | --- |\n");
for (const [name, target, http2] of kinds) {
  const cells: string[] = [];
  for (const sockets of ["on", "off"] as const) {
    await using prober = await startInlineProber(options(sockets, http2));
    cells.push((await promoted(prober, target)).toFixed(0));
  }
  process.stdout.write(`| ${[name, ...cells].join(" | ")} |\n`);
}
